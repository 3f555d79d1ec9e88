//! Rows of pages.

use diesel::prelude::*;
use domain::id::{OrgId, ReportId};
use domain::ports::{Claim, NewPage, VisitPage};
use domain::report::{PageCursor, PageVisit};

use super::occurrences::ROWS_A_STATEMENT;
use super::page_scores;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{pages, reports};
use crate::database::values::{number, storable, stored_count};

#[derive(Insertable)]
#[diesel(table_name = pages, treat_none_as_default_value = false)]
struct NewRow {
    run_id: String,
    epoch: i64,
    position: i64,
    url: String,
    status: Option<i64>,
    depth: Option<i64>,
    title: Option<String>,
    bytes: Option<i64>,
    audited: bool,
    issues: i64,
    issues_legacy: i64,
    scores: Option<String>,
}

impl NewRow {
    fn new(claim: &Claim, new: &NewPage) -> Self {
        let visit = &new.visit;
        Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            position: new.position.into(),
            url: storable(&visit.url),
            status: visit.status.map(i64::from),
            depth: visit.depth.map(i64::from),
            title: visit.title.as_deref().map(storable),
            bytes: visit.bytes.map(stored_count),
            audited: visit.audited,
            issues: visit.issues.into(),
            issues_legacy: visit.issues_legacy.into(),
            scores: page_scores::to_json(&visit.scores),
        }
    }
}

/// Stores a batch. Existing rows are kept: the worker writes the same batch again if it does not know whether
/// the first attempt succeeded.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewPage],
) -> Result<(), StorageError> {
    for part in batch.chunks(ROWS_A_STATEMENT) {
        let rows: Vec<_> = part.iter().map(|new| NewRow::new(claim, new)).collect();
        on_either!(connection, inner => diesel::insert_into(pages::table)
            .values(&rows)
            .on_conflict_do_nothing()
            .execute(inner)?);
    }
    Ok(())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = pages)]
struct PageRow {
    position: i64,
    url: String,
    status: Option<i64>,
    depth: Option<i64>,
    title: Option<String>,
    bytes: Option<i64>,
    audited: bool,
    issues: i64,
    issues_legacy: i64,
    scores: Option<String>,
}

impl PageRow {
    fn read(self) -> Result<PageVisit, StorageError> {
        let count = |stored| number("number of issues", stored);
        Ok(PageVisit {
            url: self.url,
            status: self.status.map(|code| number("status", code)).transpose()?,
            depth: self.depth.map(|depth| number("depth", depth)).transpose()?,
            title: self.title,
            bytes: self
                .bytes
                .map(|bytes| number("number of bytes", bytes))
                .transpose()?,
            audited: self.audited,
            leads_to: None,
            scores: page_scores::from_json(self.scores.as_deref())?,
            issues: count(self.issues)?,
            issues_legacy: count(self.issues_legacy)?,
        })
    }
}

/// Returns a page of the page list of a report; `None` if the organization has no such report.
pub(super) fn page(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    after: Option<PageCursor>,
    limit: u32,
) -> Result<Option<VisitPage>, StorageError> {
    let place: Option<(String, i64)> = reports::table
        .filter(reports::id.eq(report.as_str()))
        .filter(reports::org_id.eq(org.as_str()))
        .select((reports::run_id, reports::epoch))
        .get_result(connection)
        .optional()?;
    let Some((run_id, epoch)) = place else {
        return Ok(None);
    };
    let behind = after.map_or(-1, |cursor| i64::from(cursor.position));
    let mut rows: Vec<PageRow> = pages::table
        .filter(pages::run_id.eq(run_id))
        .filter(pages::epoch.eq(epoch))
        .filter(pages::position.gt(behind))
        .order(pages::position)
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select(PageRow::as_select())
        .load(connection)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    let next = rows
        .last()
        .filter(|_| goes_on)
        .map(|row| number("position", row.position))
        .transpose()?;
    Ok(Some(VisitPage {
        next: next.map(|position| PageCursor { position }),
        visits: rows
            .into_iter()
            .map(PageRow::read)
            .collect::<Result<_, _>>()?,
    }))
}
