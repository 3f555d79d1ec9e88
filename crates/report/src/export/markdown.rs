//! Markdown for people: pull requests, wikis, mail, the summary of a job.
//!
//! Words of pages stand in code spans, or with every character escaped that Markdown could take for
//! its own.

use std::fmt::Write as _;

use domain::report::{Issue, IssueCause, Occurrence, Report, repeated};
use domain::text::{enumeration, grouped};

use super::{Export, limits};
use crate::limits::EvidenceLimits;
use crate::text::{Block, blocks, shown};
use crate::view::{ScoreView, ScriptsView, dimension_scores};
use crate::wording::cause::{first, headline, line, more_causes, more_places, with_reach};
use crate::wording::coverage::sentences;
use crate::wording::issue::{effort, gain, in_points, marked, reach, severity_mark};
use crate::wording::score::{Band, change, held};
use crate::wording::scripts::{HEADING as SCRIPTS, MEANING as SCRIPTS_MEANING};
use crate::wording::unjudged::{HEADING, MEANING, aside, by_reason, reason, verb};
use crate::wording::waiver::lines;
use crate::wording::{changes, counted, head, title};

/// The number of checks without a complete result that are named for each reason.
const NAMED: usize = 30;

/// How much evidence it shows.
pub(super) const EVIDENCE: EvidenceLimits = EvidenceLimits::for_people(
    limits::MARKDOWN_CAUSES,
    limits::MARKDOWN_PLACES_OF_CAUSE,
    limits::MARKDOWN_PLACES,
);

pub(super) fn render(export: &Export<'_>) -> String {
    let mut out = String::new();
    let report = export.report;
    let site = escaped(&shown(export.host(), limits::TEXT));
    let _ = writeln!(out, "# {}\n", title(&site));
    let facts = head::facts(
        Some(&export.identity.created_at),
        &report.coverage,
        export.run.duration_ms,
    );
    let _ = writeln!(
        out,
        "{} · {}\n",
        code(&shown(&report.url, limits::ADDRESS)),
        escaped(&shown(&facts, limits::TEXT))
    );
    write_change(&mut out, export);
    let summary = export.scored.summary(report);
    if !summary.is_empty() {
        write_blocks(&mut out, "", &summary);
    }
    write_scores(&mut out, export);
    write_issues(&mut out, export);
    write_scripts(&mut out, report);
    let _ = writeln!(out, "## Coverage\n");
    let _ = writeln!(
        out,
        "{}\n",
        escaped(&shown(&sentences(&report.coverage), limits::TEXT))
    );
    write_unjudged(&mut out, export);
    let _ = writeln!(
        out,
        "Assay {}, catalogue {}.",
        escaped(&shown(&report.engine_version, limits::TEXT)),
        escaped(&shown(&report.catalogue_version, limits::TEXT))
    );
    out
}

/// The overall score with what changed since the last audit; nothing on the first.
fn write_change(out: &mut String, export: &Export<'_>) {
    let overall = export.scored.overall(export.report);
    let changes = export.report.changes.as_ref();
    if let (Some(overall), Some(changes)) = (overall, changes) {
        let band = Band::from_score(overall).word();
        let since = changes::since_last(changes);
        let _ = writeln!(out, "**Overall {overall}, {band}:** {since}\n");
    }
}

/// The scores as a table, with the points they lost and what took them.
pub(super) fn write_scores(out: &mut String, export: &Export<'_>) {
    let report = export.report;
    let overall = export.scored.overall(report);
    let overall = overall.map(|overall| ScoreView::overall(report, overall));
    let dimensions = dimension_scores(report, export.scored);
    let scores: Vec<_> = overall.iter().chain(&dimensions).collect();
    if scores.is_empty() {
        return;
    }
    let has_changes = scores.iter().any(|score| score.change.is_some());
    let (heading, rule) = match has_changes {
        true => (" Change |", " ---: |"),
        false => ("", ""),
    };
    let _ = writeln!(
        out,
        "| Dimension | Score |{heading} | Points lost | What took them |\n\
         | --- | ---: |{rule} --- | ---: | --- |"
    );
    for score in scores {
        let label = match score.dimension {
            None => format!("**{}**", score.label),
            Some(_) => score.label.to_owned(),
        };
        let change = score.change.map_or_else(String::new, change);
        let change = match has_changes {
            true => format!(" {change} |"),
            false => String::new(),
        };
        let band = format!("{} {}", score.band.mark(), score.band.word());
        let held = held(score.is_held);
        let takers = takers(score);
        let (number, lost) = (score.score, score.lost);
        let _ = writeln!(
            out,
            "| {label} | {number} |{change} {band}{held} | {lost} | {takers} |"
        );
    }
    out.push('\n');
}

/// "Insufficient color contrast 4.1, Missing landmark 2 and 5 more"
fn takers(score: &ScoreView<'_>) -> String {
    let named = score.takers.iter().map(|taker| {
        let title = escaped(&shown(taker.title, limits::TEXT));
        format!("{title} {}", taker.cost)
    });
    let named = named.collect::<Vec<_>>().join(", ");
    match (score.more_takers, named.is_empty()) {
        (0, _) => named,
        (more, true) => counted(more, "check", "checks"),
        (more, false) => format!("{named} and {more} more"),
    }
}

