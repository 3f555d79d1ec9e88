//! The report as the HTTP surface and `--json` show it.

mod fit;
mod lab;
mod text;
mod waivers;

use std::collections::BTreeMap;

use api_types::dimension::{Dimension as WireDimension, PerDimension};
use api_types::{report as wire, scoring};
use domain::report::{
    Changes, ComparedIssue, Coverage, CrawlMode, INLINE_CAUSES, INLINE_OCCURRENCES, Issue,
    IssueCause, IssueIdentity, IssueState, Occurrence, Report, StoppedBy, StoredReport,
    UnjudgedCheck, Variant,
};
use domain::score::{CheckScore, DimensionScore, PageTotal};
use domain::text::sentence;
use domain::{Confidence, Dimension, Severity};

pub use fit::{MAX_REPORT_BYTES, fit_diff};
pub use lab::{measured_changes, measured_page, read_measured_page};
pub(crate) use text::UnmovingWriter;
use text::bounded;
pub use text::unmoving;
pub use waivers::{waiver_author, waiver_state};

/// Bytes in JSON of an address, at most: no longer one is requested.
const MAX_URL: usize = 2_048;
/// Bytes in JSON of a selector, at most; a longer one names an element too deep for people to read.
const MAX_SELECTOR: usize = 1_024;
/// Bytes in JSON of an excerpt, at most: 200 characters, each escaped.
const MAX_SNIPPET: usize = 1_280;
/// Bytes in JSON of a message or a title, at most: 500 characters of most languages.
const MAX_MESSAGE: usize = 1_536;
/// Bytes in JSON of a text about a check, at most; it may quote a message.
const MAX_DESCRIPTION: usize = 4_096;
/// Bytes in JSON of the reason why a check was not judged, at most.
const MAX_REASON: usize = 512;
/// Rows of `unjudged` at most; where there are more, there is one for each check.
const MAX_UNJUDGED: usize = 500;

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
    /// What `/checks/{id}` is appended to. Empty for an audit without a service: then documents have no links to the
    /// documentation of checks, and `helpUrl` is a path.
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

impl Identity {
    /// That of a report as it is kept; issues link to the documentation of their checks below `help_base_url`.
    #[must_use]
    pub fn of_stored(stored: &StoredReport, help_base_url: &str) -> Self {
        Self {
            report_id: Some(stored.id.to_string()),
            run_id: Some(stored.run_id.to_string()),
            site_id: Some(stored.site_id.to_string()),
            created_at: stored
                .created_at
                .format("%Y-%m-%dT%H:%M:%S%.3fZ")
                .to_string(),
            help_base_url: help_base_url.to_owned(),
        }
    }
}

impl IssueIds {
    /// Those of an issue as it is kept. The legacy variant has no action items.
    #[must_use]
    pub fn of_stored(identity: &IssueIdentity, variant: Variant) -> Self {
        let has_actions = match variant {
            Variant::Current => true,
            Variant::Legacy => false,
        };
        Self {
            issue_id: identity.issue_id.to_string(),
            action_id: (identity.action_id.as_ref())
                .filter(|_| has_actions)
                .map(ToString::to_string),
        }
    }
}

/// The report in its wire form, of at most [`MAX_REPORT_BYTES`] of JSON; `ids` is asked once for each
/// issue, in order.
///
/// An issue has its largest [`INLINE_CAUSES`] causes with [`INLINE_OCCURRENCES`] occurrences each.
/// Where that would be too much, the issues of least gain have fewer, but one each.
#[must_use]
pub fn wire_report(
    report: &Report,
    identity: &Identity,
    mut ids: impl FnMut() -> IssueIds,
) -> wire::Report {
    let issues = report.issues.iter();
    let mut wire = wire::Report {
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
        unjudged: unjudged(&report.unjudged),
        waivers: report.waivers.iter().map(waivers::applied).collect(),
        changes: report.changes.as_ref().map(changes),
        coverage: coverage(&report.coverage),
        scoring: scoring(report),
        lab: report.coverage.measured.iter().map(measured_page).collect(),
    };
    fit::fit_report(&mut wire);
    wire
}

/// The address of a check's documentation.
#[must_use]
pub fn help_url(help_base_url: &str, check_id: &str) -> String {
    format!("{}/checks/{check_id}", help_base_url.trim_end_matches('/'))
}

