//! Markdown for people: pull requests, wikis, mail, the summary of a job.
//!
//! Words of pages stand in code spans, or with every character escaped that Markdown could take for
//! its own.

use std::fmt::Write as _;

use domain::Severity;
use domain::report::{Issue, IssueCause, Occurrence};
use domain::text::{count, enumeration, grouped, points};

use super::words::{Block, blocks, shown};
use super::{Export, ExportFormat, limits};
use crate::cause::{first, headline, more_causes, more_places, reach};
use crate::terminal::coverage_sentences;
use crate::unjudged::{HEADING, MEANING, by_reason, number, verb};

/// How many checks without a verdict are named for each reason.
const NAMED: usize = 30;

pub(super) fn render(export: &Export<'_>) -> String {
    with_issues(export, export.report.issues.len())
}

/// The report with as many of its issues as fit into so many bytes.
pub(super) fn within(export: &Export<'_>, bytes: usize) -> String {
    let mut issues = export.report.issues.len();
    loop {
        let text = with_issues(export, issues);
        if text.len() <= bytes || issues == 0 {
            return text;
        }
        issues /= 2;
    }
}

fn with_issues(export: &Export<'_>, most: usize) -> String {
    let mut out = String::new();
    let report = export.report;
    let site = words(&shown(export.host(), limits::TEXT));
    let _ = writeln!(out, "# Website audit of {site}\n");
    let date = words(&shown(&export.identity.created_at, limits::TEXT));
    let _ = writeln!(
        out,
        "{}, {date}\n",
        code(&shown(&report.url, limits::ADDRESS))
    );
    let summary = export.scored.summary(report);
    if !summary.is_empty() {
        write_blocks(&mut out, "", &summary);
    }
    write_scores(&mut out, export);
    write_issues(&mut out, export, most);
    let _ = writeln!(out, "## What was seen\n");
    let _ = writeln!(
        out,
        "{}\n",
        words(&shown(&coverage_sentences(&report.coverage), limits::TEXT))
    );
    write_unjudged(&mut out, export);
    let _ = writeln!(
        out,
        "Assay {}, catalogue {}.",
        words(&shown(&report.engine_version, limits::TEXT)),
        words(&shown(&report.catalogue_version, limits::TEXT))
    );
    out
}

fn write_scores(out: &mut String, export: &Export<'_>) {
    let overall = export.scored.overall(export.report);
    let mut rows: Vec<(String, u8, &str)> = Vec::new();
    if let Some(score) = overall {
        rows.push(("**Overall**".to_owned(), score, ""));
    }
    for (dimension, score) in export.scored.dimensions(export.report) {
        let held = score.binding_cap().map_or("", |_| ", held down by a cap");
        rows.push((dimension.label().to_owned(), score.subscore, held));
    }
    if rows.is_empty() {
        return;
    }
    out.push_str("| Dimension | Score | |\n| --- | ---: | --- |\n");
    for (label, score, held) in rows {
        let _ = writeln!(
            out,
            "| {label} | {score} | {} {}{held} |",
            mark(score),
            band(score)
        );
    }
    out.push('\n');
}

/// The word for a third of the scale.
pub(super) const fn band(score: u8) -> &'static str {
    match score {
        90.. => "good",
        50.. => "fair",
        _ => "poor",
    }
}

/// The shape for a third of the scale.
const fn mark(score: u8) -> &'static str {
    match score {
        90.. => "●",
        50.. => "◕",
        _ => "○",
    }
}

/// The mark of a severity.
pub(crate) const fn severity_mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "▲",
        Severity::Serious => "◆",
        Severity::Moderate => "●",
        Severity::Minor => "○",
        Severity::Info => "·",
    }
}

fn write_issues(out: &mut String, export: &Export<'_>, most: usize) {
    let issues = &export.report.issues;
    if issues.is_empty() {
        out.push_str("## Issues\n\nNo check found anything to fix.\n\n");
        return;
    }
    out.push_str("## Issues, by what a fix brings\n\n");
    out.push_str("| Severity | Issue | Dimension | Pages | Causes | Places | Points |\n");
    out.push_str("| --- | --- | --- | ---: | ---: | ---: | ---: |\n");
    for (_, issue) in export.issues().take(most) {
        let gain = export
            .gain(issue)
            .map_or_else(String::new, |points| format!("+{points:.1}"));
        let _ = writeln!(
            out,
            "| {} {} | {} | {} | {} | {} | {} | {gain} |",
            severity_mark(issue.severity),
            issue.severity,
            words(&shown(&issue.title, limits::TEXT)),
            issue.dimension.label(),
            grouped(issue.affected_pages),
            grouped(issue.causes_total),
            grouped(issue.occurrences_total),
        );
    }
    out.push('\n');
    let counts = limits::places(ExportFormat::Markdown, issues);
    for ((number, issue), causes) in export.issues().zip(counts).take(most) {
        write_issue(out, export, number + 1, issue, &causes);
    }
    let left = issues.len().saturating_sub(most);
    if left > 0 {
        let left = u64::try_from(left).unwrap_or(u64::MAX);
        let _ = writeln!(
            out,
            "{} not shown here.\n",
            count(left, "more issue is", "more issues are")
        );
    }
}

