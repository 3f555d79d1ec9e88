//! SARIF 2.1.0, for code scanning and for editors.
//!
//! There is a result for each cause, with its places as locations, so that one cause is one alert
//! wherever it shows. An alert stays the same from run to run by the cause's fingerprint. The rules are
//! the checks that found something. Results are made one after the other while the file is written.

mod log;
mod places;
mod rules;

use api_types::report::ReportFormat;
use std::collections::{BTreeMap, BTreeSet};

use domain::report::{Issue, IssueCause, MAX_CAUSES, Occurrence, StoppedBy};
use domain::text::sentence;
use domain::{Dimension, Severity};
use serde::{Serialize, Serializer};

use super::{Export, ExportError, limits};
use crate::json::UnmovingWriter;
use crate::limits::EvidenceLimits;
use crate::text::shown;
use crate::wording::cause::{first, reach};
use crate::wording::unjudged::{aside, verb};
use log::{
    AutomationDetails, Driver, DriverProperties, Invocation, Log, Message, Notification,
    ResultProperties, Run, RunProperties, SCHEMA, SarifResult, Suppression, Tool,
};
use places::Origins;

/// The fingerprint of ours. The name ends with a version, which changes with how it is made.
const FINGERPRINT: &str = "assayIssue/v1";
/// The fingerprint that code scanning services use to identify alerts.
const LINE_HASH: &str = "primaryLocationLineHash";

/// How much evidence it shows.
pub(super) const EVIDENCE: EvidenceLimits = EvidenceLimits {
    causes: MAX_CAUSES,
    places: limits::SARIF_PLACES,
    places_of_only: limits::SARIF_PLACES,
    causes_in_all: limits::SARIF_RESULTS,
    places_in_all: limits::SARIF_PLACES_IN_ALL,
    is_of_rows: false,
};

/// Checks without a complete result that are listed.
const MOST_UNJUDGED: usize = 400;

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [run(export)],
    };
    let mut out = UnmovingWriter::default();
    serde_json::to_writer_pretty(&mut out, &log)
        .map_err(|error| ExportError::new(ReportFormat::Sarif, &error))?;
    let mut text = out.finish();
    text.push('\n');
    Ok(text.into_bytes())
}

fn run<'a>(export: &'a Export<'a>) -> Run<'a> {
    let report = export.report;
    let results = Results::new(export);
    let rules = report.issues.iter().map(|issue| rules::rule(export, issue));
    let version = report.engine_version.clone();
    let information_uri = crate::text::link(&export.identity.help_base_url);
    Run {
        tool: Tool {
            driver: Driver {
                name: "Assay",
                version: version.clone(),
                semantic_version: version,
                information_uri,
                rules: rules.collect(),
                properties: DriverProperties {
                    catalogue_version: report.catalogue_version.clone(),
                },
            },
        },
        // What runs of one site have in common; a service takes later ones for the same analysis.
        automation_details: AutomationDetails {
            id: format!("assay/{}/", shown(export.host(), limits::TEXT)),
        },
        invocations: [Invocation {
            execution_successful: report.coverage.stopped_by != Some(StoppedBy::Cancelled),
            end_time_utc: export.identity.created_at.clone(),
            tool_execution_notifications: unjudged(export),
        }],
        original_uri_base_ids: results.origins.named(),
        results,
        properties: RunProperties {
            url: shown(&report.url, limits::ADDRESS),
            report_id: export.identity.report_id.clone(),
            overall_score: export.scored.overall(report),
            subscores: subscores(export),
            pages_audited: report.coverage.pages_audited,
            complete: report.coverage.complete,
            stopped_by: report.coverage.stopped_by.map(StoppedBy::as_str),
        },
    }
}

/// What the checks could not judge, how often and why.
fn unjudged(export: &Export<'_>) -> Vec<Notification> {
    let checks = export.report.unjudged.iter().take(MOST_UNJUDGED);
    let notifications = checks.map(|check| {
        let id = shown(&check.check_id, limits::TEXT);
        let reason = sentence(&shown(check.why.reason(), limits::TEXT));
        let (verb, aside) = (verb(&check.why), aside(check));
        Notification {
            level: "note",
            message: Message {
                text: format!("{id}: {verb}{aside}. {reason}"),
            },
        }
    });
    notifications.collect()
}

fn subscores(export: &Export<'_>) -> BTreeMap<&'static str, u8> {
    let scores = export.scored.dimensions(export.report);
    scores
        .map(|(dimension, score): (Dimension, _)| (dimension.as_str(), score.subscore))
        .collect()
}

/// The results, made one by one while they are written.
struct Results<'a> {
    export: &'a Export<'a>,
    /// For each issue, of each of its causes that are shown, how many places.
    counts: Vec<Vec<usize>>,
    origins: Origins<'a>,
}

