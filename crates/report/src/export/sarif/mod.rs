//! SARIF 2.1.0, for code scanning and for editors.
//!
//! There is a result for each issue, with its places as locations, so that one cause is one alert
//! wherever it shows. An alert stays the same from run to run by the issue's fingerprint. The rules are
//! the checks that found something.

mod log;
mod places;
mod rules;

use std::collections::BTreeMap;

use domain::report::{Issue, StoppedBy};
use domain::text::sentence;
use domain::{Dimension, Severity};

use super::words::{first, shown};
use super::{Export, ExportError, ExportFormat, limits};
use crate::json::unmoving;
use log::{
    AutomationDetails, Driver, DriverProperties, Invocation, Location, Log, Message,
    ResultProperties, Run, RunProperties, SCHEMA, SarifResult, Tool,
};
use places::Origins;

/// The fingerprint of ours. The name ends with a version, which changes with how it is made.
const FINGERPRINT: &str = "assayIssue/v1";
/// The one that code scanning services tell alerts by.
const LINE_HASH: &str = "primaryLocationLineHash";

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [run(export)],
    };
    let text = serde_json::to_string_pretty(&log);
    let text = text.map_err(|error| ExportError::new(ExportFormat::Sarif, &error))?;
    Ok(format!("{}\n", unmoving(&text)).into_bytes())
}

fn run(export: &Export<'_>) -> Run {
    let report = export.report;
    let mut origins = Origins::of(&report.url);
    let (mut rules, mut known) = (Vec::new(), BTreeMap::new());
    let counts = limits::places(ExportFormat::Sarif, &report.issues);
    let mut results = Vec::with_capacity(report.issues.len());
    for (issue, most) in report.issues.iter().zip(counts) {
        let index = *known.entry(issue.check_id.as_str()).or_insert_with(|| {
            rules.push(rules::rule(export, issue));
            rules.len().saturating_sub(1)
        });
        let places = first(&issue.occurrences, most).iter();
        let locations = places.map(|place| places::location(place, &mut origins));
        let locations = locations.collect();
        results.push(result(export, issue, index, locations));
    }
    let version = report.engine_version.clone();
    let information_uri = super::words::link(&export.identity.help_base_url);
    Run {
        tool: Tool {
            driver: Driver {
                name: "Assay",
                version: version.clone(),
                semantic_version: version,
                information_uri,
                rules,
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
        }],
        original_uri_base_ids: origins.named(),
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

fn subscores(export: &Export<'_>) -> BTreeMap<&'static str, u8> {
    let scores = export.scored.dimensions(export.report);
    scores
        .map(|(dimension, score): (Dimension, _)| (dimension.as_str(), score.subscore))
        .collect()
}

fn result(
    export: &Export<'_>,
    issue: &Issue,
    rule_index: usize,
    locations: Vec<Location>,
) -> SarifResult {
    let recommendation = shown(&issue.recommendation, limits::TEXT);
    let text = [
        sentence(&shown(&issue.title, limits::TEXT)),
        shown(&issue.description, limits::TEXT),
        format!("Fix: {}", sentence(&recommendation)),
    ];
    let fingerprint = shown(&issue.fingerprint, limits::TEXT);
    SarifResult {
        rule_id: shown(&issue.check_id, limits::TEXT),
        rule_index,
        kind: match issue.severity {
            Severity::Info => "informational",
            _ => "fail",
        },
        level: rules::level(issue.severity),
        message: message(&text.join(" ")),
        locations,
        occurrence_count: issue.occurrences_total.max(1),
        partial_fingerprints: BTreeMap::from([
            (LINE_HASH, format!("{fingerprint}:1")),
            (FINGERPRINT, fingerprint),
        ]),
        properties: ResultProperties {
            severity: issue.severity.as_str(),
            dimension: issue.dimension.as_str(),
            confidence: issue.confidence.as_str(),
            affected_pages: issue.affected_pages,
            score_impact: export.gain(issue),
            recommendation,
        },
    }
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
