//! The waivers of a report, as they are stored.

use chrono::{DateTime, Utc};
use domain::id::WaiverId;
use domain::waiver::{
    AppliedWaiver, Waiver, WaiverAuthor, WaiverAuthorKind, WaiverState, WaiverTerms,
};
use serde::{Deserialize, Serialize};

use crate::database::error::StorageError;
use crate::database::values::{known, storable};

/// A waiver as it was when the run of the report began.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredWaiver {
    id: String,
    check_id: String,
    path: Option<String>,
    cause: Option<String>,
    reason: String,
    author_kind: String,
    author_id: Option<String>,
    author_name: String,
    /// Times are in milliseconds since 1970.
    created_at: Option<i64>,
    expires_at: Option<i64>,
    state: String,
    occurrences: u64,
}

impl StoredWaiver {
    pub(super) fn new(applied: &AppliedWaiver) -> Self {
        let (waiver, terms) = (&applied.waiver, &applied.waiver.terms);
        Self {
            id: waiver.id.as_str().to_owned(),
            check_id: storable(&terms.check_id),
            path: terms.path.as_deref().map(storable),
            cause: terms.cause.clone(),
            reason: storable(&terms.reason),
            author_kind: waiver.author.kind.as_str().to_owned(),
            author_id: waiver.author.id.clone(),
            author_name: storable(&waiver.author.name),
            created_at: waiver.created_at.map(|at| at.timestamp_millis()),
            expires_at: terms.expires_at.map(|at| at.timestamp_millis()),
            state: applied.state.as_str().to_owned(),
            occurrences: applied.occurrences,
        }
    }

    pub(super) fn read(self) -> Result<AppliedWaiver, StorageError> {
        let kind = WaiverAuthorKind::named(&self.author_kind);
        let state = WaiverState::named(&self.state);
        Ok(AppliedWaiver {
            waiver: Waiver {
                id: known("waiver", &self.id, WaiverId::parse(&self.id))?,
                terms: WaiverTerms {
                    check_id: self.check_id,
                    path: self.path,
                    cause: self.cause,
                    reason: self.reason,
                    expires_at: self.expires_at.and_then(time),
                },
                author: WaiverAuthor {
                    kind: known("author", &self.author_kind, kind)?,
                    id: self.author_id,
                    name: self.author_name,
                },
                created_at: self.created_at.and_then(time),
            },
            state: known("state", &self.state, state)?,
            occurrences: self.occurrences,
        })
    }
}

fn time(milliseconds: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(milliseconds)
}
