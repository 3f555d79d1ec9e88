//! The result of an audit, as a child writes it: the fields of `domain::report::AuditResult` in order, with
//! enumerations by their wire names. Both sides are the same program, so no other version has to read it.

use domain::action::PageKey;
use domain::artifact::ArtifactId;
use domain::id::WaiverId;
use domain::report::{
    AuditResult, Coverage, CrawlMode, Finding, FindingCause, Occurrence, PageDetails, PageScores,
    PageVisit, StoppedBy, Unjudged, UnjudgedCheck,
};
use domain::score::{Cap, CheckTally, PageTotal, Share, Tallies};
use domain::{Confidence, Dimension, Severity, SubjectKind};
use serde::{Deserialize, Serialize};

use super::artifact::WireArtifact;
use super::links::WireLinks;
use super::measurement::{WireMeasurement, WireMetricTally};
use super::waiver::WireWaiver;

/// An unknown name: the child is not a valid child process.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown value {0:?}")]
pub(super) struct UnknownName(pub(super) String);

/// `domain::report::AuditResult`.
#[derive(Serialize, Deserialize)]
pub(super) struct Result {
    requested_url: String,
    url: String,
    coverage: WireCoverage,
    page_totals: Vec<WirePageTotal>,
    tallies: Vec<WireTally>,
    metrics: Option<WireMetricTally>,
    caps: Vec<WireCap>,
    findings: Vec<WireFinding>,
    waivers: Vec<WireWaiver>,
    unjudged: Vec<WireUnjudged>,
    pages: Vec<WirePage>,
    links: WireLinks,
    artifacts: Vec<WireArtifact>,
    catalogue: Vec<String>,
    engine_version: String,
    catalogue_version: String,
}

#[derive(Serialize, Deserialize)]
struct WireCoverage {
    mode: String,
    complete: bool,
    stopped_by: Option<String>,
    pages_discovered: u64,
    pages_fetched: u64,
    pages_audited: u64,
    pages_rendered: u64,
    measured: Vec<WireMeasurement>,
    requests: u64,
    skipped: Vec<(String, u64)>,
}

#[derive(Serialize, Deserialize)]
struct WireTally {
    check_id: String,
    dimension: String,
    subject: String,
    severity: String,
    judged: u64,
    failed: u64,
    /// In billionths.
    reach: u32,
    page_gain: u64,
}

#[derive(Serialize, Deserialize)]
struct WirePageTotal {
    dimension: String,
    count: u64,
    sum: u64,
}

#[derive(Serialize, Deserialize)]
struct WireCap {
    dimension: String,
    maximum: u8,
    check_id: String,
    reason: String,
}

#[derive(Serialize, Deserialize)]
struct WireFinding {
    check_id: String,
    dimension: String,
    severity: String,
    confidence: String,
    effort: String,
    title: String,
    why: String,
    fix: String,
    references: Vec<String>,
    affected: u64,
    applicable: u64,
    subject: String,
    pages: Vec<String>,
    occurrences_total: u64,
    waived: u64,
    causes_total: u64,
    causes: Vec<WireCause>,
}

#[derive(Serialize, Deserialize)]
struct WireCause {
    key: String,
    title: String,
    affected: u64,
    occurrences_total: u64,
    waived: u64,
    occurrences: Vec<WireOccurrence>,
}

#[derive(Serialize, Deserialize)]
struct WireOccurrence {
    url: String,
    selector: Option<String>,
    snippet: Option<String>,
    line: Option<u32>,
    message: String,
    waiver: Option<String>,
    artifact: Option<u8>,
}

#[derive(Serialize, Deserialize)]
struct WireUnjudged {
    check_id: String,
    dimension: String,
    why: WireWhy,
    count: u64,
}

#[derive(Serialize, Deserialize)]
enum WireWhy {
    NotRun(String),
    CannotTell(String),
    Errored(String),
    Limited(String),
}

#[derive(Serialize, Deserialize)]
struct WirePage {
    url: String,
    status: Option<u16>,
    depth: Option<u32>,
    title: Option<String>,
    bytes: Option<u64>,
    audited: bool,
    leads_to: Option<String>,
    details: WireDetails,
    issues: u32,
    issues_legacy: u32,
    /// In billionths, in the order of the dimensions.
    scores: [Option<u32>; 6],
}

