//! The checks behind the results.

use domain::ports::CheckGuide;
use domain::report::Issue;
use domain::text::sentence;
use domain::{Confidence, Dimension, Severity};

use super::super::{Export, limits};
use super::log::{Configuration, MarkdownMessage, Message, Rule, RuleProperties};
use crate::text::shown;

/// The rule of an issue's check.
pub(super) fn rule(export: &Export<'_>, issue: &Issue) -> Rule {
    let id = shown(&issue.check_id, limits::TEXT);
    let guide = export.guide(&issue.check_id);
    let guide = guide.unwrap_or_else(|| CheckGuide {
        title: shown(&issue.title, limits::TEXT),
        what: shown(&issue.title, limits::TEXT),
        why: shown(&issue.why, limits::TEXT),
        fix: shown(&issue.recommendation, limits::TEXT),
        limits: String::new(),
        references: issue
            .references
            .iter()
            .map(|source| shown(source, limits::TEXT))
            .collect(),
    });
    let text = |text: &str| Message {
        text: sentence(text),
    };
    Rule {
        name: pascal(&id),
        short_description: text(&guide.title),
        full_description: text(&guide.what),
        help: help(&guide),
        help_uri: export.help_url(&issue.check_id),
        default_configuration: Configuration {
            level: level(issue.severity),
        },
        properties: RuleProperties {
            tags: vec![
                issue.dimension.as_str().to_owned(),
                issue.severity.to_string(),
            ],
            precision: match issue.confidence {
                Confidence::High => "very-high",
                Confidence::Medium => "high",
                Confidence::Low => "low",
            },
            problem_severity: match issue.severity {
                Severity::Critical | Severity::Serious => "error",
                Severity::Moderate => "warning",
                Severity::Minor | Severity::Info => "recommendation",
            },
            security_severity: security_severity(issue),
        },
        id,
    }
}

/// The SARIF level of a severity.
pub(super) const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::Serious => "error",
        Severity::Moderate => "warning",
        Severity::Minor => "note",
        Severity::Info => "none",
    }
}

/// On the scale of CVSS, by which code scanning services order findings on security.
const fn security_severity(issue: &Issue) -> Option<&'static str> {
    match (issue.dimension, issue.severity) {
        (Dimension::Security, Severity::Critical) => Some("9.0"),
        (Dimension::Security, Severity::Serious) => Some("7.0"),
        (Dimension::Security, Severity::Moderate) => Some("4.0"),
        (Dimension::Security, Severity::Minor) => Some("1.0"),
        _ => None,
    }
}

fn help(guide: &CheckGuide) -> MarkdownMessage {
    let mut text = vec![
        guide.what.clone(),
        guide.why.clone(),
        format!("Fix: {}", guide.fix),
    ];
    let mut markdown = vec![
        guide.what.clone(),
        format!("**Why it matters.** {}", guide.why),
        format!("**How to fix it.** {}", guide.fix),
    ];
    if !guide.limits.is_empty() {
        text.push(format!("Limits: {}", guide.limits));
        markdown.push(format!("**Limits.** {}", guide.limits));
    }
    if !guide.references.is_empty() {
        text.push(format!("Sources: {}", guide.references.join("; ")));
        let items = guide.references.iter().map(|source| format!("- {source}"));
        markdown.push(items.collect::<Vec<_>>().join("\n"));
    }
    MarkdownMessage {
        text: text.join("\n\n"),
        markdown: markdown.join("\n\n"),
    }
}

/// `image-alt` as `ImageAlt`.
fn pascal(id: &str) -> String {
    let words = id.split(|c: char| !c.is_ascii_alphanumeric());
    let name: String = words.map(domain::text::capitalized).collect();
    if name.is_empty() {
        "Check".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_pascal_case() {
        assert_eq!(pascal("image-alt"), "ImageAlt");
        assert_eq!(pascal("h1"), "H1");
    }
}
