//! Rows of issues.

use diesel::prelude::*;
use domain::id::{ActionId, IssueId, OrgId, ReportId};
use domain::ports::IssueIdentity;
use domain::report::{Issue, SubjectKind, Variant};
use domain::{Confidence, Severity};

use crate::error::Fault;
use crate::schema::issues;
use crate::values::{from_json, known, number, storable, stored_count, to_json};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = issues, treat_none_as_default_value = false)]
pub(super) struct IssueRow {
    id: String,
    org_id: String,
    report_id: String,
    pub(super) position: i64,
    fingerprint: String,
    check_id: String,
    dimension: String,
    severity: String,
    confidence: String,
    effort: String,
    cause: String,
    title: String,
    description: String,
    why: String,
    recommendation: String,
    sources: String,
    affected: i64,
    applicable: i64,
    subject: String,
    affected_pages: i64,
    score_impact: f64,
    score_impact_legacy: Option<f64>,
    occurrences_total: i64,
    pub(super) occurrences_stored: i64,
    pub(super) action_id: Option<String>,
}

/// What an issue's row has beside its content.
pub(super) struct Place<'a> {
    pub(super) org: &'a OrgId,
    pub(super) report: &'a ReportId,
    pub(super) id: &'a IssueId,
    pub(super) position: i64,
    /// The impact in the older report; none where the issue is no part of it.
    pub(super) score_impact_legacy: Option<f64>,
}

impl IssueRow {
    /// The row of an issue, without the number of occurrences stored and its action item.
    pub(super) fn of(issue: &Issue, place: &Place<'_>) -> Result<Self, Fault> {
        let references: Vec<_> = issue.references.iter().map(|text| storable(text)).collect();
        Ok(Self {
            id: place.id.as_str().to_owned(),
            org_id: place.org.as_str().to_owned(),
            report_id: place.report.as_str().to_owned(),
            position: place.position,
            fingerprint: issue.fingerprint.clone(),
            check_id: issue.check_id.clone(),
            dimension: issue.dimension.as_str().to_owned(),
            severity: issue.severity.as_str().to_owned(),
            confidence: issue.confidence.as_str().to_owned(),
            effort: issue.effort.clone(),
            cause: storable(&issue.cause),
            title: storable(&issue.title),
            description: storable(&issue.description),
            why: storable(&issue.why),
            recommendation: storable(&issue.recommendation),
            sources: to_json(&references)?,
            affected: stored_count(issue.affected),
            applicable: stored_count(issue.applicable),
            subject: issue.subject.as_str().to_owned(),
            affected_pages: stored_count(issue.affected_pages),
            score_impact: issue.score_impact,
            score_impact_legacy: place.score_impact_legacy,
            occurrences_total: stored_count(issue.occurrences_total),
            occurrences_stored: 0,
            action_id: None,
        })
    }

    /// The issue in the shape of a variant, without its occurrences; none where it is no part of
    /// that variant.
    pub(super) fn read(self, variant: Variant) -> Result<Option<(Issue, IssueIdentity)>, Fault> {
        let score_impact = match variant {
            Variant::Current => Some(self.score_impact),
            Variant::Legacy => self.score_impact_legacy,
        };
        let Some(score_impact) = score_impact else {
            return Ok(None);
        };
        let action_id = self
            .action_id
            .map(|id| known("action", &id, ActionId::parse(&id)))
            .transpose()?;
        let identity = IssueIdentity {
            issue_id: known("issue", &self.id, IssueId::parse(&self.id))?,
            action_id,
        };
        let mut subjects = SubjectKind::ALL.into_iter();
        let subject = subjects.find(|kind| kind.as_str() == self.subject);
        let issue = Issue {
            check_id: self.check_id,
            fingerprint: self.fingerprint,
            dimension: known("dimension", &self.dimension, self.dimension.parse().ok())?,
            severity: known("severity", &self.severity, severity(&self.severity))?,
            confidence: known("confidence", &self.confidence, confidence(&self.confidence))?,
            effort: self.effort,
            cause: self.cause,
            title: self.title,
            description: self.description,
            why: self.why,
            recommendation: self.recommendation,
            references: from_json("references", &self.sources)?,
            affected: number("number of subjects", self.affected)?,
            applicable: number("number of subjects", self.applicable)?,
            subject: known("kind of subject", &self.subject, subject)?,
            affected_pages: number("number of pages", self.affected_pages)?,
            score_impact,
            occurrences_total: number("number of occurrences", self.occurrences_total)?,
            occurrences: Vec::new(),
        };
        Ok(Some((issue, identity)))
    }
}

fn severity(name: &str) -> Option<Severity> {
    name.parse().ok()
}

fn confidence(name: &str) -> Option<Confidence> {
    [Confidence::High, Confidence::Medium, Confidence::Low]
        .into_iter()
        .find(|confidence| confidence.as_str() == name)
}
