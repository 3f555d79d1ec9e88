//! Rows of occurrences.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::id::WaiverId;
use domain::ports::{Claim, NewOccurrence, OccurrencePage};
use domain::report::{Occurrence, OccurrenceCursor};

use super::causes as cause_rows;
use super::source::{ListedIssue, Source};
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::occurrences;
use crate::database::values::{known, number, storable};
use crate::stores::artifacts::artifact_id;

/// Rows in one statement. SQLite allows 32,766 bound values, PostgreSQL 65,535.
pub(super) const ROWS_A_STATEMENT: usize = 500;

#[derive(Insertable)]
#[diesel(table_name = occurrences, treat_none_as_default_value = false)]
struct NewRow {
    run_id: String,
    epoch: i64,
    cause_position: i64,
    ordinal: i64,
    url: String,
    selector: Option<String>,
    snippet: Option<String>,
    line: Option<i64>,
    message: String,
    waiver_id: Option<String>,
    artifact: Option<i64>,
}

impl NewRow {
    fn new(claim: &Claim, new: &NewOccurrence) -> Self {
        let occurrence = &new.occurrence;
        Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            cause_position: new.cause.into(),
            ordinal: new.ordinal.into(),
            url: storable(&occurrence.url),
            selector: occurrence.selector.as_deref().map(storable),
            snippet: occurrence.snippet.as_deref().map(storable),
            line: occurrence.line.map(i64::from),
            message: storable(&occurrence.message),
            waiver_id: occurrence.waiver.as_ref().map(|id| id.as_str().to_owned()),
            artifact: occurrence.artifact.map(|id| id.number().into()),
        }
    }
}

/// Stores a batch. Existing rows are kept: the worker writes the same batch again if it does not know whether
/// the first attempt succeeded.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewOccurrence],
) -> Result<(), StorageError> {
    for part in batch.chunks(ROWS_A_STATEMENT) {
        let rows: Vec<_> = part.iter().map(|new| NewRow::new(claim, new)).collect();
        on_either!(connection, inner => diesel::insert_into(occurrences::table)
            .values(&rows)
            .on_conflict_do_nothing()
            .execute(inner)?);
    }
    Ok(())
}

/// Removes about `most` rows of a run, and returns how many; fewer than `most` means that none are left.
pub(super) fn remove_some(
    connection: &mut AnyConnection,
    run_id: &str,
    most: i64,
) -> Result<i64, StorageError> {
    let of_run = occurrences::table.filter(occurrences::run_id.eq(run_id));
    let last: Option<(i64, i64, i64)> = of_run
        .order((
            occurrences::epoch,
            occurrences::cause_position,
            occurrences::ordinal,
        ))
        .offset(most.max(1) - 1)
        .limit(1)
        .select((
            occurrences::epoch,
            occurrences::cause_position,
            occurrences::ordinal,
        ))
        .first(connection)
        .optional()?;
    let removed = match last {
        None => diesel::delete(of_run).execute(connection)?,
        Some((epoch, cause, ordinal)) => {
            let in_cause = occurrences::cause_position
                .eq(cause)
                .and(occurrences::ordinal.le(ordinal));
            let in_epoch = occurrences::epoch
                .eq(epoch)
                .and(occurrences::cause_position.lt(cause).or(in_cause));
            diesel::delete(of_run)
                .filter(occurrences::epoch.lt(epoch).or(in_epoch))
                .execute(connection)?
        }
    };
    Ok(i64::try_from(removed).unwrap_or(i64::MAX))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = occurrences)]
struct OccurrenceRow {
    url: String,
    selector: Option<String>,
    snippet: Option<String>,
    line: Option<i64>,
    message: String,
    waiver_id: Option<String>,
    artifact: Option<i64>,
}

impl OccurrenceRow {
    fn read(self) -> Result<Occurrence, StorageError> {
        let line = self.line.map(|line| number("line", line)).transpose()?;
        Ok(Occurrence {
            url: self.url,
            selector: self.selector,
            snippet: self.snippet,
            line,
            message: self.message,
            waiver: self
                .waiver_id
                .map(|id| known("waiver", &id, WaiverId::parse(&id)))
                .transpose()?,
            artifact: self.artifact.map(artifact_id).transpose()?,
        })
    }
}

