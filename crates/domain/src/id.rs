//! The ids of everything that is stored: a type prefix and a ULID, `run_01J…`.
//!
//! Ids are opaque to callers. They sort by the time they were made.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::sources::IdSource;

/// How many characters a ULID has.
const ULID_LENGTH: usize = 26;

/// Tells whether a text is a ULID in its canonical form: Crockford's base 32 in upper case, at most
/// 128 bits.
fn is_ulid(text: &str) -> bool {
    text.len() == ULID_LENGTH
        && text.starts_with(|first| ('0'..='7').contains(&first))
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'H' | b'J' | b'K' | b'M' | b'N' | b'P'..=b'T' | b'V'..=b'Z'))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// What stands before the ULID.
            pub const PREFIX: &'static str = $prefix;

            /// A new id.
            #[must_use]
            pub fn make(ids: &dyn IdSource) -> Self {
                Self(format!(concat!($prefix, "_{}"), ids.ulid()))
            }

            /// The id that a text spells; none for a text that is no id of this type, and so of
            /// nothing that is stored.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                text.strip_prefix(concat!($prefix, "_"))
                    .is_some_and(is_ulid)
                    .then(|| Self(text.to_owned()))
            }

            /// The id as it is written.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        crate::serde_text::serde_as_text!($name, $name::parse);
    )*};
}

ids! {
    /// The id of an organization.
    OrgId = "org";
    /// The id of a member of an organization.
    MemberId = "mem";
    /// The id of an account.
    AccountId = "acc";
    /// The id of a session; not its token.
    SessionId = "ses";
    /// The id of an API key; not the key itself.
    KeyId = "key";
    /// The id of a site.
    SiteId = "site";
    /// The id of a run.
    RunId = "run";
    /// The id of a report.
    ReportId = "rep";
    /// The id of an issue in a report.
    IssueId = "iss";
    /// The id of an action item.
    ActionId = "act";
    /// The id of a comment on an action item.
    CommentId = "cmt";
    /// The id of a webhook.
    WebhookId = "whk";
    /// The id of an event.
    EventId = "evt";
    /// The id of a delivery of an event to a webhook.
    DeliveryId = "dlv";
    /// The id of a waiver.
    WaiverId = "wvr";
}

impl EventId {
    /// The id of the event that tells how a run ended: always the same, since a run ends once.
    #[must_use]
    pub fn of_the_end_of(run: &RunId) -> Self {
        Self(run.as_str().replacen(RunId::PREFIX, Self::PREFIX, 1))
    }
}

impl WaiverId {
    /// The id of a waiver that a text describes: the same text always has the same id.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let mut bytes = [0; 16];
        for (to, from) in bytes.iter_mut().zip(Sha256::digest(text)) {
            *to = from;
        }
        let number = u128::from_be_bytes(bytes);
        let digits = (0..ULID_LENGTH).rev().map(|place| {
            let digit = usize::try_from(number >> (5 * place) & 31).unwrap_or_default();
            DIGITS.get(digit).copied().map_or('0', char::from)
        });
        Self(format!("{}_{}", Self::PREFIX, digits.collect::<String>()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn an_id_parses_back() {
        let text = "run_01JD2Y3Z4A5B6C7D8E9F0GHJKM";
        assert_eq!(RunId::parse(text).unwrap().as_str(), text);
    }

    #[test]
    fn the_id_of_a_text_is_an_id_and_stays() {
        let id = WaiverId::of_text("csp-missing\n\n");
        assert_eq!(WaiverId::parse(id.as_str()), Some(id.clone()));
        assert_eq!(id, WaiverId::of_text("csp-missing\n\n"));
        assert_ne!(id, WaiverId::of_text("csp-missing\n/a\n"));
    }

    #[rstest]
    #[case::empty("")]
    #[case::prefix_only("run_")]
    #[case::another_type("rep_01JD2Y3Z4A5B6C7D8E9F0GHJKM")]
    #[case::lower_case("run_01jd2y3z4a5b6c7d8e9f0ghjkm")]
    #[case::a_letter_that_is_none_of_crockfords("run_01JD2Y3Z4A5B6C7D8E9F0GHJKI")]
    #[case::too_short("run_01JD2Y3Z4A5B6C7D8E9F0GHJK")]
    #[case::too_long("run_01JD2Y3Z4A5B6C7D8E9F0GHJKMM")]
    #[case::more_than_128_bits("run_81JD2Y3Z4A5B6C7D8E9F0GHJKM")]
    #[case::nul("run_01JD2Y3Z4A5B6C7D8E9F0GHJK\0")]
    #[case::not_ascii("run_01JD2Y3Z4A5B6C7D8E9F0GHJé")]
    fn what_is_no_id_is_none(#[case] text: &str) {
        assert_eq!(RunId::parse(text), None);
    }
}
