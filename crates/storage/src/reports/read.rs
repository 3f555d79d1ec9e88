//! Reading a report back.

use diesel::prelude::*;
use domain::id::{IssueId, OrgId, ReportId, RunId, SiteId};
use domain::ports::{IssueIdentity, StoredReport};
use domain::report::{Issue, Report, UnjudgedCheck, Variant};
use domain::score::Score;

use super::issues::IssueRow;
use super::json::{StoredCoverage, StoredSum, StoredSummaries, StoredUnjudged, StoredWeights};
use super::occurrences;
use super::write::ReportRow;
use crate::connection::AnyConnection;
use crate::error::Fault;
use crate::schema::{issues, reports};
use crate::values::{from_json, known};

pub(super) fn report(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    variant: Variant,
) -> Result<Option<StoredReport>, Fault> {
    let Some(row) = row(connection, org, report)? else {
        return Ok(None);
    };
    let issues = issues_of(connection, &row, None, variant)?;
    let (issues, identities) = issues.into_iter().unzip();
    Ok(Some(StoredReport {
        id: report.clone(),
        run_id: known("run", &row.run_id, RunId::parse(&row.run_id))?,
        site_id: known("site", &row.site_id, SiteId::parse(&row.site_id))?,
        created_at: row.created_at.and_utc(),
        report: row.read(variant, issues)?,
        issues: identities,
    }))
}

/// The organization a report belongs to.
pub(super) fn org_of(
    connection: &mut AnyConnection,
    report: &ReportId,
) -> Result<Option<OrgId>, Fault> {
    let org: Option<String> = reports::table
        .find(report.as_str())
        .select(reports::org_id)
        .first(connection)
        .optional()?;
    org.map(|org| known("organization", &org, OrgId::parse(&org)))
        .transpose()
}

fn row(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
) -> Result<Option<ReportRow>, Fault> {
    Ok(reports::table
        .filter(reports::id.eq(report.as_str()))
        .filter(reports::org_id.eq(org.as_str()))
        .select(ReportRow::as_select())
        .first(connection)
        .optional()?)
}

/// Where the occurrences of an issue are kept; none where it is no part of the variant.
pub(super) fn place_of(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    issue: &IssueId,
    variant: Variant,
) -> Result<Option<occurrences::Place>, Fault> {
    let found: Option<(occurrences::Place, Option<f64>)> = issues::table
        .inner_join(reports::table.on(reports::id.eq(issues::report_id)))
        .filter(issues::id.eq(issue.as_str()))
        .filter(issues::report_id.eq(report.as_str()))
        .filter(reports::org_id.eq(org.as_str()))
        .select((occurrences::Place::as_select(), issues::score_impact_legacy))
        .first(connection)
        .optional()?;
    Ok(found
        .filter(|(_, legacy)| variant == Variant::Current || legacy.is_some())
        .map(|(place, _)| place))
}

/// The issues of one check in a report, in the shape of a variant and its order, with their first
/// occurrences; none where there is no such report.
pub(crate) fn issues_of_check(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    check_id: &str,
    variant: Variant,
) -> Result<Vec<Issue>, Fault> {
    let Some(row) = row(connection, org, report)? else {
        return Ok(Vec::new());
    };
    let found = issues_of(connection, &row, Some(check_id), variant)?;
    Ok(found.into_iter().map(|(issue, _)| issue).collect())
}

/// The issues of a variant in its order, with their first occurrences; those of one check where one
/// is named.
fn issues_of(
    connection: &mut AnyConnection,
    report: &ReportRow,
    check_id: Option<&str>,
    variant: Variant,
) -> Result<Vec<(Issue, IssueIdentity)>, Fault> {
    let mut query = issues::table
        .filter(issues::report_id.eq(&report.id))
        .order(issues::position)
        .select(IssueRow::as_select())
        .into_boxed();
    if let Some(check_id) = check_id {
        query = query.filter(issues::check_id.eq(check_id));
    }
    let rows: Vec<IssueRow> = query.load(connection)?;
    let source = (report.run_id.as_str(), report.epoch);
    let mut places = occurrences::first_of_each(connection, &report.id, source, check_id)?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let position = row.position;
        if let Some((mut issue, identity)) = row.read(variant)? {
            issue.occurrences = places.remove(&position).unwrap_or_default();
            found.push((issue, identity));
        }
    }
    if variant == Variant::Legacy {
        found.sort_by(|(one, _), (other, _)| one.worst_first(other));
    }
    Ok(found)
}

impl ReportRow {
    fn read(self, variant: Variant, issues: Vec<Issue>) -> Result<Report, Fault> {
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
            issues,
            coverage: coverage.read()?,
            unjudged: self.unjudged(variant)?,
            url: self.url,
            engine_version: self.engine_version,
            catalogue_version: self.catalogue_version,
        })
    }

    fn score(&self, variant: Variant, weights: &StoredWeights) -> Result<Score, Fault> {
        let sums: Vec<StoredSum> = from_json("sums", &self.scoring)?;
        let mut dimensions = sums
            .into_iter()
            .map(StoredSum::read)
            .collect::<Result<std::collections::BTreeMap<_, _>, _>>()?;
        dimensions.retain(|dimension, _| variant.dimensions().contains(dimension));
        Ok(Score {
            overall: self.scores.read()?.overall(variant),
            dimensions,
            weights: weights.read(),
        })
    }

    fn unjudged(&self, variant: Variant) -> Result<Vec<UnjudgedCheck>, Fault> {
        let stored: Vec<StoredUnjudged> = from_json("checks without a verdict", &self.unjudged)?;
        let mut checks = stored
            .into_iter()
            .map(StoredUnjudged::read)
            .collect::<Result<Vec<_>, _>>()?;
        checks.retain(|check| variant.dimensions().contains(&check.dimension));
        Ok(checks)
    }
}
