//! Reading reports.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::action::{DOSSIER_CAUSES, DOSSIER_OCCURRENCES};
use domain::id::{IssueId, OrgId, ReportId, RunId, SiteId};
use domain::ports::{IssueIdentity, ReportDetail, StoredReport};
use domain::report::{
    Changes, EvidenceBudget, GLANCE_CAUSES, GLANCE_OCCURRENCES, INLINE_CAUSES, INLINE_OCCURRENCES,
    Issue, IssueCause, MAX_CAUSES, MAX_OCCURRENCES, Occurrence, Report, UnjudgedCheck, Variant,
};
use domain::run::Mode;
use domain::score::Score;
use domain::waiver::AppliedWaiver;

use super::causes::CauseRow;
use super::changes::StoredChanges;
use super::issues::IssueRow;
use super::json::{
    FIRST_PRODUCT_VERSION, StoredCoverage, StoredSum, StoredSummaries, StoredUnjudged,
    StoredWeights,
};
use super::source::Source;
use super::waivers::StoredWaiver;
use super::write::ReportRow;
use super::{causes, occurrences};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{issues, reports};
use crate::database::values::{from_json, known};

pub(super) fn report(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    variant: Variant,
    detail: ReportDetail,
) -> Result<Option<StoredReport>, StorageError> {
    let Some(row) = row(connection, org, report)? else {
        return Ok(None);
    };
    let content = row.read(variant)?;
    let mut found = issues_of(connection, &row, Wanted::All, &content)?;
    match detail {
        ReportDetail::Issues => {}
        ReportDetail::Glance => add_first(
            connection,
            &row,
            variant,
            &mut found,
            (GLANCE_CAUSES, GLANCE_OCCURRENCES),
        )?,
        ReportDetail::Inline => add_inline(connection, &row, variant, &mut found)?,
        ReportDetail::Whole => add_whole(connection, &row, variant, &mut found)?,
    }
    stored(report, &row, content, found).map(Some)
}

/// A report with one of its issues, which has no causes; none where the report has no such issue, or the variant does
/// not show it.
pub(super) fn report_of_issue(
    connection: &mut AnyConnection,
    org: &OrgId,
    (report, issue): (&ReportId, &IssueId),
    variant: Variant,
) -> Result<Option<StoredReport>, StorageError> {
    let Some(row) = row(connection, org, report)? else {
        return Ok(None);
    };
    let content = row.read(variant)?;
    let found = issues_of(connection, &row, Wanted::Issue(issue), &content)?;
    if found.is_empty() {
        return Ok(None);
    }
    stored(report, &row, content, found).map(Some)
}

/// The report with these issues.
fn stored(
    report: &ReportId,
    row: &ReportRow,
    mut content: Report,
    found: Vec<Found>,
) -> Result<StoredReport, StorageError> {
    let identities;
    (content.issues, identities) = found.into_iter().map(Found::parts).unzip();
    if content.variant == Variant::Legacy {
        let Report {
            waivers, issues, ..
        } = &mut content;
        let is_of =
            |waiver: &AppliedWaiver, issue: &Issue| issue.check_id == waiver.waiver.terms.check_id;
        waivers.retain(|waiver| issues.iter().any(|issue| is_of(waiver, issue)));
    }
    Ok(StoredReport {
        id: report.clone(),
        run_id: known("run", &row.run_id, RunId::parse(&row.run_id))?,
        site_id: known("site", &row.site_id, SiteId::parse(&row.site_id))?,
        created_at: row.created_at.and_utc(),
        report: content,
        issues: identities,
    })
}

/// Returns the organization that a report belongs to.
pub(super) fn org_of(
    connection: &mut AnyConnection,
    report: &ReportId,
) -> Result<Option<OrgId>, StorageError> {
    let org: Option<String> = reports::table
        .find(report.as_str())
        .select(reports::org_id)
        .get_result(connection)
        .optional()?;
    org.map(|org| known("organization", &org, OrgId::parse(&org)))
        .transpose()
}

fn row(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
) -> Result<Option<ReportRow>, StorageError> {
    Ok(reports::table
        .filter(reports::id.eq(report.as_str()))
        .filter(reports::org_id.eq(org.as_str()))
        .select(ReportRow::as_select())
        .get_result(connection)
        .optional()?)
}

/// The issue of a check in a report.
pub(crate) struct CheckIssue {
    pub(crate) issue: Issue,
    pub(crate) id: IssueId,
    /// The mode in which another audit looks at the pages of the report in the same way.
    pub(crate) mode: Mode,
}