fn write_issue(
    out: &mut String,
    export: &Export<'_>,
    number: usize,
    issue: &Issue,
    causes: &[usize],
) {
    let title = words(&shown(&issue.title, limits::TEXT));
    let _ = writeln!(
        out,
        "### {number}. {} {title}\n",
        severity_mark(issue.severity)
    );
    let mut facts = vec![
        issue.severity.to_string(),
        issue.dimension.label().to_owned(),
        code(&shown(&issue.check_id, limits::TEXT)),
    ];
    if !issue.effort.is_empty() {
        facts.push(format!(
            "{} effort",
            words(&shown(&issue.effort, limits::TEXT))
        ));
    }
    if let Some(gain) = export.gain(issue) {
        let gain = points(gain);
        facts.push(if gain.starts_with("under") {
            gain
        } else {
            format!("+{gain}")
        });
    }
    let extent = issue.extent(&export.report.coverage);
    let facts = format!("{}. {extent}", facts.join(", "));
    let _ = writeln!(out, "{}\n", facts.trim_end());
    write_blocks(out, "", &issue.why);
    write_blocks(out, "**Fix.** ", &issue.recommendation);
    for (cause, &most) in issue.causes.iter().zip(causes) {
        write_cause(out, issue, cause, most);
    }
    if let Some(more) = more_causes(issue, causes.len()) {
        let _ = writeln!(out, "- and {more}");
    }
    out.push('\n');
    if let Some(help) = export.help_url(&issue.check_id) {
        let _ = writeln!(
            out,
            "[How the check works](<{}>)\n",
            help.replace(['<', '>'], "")
        );
    }
}

/// A cause with its places below it; the places alone where it says no more than the issue.
fn write_cause(out: &mut String, issue: &Issue, cause: &IssueCause, most: usize) {
    let indent = match headline(issue, cause) {
        None => "",
        Some(headline) => {
            let headline = words(&shown(headline, limits::TEXT));
            let reach = reach(issue, cause);
            let aside = if reach.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "- {headline}{aside}{reach}");
            "  "
        }
    };
    let places = first(&cause.occurrences, most);
    for place in places {
        write_place(out, place, indent);
    }
    if let Some(more) = more_places(cause, places.len()) {
        let _ = writeln!(out, "{indent}- and {more}");
    }
}

fn write_place(out: &mut String, place: &Occurrence, indent: &str) {
    let line = place
        .line
        .map_or_else(String::new, |line| format!(" line {line}"));
    let url = code(&shown(&place.url, limits::ADDRESS));
    let message = words(&shown(&place.message, limits::TEXT));
    let _ = writeln!(out, "{indent}- {url}{line}: {message}");
    if let Some(selector) = &place.selector {
        let selector = code(&shown(selector, limits::ADDRESS));
        let _ = writeln!(out, "{indent}  - {selector}");
    }
    if let Some(snippet) = &place.snippet {
        let snippet = code(&shown(snippet, limits::SNIPPET));
        let _ = writeln!(out, "{indent}  - {snippet}");
    }
}

/// Our own words on a check.
fn write_blocks(out: &mut String, label: &str, text: &str) {
    for (number, Block { is_item, pieces }) in blocks(text).into_iter().enumerate() {
        let pieces = pieces.iter().map(|piece| match piece.is_code {
            true => code(&piece.text),
            false => words(&piece.text),
        });
        let label = if number == 0 { label } else { "" };
        let item = if is_item { "- " } else { "" };
        let _ = writeln!(out, "{label}{item}{}\n", pieces.collect::<String>());
    }
}

fn write_unjudged(out: &mut String, export: &Export<'_>) {
    let unjudged = by_reason(&export.report.unjudged);
    if unjudged.is_empty() {
        return;
    }
    let _ = writeln!(out, "## {HEADING}\n\n{MEANING}\n");
    for (why, checks) in unjudged {
        let mut names: Vec<_> = checks
            .iter()
            .map(|check| {
                let name = code(&shown(&check.check_id, limits::TEXT));
                let number = number(check).map(|number| format!(" ({})", grouped(number)));
                name + &number.unwrap_or_default()
            })
            .take(NAMED)
            .collect();
        let more = checks.len().saturating_sub(NAMED);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        let reason = words(&shown(why.reason().trim_end_matches('.'), limits::TEXT));
        let _ = writeln!(out, "- {} ({reason}): {}", verb(why), enumeration(&names));
    }
    out.push('\n');
}

/// Text in which nothing is markup.
pub(crate) fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let may_be_markup = matches!(
            character,
            '\\' | '`'
                | '*'
                | '_'
                | '['
                | ']'
                | '<'
                | '>'
                | '&'
                | '#'
                | '|'
                | '~'
                | '!'
                | '@'
                | '$'
        );
        if may_be_markup {
            out.push('\\');
        }
        out.push(character);
    }
    // Addresses in words are not to become links.
    out.replace("://", "\\://").replace("www.", "www\\.")
}

/// A code span, which holds any text of one line.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let bar = "`".repeat(longest + 1);
    let touches = |c: Option<char>| c.is_none_or(|c| c == '`' || c == ' ');
    let pad = if touches(text.chars().next()) || touches(text.chars().last()) {
        " "
    } else {
        ""
    };
    format!("{bar}{pad}{text}{pad}{bar}")
}
