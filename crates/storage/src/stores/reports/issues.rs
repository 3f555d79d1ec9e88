//! Rows of issues.

use std::collections::BTreeSet;

use diesel::prelude::*;
use domain::SubjectKind;
use domain::id::{ActionId, IssueId, OrgId, ReportId};
use domain::ports::IssueIdentity;
use domain::report::{Coverage, Issue, IssueState, Variant};
use domain::score::Score;
use domain::{Confidence, Severity};

use crate::database::error::StorageError;
use crate::database::schema::issues;
use crate::database::values::{from_json, known, number, storable, stored_count, to_json};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = issues, treat_none_as_default_value = false)]
pub(super) struct IssueRow {
    id: String,
    org_id: String,
    report_id: String,
    pub(super) position: i64,
    pub(super) check_id: String,
    pub(super) dimension: String,
    severity: String,
    confidence: String,
    effort: String,
    title: String,
    description: String,
    why: String,
    recommendation: String,
    sources: String,
    affected: i64,
    applicable: i64,
    subject: String,
    affected_pages: i64,
    /// `None` if a migration merged the issue from issues by cause.
    score_impact: Option<f64>,
    score_impact_legacy: Option<f64>,
    occurrences_total: i64,
    pub(super) occurrences_stored: i64,
    causes_total: i64,
    pub(super) causes_stored: i64,
    pub(super) state: Option<String>,
    waived: i64,
    pub(super) action_id: Option<String>,
}

/// The columns of an issue's row that are not part of the issue.
pub(super) struct IssueContext<'a> {
    pub(super) org: &'a OrgId,
    pub(super) report: &'a ReportId,
    pub(super) id: &'a IssueId,
    pub(super) position: i64,
    /// The score impact in the legacy report; `None` if the issue is not part of it.
    pub(super) score_impact_legacy: Option<f64>,
}

impl IssueRow {
    /// Creates the row of an issue, without its stored counts, its state and its action item.
    pub(super) fn new(issue: &Issue, context: &IssueContext<'_>) -> Result<Self, StorageError> {
        let references: Vec<_> = issue.references.iter().map(|text| storable(text)).collect();
        Ok(Self {
            id: context.id.as_str().to_owned(),
            org_id: context.org.as_str().to_owned(),
            report_id: context.report.as_str().to_owned(),
            position: context.position,
            check_id: issue.check_id.clone(),
            dimension: issue.dimension.as_str().to_owned(),
            severity: issue.severity.as_str().to_owned(),
            confidence: issue.confidence.as_str().to_owned(),
            effort: issue.effort.clone(),
            title: storable(&issue.title),
            description: storable(&issue.description),
            why: storable(&issue.why),
            recommendation: storable(&issue.recommendation),
            sources: to_json(&references)?,
            affected: stored_count(issue.affected),
            applicable: stored_count(issue.applicable),
            subject: issue.subject.as_str().to_owned(),
            affected_pages: stored_count(issue.affected_pages),
            score_impact: Some(issue.score_impact),
            score_impact_legacy: context.score_impact_legacy,
            occurrences_total: stored_count(issue.occurrences_total),
            occurrences_stored: 0,
            causes_total: stored_count(issue.causes_total),
            causes_stored: 0,
            state: None,
            waived: stored_count(issue.waived),
            action_id: None,
        })
    }

    /// Converts the row to an issue in the shape of a variant, without its causes; `None` if it is not part of that
    /// variant.
    pub(super) fn read(
        self,
        variant: Variant,
        score: &Score,
        coverage: &Coverage,
    ) -> Result<Option<(Issue, IssueIdentity)>, StorageError> {
        let dimension = known("dimension", &self.dimension, self.dimension.parse().ok())?;
        if !variant.dimensions().contains(&dimension) {
            return Ok(None);
        }
        let score_impact = match variant {
            Variant::Current => self.score_impact,
            Variant::Legacy => self.score_impact_legacy,
        };
        let action_id = self
            .action_id
            .map(|id| known("action", &id, ActionId::parse(&id)))
            .transpose()?;
        let identity = IssueIdentity {
            issue_id: known("issue", &self.id, IssueId::parse(&self.id))?,
            action_id,
        };
        let mut issue = Issue {
            check_id: self.check_id,
            dimension,
            severity: known("severity", &self.severity, Severity::named(&self.severity))?,
            confidence: known(
                "confidence",
                &self.confidence,
                Confidence::named(&self.confidence),
            )?,
            effort: self.effort,
            title: self.title,
            description: self.description,
            why: self.why,
            recommendation: self.recommendation,
            references: from_json("references", &self.sources)?,
            affected: number("number of subjects", self.affected)?,
            applicable: number("number of subjects", self.applicable)?,
            subject: known(
                "kind of subject",
                &self.subject,
                SubjectKind::named(&self.subject),
            )?,
            affected_pages: number("number of pages", self.affected_pages)?,
            pages: BTreeSet::new(),
            score_impact: score_impact.unwrap_or_default(),
            state: self.state.as_deref().map(state_named).transpose()?,
            waived: number("number of occurrences", self.waived)?,
            occurrences_total: number("number of occurrences", self.occurrences_total)?,
            causes_total: number("number of causes", self.causes_total)?,
            causes: Vec::new(),
        };
        if score_impact.is_none() {
            complete_merged(&mut issue, score, coverage);
        }
        Ok(Some((issue, identity)))
    }
}

/// Completes an issue that a migration merged from issues by cause: takes the score impact and the
/// affected count of the whole check from the sums of its report.
fn complete_merged(issue: &mut Issue, score: &Score, coverage: &Coverage) {
    issue.score_impact = score.gain_of_fixing(&issue.check_id);
    let dimension = score.dimensions.get(&issue.dimension);
    let mut checks = dimension.into_iter().flat_map(|sum| &sum.checks);
    if let Some(check) = checks.find(|check| check.check_id == issue.check_id) {
        issue.affected = check.failed.max(issue.affected);
    }
    if issue.subject == SubjectKind::Page {
        issue.affected_pages = issue.affected;
    }
    if issue.causes_total > 1 {
        let extent = issue.extent(coverage);
        let parts = [extent.as_str(), issue.why.as_str()].into_iter();
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        issue.description = parts.join(" ");
    }
}

/// Parses a stored issue state.
pub(super) fn state_named(name: &str) -> Result<IssueState, StorageError> {
    known("state", name, IssueState::named(name))
}