/// Returns the issue of a check in a report, in the shape of a variant, with as much evidence as a dossier has; `None` if
/// there is no such report, or no such issue.
pub(crate) fn issue_of_check(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    check_id: &str,
    variant: Variant,
) -> Result<Option<CheckIssue>, StorageError> {
    let Some(row) = row(connection, org, report)? else {
        return Ok(None);
    };
    let content = row.read(variant)?;
    let mut found = issues_of(connection, &row, Wanted::Check(check_id), &content)?;
    let has_one_cause = found.iter().all(|found| found.issue.causes_total <= 1);
    let occurrences = match has_one_cause {
        true => DOSSIER_OCCURRENCES,
        false => INLINE_OCCURRENCES,
    };
    let most = (DOSSIER_CAUSES, occurrences);
    add_first(connection, &row, variant, &mut found, most)?;
    let found = found.into_iter().next();
    let mode = content.coverage.repeating_mode();
    Ok(found.map(|found| CheckIssue {
        issue: found.issue,
        id: found.identity.issue_id,
        mode,
    }))
}

/// An issue read from the database.
struct Found {
    position: i64,
    issue: Issue,
    identity: IssueIdentity,
}

impl Found {
    fn parts(self) -> (Issue, IssueIdentity) {
        (self.issue, self.identity)
    }
}

/// Which issues of a report are read.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    All,
    Check(&'a str),
    Issue(&'a IssueId),
}

/// Returns the wanted issues of a report without their causes, in the order of its variant.
fn issues_of(
    connection: &mut AnyConnection,
    report: &ReportRow,
    wanted: Wanted<'_>,
    content: &Report,
) -> Result<Vec<Found>, StorageError> {
    let mut query = issues::table
        .filter(issues::report_id.eq(&report.id))
        .order(issues::position)
        .select(IssueRow::as_select())
        .into_boxed();
    match wanted {
        Wanted::All => {}
        Wanted::Check(check_id) => query = query.filter(issues::check_id.eq(check_id)),
        Wanted::Issue(id) => query = query.filter(issues::id.eq(id.as_str())),
    }
    let rows: Vec<IssueRow> = query.load(connection)?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let position = row.position;
        let read = row.read(content.variant, &content.score, &content.coverage)?;
        found.extend(read.map(|(issue, identity)| Found {
            position,
            issue,
            identity,
        }));
    }
    found.sort_by(|one, other| one.issue.most_gain_first(&other.issue));
    Ok(found)
}

impl ReportRow {
    fn source(&self) -> Source {
        Source {
            run_id: self.run_id.clone(),
            epoch: self.epoch,
        }
    }
}

/// Adds the causes and occurrences that are included in a report.
fn add_inline(
    connection: &mut AnyConnection,
    report: &ReportRow,
    variant: Variant,
    found: &mut [Found],
) -> Result<(), StorageError> {
    let most = (INLINE_CAUSES, INLINE_OCCURRENCES);
    add_first(connection, report, variant, found, most)
}

/// Adds the largest causes of each issue, each with its first occurrences.
fn add_first(
    connection: &mut AnyConnection,
    report: &ReportRow,
    variant: Variant,
    found: &mut [Found],
    (most_causes, most_occurrences): (usize, usize),
) -> Result<(), StorageError> {
    let source = report.source();
    let issues: Vec<_> = found.iter().map(|found| found.position).collect();
    let rows = causes::first_of_issues(connection, &source, &issues, most_causes)?;
    let places: Vec<_> = rows.iter().map(|row| row.position).collect();
    let mut occurrences =
        occurrences::first_of_causes(connection, &source, &places, most_occurrences)?;
    let mut by_issue: HashMap<i64, Vec<IssueCause>> = HashMap::new();
    for row in rows {
        let (position, issue) = (row.position, row.issue_position);
        let mut cause = row.read(variant)?;
        cause.occurrences = occurrences.remove(&position).unwrap_or_default();
        by_issue.entry(issue).or_default().push(cause);
    }
    for found in found {
        found.issue.causes = by_issue.remove(&found.position).unwrap_or_default();
    }
    Ok(())
}

