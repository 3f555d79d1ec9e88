//! What audits found of the checks of action items.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::SubjectKind;
use domain::id::{ActionId, IssueId, OrgId, ReportId};
use domain::ports::{LatestIssue, SightedIssue, Sighting};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{actions, issues, reports, runs};
use crate::database::values::{known, number};

/// What a history shows of an issue.
#[derive(Queryable, Selectable)]
#[diesel(table_name = issues)]
struct SightedRow {
    id: String,
    subject: String,
    occurrences_total: i64,
    affected: i64,
    affected_pages: i64,
}

impl SightedRow {
    fn read(&self) -> Result<SightedIssue, StorageError> {
        Ok(SightedIssue {
            issue_id: known("issue", &self.id, IssueId::parse(&self.id))?,
            subject: known(
                "kind of subject",
                &self.subject,
                SubjectKind::named(&self.subject),
            )?,
            occurrences_total: number("number of occurrences", self.occurrences_total)?,
            affected: number("number of subjects", self.affected)?,
            affected_pages: number("number of pages", self.affected_pages)?,
        })
    }
}

pub(super) fn latest_issues(
    connection: &mut AnyConnection,
    org: &OrgId,
    items: &[ActionId],
) -> Result<Vec<LatestIssue>, StorageError> {
    let is_of_item = (actions::report_id.eq(issues::report_id.nullable()))
        .and(actions::check_id.eq(issues::check_id.nullable()));
    let ids: Vec<_> = items.iter().map(ActionId::as_str).collect();
    let rows: Vec<(String, SightedRow)> = actions::table
        .inner_join(issues::table.on(is_of_item))
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::id.eq_any(ids))
        .select((actions::id, SightedRow::as_select()))
        .load(connection)?;
    rows.into_iter()
        .map(|(action, row)| {
            let issue = row.read()?;
            Ok(LatestIssue {
                action_id: known("action", &action, ActionId::parse(&action))?,
                issue_id: issue.issue_id,
                occurrences_total: issue.occurrences_total,
            })
        })
        .collect()
}

pub(super) fn sightings(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    limit: u32,
) -> Result<Vec<Sighting>, StorageError> {
    let found: Option<(Option<String>, Option<String>)> = actions::table
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::id.eq(action.as_str()))
        .select((actions::site_id, actions::check_id))
        .get_result(connection)
        .optional()?;
    let Some((Some(site), Some(check))) = found else {
        return Ok(Vec::new());
    };
    let is_of_check = (issues::report_id.eq(reports::id)).and(issues::check_id.eq(check));
    let rows: Vec<(String, NaiveDateTime, Option<SightedRow>)> = reports::table
        .inner_join(runs::table.on(runs::id.eq(reports::run_id)))
        .left_join(issues::table.on(is_of_check))
        .filter(reports::org_id.eq(org.as_str()))
        .filter(reports::site_id.eq(site))
        .filter(runs::hidden.eq(false))
        .order((reports::created_at.desc(), reports::run_id.desc()))
        .limit(limit.into())
        .select((
            reports::id,
            reports::created_at,
            Option::<SightedRow>::as_select(),
        ))
        .load(connection)?;
    rows.into_iter()
        .map(|(report, created_at, found)| {
            Ok(Sighting {
                report_id: known("report", &report, ReportId::parse(&report))?,
                created_at: created_at.and_utc(),
                found: found.map(|row| row.read()).transpose()?,
            })
        })
        .collect()
}