impl From<AuditResult> for Result {
    fn from(result: AuditResult) -> Self {
        Self {
            requested_url: result.requested_url,
            url: result.url,
            coverage: result.coverage.into(),
            page_totals: result
                .tallies
                .pages
                .iter()
                .map(|(dimension, total)| WirePageTotal {
                    dimension: dimension.as_str().to_owned(),
                    count: total.count,
                    sum: total.sum,
                })
                .collect(),
            tallies: result.tallies.checks.into_iter().map(Into::into).collect(),
            metrics: result.tallies.metrics.map(Into::into),
            caps: result.caps.into_iter().map(Into::into).collect(),
            findings: result.findings.into_iter().map(Into::into).collect(),
            waivers: result.waivers.into_iter().map(Into::into).collect(),
            unjudged: result.unjudged.into_iter().map(Into::into).collect(),
            pages: result.pages.into_iter().map(Into::into).collect(),
            links: result.links.into(),
            artifacts: result.artifacts.into_iter().map(Into::into).collect(),
            catalogue: result.catalogue,
            engine_version: result.engine_version,
            catalogue_version: result.catalogue_version,
        }
    }
}

impl TryFrom<Result> for AuditResult {
    type Error = UnknownName;

    fn try_from(result: Result) -> std::result::Result<Self, UnknownName> {
        Ok(Self {
            requested_url: result.requested_url,
            url: result.url,
            coverage: result.coverage.try_into()?,
            tallies: Tallies {
                pages: result
                    .page_totals
                    .into_iter()
                    .map(WirePageTotal::read)
                    .collect::<std::result::Result<_, _>>()?,
                checks: all(result.tallies)?,
                metrics: result.metrics.map(Into::into),
            },
            caps: all(result.caps)?,
            findings: all(result.findings)?,
            waivers: all(result.waivers)?,
            unjudged: all(result.unjudged)?,
            pages: result.pages.into_iter().map(Into::into).collect(),
            links: result.links.try_into()?,
            artifacts: all(result.artifacts)?,
            catalogue: result.catalogue,
            engine_version: result.engine_version,
            catalogue_version: result.catalogue_version,
        })
    }
}

pub(super) fn all<W, T: TryFrom<W>>(list: Vec<W>) -> std::result::Result<Vec<T>, T::Error> {
    list.into_iter().map(TryInto::try_into).collect()
}

/// Returns the value of a name.
pub(super) fn named<T: Copy>(
    values: impl IntoIterator<Item = T>,
    name_of: impl Fn(T) -> &'static str,
    name: &str,
) -> std::result::Result<T, UnknownName> {
    let found = values.into_iter().find(|value| name_of(*value) == name);
    found.ok_or_else(|| UnknownName(name.to_owned()))
}

fn dimension(name: &str) -> std::result::Result<Dimension, UnknownName> {
    named(Dimension::ALL, Dimension::as_str, name)
}

impl From<Coverage> for WireCoverage {
    fn from(coverage: Coverage) -> Self {
        Self {
            mode: coverage.mode.as_str().to_owned(),
            complete: coverage.complete,
            stopped_by: coverage.stopped_by.map(|by| by.as_str().to_owned()),
            pages_discovered: coverage.pages_discovered,
            pages_fetched: coverage.pages_fetched,
            pages_audited: coverage.pages_audited,
            pages_rendered: coverage.pages_rendered,
            measured: coverage.measured.into_iter().map(Into::into).collect(),
            requests: coverage.requests,
            skipped: coverage.skipped,
        }
    }
}

impl TryFrom<WireCoverage> for Coverage {
    type Error = UnknownName;

