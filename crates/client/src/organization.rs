//! The account and the members.

use api_types::account::Account;
use api_types::member::MemberList;

use crate::call::Call;
use crate::{Client, Error, Reply};

impl Client {
    /// The organization, plan and key of the client. This verifies the key.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn account(&self) -> Result<Reply<Account>, Error> {
        self.call(Call::get(&["account"])).await
    }

    /// The members of the organization.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn members(&self) -> Result<Reply<MemberList>, Error> {
        self.call(Call::get(&["members"])).await
    }
}
