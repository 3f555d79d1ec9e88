//! The report as the HTTP surface and `--json` show it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use api_types::dimension::{Dimension as WireDimension, PerDimension};
use api_types::{report as wire, scoring};
use domain::report::{
    Coverage, CrawlMode, INLINE_OCCURRENCES, Issue, Occurrence, Report, StoppedBy, Variant,
};
use domain::score::{CheckScore, DimensionScore};
use domain::{Confidence, Dimension, Severity};

/// What a report does not know of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Id of the report; none for an audit without a server.
    pub report_id: Option<String>,
    /// The run that made it.
    pub run_id: Option<String>,
    /// The site it is about.
    pub site_id: Option<String>,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// What `/checks/{id}` is appended to.
    pub help_base_url: String,
}

/// What an issue has in a service beside its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueIds {
    /// Its id.
    pub issue_id: String,
    /// The action item it belongs to.
    pub action_id: Option<String>,
}

/// The report in its wire form; `ids` is asked once for each issue, in order.
#[must_use]
pub fn wire_report(
    report: &Report,
    identity: &Identity,
    mut ids: impl FnMut() -> IssueIds,
) -> wire::Report {
    let issues = report.issues.iter();
    wire::Report {
        report_id: identity.report_id.clone(),
        run_id: identity.run_id.clone(),
        site_id: identity.site_id.clone(),
        url: report.url.clone(),
        created_at: identity.created_at.clone(),
        variant: variant(report.variant),
        overall_score: report.score.overall,
        subscores: per_dimension(&report.score.dimensions, |score| {
            score.map_or(100, |score| score.subscore)
        }),
        summaries: wire::Summaries {
            overall: report.summaries.overall.clone(),
            dimensions: per_dimension(&report.summaries.dimensions, |text| {
                text.cloned().unwrap_or_default()
            }),
        },
        issues: issues
            .map(|found| issue(found, ids(), &identity.help_base_url))
            .collect(),
        coverage: coverage(&report.coverage),
        scoring: scoring(report),
    }
}

/// The address of a check's documentation.
#[must_use]
pub fn help_url(help_base_url: &str, check_id: &str) -> String {
    format!("{}/checks/{check_id}", help_base_url.trim_end_matches('/'))
}

/// Turns what is there for each dimension into the wire's object. The sixth is there when its key
/// is; the first five are in every variant.
fn per_dimension<T, U>(
    values: &BTreeMap<Dimension, T>,
    convert: impl Fn(Option<&T>) -> U,
) -> PerDimension<U> {
    let of = |dimension| convert(values.get(&dimension));
    PerDimension {
        performance: of(Dimension::Performance),
        accessibility: of(Dimension::Accessibility),
        seo: of(Dimension::Seo),
        security: of(Dimension::Security),
        content: of(Dimension::Content),
        ai_readiness: values
            .get(&Dimension::AiReadiness)
            .map(|value| convert(Some(value))),
    }
}

/// An issue on the wire; it links to the documentation of its check below `help_base_url`.
#[must_use]
pub fn issue(issue: &Issue, ids: IssueIds, help_base_url: &str) -> wire::Issue {
    let occurrences = issue.occurrences.iter().take(INLINE_OCCURRENCES);
    wire::Issue {
        issue_id: ids.issue_id,
        check_id: issue.check_id.clone(),
        dimension: dimension(issue.dimension),
        severity: severity(issue.severity),
        confidence: confidence(issue.confidence),
        fingerprint: issue.fingerprint.clone(),
        title: issue.title.clone(),
        description: issue.description.clone(),
        recommendation: issue.recommendation.clone(),
        affected_pages: issue.affected_pages,
        occurrences_total: issue.occurrences_total,
        occurrences: occurrences.map(occurrence).collect(),
        score_impact: issue.score_impact,
        help_url: help_url(help_base_url, &issue.check_id),
        references: issue.references.clone(),
        action_id: ids.action_id,
    }
}

/// An occurrence on the wire.
#[must_use]
pub fn occurrence(occurrence: &Occurrence) -> wire::Occurrence {
    wire::Occurrence {
        url: occurrence.url.clone(),
        selector: occurrence.selector.clone(),
        snippet: occurrence.snippet.clone(),
        line: occurrence.line,
        message: occurrence.message.clone(),
    }
}

