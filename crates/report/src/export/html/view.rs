//! A report as the values that the template sets. Every text of a page goes through [`shown`].

use askama::Template;
use domain::Severity;
use domain::report::Issue;
use domain::text::{first_sentence, grouped};

use super::super::{Export, limits};
use crate::text::{Block, Piece, blocks, link, pieces, shown};
use crate::view::{
    CauseView, IssueView, OccurrenceView, Reference, ReportView, ScoreView, SumView,
};
use crate::wording::coverage::sentences;
use crate::wording::issue::{gain_in_table, severity_mark};
use crate::wording::unjudged::{HEADING, MEANING};
use crate::wording::{counted, title};

/// Places of the only cause of an issue that are shown without a click.
const AT_ONCE: usize = 3;

/// The page.
#[derive(Template)]
#[template(path = "export/html/report.html")]
pub(super) struct Page<'a> {
    policy: &'a str,
    style: &'a str,
    script: &'a str,
    host: String,
    description: String,
    opening: Vec<Piece>,
    rest: Vec<Piece>,
    address: Address,
    created_at: String,
    date: String,
    scores: Vec<Score>,
    summaries: Vec<Summary>,
    kinds: Vec<Kind>,
    dimensions: Vec<Named>,
    has_points: bool,
    issues: Vec<Shown>,
    seen: String,
    unjudged_heading: &'static str,
    unjudged_meaning: &'static str,
    unjudged: Vec<WithoutVerdict>,
    sums: Vec<Sum>,
    explanation: &'static str,
    engine_version: String,
    catalogue_version: String,
    report_id: Option<String>,
}

/// Where it leads, if anywhere, and how that is shown.
struct Address {
    to: Option<String>,
    text: String,
}

struct Score {
    label: &'static str,
    number: u8,
    band: &'static str,
    is_held: bool,
    is_overall: bool,
}

struct Summary {
    label: &'static str,
    text: Vec<Piece>,
}

struct Named {
    name: &'static str,
    label: &'static str,
}

struct Kind {
    severity: &'static str,
    mark: &'static str,
    number: usize,
}

struct Shown {
    anchor: String,
    severity: &'static str,
    mark: &'static str,
    rank: usize,
    title: String,
    dimension: &'static str,
    label: &'static str,
    check: String,
    aside: String,
    gain: String,
    extent: String,
    why: Vec<Block>,
    fix: Vec<Block>,
    /// The places of the only cause, where it says no more than the issue.
    places: Vec<OccurrenceRow>,
    further: Vec<OccurrenceRow>,
    further_label: String,
    more: String,
    /// The causes otherwise.
    causes: Vec<Cause>,
    more_causes: String,
    help: Option<String>,
    references: Vec<Address>,
    pages: String,
    pages_value: u64,
    total: String,
    total_value: u64,
    points: String,
    points_value: f64,
}

struct Cause {
    headline: String,
    /// The issue that it repeats, on the same page.
    repeats: Option<Address>,
    reach: String,
    /// Whether its places are shown without a click.
    is_open: bool,
    places: Vec<OccurrenceRow>,
    more: String,
}

struct OccurrenceRow {
    address: Address,
    line: Option<u32>,
    message: String,
    selector: String,
    snippet: String,
}

struct WithoutVerdict {
    verb: &'static str,
    reason: String,
    /// Its id, and how many things it could not judge.
    checks: Vec<(String, String)>,
}

struct Sum {
    label: String,
    number: u8,
    start: String,
    passed: String,
    cap: String,
    checks: Vec<Term>,
}

struct Term {
    id: String,
    lowers: &'static str,
    penalty: String,
    judged: String,
    failed: String,
    reach: String,
    cost: String,
}

fn text(text: &str) -> String {
    shown(text, limits::TEXT)
}

impl Address {
    fn new(url: &str) -> Self {
        Self {
            to: link(url),
            text: shown(url, limits::ADDRESS),
        }
    }

    /// A source; a URL at its end is a link, where it may be one.
    fn of_reference(reference: &Reference<'_>) -> Self {
        let to = reference.url.and_then(link);
        let words = if to.is_some() {
            reference.text
        } else {
            reference.whole
        };
        Self {
            text: text(words),
            to,
        }
    }
}

