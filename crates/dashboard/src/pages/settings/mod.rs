//! Settings: the organization, its members, keys, webhooks and retention, and the person's own account, sessions and second factor.

pub(super) mod account;
pub(super) mod audit_log;
mod browser;
mod choice;
pub(super) mod index;
pub(super) mod keys;
mod made_link;
pub(super) mod member;
pub(super) mod members;
mod nav;
mod required_factor;
pub(super) mod retention;
pub(crate) mod second_factor;
pub(super) mod sessions;
pub(super) mod webhook;
mod webhook_form;
pub(super) mod webhooks;

use crate::failure::Failure;
use crate::visit::Visit;

/// The place in a list that the address of the page names; none for the beginning of the list.
///
/// # Errors
/// When the address holds something else.
fn cursor<T>(visit: &Visit, decode: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Failure> {
    let Some(text) = visit.query.given("cursor") else {
        return Ok(None);
    };
    match decode(text) {
        Some(cursor) => Ok(Some(cursor)),
        None => Err(Failure::BadRequest(
            "The link to this page of the list is invalid. Open the list again.",
        )),
    }
}

/// The text of an error as a sentence: with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let mut sentence: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    sentence.push_str(chars.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_shown_as_sentences() {
        assert_eq!(sentence("no such member"), "No such member.");
        assert_eq!(sentence("Ask again."), "Ask again.");
    }
}
