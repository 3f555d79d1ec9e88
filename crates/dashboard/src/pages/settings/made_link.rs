//! A one-time link that was just issued.

use domain::account::{LinkPurpose, Token};
use domain::usecase::LinkNotIssued;

use super::sentence;
use crate::failure::Failure;
use crate::format::Time;
use crate::pages::link_path;
use crate::visit::Visit;

/// A one-time link to show this once, because only its hash is stored.
pub(super) struct MadeLink {
    /// Whose link it is.
    pub(super) name: String,
    pub(super) is_invitation: bool,
    pub(super) url: String,
    pub(super) expires: Time,
}

impl MadeLink {
    /// The link with this token, issued now.
    pub(super) fn new(visit: &Visit, purpose: LinkPurpose, name: &str, token: &Token) -> Self {
        let base_url = &visit.state.settings.base_url;
        Self {
            name: name.to_owned(),
            is_invitation: purpose == LinkPurpose::Invitation,
            url: format!("{base_url}{}", link_path(purpose, token)),
            expires: Time::new(visit.now() + purpose.lifetime()),
        }
    }
}

/// Why a link was not issued, as a sentence for the person.
///
/// # Errors
/// Where the database failed.
pub(super) fn refusal(error: LinkNotIssued) -> Result<String, Failure> {
    match error {
        LinkNotIssued::Store(error) => Err(error.into()),
        other => Ok(sentence(&other.to_string())),
    }
}
