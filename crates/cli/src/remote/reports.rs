//! `assay reports`.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use api_types::dimension::Dimension;
use api_types::report::{Issue, Report, Variant};
use api_types::waiver::{AppliedWaiver, WaiverState};
use domain::text::{count, grouped};
use report::Verdict;
use report::plain::plain;
use report::terminal::score_line;

use super::session::Session;
use super::table::{paragraph, table};
use super::times::minute;
use super::{documents, labels, occurrences, pages, refuse_here, runs};
use crate::args::{ReportsArgs, ReportsCommand};
use crate::exit::Exit;

/// The number of issues shown without `--all`.
const FIRST: usize = 20;

/// The number of checks that were not fully evaluated and are listed.
const MOST_UNJUDGED: usize = 30;

/// The number of waivers that are listed.
const MOST_WAIVERS: usize = 20;

pub(super) async fn reports(session: &Session, args: &ReportsArgs) -> Result<Exit> {
    let Some(command) = &args.command else {
        return runs::reports(session, &args.list).await;
    };
    match command {
        ReportsCommand::List(args) => runs::reports(session, args).await,
        ReportsCommand::Show {
            report,
            all,
            dimensions,
            ..
        } => {
            let id = session.report_id(report).await?;
            let report = session.client.report(&id).await?;
            let only: Vec<Dimension> = dimensions.iter().copied().map(Dimension::from).collect();
            if only.contains(&Dimension::AiReadiness) && report.value.variant == Variant::Legacy {
                return refuse_here(
                    session,
                    "invalid_request",
                    "--dimension: this service has no dimension ai-readiness; its dimensions are performance, \
                     accessibility, seo, security and content",
                );
            }
            session.print(&report, |report| shown(report, &only, *all))?;
            Ok(Exit::Fine)
        }
        ReportsCommand::Causes {
            report,
            issue,
            page,
            ..
        } => occurrences::causes(session, report, issue, page).await,
        ReportsCommand::Occurrences {
            report,
            issue,
            cause,
            page,
            ..
        } => occurrences::occurrences(session, report, issue, cause.as_deref(), page).await,
        ReportsCommand::Pages {
            report,
            filter,
            page,
            ..
        } => pages::pages(session, report, filter, page).await,
        ReportsCommand::Links {
            report, kind, page, ..
        } => pages::links(session, report, *kind, page).await,
        ReportsCommand::Redirects { report, page, .. } => {
            pages::redirects(session, report, page).await
        }
        ReportsCommand::Download {
            report,
            formats,
            outputs,
            ..
        } => documents::download(session, report, formats, outputs).await,
    }
}

/// The scores of a report, commands for its issues, and the result in one line.
pub(super) fn scores(report: &Report, took: Option<Duration>) -> String {
    let mut out = head(report);
    let id = report.report_id.as_deref().unwrap_or_default();
    let _ = write!(out, "\nSee the issues with `assay reports show {id}`");
    out.push_str(match report.variant {
        Variant::Current => ", and the action items with `assay actions`.\n",
        // The legacy variant has no action items.
        Variant::Legacy => ".\n",
    });
    let _ = writeln!(out, "\n{}", verdict(report, took));
    out
}

fn verdict(report: &Report, took: Option<Duration>) -> Verdict {
    let scores = &report.subscores;
    let dimensions = [
        (domain::Dimension::Performance, Some(scores.performance)),
        (domain::Dimension::Accessibility, Some(scores.accessibility)),
        (domain::Dimension::Seo, Some(scores.seo)),
        (domain::Dimension::Security, Some(scores.security)),
        (domain::Dimension::Content, Some(scores.content)),
        (domain::Dimension::AiReadiness, scores.ai_readiness),
    ];
    Verdict {
        overall: Some(report.overall_score),
        dimensions: dimensions
            .into_iter()
            .filter_map(|(dimension, score)| Some((dimension, score?)))
            .collect(),
        severities: report
            .issues
            .iter()
            .filter(|issue| !is_waived(issue))
            .map(|it| labels::domain_severity(it.severity))
            .collect(),
        waived: report.issues.iter().filter(|it| is_waived(it)).count(),
        pages: report.coverage.pages_audited,
        took,
    }
}

