//! `get_account`.

use api_types::account::Account;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct GetAccount;

/// Nothing.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {}

impl Tool for GetAccount {
    const NAME: &'static str = "get_account";
    const TITLE: &'static str = "Get the account";
    const DESCRIPTION: &'static str = "Get the organization, its plan with limits (null: none) and usage, and the role of the key.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = Arguments;
    type Output = Account;

    async fn call(context: &Context, _arguments: Arguments) -> Result<Account, Failure> {
        Ok(context.client.account().await?.value)
    }

    fn next(_account: &Account, _offers: Offers) -> String {
        "Call list_sites for the sites, or start_audit with a URL.".to_owned()
    }
}
