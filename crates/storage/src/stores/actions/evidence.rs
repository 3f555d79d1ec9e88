//! Stored evidence: where the latest audit found an item.

use std::collections::BTreeSet;

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::SubjectKind;
use domain::action::{Evidence, ObservationMode, PageKey};
use domain::id::ActionId;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::actions;
use crate::database::values::{known, stored_time};

/// Length of a page key in characters.
const KEY_LENGTH: usize = 32;

/// The evidence of an item; empty for an item that a person created.
#[derive(Queryable, Selectable, Insertable, AsChangeset, Default)]
#[diesel(table_name = actions, treat_none_as_default_value = false, treat_none_as_null = true)]
pub(super) struct EvidenceRow {
    found_subject: Option<String>,
    found_sight: Option<String>,
    found_at: Option<NaiveDateTime>,
    found_on_all: Option<bool>,
    found_on: Option<String>,
}

impl EvidenceRow {
    pub(super) fn new(evidence: &Evidence) -> Self {
        Self {
            found_subject: Some(evidence.subject.as_str().to_owned()),
            found_sight: Some(evidence.mode.as_str().to_owned()),
            found_at: Some(stored_time(evidence.found_at)),
            found_on_all: Some(evidence.all_pages),
            found_on: Some(evidence.pages.iter().map(ToString::to_string).collect()),
        }
    }

    pub(super) fn read(self) -> Result<Option<Evidence>, StorageError> {
        let Self {
            found_subject: Some(subject),
            found_sight: Some(mode),
            found_at: Some(found_at),
            found_on_all: Some(all_pages),
            found_on: Some(pages),
        } = self
        else {
            return Ok(None);
        };
        Ok(Some(Evidence {
            subject: known("kind of subject", &subject, SubjectKind::named(&subject))?,
            mode: known("mode", &mode, ObservationMode::named(&mode))?,
            pages: keys(&pages)?,
            all_pages,
            found_at: found_at.and_utc(),
        }))
    }
}

/// Returns how the last audit that found an item looked at pages; `None` for an item that a person created.
pub(super) fn mode_of(
    connection: &mut AnyConnection,
    action: &ActionId,
) -> Result<Option<ObservationMode>, StorageError> {
    let stored: Option<Option<String>> = actions::table
        .find(action.as_str())
        .select(actions::found_sight)
        .get_result(connection)
        .optional()?;
    stored
        .flatten()
        .map(|mode| known("mode", &mode, ObservationMode::named(&mode)))
        .transpose()
}

/// Splits a text of concatenated keys.
fn keys(stored: &str) -> Result<BTreeSet<PageKey>, StorageError> {
    stored
        .as_bytes()
        .chunks(KEY_LENGTH)
        .map(|key| {
            let key = String::from_utf8_lossy(key);
            known("key of a page", &key, PageKey::parse(&key))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use domain::action::MAX_EVIDENCE_PAGES;

    use super::*;

    #[test]
    fn evidence_comes_back() {
        for pages in [0, 1, MAX_EVIDENCE_PAGES] {
            let urls = (0..pages).map(|page| format!("https://example.com/{page}"));
            let evidence = Evidence {
                subject: SubjectKind::Page,
                mode: ObservationMode::Static,
                pages: urls.map(|url| PageKey::from_url(&url)).collect(),
                all_pages: true,
                found_at: DateTime::UNIX_EPOCH,
            };
            let read = EvidenceRow::new(&evidence).read();
            assert_eq!(read, Ok(Some(evidence)));
        }
        assert_eq!(EvidenceRow::default().read(), Ok(None));
    }

    #[test]
    fn an_invalid_page_key_is_rejected() {
        let half = "0f115db062b7c0dd";
        assert!(keys(half).is_err() && keys("ä").is_err());
    }
}
