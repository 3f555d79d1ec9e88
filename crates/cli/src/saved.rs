//! A saved report, as far as comparisons need it.

mod older;

use std::collections::BTreeSet;
use std::path::Path;

use api_types::report::LabPage;
use domain::report::{KnownCauses, PageMeasurement};
use domain::score::Metric;
use domain::{Dimension, Severity};
use report::Verdict;
use report::json::read_measured_page;
use report::plain::plain;
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use serde_json::{Map, Value};

use crate::parser_message::Notation;
use crate::unreadable;

/// The maximum file size in bytes: many times the largest report, because older versions wrote larger ones.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

/// The key of an issue in a `--save` file with the fingerprints of all its stored causes, including those that
/// are not inside the report.
pub(crate) const CAUSE_FINGERPRINTS: &str = "causeFingerprints";

/// A saved report.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedReport {
    pub(crate) report_id: Option<String>,
    pub(crate) url: String,
    pub(crate) created_at: String,
    pub(crate) overall_score: Option<u8>,
    pub(crate) subscores: Option<Map<String, Value>>,
    pub(crate) scoring: Option<SavedScoring>,
    coverage: Option<SavedCoverage>,
    /// Missing in files of versions that measured nothing.
    #[serde(default)]
    lab: Vec<Value>,
    #[serde(deserialize_with = "issues")]
    pub(crate) issues: Vec<SavedIssue>,
}

/// How much of the site was audited.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SavedCoverage {
    pages_audited: Option<u64>,
}

/// The program that wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedScoring {
    pub(crate) catalogue_version: String,
    /// Missing in files of versions before 2 of the scoring model.
    #[serde(default = "first_scoring_version")]
    pub(crate) scoring_version: u32,
    /// Missing in files of early versions.
    #[serde(default)]
    dimensions: Map<String, Value>,
}

const fn first_scoring_version() -> u32 {
    1
}

/// An issue with all its JSON.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SavedIssue {
    pub(crate) facts: IssueFacts,
    pub(crate) whole: Value,
}

/// The fields of an issue that comparisons need.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IssueFacts {
    pub(crate) check_id: String,
    #[serde(deserialize_with = "severity")]
    pub(crate) severity: Severity,
    pub(crate) title: String,
    causes_total: u64,
    /// Missing in files of versions without waivers, as is the number of waived occurrences.
    #[serde(default)]
    occurrences_total: u64,
    #[serde(default)]
    waived: u64,
    pub(crate) causes: Vec<CauseFacts>,
    /// The fingerprints of causes beyond those in `causes`; empty if the file has no such list.
    #[serde(default)]
    cause_fingerprints: Vec<String>,
}

/// The fields of a cause that comparisons need.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct CauseFacts {
    pub(crate) fingerprint: String,
    pub(crate) message: String,
}

impl IssueFacts {
    /// Whether waivers accept all of it.
    const fn is_waived(&self) -> bool {
        self.waived > 0 && self.waived >= self.occurrences_total
    }

    /// The fingerprints of all causes in the file.
    pub(crate) fn fingerprints(&self) -> BTreeSet<&str> {
        let shown = self.causes.iter().map(|cause| cause.fingerprint.as_str());
        let listed = self.cause_fingerprints.iter().map(String::as_str);
        shown.chain(listed).collect()
    }
}

fn severity<'de, D: Deserializer<'de>>(from: D) -> Result<Severity, D::Error> {
    let name = String::deserialize(from)?;
    name.parse().map_err(serde::de::Error::custom)
}

fn issues<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<SavedIssue>, D::Error> {
    let issues = (1..).zip(older::by_check(Vec::deserialize(from)?));
    issues
        .map(|(number, whole)| {
            let facts = IssueFacts::deserialize(&whole).map_err(|error| {
                let problem = Notation::Json.in_words(&error.to_string());
                serde::de::Error::custom(format_args!("issue {number}: {problem}"))
            })?;
            Ok(SavedIssue { facts, whole })
        })
        .collect()
}

