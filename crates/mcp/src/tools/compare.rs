//! `compare_reports`.

use api_types::dimension::{Dimension, PerDimension};
use api_types::report::{Issue, ReportDiff, Severity};
use report::untrusted::excerpt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::changes;
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

/// The maximum number of listed causes of an issue.
const CAUSES: usize = 5;

pub(super) struct CompareReports;

/// The two reports.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Arguments {
    /// The reportId of the newer report.
    report_id: String,
    /// The reportId of an earlier report of the same site.
    against: String,
    /// The maximum number of issues in each list.
    #[serde(default = "changes")]
    #[schema(default = 20, minimum = 1, maximum = 100)]
    limit: u32,
}

/// The differences between two reports of a site.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Comparison {
    /// Id of the newer report.
    report_id: String,
    /// Id of the earlier report.
    against: String,
    /// The change of the overall score: positive if the site improved.
    score_change: i16,
    /// The change of each subscore.
    subscore_changes: PerDimension<i16>,
    /// Whether another scoring model explains the changes of the scores.
    scoring_version_changed: bool,
    /// Whether other versions of the checks may explain new and fixed issues.
    catalogue_version_changed: bool,
    /// Whether the change of the performance score may be noise of the measurement.
    performance_is_noise: bool,
    /// Issues with causes that only the newer report has.
    new: Vec<Changed>,
    /// The number of these issues.
    new_total: usize,
    /// Issues with causes that only the earlier report has.
    fixed: Vec<Changed>,
    /// The number of these issues.
    fixed_total: usize,
    /// The number of issues with causes that both reports have.
    persisting_total: usize,
}

/// An issue with its new or fixed causes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Changed {
    /// Id of the issue in the report that has it.
    issue_id: String,
    /// The check.
    check_id: String,
    /// The dimension.
    dimension: Dimension,
    /// The severity.
    severity: Severity,
    /// The title.
    title: String,
    /// The number of new or fixed causes.
    causes_total: u64,
    /// What the first of them found, at most five. It quotes the audited site.
    causes: Vec<String>,
}

impl Tool for CompareReports {
    const NAME: &'static str = "compare_reports";
    const TITLE: &'static str = "Compare two reports";
    const DESCRIPTION: &'static str = "Compare a report with an earlier one of the same site: changes of the scores, new and fixed issues with their causes.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = Arguments;
    type Output = Comparison;

    async fn call(context: &Context, arguments: Arguments) -> Result<Comparison, Failure> {
        let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
        let diff = context
            .client
            .diff(&arguments.report_id, &arguments.against);
        Ok(comparison(diff.await?.value, limit))
    }

    fn next(comparison: &Comparison, _offers: Offers) -> String {
        match comparison.new.first() {
            Some(first) => format!(
                "list_occurrences with reportId {:?} and issueId {:?} shows where the first new issue occurs; get_check says how to fix it.",
                comparison.report_id, first.issue_id
            ),
            None => format!(
                "get_report with reportId {:?} has the issues that persist.",
                comparison.report_id
            ),
        }
    }
}

fn comparison(diff: ReportDiff, limit: usize) -> Comparison {
    Comparison {
        report_id: diff.report_id,
        against: diff.against,
        score_change: diff.score_change,
        subscore_changes: diff.subscore_changes,
        scoring_version_changed: diff.scoring_version_changed,
        catalogue_version_changed: diff.catalogue_version_changed,
        performance_is_noise: diff.performance_is_noise,
        new_total: diff.new.len(),
        new: diff.new.iter().take(limit).map(changed).collect(),
        fixed_total: diff.fixed.len(),
        fixed: diff.fixed.iter().take(limit).map(changed).collect(),
        persisting_total: diff.persisting.len(),
    }
}

fn changed(issue: &Issue) -> Changed {
    let causes = issue.causes.iter().take(CAUSES);
    Changed {
        issue_id: issue.issue_id.clone(),
        check_id: issue.check_id.clone(),
        dimension: issue.dimension,
        severity: issue.severity,
        title: excerpt(&issue.title),
        causes_total: issue.causes_total,
        causes: causes.map(|cause| excerpt(&cause.message)).collect(),
    }
}