/// Adds all stored causes and occurrences, issue by issue, until the budget is used up. Each further issue
/// includes only its first cause, with its first occurrence.
fn add_whole(
    connection: &mut AnyConnection,
    report: &ReportRow,
    variant: Variant,
    found: &mut [Found],
) -> Result<(), StorageError> {
    let source = report.source();
    let mut budget = EvidenceBudget::of_report();
    for Found {
        issue, position, ..
    } in found
    {
        let (causes, of_cause) = match budget.is_used_up() {
            true => (1, 1),
            false => (MAX_CAUSES, MAX_OCCURRENCES),
        };
        budget.begin_issue();
        let rows = causes::first_of_issues(connection, &source, &[*position], causes)?;
        let places = first_places(&rows);
        let mut occurrences = occurrences::first_of_causes(connection, &source, &places, of_cause)?;
        for row in rows {
            let position = row.position;
            let mut cause = row.read(variant)?;
            let of_cause = occurrences.remove(&position).unwrap_or_default();
            let is_first = issue.causes.is_empty();
            if !budget.take_cause(&cause) && !is_first {
                break;
            }
            cause.occurrences = kept(of_cause, &mut budget, is_first);
            issue.causes.push(cause);
        }
    }
    Ok(())
}

/// Returns the positions of the first causes whose occurrences together reach the maximum of an issue.
fn first_places(rows: &[CauseRow]) -> Vec<i64> {
    let mut room = i64::try_from(MAX_OCCURRENCES).unwrap_or(i64::MAX);
    let mut places = Vec::new();
    for row in rows.iter().filter(|row| row.occurrences_stored > 0) {
        if room <= 0 {
            break;
        }
        places.push(row.position);
        room -= row.occurrences_stored;
    }
    places
}

/// Returns the occurrences that fit the budget; at least one for the first cause of an issue.
fn kept(
    occurrences: Vec<Occurrence>,
    budget: &mut EvidenceBudget,
    is_first: bool,
) -> Vec<Occurrence> {
    let numbered = occurrences.into_iter().enumerate();
    numbered
        .filter(|(place, found)| budget.take_occurrence(found) || (is_first && *place == 0))
        .map(|(_, found)| found)
        .collect()
}

impl ReportRow {
    /// Converts the row to a report without its issues.
    fn read(&self, variant: Variant) -> Result<Report, StorageError> {
        let (summaries, weights) = match variant {
            Variant::Current => (&self.summaries, &self.weights),
            Variant::Legacy => (&self.summaries_legacy, &self.weights_legacy),
        };
        let summaries: StoredSummaries = from_json("summaries", summaries)?;
        let weights: StoredWeights = from_json("weights", weights)?;
        let coverage: StoredCoverage = from_json("coverage", &self.coverage)?;
        Ok(Report {
            variant,
            score: self.score(variant, &weights)?,
            summaries: summaries.read()?,
            issues: Vec::new(),
            coverage: coverage.read()?,
            unjudged: self.unjudged(variant)?,
            waivers: self.waivers()?,
            changes: self.changes(variant)?,
            url: self.url.clone(),
            engine_version: self.engine_version.clone(),
            catalogue_version: self.catalogue_version.clone(),
        })
    }

    fn score(&self, variant: Variant, weights: &StoredWeights) -> Result<Score, StorageError> {
        let sums: Vec<StoredSum> = from_json("sums", &self.scoring)?;
        // The column was added later, and is lost where its migration is undone.
        let is_earlier = sums.iter().any(StoredSum::is_earlier);
        let mut dimensions = sums
            .into_iter()
            .map(StoredSum::read)
            .collect::<Result<std::collections::BTreeMap<_, _>, _>>()?;
        dimensions.retain(|dimension, _| variant.dimensions().contains(dimension));
        let scores = self.scores.read()?;
        Ok(Score {
            version: match is_earlier {
                true => scores.version,
                false => scores.version.max(FIRST_PRODUCT_VERSION),
            },
            overall: scores.overall(variant),
            dimensions,
            weights: weights.read(),
        })
    }

    fn changes(&self, variant: Variant) -> Result<Option<Changes>, StorageError> {
        let Some(text) = &self.changes else {
            return Ok(None);
        };
        let stored: StoredChanges = from_json("changes", text)?;
        stored.read(variant).map(Some)
    }

    fn waivers(&self) -> Result<Vec<AppliedWaiver>, StorageError> {
        let Some(text) = &self.waivers else {
            return Ok(Vec::new());
        };
        let stored: Vec<StoredWaiver> = from_json("waivers", text)?;
        stored.into_iter().map(StoredWaiver::read).collect()
    }

    fn unjudged(&self, variant: Variant) -> Result<Vec<UnjudgedCheck>, StorageError> {
        let stored: Vec<StoredUnjudged> = from_json("checks without a verdict", &self.unjudged)?;
        let mut checks = stored
            .into_iter()
            .map(StoredUnjudged::read)
            .collect::<Result<Vec<_>, _>>()?;
        checks.retain(|check| variant.dimensions().contains(&check.dimension));
        Ok(checks)
    }
}
