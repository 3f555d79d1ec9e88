//! Which pages of a report a filter leaves.

use diesel::prelude::*;
use domain::report::{PageFilter, StatusFilter};

use super::source::Source;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{causes, occurrences, pages};
use crate::database::values::number;
use crate::stores::contains::{ESCAPE, containing, lower};

/// A page of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListedPlace {
    /// Its place in the order of the list, pages that are left out included.
    pub(super) place: u32,
    /// Its position in the order of the crawl.
    pub(super) position: u32,
}

/// A filter of the pages of a run.
pub(super) struct Condition<'a> {
    pub(super) source: &'a Source,
    pub(super) filter: &'a PageFilter,
    /// The position of the filter's issue.
    pub(super) issue: Option<i64>,
}

impl Condition<'_> {
    /// The pages that pass, in the order of the crawl, from a position on; at most one more than `limit`, which shows
    /// whether there is a next page.
    pub(super) fn positions_from(
        &self,
        connection: &mut AnyConnection,
        from: u32,
        limit: Option<u32>,
    ) -> Result<Vec<ListedPlace>, StorageError> {
        let mut query = pages::table
            .filter(pages::run_id.eq(&self.source.run_id))
            .filter(pages::epoch.eq(self.source.epoch))
            .filter(pages::position.ge(i64::from(from)))
            .order(pages::position)
            .select(pages::position)
            .into_boxed();
        if let Some(limit) = limit {
            query = query.limit(i64::from(limit) + 1);
        }
        let codes = self.codes();
        let statuses = &self.filter.statuses;
        query = match (
            statuses.contains(&StatusFilter::NoResponse),
            codes.is_empty(),
        ) {
            (true, true) => query.filter(pages::status.is_null()),
            (true, false) => query.filter(pages::status.is_null().or(pages::status.eq_any(codes))),
            (false, true) => query,
            (false, false) => query.filter(pages::status.eq_any(codes)),
        };
        if let Some(text) = &self.filter.text {
            let pattern = containing(text);
            query = query.filter(
                lower(pages::url)
                    .like(lower(pattern.clone()))
                    .escape(ESCAPE)
                    .or(lower(pages::title.assume_not_null())
                        .like(lower(pattern))
                        .escape(ESCAPE)),
            );
        }
        if let Some(issue) = self.issue {
            let occurs_on = occurrences::table
                .inner_join(
                    causes::table.on(causes::run_id
                        .eq(occurrences::run_id)
                        .and(causes::epoch.eq(occurrences::epoch))
                        .and(causes::position.eq(occurrences::cause_position))),
                )
                .filter(causes::run_id.eq(&self.source.run_id))
                .filter(causes::epoch.eq(self.source.epoch))
                .filter(causes::issue_position.eq(issue))
                .select(occurrences::url);
            query = query.filter(pages::url.eq_any(occurs_on));
        }
        let found: Vec<i64> = query.load(connection)?;
        found
            .into_iter()
            .map(|position| {
                let position = number("position", position)?;
                Ok(ListedPlace {
                    place: position,
                    position,
                })
            })
            .collect()
    }

    /// The status codes of the filter, each once.
    fn codes(&self) -> Vec<i64> {
        let statuses = self.filter.statuses.iter();
        let mut codes: Vec<i64> = statuses
            .flat_map(|status| match status {
                StatusFilter::Codes { from, to } => i64::from(*from)..=i64::from(*to),
                #[expect(clippy::reversed_empty_ranges, reason = "an empty range")]
                StatusFilter::NoResponse => 1..=0,
            })
            .collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }
}