fn coverage(coverage: &Coverage) -> wire::Coverage {
    let skipped = coverage.skipped.iter();
    wire::Coverage {
        mode: match coverage.mode {
            CrawlMode::Static => wire::CrawlMode::Static,
            CrawlMode::Rendered => wire::CrawlMode::Rendered,
        },
        complete: coverage.complete,
        stopped_by: coverage.stopped_by.map(|stopped| match stopped {
            StoppedBy::PageCap => wire::StoppedBy::PageCap,
            StoppedBy::Depth => wire::StoppedBy::Depth,
            StoppedBy::Deadline => wire::StoppedBy::Deadline,
            StoppedBy::Cancelled => wire::StoppedBy::Cancelled,
        }),
        pages_discovered: coverage.pages_discovered,
        pages_fetched: coverage.pages_fetched,
        pages_audited: coverage.pages_audited,
        requests: coverage.requests,
        skipped: skipped
            .map(|(reason, count)| wire::Skipped {
                reason: reason.clone(),
                count: *count,
            })
            .collect(),
    }
}

fn scoring(report: &Report) -> scoring::Scoring {
    let score = &report.score;
    let weights: BTreeMap<_, _> = score
        .dimensions
        .keys()
        .map(|&dimension| (dimension, score.weights.get(dimension)))
        .collect();
    scoring::Scoring {
        engine_version: report.engine_version.clone(),
        catalogue_version: report.catalogue_version.clone(),
        weights: per_dimension(&weights, |weight| weight.copied().unwrap_or_default()),
        dimensions: per_dimension(&score.dimensions, dimension_scoring),
    }
}

fn dimension_scoring(score: Option<&DimensionScore>) -> scoring::DimensionScoring {
    scoring::DimensionScoring {
        sum_of_weights: score.map_or(0, |score| score.sum_of_weights),
        cap: score
            .and_then(|score| score.cap.as_ref())
            .map(|cap| scoring::Cap {
                check_id: cap.check_id.clone(),
                maximum: cap.maximum,
                reason: cap.reason.clone(),
            }),
        checks: score.map_or_else(Vec::new, |score| {
            score.checks.iter().map(check_scoring).collect()
        }),
    }
}

fn check_scoring(check: &CheckScore) -> scoring::CheckScoring {
    scoring::CheckScoring {
        check_id: check.check_id.clone(),
        weight: check.weight,
        applicable: check.applicable,
        affected: check.affected,
        score: check.score.to_f64(),
        deduction: check.deduction.to_f64(),
    }
}

fn variant(variant: Variant) -> wire::Variant {
    match variant {
        Variant::Current => wire::Variant::Current,
        Variant::Legacy => wire::Variant::Legacy,
    }
}

/// A dimension on the wire.
#[must_use]
pub fn dimension(dimension: Dimension) -> WireDimension {
    match dimension {
        Dimension::Performance => WireDimension::Performance,
        Dimension::Accessibility => WireDimension::Accessibility,
        Dimension::Seo => WireDimension::Seo,
        Dimension::Security => WireDimension::Security,
        Dimension::Content => WireDimension::Content,
        Dimension::AiReadiness => WireDimension::AiReadiness,
    }
}

/// A severity on the wire.
#[must_use]
pub fn severity(severity: Severity) -> wire::Severity {
    match severity {
        Severity::Critical => wire::Severity::Critical,
        Severity::Serious => wire::Severity::Serious,
        Severity::Moderate => wire::Severity::Moderate,
        Severity::Minor => wire::Severity::Minor,
        Severity::Info => wire::Severity::Info,
    }
}

fn confidence(confidence: Confidence) -> wire::Confidence {
    match confidence {
        Confidence::High => wire::Confidence::High,
        Confidence::Medium => wire::Confidence::Medium,
        Confidence::Low => wire::Confidence::Low,
    }
}

/// The JSON with characters escaped that could steer a terminal or turn the direction of text. They
/// stand only within strings, where the escape means the same.
#[must_use]
pub fn unmoving(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
