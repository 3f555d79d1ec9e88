//! Rows of causes.

use diesel::prelude::*;
use domain::ports::{CausePage, Claim, NewCause};
use domain::report::{CauseCursor, INLINE_OCCURRENCES, IssueCause, Variant};

use super::issues::state_named;
use super::occurrences::{self, ROWS_A_STATEMENT};
use super::source::{ListedIssue, Source};
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{causes, occurrences as occurrence_rows};
use crate::database::values::{number, storable, stored_count};

#[derive(Insertable)]
#[diesel(table_name = causes, treat_none_as_default_value = false)]
struct NewRow {
    run_id: String,
    epoch: i64,
    position: i64,
    issue_position: i64,
    ordinal: i64,
    fingerprint: String,
    cause: String,
    message: String,
    affected: i64,
    affected_pages: i64,
    score_impact: f64,
    score_impact_legacy: Option<f64>,
    occurrences_total: i64,
    occurrences_stored: i64,
    waived: i64,
}

impl NewRow {
    fn new(claim: &Claim, new: &NewCause) -> Self {
        let cause = &new.cause;
        Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            position: new.position.into(),
            issue_position: new.issue.into(),
            ordinal: new.ordinal.into(),
            fingerprint: cause.fingerprint.clone(),
            cause: storable(&cause.key),
            message: storable(&cause.message),
            affected: stored_count(cause.affected),
            affected_pages: stored_count(cause.affected_pages),
            score_impact: cause.score_impact,
            score_impact_legacy: new.score_impact_legacy,
            occurrences_total: stored_count(cause.occurrences_total),
            // Set when the run completes.
            occurrences_stored: 0,
            waived: stored_count(cause.waived),
        }
    }
}

/// Stores a batch. Existing rows are kept: the worker writes the same batch again if it does not know whether
/// the first attempt succeeded.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewCause],
) -> Result<(), StorageError> {
    for part in batch.chunks(ROWS_A_STATEMENT) {
        let rows: Vec<_> = part.iter().map(|new| NewRow::new(claim, new)).collect();
        on_either!(connection, inner => diesel::insert_into(causes::table)
            .values(&rows)
            .on_conflict_do_nothing()
            .execute(inner)?);
    }
    Ok(())
}

/// Counts the stored occurrences of each cause of a run.
pub(super) fn count_occurrences(
    connection: &mut AnyConnection,
    source: &Source,
) -> Result<(), StorageError> {
    let stored = occurrence_rows::table
        .filter(occurrence_rows::run_id.eq(causes::run_id))
        .filter(occurrence_rows::epoch.eq(causes::epoch))
        .filter(occurrence_rows::cause_position.eq(causes::position))
        .count()
        .single_value()
        .assume_not_null();
    diesel::update(causes::table)
        .filter(causes::run_id.eq(&source.run_id))
        .filter(causes::epoch.eq(source.epoch))
        .set(causes::occurrences_stored.eq(stored))
        .execute(connection)?;
    Ok(())
}

/// Returns, for each stored cause of a run, the position of its issue and the number of its stored occurrences.
pub(super) fn stored_by_issue(
    connection: &mut AnyConnection,
    source: &Source,
) -> Result<Vec<(i64, i64)>, StorageError> {
    Ok(causes::table
        .filter(causes::run_id.eq(&source.run_id))
        .filter(causes::epoch.eq(source.epoch))
        .select((causes::issue_position, causes::occurrences_stored))
        .load(connection)?)
}

/// A stored cause.
#[derive(Queryable, Selectable)]
#[diesel(table_name = causes)]
pub(super) struct CauseRow {
    pub(super) position: i64,
    pub(super) issue_position: i64,
    fingerprint: String,
    cause: String,
    message: String,
    affected: i64,
    affected_pages: i64,
    score_impact: f64,
    score_impact_legacy: Option<f64>,
    occurrences_total: i64,
    pub(super) occurrences_stored: i64,
    state: Option<String>,
    waived: i64,
}

