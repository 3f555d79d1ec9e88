//! Rows of occurrences.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::ports::{Claim, NewOccurrence, OccurrencePage};
use domain::report::{INLINE_OCCURRENCES, Occurrence, OccurrenceCursor};

use crate::connection::{AnyConnection, on_either};
use crate::error::Fault;
use crate::schema::{issues, occurrences, reports};
use crate::values::{number, storable};

/// Rows in one statement; SQLite takes 32,766 values, PostgreSQL 65,535.
pub(super) const ROWS_A_STATEMENT: usize = 500;

#[derive(Insertable)]
#[diesel(table_name = occurrences, treat_none_as_default_value = false)]
struct NewRow {
    run_id: String,
    epoch: i64,
    issue_position: i64,
    ordinal: i64,
    url: String,
    selector: Option<String>,
    snippet: Option<String>,
    line: Option<i64>,
    message: String,
}

impl NewRow {
    fn of(claim: &Claim, new: &NewOccurrence) -> Self {
        let occurrence = &new.occurrence;
        Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            issue_position: new.issue.into(),
            ordinal: new.ordinal.into(),
            url: storable(&occurrence.url),
            selector: occurrence.selector.as_deref().map(storable),
            snippet: occurrence.snippet.as_deref().map(storable),
            line: occurrence.line.map(i64::from),
            message: storable(&occurrence.message),
        }
    }
}

/// Stores a batch. Rows that are there already stay: the worker writes the same batch again where it
/// could not know whether the first time succeeded.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewOccurrence],
) -> Result<(), Fault> {
    for part in batch.chunks(ROWS_A_STATEMENT) {
        let rows: Vec<_> = part.iter().map(|new| NewRow::of(claim, new)).collect();
        on_either!(connection, inner => diesel::insert_into(occurrences::table)
            .values(&rows)
            .on_conflict_do_nothing()
            .execute(inner)?);
    }
    Ok(())
}

/// Removes what workers left whose claim is lost. The claim has to be held.
pub(crate) fn remove_earlier_epochs(
    connection: &mut AnyConnection,
    claim: &Claim,
) -> Result<(), Fault> {
    diesel::delete(occurrences::table)
        .filter(occurrences::run_id.eq(claim.run_id.as_str()))
        .filter(occurrences::epoch.lt(i64::from(claim.epoch)))
        .execute(connection)?;
    Ok(())
}

/// Removes all of a run.
pub(crate) fn remove_all(connection: &mut AnyConnection, run_id: &str) -> Result<(), Fault> {
    diesel::delete(occurrences::table)
        .filter(occurrences::run_id.eq(run_id))
        .execute(connection)?;
    Ok(())
}

/// Removes about so many of a run, and answers how many; fewer than that are all.
pub(crate) fn remove_some(
    connection: &mut AnyConnection,
    run_id: &str,
    most: i64,
) -> Result<i64, Fault> {
    let of_run = occurrences::table.filter(occurrences::run_id.eq(run_id));
    let last: Option<(i64, i64, i64)> = of_run
        .order((
            occurrences::epoch,
            occurrences::issue_position,
            occurrences::ordinal,
        ))
        .offset(most.max(1) - 1)
        .limit(1)
        .select((
            occurrences::epoch,
            occurrences::issue_position,
            occurrences::ordinal,
        ))
        .first(connection)
        .optional()?;
    let removed = match last {
        None => diesel::delete(of_run).execute(connection)?,
        Some((epoch, issue, ordinal)) => {
            let in_issue = occurrences::issue_position
                .eq(issue)
                .and(occurrences::ordinal.le(ordinal));
            let in_epoch = occurrences::epoch
                .eq(epoch)
                .and(occurrences::issue_position.lt(issue).or(in_issue));
            diesel::delete(of_run)
                .filter(occurrences::epoch.lt(epoch).or(in_epoch))
                .execute(connection)?
        }
    };
    Ok(i64::try_from(removed).unwrap_or(i64::MAX))
}

