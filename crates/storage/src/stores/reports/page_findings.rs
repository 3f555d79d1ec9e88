//! A page of a report with what was found on it.

use diesel::prelude::*;
use domain::Severity;
use domain::id::{IssueId, OrgId, ReportId, WaiverId};
use domain::ports::{MAX_PAGE_FINDINGS, PageFinding, PageReport};
use domain::report::{Occurrence, Variant};

use super::page_rows;
use super::source::Source;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{causes, issues, occurrences};
use crate::database::values::{known, optional};
use crate::stores::artifacts::artifact_id;

#[derive(Queryable, Selectable)]
#[diesel(table_name = issues)]
struct IssueRow {
    id: String,
    check_id: String,
    title: String,
    severity: String,
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

/// Returns a page with what was found on it; `None` if the organization has no such report, or the report has no such
/// page.
pub(super) fn load(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    url: &str,
    variant: Variant,
) -> Result<Option<PageReport>, StorageError> {
    let Some(source) = Source::of_report(connection, org, report)? else {
        return Ok(None);
    };
    let Some(visit) = page_rows::at(connection, &source, url)? else {
        return Ok(None);
    };
    let dimensions = variant.dimensions().iter();
    let dimensions: Vec<_> = dimensions.map(|dimension| dimension.as_str()).collect();
    let rows: Vec<(IssueRow, OccurrenceRow)> = occurrences::table
        .inner_join(
            causes::table.on(causes::run_id
                .eq(occurrences::run_id)
                .and(causes::epoch.eq(occurrences::epoch))
                .and(causes::position.eq(occurrences::cause_position))),
        )
        .inner_join(
            issues::table.on(issues::report_id
                .eq(report.as_str())
                .and(issues::position.eq(causes::issue_position))),
        )
        .filter(occurrences::run_id.eq(&source.run_id))
        .filter(occurrences::epoch.eq(source.epoch))
        .filter(occurrences::url.eq(url))
        .filter(issues::dimension.eq_any(dimensions))
        .order((occurrences::cause_position, occurrences::ordinal))
        // One extra row shows whether there are more.
        .limit(i64::from(MAX_PAGE_FINDINGS) + 1)
        .select((IssueRow::as_select(), OccurrenceRow::as_select()))
        .load(connection)?;
    let most = usize::try_from(MAX_PAGE_FINDINGS).unwrap_or(usize::MAX);
    let is_cut = rows.len() > most;
    let findings = rows.into_iter().take(most).map(finding);
    let mut findings: Vec<PageFinding> = findings.collect::<Result<_, _>>()?;
    // In source order; those without a line, which are of the whole page, come first.
    findings.sort_by_key(|finding| finding.occurrence.line);
    Ok(Some(PageReport {
        visit,
        findings,
        is_cut,
    }))
}

fn finding((issue, found): (IssueRow, OccurrenceRow)) -> Result<PageFinding, StorageError> {
    let severity = Severity::named(&issue.severity);
    let waiver = found
        .waiver_id
        .map(|id| known("waiver", &id, WaiverId::parse(&id)));
    Ok(PageFinding {
        issue_id: known("issue", &issue.id, IssueId::parse(&issue.id))?,
        check_id: issue.check_id,
        severity: known("severity", &issue.severity, severity)?,
        title: issue.title,
        occurrence: Occurrence {
            url: found.url,
            selector: found.selector,
            snippet: found.snippet,
            line: optional("line", found.line)?,
            message: found.message,
            waiver: waiver.transpose()?,
            artifact: found.artifact.map(artifact_id).transpose()?,
        },
    })
}