impl<'a> Page<'a> {
    pub(super) fn new(
        export: &Export<'_>,
        policy: &'a str,
        style: &'a str,
        script: &'a str,
    ) -> Self {
        let report = export.report;
        let shares = super::EVIDENCE.shares(&report.issues);
        let view = ReportView::new(
            report,
            export.scored,
            &export.identity.help_base_url,
            &shares,
        );
        let summary = text(&view.summary);
        let opening = first_sentence(&summary);
        let rest = summary.strip_prefix(&opening).unwrap_or_default().trim();
        let created_at = text(&export.identity.created_at);
        let issues: Vec<_> = view
            .issues
            .iter()
            .map(|issue| Shown::new(issue, &view.issues))
            .collect();
        Self {
            policy,
            style,
            script,
            host: text(export.host()),
            description: format!("{}. {opening}", title(&text(export.host()))),
            rest: pieces(rest),
            opening: pieces(&opening),
            address: Address::new(&report.url),
            date: date(&created_at),
            created_at,
            scores: scores(&view),
            summaries: summaries(&view),
            kinds: kinds(&view),
            dimensions: dimensions(&report.issues),
            has_points: issues.iter().any(|issue| !issue.points.is_empty()),
            issues,
            seen: text(&sentences(&report.coverage)),
            unjudged_heading: HEADING,
            unjudged_meaning: MEANING,
            unjudged: unjudged(&view),
            sums: sums(&view),
            explanation: view.explanation,
            engine_version: text(&report.engine_version),
            catalogue_version: text(&report.catalogue_version),
            report_id: export.identity.report_id.as_deref().map(text),
        }
    }
}

/// "2026-11-21 14:05 UTC" of a time in RFC 3339.
fn date(created_at: &str) -> String {
    let minutes = created_at.get(..16).filter(|_| created_at.ends_with('Z'));
    minutes.map_or_else(
        || created_at.to_owned(),
        |minutes| format!("{} UTC", minutes.replace('T', " ")),
    )
}

fn scores(view: &ReportView<'_>) -> Vec<Score> {
    let overall = view.overall.iter().map(|score| Score::new(score, true));
    let dimensions = view.dimensions.iter().map(|score| Score::new(score, false));
    overall.chain(dimensions).collect()
}

impl Score {
    const fn new(score: &ScoreView<'_>, is_overall: bool) -> Self {
        Self {
            label: score.label,
            number: score.score,
            band: score.band.word(),
            is_held: score.is_held,
            is_overall,
        }
    }
}

fn summaries(view: &ReportView<'_>) -> Vec<Summary> {
    let dimensions = view.dimensions.iter();
    dimensions
        .filter(|score| !score.summary.is_empty())
        .map(|score| Summary {
            label: score.label,
            text: pieces(&text(score.summary)),
        })
        .collect()
}

fn kinds(view: &ReportView<'_>) -> Vec<Kind> {
    let kinds = view.severities.iter().map(|count| Kind {
        severity: count.severity.as_str(),
        mark: severity_mark(count.severity),
        number: count.number,
    });
    kinds.collect()
}

fn dimensions(issues: &[Issue]) -> Vec<Named> {
    let there =
        |dimension: &domain::Dimension| issues.iter().any(|issue| issue.dimension == *dimension);
    let dimensions = domain::Dimension::ALL.into_iter().filter(there);
    dimensions
        .map(|dimension| Named {
            name: dimension.as_str(),
            label: dimension.label(),
        })
        .collect()
}

/// "And 27 more occurrences that are not listed here."
fn more_line(cause: &CauseView<'_>) -> String {
    cause.more.as_ref().map_or_else(String::new, |more| {
        let are = if more.starts_with("1 ") { "is" } else { "are" };
        format!("And {more} that {are} not listed here.")
    })
}