/// How many are stored of each issue, by its position.
pub(super) fn counts(
    connection: &mut AnyConnection,
    claim: &Claim,
) -> Result<HashMap<i64, i64>, Fault> {
    let rows: Vec<(i64, i64)> = occurrences::table
        .filter(occurrences::run_id.eq(claim.run_id.as_str()))
        .filter(occurrences::epoch.eq(i64::from(claim.epoch)))
        .group_by(occurrences::issue_position)
        .select((occurrences::issue_position, diesel::dsl::count_star()))
        .load(connection)?;
    Ok(rows.into_iter().collect())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = occurrences)]
struct OccurrenceRow {
    url: String,
    selector: Option<String>,
    snippet: Option<String>,
    line: Option<i64>,
    message: String,
}

impl OccurrenceRow {
    fn read(self) -> Result<Occurrence, Fault> {
        let line = self.line.map(|line| number("line", line)).transpose()?;
        Ok(Occurrence {
            url: self.url,
            selector: self.selector,
            snippet: self.snippet,
            line,
            message: self.message,
        })
    }
}

/// Where the occurrences of an issue are kept, and how many there are.
#[derive(Queryable, Selectable)]
pub(super) struct Place {
    #[diesel(select_expression = reports::run_id)]
    run_id: String,
    #[diesel(select_expression = reports::epoch)]
    epoch: i64,
    #[diesel(select_expression = issues::position)]
    position: i64,
    #[diesel(select_expression = issues::occurrences_total)]
    total: i64,
    #[diesel(select_expression = issues::occurrences_stored)]
    stored: i64,
}

/// A page of the occurrences of one issue.
pub(super) fn page(
    connection: &mut AnyConnection,
    place: &Place,
    after: Option<OccurrenceCursor>,
    limit: u32,
) -> Result<OccurrencePage, Fault> {
    let behind = after.map_or(-1, |cursor| i64::from(cursor.ordinal));
    let mut rows: Vec<(i64, OccurrenceRow)> = occurrences::table
        .filter(occurrences::run_id.eq(&place.run_id))
        .filter(occurrences::epoch.eq(place.epoch))
        .filter(occurrences::issue_position.eq(place.position))
        .filter(occurrences::ordinal.gt(behind))
        .order(occurrences::ordinal)
        // One more tells whether the list goes on.
        .limit(i64::from(limit) + 1)
        .select((occurrences::ordinal, OccurrenceRow::as_select()))
        .load(connection)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    let next = rows
        .last()
        .filter(|_| goes_on)
        .map(|(ordinal, _)| number("ordinal", *ordinal))
        .transpose()?;
    Ok(OccurrencePage {
        total: number("number of occurrences", place.total)?,
        stored: number("number of occurrences", place.stored)?,
        next: next.map(|ordinal| OccurrenceCursor { ordinal }),
        occurrences: rows
            .into_iter()
            .map(|(_, row)| row.read())
            .collect::<Result<_, _>>()?,
    })
}

/// The first occurrences of each issue of a report, by its position; those of the issues of one check
/// where one is named. The report's run and epoch say where they are kept.
pub(super) fn first_of_each(
    connection: &mut AnyConnection,
    report_id: &str,
    (run_id, epoch): (&str, i64),
    check_id: Option<&str>,
) -> Result<HashMap<i64, Vec<Occurrence>>, Fault> {
    let inline = i64::try_from(INLINE_OCCURRENCES).unwrap_or(i64::MAX);
    // By way of the issues, so that of a thousand rows of an issue twenty are read.
    let mut query = issues::table
        .inner_join(
            occurrences::table.on(occurrences::run_id
                .eq(run_id)
                .and(occurrences::epoch.eq(epoch))
                .and(occurrences::issue_position.eq(issues::position))
                .and(occurrences::ordinal.lt(inline))),
        )
        .filter(issues::report_id.eq(report_id))
        .order((issues::position, occurrences::ordinal))
        .select((issues::position, OccurrenceRow::as_select()))
        .into_boxed();
    if let Some(check_id) = check_id {
        query = query.filter(issues::check_id.eq(check_id));
    }
    let rows: Vec<(i64, OccurrenceRow)> = query.load(connection)?;
    let mut by_issue: HashMap<i64, Vec<Occurrence>> = HashMap::new();
    for (position, row) in rows {
        by_issue.entry(position).or_default().push(row.read()?);
    }
    Ok(by_issue)
}