impl<'a> Results<'a> {
    fn new(export: &'a Export<'a>) -> Self {
        let counts = EVIDENCE.shares(&export.report.issues);
        let mut origins = Origins::new(&export.report.url, export.sources);
        for place in all(export, &counts).flat_map(|found| found.places) {
            origins.add(&place.url);
        }
        Self {
            export,
            counts,
            origins,
        }
    }
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let results = all(self.export, &self.counts);
        serializer.collect_seq(results.map(|found| result(self.export, &self.origins, &found)))
    }
}

/// A cause that is shown.
struct Found<'a> {
    /// The place of its issue, and so of its rule.
    rule_index: usize,
    issue: &'a Issue,
    cause: &'a IssueCause,
    places: &'a [Occurrence],
}

fn all<'a>(export: &Export<'a>, counts: &[Vec<usize>]) -> impl Iterator<Item = Found<'a>> {
    let issues = export.issues().zip(counts);
    issues.flat_map(|((rule_index, issue), causes)| {
        let causes = issue.causes.iter().zip(causes);
        causes.map(move |(cause, &most)| Found {
            rule_index,
            issue,
            cause,
            places: first(&cause.occurrences, most),
        })
    })
}

fn result(export: &Export<'_>, origins: &Origins<'_>, found: &Found<'_>) -> SarifResult {
    let Found { issue, cause, .. } = found;
    let recommendation = shown(&issue.recommendation, limits::TEXT);
    let text = [
        sentence(&shown(&cause.message, limits::TEXT)),
        sentence(&reach(issue, cause)),
        shown(&issue.why, limits::TEXT),
        format!("Fix: {}", sentence(&recommendation)),
    ];
    let text: Vec<_> = text.into_iter().filter(|part| !part.is_empty()).collect();
    let fingerprint = shown(&cause.fingerprint, limits::TEXT);
    let places = found.places.iter();
    SarifResult {
        rule_id: shown(&issue.check_id, limits::TEXT),
        rule_index: found.rule_index,
        kind: match issue.severity {
            Severity::Info => "informational",
            _ => "fail",
        },
        level: rules::level(issue.severity),
        message: message(&text.join(" ")),
        locations: places
            .map(|place| places::location(place, origins))
            .collect(),
        occurrence_count: cause.occurrences_total.max(1),
        partial_fingerprints: BTreeMap::from([
            (LINE_HASH, format!("{fingerprint}:1")),
            (FINGERPRINT, fingerprint),
        ]),
        suppressions: suppressions(export, issue, cause),
        properties: ResultProperties {
            severity: issue.severity.as_str(),
            dimension: issue.dimension.as_str(),
            confidence: issue.confidence.as_str(),
            affected_pages: cause.affected_pages,
            score_impact: export.scored.points(cause.score_impact),
            recommendation,
        },
    }
}

/// The waivers of a cause of which waivers accept all occurrences. A consumer hides a result with suppressions, so one
/// with other occurrences has none.
fn suppressions(export: &Export<'_>, issue: &Issue, cause: &IssueCause) -> Vec<Suppression> {
    if !cause.is_waived() {
        return Vec::new();
    }
    let used: BTreeSet<_> = cause
        .occurrences
        .iter()
        .filter_map(|found| found.waiver.as_ref())
        .collect();
    let waivers = export.report.waivers.iter();
    let of_cause = waivers.filter(|applied| {
        applied.waiver.terms.check_id == issue.check_id && used.contains(&applied.waiver.id)
    });
    of_cause
        .map(|applied| Suppression {
            kind: "external",
            status: "accepted",
            justification: shown(&applied.waiver.terms.reason, limits::TEXT),
        })
        .collect()
}

/// A message that holds no link and no placeholder: brackets and braces may mean something in SARIF
/// (sections 3.11.5 and 3.11.6).
fn message(text: &str) -> Message {
    let may_link = text.contains("](");
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '[' | ']' if may_link => escaped.extend(['\\', character]),
            '{' => escaped.push_str("{{"),
            '}' => escaped.push_str("}}"),
            other => escaped.push(other),
        }
    }
    Message { text: escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_make_no_links_and_take_no_arguments() {
        assert_eq!(
            message("[a](https://evil.example) {0}").text,
            "\\[a\\](https://evil.example) {{0}}"
        );
        assert_eq!(message("a[href]").text, "a[href]");
    }
}
