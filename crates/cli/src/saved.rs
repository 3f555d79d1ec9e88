//! A report that was saved, as far as another is compared with it.

use std::collections::BTreeSet;
use std::path::Path;

use domain::Severity;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Bytes of a file at most: many times the largest report.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// A report that was saved.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedReport {
    pub(crate) report_id: Option<String>,
    pub(crate) url: String,
    pub(crate) created_at: String,
    pub(crate) overall_score: Option<u8>,
    pub(crate) subscores: Option<Map<String, Value>>,
    pub(crate) scoring: Option<SavedScoring>,
    pub(crate) issues: Vec<SavedIssue>,
}

/// What made it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedScoring {
    pub(crate) catalogue_version: String,
}

/// An issue, with all that the file says of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct SavedIssue {
    pub(crate) facts: IssueFacts,
    pub(crate) whole: Value,
}

/// What is read of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IssueFacts {
    pub(crate) fingerprint: String,
    pub(crate) check_id: String,
    #[serde(deserialize_with = "severity")]
    pub(crate) severity: Severity,
    pub(crate) title: String,
    pub(crate) affected_pages: u64,
}

fn severity<'de, D: Deserializer<'de>>(from: D) -> Result<Severity, D::Error> {
    let name = String::deserialize(from)?;
    name.parse().map_err(serde::de::Error::custom)
}

impl TryFrom<Value> for SavedIssue {
    type Error = serde_json::Error;

    fn try_from(whole: Value) -> Result<Self, Self::Error> {
        let facts = IssueFacts::deserialize(&whole)?;
        Ok(Self { facts, whole })
    }
}

impl SavedReport {
    /// Reads a report from its file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let failed = |error: std::io::Error| format!("{shown} cannot be read: {error}");
        let length = std::fs::metadata(path).map_err(failed)?.len();
        if length > MAX_BYTES {
            return Err(format!("{shown} is too large for a report: {length} bytes"));
        }
        let text = std::fs::read(path).map_err(failed)?;
        Self::parse(&text).map_err(|error| {
            format!("{shown} is no report that `assay audit --save` or the HTTP API wrote: {error}")
        })
    }

    fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(text)
    }

    /// The fingerprints of its issues.
    pub(crate) fn fingerprints(&self) -> BTreeSet<&str> {
        let issues = self.issues.iter();
        issues
            .map(|issue| issue.facts.fingerprint.as_str())
            .collect()
    }

    /// The score of a dimension, where there is one.
    pub(crate) fn subscore(&self, dimension: domain::Dimension) -> Option<u8> {
        let score = self.subscores.as_ref()?.get(dimension.as_str())?.as_u64()?;
        u8::try_from(score).ok()
    }

    /// The site: the host without a leading `www.`, and the port.
    pub(crate) fn site(&self) -> &str {
        site(&self.url)
    }

    /// The catalogue it was made with.
    pub(crate) fn catalogue(&self) -> Option<&str> {
        let scoring = self.scoring.as_ref()?;
        Some(&scoring.catalogue_version)
    }
}

/// The host of an address without a leading `www.`, with its port where it has one of its own.
pub(crate) fn site(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_without_scores_is_a_report() {
        let text = r#"{"reportId": null, "url": "https://www.e.com/a", "createdAt": "2026",
            "overallScore": null, "subscores": null, "scoring": null, "more": 1,
            "issues": [{"fingerprint": "f", "checkId": "c", "severity": "minor", "title": "t",
                "affectedPages": 2, "occurrences": []}]}"#;
        let report = SavedReport::parse(text.as_bytes()).unwrap();
        assert_eq!(report.site(), "e.com");
        assert_eq!(report.fingerprints(), BTreeSet::from(["f"]));
        assert_eq!(report.issues[0].whole["occurrences"], serde_json::json!([]));
    }

    #[test]
    fn what_is_no_report_is_none() {
        for text in ["", "[]", "{}", "{\"error\": {}}"] {
            assert!(SavedReport::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