impl SavedReport {
    /// Reads a report from its file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let failed = |error: std::io::Error| {
            let why = unreadable::in_words(&error);
            format!("cannot read {shown}: {why}")
        };
        let length = std::fs::metadata(path).map_err(failed)?.len();
        if length > MAX_BYTES {
            return Err(format!("{shown} is too large for a report: {length} bytes"));
        }
        let text = std::fs::read(path).map_err(failed)?;
        Self::parse(&text).map_err(|error| {
            format!(
                "{shown} is not a report from `assay audit --save` or the HTTP API: {}; write it again with \
                 `assay audit URL --save FILE`",
                in_words(&error)
            )
        })
    }

    fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(text)
    }

    /// The causes of its issues.
    pub(crate) fn causes(&self) -> KnownCauses {
        let issues = self.issues.iter().map(|issue| &issue.facts);
        KnownCauses::new(issues.map(|facts| {
            let check_id = facts.check_id.as_str();
            (check_id, facts.fingerprints(), facts.causes_total)
        }))
    }

    /// The pages that a browser measured.
    pub(crate) fn measured(&self) -> Vec<PageMeasurement> {
        // A later version may have profiles that this one does not know.
        let pages = self
            .lab
            .iter()
            .filter_map(|page| LabPage::deserialize(page).ok());
        pages.map(|page| read_measured_page(&page)).collect()
    }

    /// What the performance score is calculated from, without the metrics that a browser measured; `None` if the file does
    /// not say.
    pub(crate) fn performance_without_metrics(&self) -> Option<Value> {
        let scoring = self.scoring.as_ref()?;
        let mut performance = (scoring.dimensions.get("performance")?.as_object()?).clone();
        performance.remove("metrics");
        let checks = performance.get_mut("checks")?.as_array_mut()?;
        checks.retain(|check| {
            let id = check.get("checkId").and_then(Value::as_str);
            id.is_none_or(|id| Metric::of_check(id).is_none())
        });
        for check in checks.iter_mut().filter_map(Value::as_object_mut) {
            // It depends on the metrics.
            check.remove("cost");
        }
        Some(Value::Object(performance))
    }

    /// The result in one line; `None` if the file does not say how many pages were audited.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let pages = self.coverage.as_ref()?.pages_audited?;
        let scores = Dimension::ALL.into_iter();
        let scores = scores.filter_map(|it| Some((it, self.subscore(it)?)));
        let issues = || self.issues.iter().map(|issue| &issue.facts);
        let open = issues().filter(|issue| !issue.is_waived());
        Some(Verdict {
            overall: self.overall_score,
            dimensions: scores.collect(),
            severities: open.map(|issue| issue.severity).collect(),
            waived: issues().filter(|issue| issue.is_waived()).count(),
            pages,
            took: None,
        })
    }

    /// The score of a dimension, if it has one.
    pub(crate) fn subscore(&self, dimension: domain::Dimension) -> Option<u8> {
        let score = self.subscores.as_ref()?.get(dimension.as_str())?.as_u64()?;
        u8::try_from(score).ok()
    }

    /// The site: the host without a leading `www.`, and the port.
    pub(crate) fn site(&self) -> &str {
        site(&self.url)
    }

    /// The version of the check catalogue that produced it.
    pub(crate) fn catalogue(&self) -> Option<&str> {
        let scoring = self.scoring.as_ref()?;
        Some(&scoring.catalogue_version)
    }
}

/// The host of a URL without a leading `www.`, with its port if the port is not the default.
pub(crate) fn site(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// What is wrong with a file, and where.
fn in_words(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let problem = match error.classify() {
        Category::Eof if line <= 1 && column == 0 => return "the file is empty".to_owned(),
        Category::Eof => "the file ends before the report does".to_owned(),
        Category::Syntax | Category::Io => "this is not JSON".to_owned(),
        Category::Data => {
            let message = error.to_string();
            let place = format!(" at line {line} column {column}");
            let message = message.strip_suffix(&place).unwrap_or(&message);
            plain(&Notation::Json.in_words(message))
        }
    };
    format!("line {line}, column {column}: {problem}")
}

#[cfg(test)]
mod tests;