impl CauseRow {
    /// Converts the row to a cause in the shape of a variant, without its occurrences.
    pub(super) fn read(self, variant: Variant) -> Result<IssueCause, StorageError> {
        Ok(IssueCause {
            fingerprint: self.fingerprint,
            key: self.cause,
            message: self.message,
            affected: number("number of subjects", self.affected)?,
            affected_pages: number("number of pages", self.affected_pages)?,
            score_impact: match variant {
                Variant::Current => self.score_impact,
                Variant::Legacy => self.score_impact_legacy.unwrap_or_default(),
            },
            state: self.state.as_deref().map(state_named).transpose()?,
            occurrences_total: number("number of occurrences", self.occurrences_total)?,
            waived: number("number of occurrences", self.waived)?,
            occurrences: Vec::new(),
        })
    }
}

/// Returns the first causes of the issues at these positions, in order.
pub(super) fn first_of_issues(
    connection: &mut AnyConnection,
    source: &Source,
    issues: &[i64],
    most: usize,
) -> Result<Vec<CauseRow>, StorageError> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    // The positions are listed one by one, so that the planner uses the index for each: of a hundred thousand
    // causes of an issue, twenty are read.
    Ok(causes::table
        .filter(causes::run_id.eq(&source.run_id))
        .filter(causes::epoch.eq(source.epoch))
        .filter(causes::issue_position.eq_any(issues))
        .filter(causes::ordinal.lt(most))
        .order((causes::issue_position, causes::ordinal))
        .select(CauseRow::as_select())
        .load(connection)?)
}

/// Returns the causes of an issue that have occurrences, with their counts, from a position on.
pub(super) fn with_occurrences(
    connection: &mut AnyConnection,
    issue: &ListedIssue,
    from: i64,
    limit: i64,
) -> Result<Vec<(i64, i64)>, StorageError> {
    Ok(causes::table
        .filter(causes::run_id.eq(&issue.source.run_id))
        .filter(causes::epoch.eq(issue.source.epoch))
        .filter(causes::issue_position.eq(issue.position))
        .filter(causes::position.ge(from))
        .filter(causes::occurrences_stored.gt(0))
        .order(causes::ordinal)
        .limit(limit)
        .select((causes::position, causes::occurrences_stored))
        .load(connection)?)
}

/// Finds a cause of an issue by its fingerprint: its position, its number of occurrences and how many of these are
/// stored.
pub(super) fn find(
    connection: &mut AnyConnection,
    issue: &ListedIssue,
    fingerprint: &str,
) -> Result<Option<(i64, i64, i64)>, StorageError> {
    Ok(causes::table
        .filter(causes::run_id.eq(&issue.source.run_id))
        .filter(causes::epoch.eq(issue.source.epoch))
        .filter(causes::fingerprint.eq(fingerprint))
        .filter(causes::issue_position.eq(issue.position))
        .select((
            causes::position,
            causes::occurrences_total,
            causes::occurrences_stored,
        ))
        .get_result(connection)
        .optional()?)
}

/// Returns a page of the causes of an issue, each with its first occurrences.
pub(super) fn page(
    connection: &mut AnyConnection,
    issue: &ListedIssue,
    variant: Variant,
    after: Option<CauseCursor>,
    limit: u32,
) -> Result<CausePage, StorageError> {
    let behind = after.map_or(-1, |cursor| i64::from(cursor.position));
    let mut rows: Vec<CauseRow> = causes::table
        .filter(causes::run_id.eq(&issue.source.run_id))
        .filter(causes::epoch.eq(issue.source.epoch))
        .filter(causes::issue_position.eq(issue.position))
        .filter(causes::position.gt(behind))
        .order(causes::ordinal)
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select(CauseRow::as_select())
        .load(connection)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| goes_on);
    let next = last
        .map(|row| number("position", row.position))
        .transpose()?;
    let places: Vec<i64> = rows.iter().map(|row| row.position).collect();
    let mut found =
        occurrences::first_of_causes(connection, &issue.source, &places, INLINE_OCCURRENCES)?;
    let listed = rows.into_iter().map(|row| {
        let occurrences = found.remove(&row.position).unwrap_or_default();
        Ok(IssueCause {
            occurrences,
            ..row.read(variant)?
        })
    });
    Ok(CausePage {
        causes: listed.collect::<Result<_, StorageError>>()?,
        total: number("number of causes", issue.causes_total)?,
        stored: number("number of causes", issue.causes_stored)?,
        occurrences_total: number("number of occurrences", issue.occurrences_total)?,
        occurrences_stored: number("number of occurrences", issue.occurrences_stored)?,
        next: next.map(|position| CauseCursor { position }),
    })
}