fn head(report: &Report) -> String {
    let mut out = format!(
        "{}\n{} UTC\n\n",
        plain(&report.url),
        minute(&report.created_at),
    );
    let _ = writeln!(out, "{}\n", score_line(report.overall_score, "Overall"));
    for (name, score) in labels::by_dimension(&report.subscores) {
        let _ = writeln!(out, "{}", score_line(score, name));
    }
    out
}

fn shown(report: &Report, only: &[Dimension], all: bool) -> String {
    let mut out = head(report);
    out.push_str(&issues(report, only, all));
    let _ = writeln!(out, "\n{}", verdict(report, None));
    out
}

/// The issues of the dimensions, their waivers, and what was not fully evaluated.
fn issues(report: &Report, only: &[Dimension], all: bool) -> String {
    let issues: Vec<&Issue> = report
        .issues
        .iter()
        .filter(|issue| only.is_empty() || only.contains(&issue.dimension))
        .collect();
    if issues.is_empty() {
        return "\nNo issues.\n".to_owned();
    }
    let shown = if all {
        issues.len()
    } else {
        FIRST.min(issues.len())
    };
    let mut out = "\n".to_owned();
    out.push_str(&table(
        ["SEVERITY", "CHECK", "AFFECTS", "CAUSES", "GAIN", "TITLE"],
        issues.iter().take(shown).map(|issue| {
            [
                match is_waived(issue) {
                    true => "waived".to_owned(),
                    false => labels::severity(issue.severity).to_owned(),
                },
                issue.check_id.clone(),
                labels::reach(Some(&issue.check_id), issue.affected_pages),
                grouped(issue.causes_total),
                format!("{:.1}", issue.score_impact),
                issue.title.clone(),
            ]
        }),
    ));
    if shown < issues.len() {
        let _ = writeln!(
            out,
            "\n{} of {}; --all shows the rest.",
            shown,
            count(number(issues.len()), "issue", "issues")
        );
    }
    out.push_str(&waivers(report, &issues));
    if !report.unjudged.is_empty() {
        let _ = writeln!(out, "\nNot fully evaluated:");
        for row in report.unjudged.iter().take(MOST_UNJUDGED) {
            let times = count(row.count, "time", "times");
            let line = format!("- {}, {times}: {}", row.check_id, row.reason);
            let _ = write!(out, "{}", paragraph(&line));
        }
        if let Some(more) = report.unjudged.len().checked_sub(MOST_UNJUDGED + 1) {
            let more = count(number(more + 1), "more is", "more are");
            let _ = writeln!(out, "{more} in the output of --json.");
        }
    }
    out
}

/// Whether waivers accept all of an issue.
const fn is_waived(issue: &Issue) -> bool {
    issue.waived > 0 && issue.waived >= issue.occurrences_total
}

/// The waivers of the issues: those that accept occurrences, and those that have expired.
fn waivers(report: &Report, issues: &[&Issue]) -> String {
    let is_shown = |applied: &&AppliedWaiver| {
        let tells = applied.occurrences > 0 || applied.state == WaiverState::Expired;
        tells && issues.iter().any(|it| it.check_id == applied.check_id)
    };
    let all: Vec<_> = report.waivers.iter().filter(is_shown).collect();
    if all.is_empty() {
        return String::new();
    }
    let mut out = "\nWaivers:\n".to_owned();
    for applied in all.iter().take(MOST_WAIVERS) {
        out.push_str(&paragraph(&waiver(applied)));
    }
    if let Some(more) = all.len().checked_sub(MOST_WAIVERS + 1) {
        let more = count(number(more + 1), "more is", "more are");
        let _ = writeln!(out, "{more} in the output of --json.");
    }
    out
}

/// "- image-alt, 12 occurrences, by Anna until 2027-01-31: A static site."
fn waiver(applied: &AppliedWaiver) -> String {
    let AppliedWaiver {
        check_id, reason, ..
    } = applied;
    let by = &applied.author.name;
    let day = applied.expires_at.as_deref().and_then(|at| at.get(..10));
    if applied.state == WaiverState::Expired {
        let day = day.unwrap_or_default();
        return format!("- {check_id}, by {by}, expired on {day} and no longer applies: {reason}");
    }
    let until = day.map_or_else(String::new, |day| format!(" until {day}"));
    let occurrences = count(applied.occurrences, "occurrence", "occurrences");
    format!("- {check_id}, {occurrences}, by {by}{until}: {reason}")
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
