//! A waiver, as it is written to a child and comes back with its number of occurrences.

use chrono::{DateTime, Utc};
use domain::id::WaiverId;
use domain::waiver::{
    AppliedWaiver, Waiver, WaiverAuthor, WaiverAuthorKind, WaiverState, WaiverTerms,
};
use serde::{Deserialize, Serialize};

use super::result::UnknownName;

/// `domain::waiver::AppliedWaiver`.
#[derive(Serialize, Deserialize)]
pub(super) struct WireWaiver {
    id: String,
    check_id: String,
    path: Option<String>,
    cause: Option<String>,
    reason: String,
    author_kind: String,
    author_id: Option<String>,
    author_name: String,
    created_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
    state: String,
    occurrences: u64,
}

impl From<AppliedWaiver> for WireWaiver {
    fn from(applied: AppliedWaiver) -> Self {
        let Waiver {
            id,
            terms,
            author,
            created_at,
        } = applied.waiver;
        Self {
            id: id.as_str().to_owned(),
            check_id: terms.check_id,
            path: terms.path,
            cause: terms.cause,
            reason: terms.reason,
            author_kind: author.kind.as_str().to_owned(),
            author_id: author.id,
            author_name: author.name,
            created_at,
            expires_at: terms.expires_at,
            state: applied.state.as_str().to_owned(),
            occurrences: applied.occurrences,
        }
    }
}

impl TryFrom<WireWaiver> for AppliedWaiver {
    type Error = UnknownName;

    fn try_from(waiver: WireWaiver) -> Result<Self, UnknownName> {
        let kind = WaiverAuthorKind::named(&waiver.author_kind);
        let state = WaiverState::named(&waiver.state);
        let id = WaiverId::parse(&waiver.id);
        Ok(Self {
            waiver: Waiver {
                id: id.ok_or(UnknownName(waiver.id))?,
                terms: WaiverTerms {
                    check_id: waiver.check_id,
                    path: waiver.path,
                    cause: waiver.cause,
                    reason: waiver.reason,
                    expires_at: waiver.expires_at,
                },
                author: WaiverAuthor {
                    kind: kind.ok_or(UnknownName(waiver.author_kind))?,
                    id: waiver.author_id,
                    name: waiver.author_name,
                },
                created_at: waiver.created_at,
            },
            state: state.ok_or(UnknownName(waiver.state))?,
            occurrences: waiver.occurrences,
        })
    }
}
