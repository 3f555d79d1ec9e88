//! Waivers: findings that the owner of a site accepts.
//!
//! A waived occurrence stays in the report, marked with the waiver. It costs no points, passes gates and makes
//! no action item. A waiver that has expired no longer applies.

mod invalid;
mod request;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

pub use invalid::{InvalidWaiver, WaiverProblem};
pub use request::{WaiverRequest, WaiverTerms};

use crate::id::WaiverId;
use crate::named_enum::named_enum;

/// The maximum number of waivers of a site, and of a file of waivers.
pub const MAX_WAIVERS: usize = 200;
/// The maximum number of characters of the path pattern of a waiver.
pub const MAX_PATH_CHARS: usize = 500;
/// The maximum number of characters of the reason of a waiver.
pub const MAX_REASON_CHARS: usize = 1_000;

/// A finding that the owner of a site accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Waiver {
    /// Its id.
    pub id: WaiverId,
    /// What it accepts, why and until when.
    pub terms: WaiverTerms,
    /// Who accepted it.
    pub author: WaiverAuthor,
    /// When it was created; unknown for waivers of a file.
    pub created_at: Option<DateTime<Utc>>,
}

impl Waiver {
    /// A waiver of a file. The same terms always have the same id.
    #[must_use]
    pub fn of_file(terms: WaiverTerms, author: WaiverAuthor) -> Self {
        let parts = [
            terms.check_id.as_str(),
            terms.path.as_deref().unwrap_or_default(),
            terms.cause.as_deref().unwrap_or_default(),
        ];
        Self {
            id: WaiverId::of_text(&parts.join("\n")),
            terms,
            author,
            created_at: None,
        }
    }

    /// Whether it applies at this time.
    #[must_use]
    pub fn state(&self, now: DateTime<Utc>) -> WaiverState {
        match self.terms.expires_at {
            Some(expires_at) if expires_at <= now => WaiverState::Expired,
            _ => WaiverState::Active,
        }
    }
}

named_enum! {
    /// Whether a waiver applies.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum WaiverState {
        /// It applies.
        Active = "active",
        /// It has expired: what it accepted counts again.
        Expired = "expired",
    }
}

named_enum! {
    /// What kind of author a waiver has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum WaiverAuthorKind {
        /// A caller with an API key.
        Key = "key",
        /// A person.
        Member = "member",
        /// The service.
        System = "system",
        /// Whoever wrote the file of waivers.
        File = "file",
    }
}

/// The author of a waiver, with the name at the time of its creation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct WaiverAuthor {
    /// The kind.
    pub kind: WaiverAuthorKind,
    /// The id of the key or of the member.
    pub id: Option<String>,
    /// The name.
    pub name: String,
}

/// A waiver in an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct AppliedWaiver {
    /// The waiver.
    pub waiver: Waiver,
    /// Whether it applied when the audit began.
    pub state: WaiverState,
    /// The number of occurrences that it accepted; 0 for an expired waiver.
    pub occurrences: u64,
}

/// The waivers of an audit, at most [`MAX_WAIVERS`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditWaivers(Vec<AppliedWaiver>);

impl AuditWaivers {
    /// The waivers as they are at the time at which the audit begins. Waivers beyond [`MAX_WAIVERS`] are ignored.
    #[must_use]
    pub fn at(waivers: impl IntoIterator<Item = Waiver>, now: DateTime<Utc>) -> Self {
        let applied = waivers.into_iter().map(|waiver| AppliedWaiver {
            state: waiver.state(now),
            waiver,
            occurrences: 0,
        });
        applied.collect()
    }

    /// All of them, in the order in which they apply.
    #[must_use]
    pub fn as_slice(&self) -> &[AppliedWaiver] {
        &self.0
    }

    /// The waivers, each with the number of occurrences that it accepted, by its place.
    #[must_use]
    pub fn with_occurrences(mut self, counts: &BTreeMap<usize, u64>) -> Vec<AppliedWaiver> {
        for (&place, &count) in counts {
            if let Some(applied) = self.0.get_mut(place) {
                applied.occurrences = count;
            }
        }
        self.0
    }
}

impl FromIterator<AppliedWaiver> for AuditWaivers {
    /// Takes the first [`MAX_WAIVERS`].
    fn from_iter<I: IntoIterator<Item = AppliedWaiver>>(waivers: I) -> Self {
        Self(waivers.into_iter().take(MAX_WAIVERS).collect())
    }
}

#[cfg(test)]
mod tests;