    fn try_from(coverage: WireCoverage) -> std::result::Result<Self, UnknownName> {
        let stopped_by = coverage.stopped_by.as_deref();
        Ok(Self {
            mode: named(CrawlMode::ALL, CrawlMode::as_str, &coverage.mode)?,
            complete: coverage.complete,
            stopped_by: stopped_by
                .map(|name| named(StoppedBy::ALL, StoppedBy::as_str, name))
                .transpose()?,
            pages_discovered: coverage.pages_discovered,
            pages_fetched: coverage.pages_fetched,
            pages_audited: coverage.pages_audited,
            pages_rendered: coverage.pages_rendered,
            measured: all(coverage.measured)?,
            requests: coverage.requests,
            skipped: coverage.skipped,
        })
    }
}

impl From<CheckTally> for WireTally {
    fn from(tally: CheckTally) -> Self {
        Self {
            check_id: tally.check_id,
            dimension: tally.dimension.as_str().to_owned(),
            subject: tally.subject.as_str().to_owned(),
            severity: tally.severity.as_str().to_owned(),
            judged: tally.judged,
            failed: tally.failed,
            reach: tally.reach.billionths(),
            page_gain: tally.page_gain,
        }
    }
}

impl TryFrom<WireTally> for CheckTally {
    type Error = UnknownName;

    fn try_from(tally: WireTally) -> std::result::Result<Self, UnknownName> {
        Ok(Self {
            dimension: dimension(&tally.dimension)?,
            check_id: tally.check_id,
            subject: named(SubjectKind::ALL, SubjectKind::as_str, &tally.subject)?,
            severity: named(Severity::ALL, Severity::as_str, &tally.severity)?,
            judged: tally.judged,
            failed: tally.failed,
            reach: Share::from_billionths(tally.reach),
            page_gain: tally.page_gain,
        })
    }
}

impl WirePageTotal {
    fn read(self) -> std::result::Result<(Dimension, PageTotal), UnknownName> {
        let total = PageTotal {
            count: self.count,
            sum: self.sum,
        };
        Ok((dimension(&self.dimension)?, total))
    }
}

impl From<Cap> for WireCap {
    fn from(cap: Cap) -> Self {
        Self {
            dimension: cap.dimension.as_str().to_owned(),
            maximum: cap.maximum,
            check_id: cap.check_id,
            reason: cap.reason,
        }
    }
}

impl TryFrom<WireCap> for Cap {
    type Error = UnknownName;

    fn try_from(cap: WireCap) -> std::result::Result<Self, UnknownName> {
        Ok(Self {
            dimension: dimension(&cap.dimension)?,
            maximum: cap.maximum,
            check_id: cap.check_id,
            reason: cap.reason,
        })
    }
}

impl From<Finding> for WireFinding {
    fn from(finding: Finding) -> Self {
        Self {
            check_id: finding.check_id,
            dimension: finding.dimension.as_str().to_owned(),
            severity: finding.severity.as_str().to_owned(),
            confidence: finding.confidence.as_str().to_owned(),
            effort: finding.effort,
            title: finding.title,
            why: finding.why,
            fix: finding.fix,
            references: finding.references,
            affected: finding.affected,
            applicable: finding.applicable,
            subject: finding.subject.as_str().to_owned(),
            pages: finding.pages.iter().map(ToString::to_string).collect(),
            occurrences_total: finding.occurrences_total,
            waived: finding.waived,
            causes_total: finding.causes_total,
            causes: finding.causes.into_iter().map(Into::into).collect(),
        }
    }
}

impl TryFrom<WireFinding> for Finding {
    type Error = UnknownName;

    fn try_from(finding: WireFinding) -> std::result::Result<Self, UnknownName> {
        Ok(Self {
            dimension: dimension(&finding.dimension)?,
            severity: named(Severity::ALL, Severity::as_str, &finding.severity)?,
            confidence: named(Confidence::ALL, Confidence::as_str, &finding.confidence)?,
            subject: named(SubjectKind::ALL, SubjectKind::as_str, &finding.subject)?,
            check_id: finding.check_id,
            effort: finding.effort,
            pages: (finding.pages.into_iter())
                .map(|key| PageKey::parse(&key).ok_or(UnknownName(key)))
                .collect::<std::result::Result<_, _>>()?,
            title: finding.title,
            why: finding.why,
            fix: finding.fix,
            references: finding.references,
            affected: finding.affected,
            applicable: finding.applicable,
            occurrences_total: finding.occurrences_total,
            waived: finding.waived,
            causes_total: finding.causes_total,
            causes: finding.causes.into_iter().map(Into::into).collect(),
        })
    }
}