impl Shown {
    fn new(view: &IssueView<'_>, all: &[IssueView<'_>]) -> Self {
        let issue = view.issue;
        // The only cause, where it says no more than the issue.
        let only = match view.causes.as_slice() {
            [only] if only.headline.is_none() => Some(only),
            _ => None,
        };
        let places = only.map_or(&[][..], |only| &only.occurrences);
        let (at_once, further) = places.split_at(places.len().min(AT_ONCE));
        Self {
            anchor: anchor(view),
            severity: issue.severity.as_str(),
            mark: severity_mark(issue.severity),
            rank: Severity::ALL
                .iter()
                .position(|severity| *severity == issue.severity)
                .unwrap_or_default(),
            title: text(&issue.title),
            dimension: issue.dimension.as_str(),
            label: issue.dimension.label(),
            check: text(&issue.check_id),
            aside: text(&view.aside),
            gain: view.gain.clone(),
            extent: view.extent.clone(),
            why: blocks(&issue.why),
            fix: blocks(&issue.recommendation),
            places: at_once.iter().map(OccurrenceRow::new).collect(),
            further: further.iter().map(OccurrenceRow::new).collect(),
            further_label: counted(further.len(), "more occurrence", "more occurrences"),
            more: only.map_or_else(String::new, more_line),
            causes: causes(view, all),
            more_causes: view.more_causes.clone(),
            help: link(&view.help_url),
            references: view.references.iter().map(Address::of_reference).collect(),
            pages: grouped(issue.affected_pages),
            pages_value: issue.affected_pages,
            total: grouped(issue.occurrences_total),
            total_value: issue.occurrences_total,
            points: view.points.map_or_else(String::new, gain_in_table),
            points_value: view.points.unwrap_or_default(),
        }
    }
}

/// The id of an issue in the page.
fn anchor(issue: &IssueView<'_>) -> String {
    format!("issue-{}", issue.number)
}

/// The issue of a check on the same page.
fn issue_of_check(check_id: &str, all: &[IssueView<'_>]) -> Option<Address> {
    let issue = all.iter().find(|view| view.issue.check_id == check_id)?;
    Some(Address {
        to: Some(format!("#{}", anchor(issue))),
        text: text(check_id),
    })
}

fn causes(view: &IssueView<'_>, all: &[IssueView<'_>]) -> Vec<Cause> {
    let shown = view.causes.iter().enumerate();
    let named = shown.filter_map(|(number, cause)| {
        Some(Cause {
            headline: text(cause.headline?),
            repeats: cause
                .repeats
                .and_then(|check_id| issue_of_check(check_id, all)),
            reach: cause.reach.clone(),
            is_open: number == 0,
            places: cause.occurrences.iter().map(OccurrenceRow::new).collect(),
            more: more_line(cause),
        })
    });
    named.collect()
}

impl OccurrenceRow {
    fn new(view: &OccurrenceView<'_>) -> Self {
        let occurrence = view.occurrence;
        let or_empty =
            |text: &Option<String>, most| shown(text.as_deref().unwrap_or_default(), most);
        Self {
            address: Address::new(&occurrence.url),
            line: occurrence.line,
            message: view.message.map_or_else(String::new, text),
            selector: or_empty(&occurrence.selector, limits::ADDRESS),
            snippet: or_empty(&occurrence.snippet, limits::SNIPPET),
        }
    }
}

fn unjudged(view: &ReportView<'_>) -> Vec<WithoutVerdict> {
    let rows = view.unjudged.iter().map(|row| WithoutVerdict {
        verb: row.verb,
        reason: text(row.reason),
        checks: row
            .checks
            .iter()
            .map(|(check_id, aside)| (text(check_id), aside.clone()))
            .collect(),
    });
    rows.collect()
}

fn sums(view: &ReportView<'_>) -> Vec<Sum> {
    view.sums.iter().map(Sum::new).collect()
}

impl Sum {
    fn new(sum: &SumView<'_>) -> Self {
        let cap = sum.score.cap.as_ref();
        let terms = sum.terms.iter().map(|term| Term {
            id: text(term.check_id),
            lowers: term.lowers,
            penalty: term.penalty.clone(),
            judged: term.judged.clone(),
            failed: term.failed.clone(),
            reach: term.reach.clone(),
            cost: term.cost.clone(),
        });
        Self {
            label: sum.dimension.label().to_owned(),
            number: sum.score.subscore,
            start: sum.start.clone(),
            passed: sum.passed.clone(),
            cap: cap.map_or_else(String::new, |cap| {
                let reason = text(cap.reason.trim_end_matches('.'));
                let (maximum, check) = (cap.maximum, text(&cap.check_id));
                format!("{check} sets a cap of {maximum}: {reason}.")
            }),
            checks: terms.collect(),
        }
    }
}