/// Turns what is there for each dimension into the wire's object. The sixth is there when its key
/// is; the first five are in every variant.
pub fn per_dimension<T, U>(
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

/// An issue on the wire with its largest causes; it links to the documentation of its check below
/// `help_base_url`.
#[must_use]
pub fn issue(issue: &Issue, ids: IssueIds, help_base_url: &str) -> wire::Issue {
    wire::Issue {
        issue_id: ids.issue_id,
        check_id: issue.check_id.clone(),
        dimension: dimension(issue.dimension),
        severity: severity(issue.severity),
        confidence: confidence(issue.confidence),
        title: bounded(&issue.title, MAX_MESSAGE),
        description: bounded(&issue.description, MAX_DESCRIPTION),
        recommendation: bounded(&issue.recommendation, MAX_DESCRIPTION),
        affected_pages: issue.affected_pages,
        occurrences_total: issue.occurrences_total,
        causes_total: issue.causes_total,
        causes: issue.causes.iter().take(INLINE_CAUSES).map(cause).collect(),
        score_impact: issue.score_impact,
        state: issue.state.map(state),
        waived: issue.waived,
        help_url: help_url(help_base_url, &issue.check_id),
        references: issue.references.clone(),
        action_id: ids.action_id,
    }
}

/// An issue of a comparison on the wire: with the causes that are new, fixed or persisting, and with
/// their number as its total. All else is as its report has it. The caller hands the whole comparison
/// to [`fit_diff`].
#[must_use]
pub fn compared_issue(
    compared: &ComparedIssue<'_>,
    ids: IssueIds,
    help_base_url: &str,
) -> wire::Issue {
    let causes = compared.causes.iter();
    wire::Issue {
        causes_total: u64::try_from(compared.causes.len()).unwrap_or(u64::MAX),
        causes: causes
            .take(INLINE_CAUSES)
            .map(|found| cause(found))
            .collect(),
        ..issue(compared.issue, ids, help_base_url)
    }
}

/// A cause on the wire with its first occurrences.
#[must_use]
pub fn cause(cause: &IssueCause) -> wire::Cause {
    let occurrences = cause.occurrences.iter().take(INLINE_OCCURRENCES);
    wire::Cause {
        fingerprint: cause.fingerprint.clone(),
        message: bounded(&cause.message, MAX_MESSAGE),
        affected_pages: cause.affected_pages,
        occurrences_total: cause.occurrences_total,
        waived: cause.waived,
        score_impact: cause.score_impact,
        state: cause.state.map(state),
        occurrences: occurrences.map(occurrence).collect(),
    }
}

/// An occurrence on the wire.
#[must_use]
pub fn occurrence(occurrence: &Occurrence) -> wire::Occurrence {
    let optional = |text: &Option<String>, most| text.as_deref().map(|text| bounded(text, most));
    wire::Occurrence {
        url: bounded(&occurrence.url, MAX_URL),
        selector: optional(&occurrence.selector, MAX_SELECTOR),
        snippet: optional(&occurrence.snippet, MAX_SNIPPET),
        line: occurrence.line,
        message: bounded(&occurrence.message, MAX_MESSAGE),
        artifact_id: occurrence.artifact.map(|id| id.to_string()),
        waiver_id: occurrence.waiver.as_ref().map(ToString::to_string),
    }
}

const fn state(state: IssueState) -> wire::IssueState {
    match state {
        IssueState::New => wire::IssueState::New,
        IssueState::Persisting => wire::IssueState::Persisting,
    }
}

fn unjudged(checks: &[UnjudgedCheck]) -> Vec<wire::Unjudged> {
    let rows = checks.iter().map(|check| wire::Unjudged {
        check_id: check.check_id.clone(),
        reason: bounded(&sentence(check.why.reason()), MAX_REASON),
        count: check.count,
    });
    if checks.len() <= MAX_UNJUDGED {
        return rows.collect();
    }
    let mut by_check: BTreeMap<&str, wire::Unjudged> = BTreeMap::new();
    for (check, row) in checks.iter().zip(rows) {
        by_check
            .entry(&check.check_id)
            .and_modify(|known| known.count = known.count.saturating_add(row.count))
            .or_insert(row);
    }
    by_check.into_values().collect()
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
        pages_rendered: coverage.pages_rendered,
        pages_measured: u64::try_from(coverage.measured.len()).unwrap_or(u64::MAX),
        requests: coverage.requests,
        skipped: skipped
            .map(|(reason, count)| wire::Skipped {
                reason: reason.clone(),
                count: *count,
            })
            .collect(),
    }
}

fn changes(changes: &Changes) -> wire::Changes {
    wire::Changes {
        against: changes.against.to_string(),
        score_change: changes.score_change,
        subscore_changes: per_dimension(&changes.subscore_changes, |change| {
            change.copied().unwrap_or_default()
        }),
        scoring_version_changed: changes.scoring_version_changed,
        new_issues: changes.new_issues,
        fixed_issues: changes.fixed_issues,
        new_pages: changes.new_pages,
        gone_pages: changes.gone_pages,
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
        scoring_version: score.version,
        engine_version: report.engine_version.clone(),
        catalogue_version: report.catalogue_version.clone(),
        weights: per_dimension(&weights, |weight| weight.copied().unwrap_or_default()),
        dimensions: per_dimension(&score.dimensions, dimension_scoring),
    }
}

fn dimension_scoring(score: Option<&DimensionScore>) -> scoring::DimensionScoring {
    scoring::DimensionScoring {
        pages: score.map_or_else(scoring::PageScoring::default, |score| {
            scoring::PageScoring {
                count: score.pages.count,
                mean: score.pages.mean().to_points(),
            }
        }),
        metrics: score.and_then(|score| score.metrics).map(metrics),
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

fn metrics(pages: PageTotal) -> scoring::Metrics {
    scoring::Metrics {
        pages: pages.count,
        mean: pages.mean().to_points(),
    }
}

fn check_scoring(check: &CheckScore) -> scoring::CheckScoring {
    scoring::CheckScoring {
        check_id: check.check_id.clone(),
        scope: check.subject.as_str().to_owned(),
        severity: severity(check.severity),
        penalty: check.penalty.to_f64(),
        judged: check.judged,
        failed: check.failed,
        reach: check.reach.to_f64(),
        cost: check.cost.to_points(),
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

#[cfg(test)]
mod tests;
