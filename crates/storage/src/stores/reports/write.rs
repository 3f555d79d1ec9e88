//! Storing a report.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::id::ActionId;
use domain::ports::{Claim, CompletedRun};
use domain::report::{Report, ReportPair};

use super::issues::{IssueContext, IssueRow};
use super::json::{StoredCoverage, StoredSum, StoredSummaries, StoredUnjudged, StoredWeights};
use super::links::StoredLinkCounts;
use super::source::Source;
use super::state::EarlierReport;
use super::waivers::StoredWaiver;
use super::{causes, occurrences};
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{issues, reports};
use crate::database::values::{storable, stored_time, to_json};
use crate::stores::rows::ScoresRow;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = reports)]
pub(super) struct ReportRow {
    pub(super) id: String,
    pub(super) org_id: String,
    pub(super) run_id: String,
    pub(super) site_id: String,
    pub(super) epoch: i64,
    pub(super) created_at: NaiveDateTime,
    pub(super) requested_url: String,
    pub(super) url: String,
    #[diesel(embed)]
    pub(super) scores: ScoresRow,
    pub(super) weights: String,
    pub(super) weights_legacy: String,
    pub(super) coverage: String,
    pub(super) unjudged: String,
    pub(super) summaries: String,
    pub(super) summaries_legacy: String,
    pub(super) scoring: String,
    pub(super) engine_version: String,
    pub(super) catalogue_version: String,
    pub(super) changes: Option<String>,
    /// `None` in reports of earlier versions.
    pub(super) waivers: Option<String>,
    /// `None` in reports of earlier versions.
    pub(super) links: Option<String>,
}

/// A report and its issues, ready to store.
pub(crate) struct ReportRows {
    report: ReportRow,
    issues: Vec<IssueRow>,
}

impl ReportRows {
    pub(crate) fn new(
        claim: &Claim,
        completed: &CompletedRun,
        now: DateTime<Utc>,
    ) -> Result<Self, StorageError> {
        Ok(Self {
            report: report_row(claim, completed, now)?,
            issues: issue_rows(claim, completed)?,
        })
    }

    /// Stores the rows, with the action item of each issue. The claim must be held.
    pub(crate) fn insert(
        &mut self,
        connection: &mut AnyConnection,
        claim: &Claim,
        items: &[Option<ActionId>],
    ) -> Result<(), StorageError> {
        let source = Source::of_claim(claim);
        causes::count_occurrences(connection, &source)?;
        let mut stored: HashMap<i64, (i64, i64)> = HashMap::new();
        for (position, occurrences) in causes::stored_by_issue(connection, &source)? {
            let (causes, all) = stored.entry(position).or_default();
            *causes += 1;
            *all += occurrences;
        }
        for (issue, item) in self.issues.iter_mut().zip(items) {
            let stored = stored.get(&issue.position).copied();
            (issue.causes_stored, issue.occurrences_stored) = stored.unwrap_or_default();
            issue.action_id = item.as_ref().map(|id| id.as_str().to_owned());
        }
        if let Some(earlier) = EarlierReport::find(connection, claim)? {
            earlier.compare(connection, &source, &mut self.issues)?;
            let now = self.report.scores.read()?;
            let changes = earlier.changes(connection, &source, &now, &self.issues)?;
            self.report.changes = Some(to_json(&changes)?);
        }
        on_either!(connection, inner => diesel::insert_into(reports::table)
            .values(&self.report)
            .execute(inner)?);
        for part in self.issues.chunks(occurrences::ROWS_A_STATEMENT) {
            on_either!(connection, inner => diesel::insert_into(issues::table)
                .values(part)
                .execute(inner)?);
        }
        Ok(())
    }
}

fn report_row(
    claim: &Claim,
    completed: &CompletedRun,
    now: DateTime<Utc>,
) -> Result<ReportRow, StorageError> {
    let ReportPair { current, legacy } = &completed.reports;
    let unjudged: Vec<_> = current.unjudged.iter().map(StoredUnjudged::new).collect();
    let waivers: Vec<_> = current.waivers.iter().map(StoredWaiver::new).collect();
    let scoring: Vec<_> = current
        .score
        .dimensions
        .iter()
        .map(|(&dimension, score)| StoredSum::new(dimension, score))
        .collect();
    Ok(ReportRow {
        id: completed.report_id.as_str().to_owned(),
        org_id: claim.org_id.as_str().to_owned(),
        run_id: claim.run_id.as_str().to_owned(),
        site_id: claim.site_id.as_str().to_owned(),
        epoch: claim.epoch.into(),
        created_at: stored_time(now),
        requested_url: storable(&claim.url),
        url: storable(&current.url),
        scores: ScoresRow::new(&completed.reports.scores()),
        weights: to_json(&StoredWeights::new(&current.score.weights))?,
        weights_legacy: to_json(&StoredWeights::new(&legacy.score.weights))?,
        coverage: to_json(&StoredCoverage::new(&current.coverage))?,
        unjudged: to_json(&unjudged)?,
        summaries: to_json(&StoredSummaries::new(&current.summaries))?,
        summaries_legacy: to_json(&StoredSummaries::new(&legacy.summaries))?,
        scoring: to_json(&scoring)?,
        engine_version: current.engine_version.clone(),
        catalogue_version: current.catalogue_version.clone(),
        changes: None,
        waivers: Some(to_json(&waivers)?),
        links: Some(to_json(&StoredLinkCounts::new(&completed.links))?),
    })
}

fn issue_rows(claim: &Claim, completed: &CompletedRun) -> Result<Vec<IssueRow>, StorageError> {
    let ReportPair { current, legacy } = &completed.reports;
    if completed.issue_ids.len() != current.issues.len() {
        return Err(StorageError::Failed(
            "the number of ids differs from the number of issues".to_owned(),
        ));
    }
    let legacy_impacts = impacts(legacy);
    (0_i64..)
        .zip(current.issues.iter().zip(&completed.issue_ids))
        .map(|(position, (issue, id))| {
            let context = IssueContext {
                org: &claim.org_id,
                report: &completed.report_id,
                id,
                position,
                score_impact_legacy: legacy_impacts.get(issue.check_id.as_str()).copied(),
            };
            IssueRow::new(issue, &context)
        })
        .collect()
}

fn impacts(report: &Report) -> HashMap<&str, f64> {
    let issues = report.issues.iter();
    issues
        .map(|issue| (issue.check_id.as_str(), issue.score_impact))
        .collect()
}