fn write_issues(out: &mut String, export: &Export<'_>) {
    let issues = &export.report.issues;
    if issues.is_empty() {
        out.push_str("## Issues\n\nNo issues were found.\n\n");
        return;
    }
    out.push_str("## Issues by score impact\n\n");
    out.push_str(
        "| Severity | Issue | Dimension | Reach | Effort | Causes | Occurrences | Points |\n\
         | --- | --- | --- | ---: | --- | ---: | ---: | ---: |\n",
    );
    for (_, issue) in export.issues() {
        let gain = export.gain(issue).map_or_else(String::new, in_points);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {gain} |",
            marked(issue.severity),
            escaped(&shown(&issue.title, limits::TEXT)),
            issue.dimension.label(),
            reach(issue),
            escaped(&shown(&issue.effort, limits::TEXT)),
            grouped(issue.causes_total),
            grouped(issue.occurrences_total),
        );
    }
    out.push('\n');
    let counts = EVIDENCE.shares(issues);
    for ((number, issue), causes) in export.issues().zip(counts) {
        write_issue(out, export, number + 1, issue, &causes);
    }
}

fn write_issue(
    out: &mut String,
    export: &Export<'_>,
    number: usize,
    issue: &Issue,
    causes: &[usize],
) {
    let title = escaped(&shown(&issue.title, limits::TEXT));
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
    facts.extend(effort(issue).map(|effort| escaped(&shown(&effort, limits::TEXT))));
    facts.extend(export.gain(issue).map(gain));
    let extent = issue.extent(&export.report.coverage);
    let facts = format!("{}. {extent}", facts.join(", "));
    let _ = writeln!(out, "{}\n", facts.trim_end());
    for line in lines(&export.report.waivers, issue) {
        let _ = writeln!(out, "{}\n", escaped(&shown(&line, limits::TEXT)));
    }
    write_blocks(out, "", &issue.why);
    write_blocks(out, "**Fix.** ", &issue.recommendation);
    for (cause, &most) in issue.causes.iter().zip(causes) {
        write_cause(out, export, issue, cause, most);
    }
    if let Some(more) = more_causes(issue, causes.len()) {
        let _ = writeln!(out, "- and {more}");
    }
    out.push('\n');
    if let Some(help) = export.help_url(&issue.check_id) {
        let _ = writeln!(
            out,
            "[Documentation of the check](<{}>)\n",
            help.replace(['<', '>'], "")
        );
    }
}

/// A cause with its places below it; the places alone where it says no more than the issue.
fn write_cause(
    out: &mut String,
    export: &Export<'_>,
    issue: &Issue,
    cause: &IssueCause,
    most: usize,
) {
    let indent = match headline(issue, cause) {
        None => "",
        Some(headline) => {
            let headline = escaped(&shown(headline, limits::TEXT));
            let _ = writeln!(
                out,
                "- {}{}",
                with_reach(&headline, issue, cause),
                place_of_repeated(export, cause)
            );
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

/// " (issue 12 of this report)" of a cause that repeats another check's findings; empty otherwise.
fn place_of_repeated(export: &Export<'_>, cause: &IssueCause) -> String {
    let number = repeated(&cause.message).and_then(|check_id| {
        let mut issues = export.report.issues.iter();
        issues.position(|issue| issue.check_id == check_id)
    });
    number.map_or_else(String::new, |number| {
        format!(" (issue {} of this report)", number + 1)
    })
}

fn write_place(out: &mut String, place: &Occurrence, indent: &str) {
    let line = line(place);
    let url = code(&shown(&place.url, limits::ADDRESS));
    let message = escaped(&shown(&place.message, limits::TEXT));
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
            false => escaped(&piece.text),
        });
        let label = if number == 0 { label } else { "" };
        let item = if is_item { "- " } else { "" };
        let _ = writeln!(out, "{label}{item}{}\n", pieces.collect::<String>());
    }
}

/// The table of what scripts change. Its cells are words of ours.
fn write_scripts(out: &mut String, report: &Report) {
    let scripts = ScriptsView::new(report);
    if scripts.rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "## {SCRIPTS}\n\n{SCRIPTS_MEANING}\n");
    let _ = writeln!(
        out,
        "| What | Where | Crawlers without scripts | Google | Visitors | Check |\n| --- | --- | --- | --- | --- | --- |"
    );
    for row in &scripts.rows {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            escaped(row.subject),
            escaped(&row.extent),
            escaped(row.without_scripts),
            escaped(row.google),
            escaped(row.visitors),
            code(row.check_id)
        );
    }
    let same = scripts.same_in_words();
    if !same.is_empty() {
        let _ = writeln!(out, "\n{}", escaped(&same));
    }
    out.push('\n');
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
            .map(|check| code(&shown(&check.check_id, limits::TEXT)) + &aside(check))
            .take(NAMED)
            .collect();
        let more = checks.len().saturating_sub(NAMED);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        let why_text = escaped(&shown(&reason(why), limits::TEXT));
        let _ = writeln!(out, "- {} ({why_text}): {}", verb(why), enumeration(&names));
    }
    out.push('\n');
}

/// Text in which nothing is markup.
pub(crate) fn escaped(text: &str) -> String {
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
pub(super) fn code(text: &str) -> String {
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