impl From<FindingCause> for WireCause {
    fn from(cause: FindingCause) -> Self {
        Self {
            key: cause.key,
            title: cause.title,
            affected: cause.affected,
            occurrences_total: cause.occurrences_total,
            waived: cause.waived,
            occurrences: cause.occurrences.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<WireCause> for FindingCause {
    fn from(cause: WireCause) -> Self {
        Self {
            key: cause.key,
            title: cause.title,
            affected: cause.affected,
            occurrences_total: cause.occurrences_total,
            waived: cause.waived,
            occurrences: cause.occurrences.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Occurrence> for WireOccurrence {
    fn from(occurrence: Occurrence) -> Self {
        Self {
            url: occurrence.url,
            selector: occurrence.selector,
            snippet: occurrence.snippet,
            line: occurrence.line,
            message: occurrence.message,
            waiver: occurrence.waiver.map(|id| id.as_str().to_owned()),
            artifact: occurrence.artifact.map(ArtifactId::number),
        }
    }
}

impl From<WireOccurrence> for Occurrence {
    fn from(occurrence: WireOccurrence) -> Self {
        Self {
            url: occurrence.url,
            selector: occurrence.selector,
            snippet: occurrence.snippet,
            line: occurrence.line,
            message: occurrence.message,
            // A child writes only ids that it was given.
            waiver: occurrence.waiver.as_deref().and_then(WaiverId::parse),
            artifact: occurrence.artifact.and_then(ArtifactId::new),
        }
    }
}

impl From<UnjudgedCheck> for WireUnjudged {
    fn from(unjudged: UnjudgedCheck) -> Self {
        Self {
            check_id: unjudged.check_id,
            dimension: unjudged.dimension.as_str().to_owned(),
            count: unjudged.count,
            why: match unjudged.why {
                Unjudged::NotRun(reason) => WireWhy::NotRun(reason),
                Unjudged::CannotTell(reason) => WireWhy::CannotTell(reason),
                Unjudged::Errored(reason) => WireWhy::Errored(reason),
                Unjudged::Limited(reason) => WireWhy::Limited(reason),
            },
        }
    }
}

impl TryFrom<WireUnjudged> for UnjudgedCheck {
    type Error = UnknownName;

    fn try_from(unjudged: WireUnjudged) -> std::result::Result<Self, UnknownName> {
        Ok(Self {
            dimension: dimension(&unjudged.dimension)?,
            check_id: unjudged.check_id,
            count: unjudged.count,
            why: match unjudged.why {
                WireWhy::NotRun(reason) => Unjudged::NotRun(reason),
                WireWhy::CannotTell(reason) => Unjudged::CannotTell(reason),
                WireWhy::Errored(reason) => Unjudged::Errored(reason),
                WireWhy::Limited(reason) => Unjudged::Limited(reason),
            },
        })
    }
}

impl From<PageVisit> for WirePage {
    fn from(page: PageVisit) -> Self {
        Self {
            url: page.url,
            status: page.status,
            depth: page.depth,
            title: page.title,
            bytes: page.bytes,
            audited: page.audited,
            leads_to: page.leads_to,
            details: page.details.into(),
            issues: page.issues,
            issues_legacy: page.issues_legacy,
            scores: page.scores.0.map(|score| score.map(Share::billionths)),
        }
    }
}

impl From<WirePage> for PageVisit {
    fn from(page: WirePage) -> Self {
        Self {
            url: page.url,
            status: page.status,
            depth: page.depth,
            title: page.title,
            bytes: page.bytes,
            audited: page.audited,
            leads_to: page.leads_to,
            details: page.details.into(),
            issues: page.issues,
            issues_legacy: page.issues_legacy,
            scores: PageScores(page.scores.map(|score| score.map(Share::from_billionths))),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct WireDetails {
    description: Option<String>,
    h1: Option<String>,
    canonical: Option<String>,
    indexable: Option<bool>,
    language: Option<String>,
    words: Option<u32>,
    transfer_bytes: Option<u64>,
    response_ms: Option<u32>,
    links_in: Option<u32>,
    links_out: Option<u32>,
}

impl From<PageDetails> for WireDetails {
    fn from(details: PageDetails) -> Self {
        Self {
            description: details.description,
            h1: details.h1,
            canonical: details.canonical,
            indexable: details.indexable,
            language: details.language,
            words: details.words,
            transfer_bytes: details.transfer_bytes,
            response_ms: details.response_ms,
            links_in: details.links_in,
            links_out: details.links_out,
        }
    }
}

impl From<WireDetails> for PageDetails {
    fn from(details: WireDetails) -> Self {
        Self {
            description: details.description,
            h1: details.h1,
            canonical: details.canonical,
            indexable: details.indexable,
            language: details.language,
            words: details.words,
            transfer_bytes: details.transfer_bytes,
            response_ms: details.response_ms,
            links_in: details.links_in,
            links_out: details.links_out,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::report::{LabMetrics, LabProfile, LabSpread, PageMeasurement};
    use domain::score::{Metric, MetricGrades, MetricTally};
    use testkit::sample;

    use super::*;

    fn sent(result: &AuditResult) -> std::result::Result<AuditResult, UnknownName> {
        let text = serde_json::to_string(&Result::from(result.clone())).unwrap();
        serde_json::from_str::<Result>(&text).unwrap().try_into()
    }

    #[test]
    fn a_result_comes_back() {
        let mut result = sample::audit_result();
        result.coverage.stopped_by = Some(StoppedBy::Deadline);
        let id = ArtifactId::new(2).unwrap();
        result.findings[0].causes[0].occurrences[0].artifact = Some(id);
        result.artifacts.push(domain::artifact::Artifact {
            id,
            kind: domain::artifact::ArtifactKind::Element,
            url: "https://example.com/".to_owned(),
            width: 412,
            height: 80,
            jpeg: vec![0xff, 0xd8, 0, 1],
        });
        result.caps.push(Cap {
            dimension: Dimension::Seo,
            maximum: 10,
            check_id: "noindex-sitewide".to_owned(),
            reason: "no page can be indexed".to_owned(),
        });
        let whys = [
            Unjudged::NotRun,
            Unjudged::CannotTell,
            Unjudged::Errored,
            Unjudged::Limited,
        ];
        result.unjudged.extend(whys.map(|why| UnjudgedCheck {
            check_id: "hreflang".to_owned(),
            dimension: Dimension::AiReadiness,
            why: why("a reason".to_owned()),
            count: 3,
        }));
        let mut grades = MetricGrades::default();
        for metric in Metric::ALL {
            grades.set(metric, 40);
        }
        result.tallies.metrics = Some(MetricTally::of_pages([grades]));
        result.coverage.measured.push(PageMeasurement {
            url: "https://example.com/".to_owned(),
            profile: LabProfile::MobileSlow4g,
            runs: 3,
            metrics: LabMetrics {
                lcp_ms: Some(1_200),
                tbt_ms: Some(80),
                ..LabMetrics::default()
            },
            spread: LabSpread::of(&[
                LabMetrics {
                    lcp_ms: Some(1_100),
                    ..LabMetrics::default()
                },
                LabMetrics {
                    lcp_ms: Some(1_300),
                    ..LabMetrics::default()
                },
            ]),
            score: None,
            confidence: Confidence::Low,
            benchmark: 900,
        });
        assert!(!result.findings.is_empty() && !result.tallies.checks.is_empty());
        assert_eq!(sent(&result), Ok(result));
        let clean = sample::clean_audit_result();
        assert_eq!(sent(&clean), Ok(clean));
    }

    #[test]
    fn a_name_that_is_not_known_is_refused() {
        let mut wire = Result::from(sample::audit_result());
        wire.coverage.mode = "imagined".to_owned();
        let read: std::result::Result<AuditResult, _> = wire.try_into();
        assert_eq!(read, Err(UnknownName("imagined".to_owned())));
    }
}