/// Returns a page of the occurrences of an issue, or of one of its causes; `None` if the issue has no such cause.
pub(super) fn page(
    connection: &mut AnyConnection,
    issue: &ListedIssue,
    cause: Option<&str>,
    after: Option<OccurrenceCursor>,
    limit: u32,
) -> Result<Option<OccurrencePage>, StorageError> {
    let (mut total, mut stored) = (issue.occurrences_total, issue.occurrences_stored);
    let behind = after.map(|cursor| (i64::from(cursor.cause), i64::from(cursor.ordinal)));
    let causes = match cause {
        Some(fingerprint) => {
            let found = cause_rows::find(connection, issue, fingerprint)?;
            let Some((position, of_cause, stored_of_cause)) = found else {
                return Ok(None);
            };
            (total, stored) = (of_cause, stored_of_cause);
            vec![position]
        }
        None => causes_of_page(connection, issue, behind, limit)?,
    };
    let (cause, ordinal) = behind.unwrap_or((-1, -1));
    let in_cause = occurrences::cause_position
        .eq(cause)
        .and(occurrences::ordinal.gt(ordinal));
    let mut rows: Vec<(i64, i64, OccurrenceRow)> = occurrences::table
        .filter(occurrences::run_id.eq(&issue.source.run_id))
        .filter(occurrences::epoch.eq(issue.source.epoch))
        .filter(occurrences::cause_position.eq_any(causes))
        .filter(occurrences::cause_position.gt(cause).or(in_cause))
        .order((occurrences::cause_position, occurrences::ordinal))
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select((
            occurrences::cause_position,
            occurrences::ordinal,
            OccurrenceRow::as_select(),
        ))
        .load(connection)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    let next = match rows.last().filter(|_| goes_on) {
        None => None,
        Some((cause, ordinal, _)) => Some(OccurrenceCursor {
            cause: number("position", *cause)?,
            ordinal: number("ordinal", *ordinal)?,
        }),
    };
    let listed = rows.into_iter().map(|(_, _, row)| row.read());
    Ok(Some(OccurrencePage {
        total: number("number of occurrences", total)?,
        stored: number("number of occurrences", stored)?,
        next,
        occurrences: listed.collect::<Result<_, _>>()?,
    }))
}

/// Returns the positions of the causes whose occurrences fill a page and show whether there is a next page.
fn causes_of_page(
    connection: &mut AnyConnection,
    issue: &ListedIssue,
    behind: Option<(i64, i64)>,
    limit: u32,
) -> Result<Vec<i64>, StorageError> {
    let from = behind.map_or(0, |(cause, _)| cause);
    // The cause of the cursor may have no more occurrences; each other cause has at least one.
    let most = i64::from(limit) + 2;
    let found = cause_rows::with_occurrences(connection, issue, from, most)?;
    let mut room = i64::from(limit) + 1;
    let mut causes = Vec::new();
    for (position, stored) in found {
        if room <= 0 {
            break;
        }
        causes.push(position);
        room -= match behind {
            Some((cause, ordinal)) if cause == position => (stored - 1 - ordinal).max(0),
            _ => stored,
        };
    }
    Ok(causes)
}

/// Occurrences by the position of their cause.
pub(super) type ByCause = HashMap<i64, Vec<Occurrence>>;

/// Returns the first occurrences of the causes at these positions.
pub(super) fn first_of_causes(
    connection: &mut AnyConnection,
    source: &Source,
    places: &[i64],
    most: usize,
) -> Result<ByCause, StorageError> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut by_cause = ByCause::new();
    for part in places.chunks(ROWS_A_STATEMENT) {
        // The positions are listed one by one, so that the planner uses the index for each: of a thousand rows of a
        // cause, five are read.
        let rows: Vec<(i64, OccurrenceRow)> = occurrences::table
            .filter(occurrences::run_id.eq(&source.run_id))
            .filter(occurrences::epoch.eq(source.epoch))
            .filter(occurrences::cause_position.eq_any(part))
            .filter(occurrences::ordinal.lt(most))
            .order((occurrences::cause_position, occurrences::ordinal))
            .select((occurrences::cause_position, OccurrenceRow::as_select()))
            .load(connection)?;
        for (position, row) in rows {
            by_cause.entry(position).or_default().push(row.read()?);
        }
    }
    Ok(by_cause)
}
