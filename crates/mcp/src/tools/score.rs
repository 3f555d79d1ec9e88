//! `explain_score`.

use api_types::dimension::{Dimension, PerDimension};
use api_types::report::{Issue, Report, Severity};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::sums::{Sum, sums};
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

/// The maximum number of listed gains.
const GAINS: usize = 10;

/// How the numbers lead to the scores.
pub(crate) const FORMULA: &str = "The overall score is the weighted harmonic mean of the subscores, so a low one counts more. A subscore is the mean of the page scores, times 1 − penalty × reach for each check of files, the server or the site, and at most its cap.";
/// The formula of reports that an earlier version scored.
const FORMULA_OF_SUMS: &str = "A subscore is 100 minus the cost of each check. The overall score is the weighted mean of the subscores. Later reports are scored by another model and cannot be compared.";

pub(super) struct ExplainScore;

/// The report, and the dimension to explain.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Arguments {
    /// The reportId of a completed run.
    report_id: String,
    /// Only this dimension; omit for all.
    #[serde(default)]
    #[schema(nullable = false)]
    dimension: Option<Dimension>,
}

/// The calculation of the scores of a report, and what would raise the overall score.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Explanation {
    /// Id of the report.
    report_id: Option<String>,
    /// The overall score, 0 to 100.
    overall_score: u8,
    /// The score of each dimension, 0 to 100.
    subscores: PerDimension<u8>,
    /// How the numbers lead to the scores.
    formula: String,
    /// The calculation of each subscore.
    dimensions: Vec<Sum>,
    /// The issues whose fix raises the overall score most, at most ten.
    gains: Vec<Gain>,
}

/// The points that fixing an issue gains.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Gain {
    /// Id of the issue in this report.
    issue_id: String,
    /// The check; get_check documents it.
    check_id: String,
    /// The dimension.
    dimension: Dimension,
    /// The severity.
    severity: Severity,
    /// The points the overall score gains if only this issue is fixed.
    score_impact: f64,
}

impl Tool for ExplainScore {
    const NAME: &'static str = "explain_score";
    const TITLE: &'static str = "Explain a score";
    const DESCRIPTION: &'static str = "Get the calculation of a report's scores: for each dimension the mean page score, the cap and the checks that cost most, and the issues whose fix gains most.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = Arguments;
    type Output = Explanation;

    async fn call(context: &Context, arguments: Arguments) -> Result<Explanation, Failure> {
        let report = context.client.report(&arguments.report_id).await?.value;
        Ok(explanation(&report, arguments.dimension))
    }

    fn next(explanation: &Explanation, _offers: Offers) -> String {
        match explanation.gains.first() {
            Some(first) => format!(
                "get_check with checkId {:?} says how to fix the first of gains; get_report has its evidence.",
                first.check_id
            ),
            None => "No issue lowers the score; get_report lists what was not judged.".to_owned(),
        }
    }
}

fn explanation(report: &Report, only: Option<Dimension>) -> Explanation {
    let issues = report.issues.iter();
    let gains = issues
        .filter(|issue| issue.score_impact > 0.0)
        .filter(|issue| only.is_none_or(|only| issue.dimension == only));
    let formula = match report.scoring.scoring_version {
        0 | 1 => FORMULA_OF_SUMS,
        _ => FORMULA,
    };
    Explanation {
        report_id: report.report_id.clone(),
        overall_score: report.overall_score,
        subscores: report.subscores.clone(),
        formula: formula.to_owned(),
        dimensions: sums(&report.scoring, &report.subscores, only),
        gains: gains.take(GAINS).map(gain).collect(),
    }
}

fn gain(issue: &Issue) -> Gain {
    Gain {
        issue_id: issue.issue_id.clone(),
        check_id: issue.check_id.clone(),
        dimension: issue.dimension,
        severity: issue.severity,
        score_impact: issue.score_impact,
    }
}
