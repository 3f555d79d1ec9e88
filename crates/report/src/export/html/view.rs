//! A report as the values that the template sets. Every text of a page goes through [`shown`].

use askama::Template;
use domain::Severity;
use domain::report::{INLINE_CAUSES, INLINE_OCCURRENCES, Issue, IssueState};
use domain::text::{count, first_sentence, grouped};

use super::super::{Export, limits};
use super::pages::Pages;
use super::pictures::Picture;
use crate::text::{Block, Piece, blocks, link, message_pieces, shown};
use crate::view::{
    CauseView, EmbeddedPictures, IssueView, OccurrenceView, PassedChecks, Reference, ReportView,
    ScoreView, ScriptsRow, ScriptsView, SumView, TakerView, duration, passed,
};
use crate::wording::coverage::{sentences, stop_in_short};
use crate::wording::head::date;
use crate::wording::issue::{in_points, reach, severity_mark};
use crate::wording::scripts::{HEADING as SCRIPTS_HEADING, MEANING as SCRIPTS_MEANING};
use crate::wording::unjudged::{HEADING, MEANING};
use crate::wording::{counted, number_of, title};

/// Places of the only cause of an issue that are shown without a click.
const AT_ONCE: usize = 3;
/// The circumference of the gauge, whose radius is 17.
const CIRCUMFERENCE: f64 = 34.0 * std::f64::consts::PI;

/// The page.
#[derive(Template)]
#[template(path = "export/html/report.html")]
pub(super) struct Page<'a> {
    policy: &'a str,
    style: &'a str,
    script: &'a str,
    host: String,
    description: String,
    address: Address,
    created_at: String,
    date: String,
    /// "692 pages"
    page_count: String,
    duration: Option<String>,
    stopped: Option<&'static str>,
    overall: Option<Score>,
    changes: Option<String>,
    scores: Vec<Score>,
    /// The id and the heading of each section.
    contents: Vec<(&'static str, &'static str)>,
    /// The severities that occur.
    kinds: Vec<Kind>,
    all_kinds: Vec<Kind>,
    matrix: Vec<MatrixLine>,
    issue_count: usize,
    dimensions: Vec<Named>,
    has_points: bool,
    /// The issues that stand under "Do first".
    first: Vec<Shown>,
    others: Vec<Shown>,
    pages: Option<Pages>,
    passed: Vec<PassedGroup>,
    passed_count: String,
    seen: String,
    limits: String,
    pictures: Vec<Picture>,
    scripts_heading: &'static str,
    scripts_meaning: &'static str,
    scripts: Vec<ScriptsLine>,
    scripts_same: String,
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
    mark: &'static str,
    is_held: bool,
    /// "+3", or "+3 points" of the overall score; empty if it did not change, or is not known to have.
    change: String,
    /// The length of the gauge's arc.
    arc: String,
    /// "−28 points", or that nothing is lost.
    lost: String,
    takers: Vec<Taker>,
    more_takers: String,
}

/// A check that takes points of a dimension.
struct Taker {
    /// The anchor of its issue.
    to: Option<String>,
    title: String,
    cost: String,
}

/// A row of the table of what scripts change.
struct ScriptsLine {
    /// The anchor of its issue.
    anchor: String,
    found: ScriptsRow,
}

/// A row of the table of severities.
struct MatrixLine {
    label: &'static str,
    numbers: Vec<usize>,
    total: usize,
}

/// The checks of a dimension that passed.
struct PassedGroup {
    label: &'static str,
    number: String,
    checks: Vec<PassedCheck>,
    more: String,
}

struct PassedCheck {
    id: String,
    title: String,
    to: Option<String>,
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
    number: usize,
    anchor: String,
    is_new: bool,
    /// "12 pages"
    reach: String,
    /// "small"
    effort: String,
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
    waivers: Vec<String>,
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
    pages_value: u64,
    points: String,
}

struct Cause {
    headline: Vec<Piece>,
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
    message: Vec<Piece>,
    selector: String,
    snippet: String,
    picture: Option<Picture>,
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

    /// A source, as a link to where it can be read.
    fn of_reference(reference: &Reference<'_>) -> Self {
        let to = reference.url.as_deref().and_then(link);
        let words = match (&to, reference.text) {
            (Some(to), "") => to.as_str(),
            (Some(_), words) => words.trim_end_matches([',', ':']),
            (None, _) => reference.whole,
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
        let opening = first_sentence(&text(&view.summary));
        let created_at = text(&export.identity.created_at);
        let has_points = view.issues.iter().any(|issue| issue.points.is_some());
        let mut pictures = EmbeddedPictures::new(&export.run.pictures);
        let mut first: Vec<_> = view
            .issues
            .iter()
            .map(|issue| Shown::new(issue, &view.issues, &mut pictures))
            .collect();
        let others = first.split_off(first.len().min(limits::HTML_FIRST));
        let passed: Vec<_> = passed(report, export.checks.checks())
            .into_iter()
            .filter(|group| export.scored.has(group.dimension))
            .map(|group| PassedGroup::new(export, group))
            .collect();
        let coverage = &report.coverage;
        let mut page = Self {
            policy,
            style,
            script,
            host: text(export.host()),
            description: format!("{}. {opening}", title(&text(export.host()))),
            address: Address::new(&report.url),
            date: date(&created_at),
            created_at,
            page_count: count(coverage.pages_audited, "page", "pages"),
            duration: export.run.duration_ms.map(duration),
            stopped: coverage
                .stopped_by
                .map(|stopped| stop_in_short(stopped).trim_start_matches("; ")),
            overall: view.overall.as_ref().map(Score::new),
            changes: view.changes.clone(),
            scores: view.dimensions.iter().map(Score::new).collect(),
            contents: Vec::new(),
            kinds: kinds(&view),
            all_kinds: all_kinds(&view),
            matrix: matrix(&view),
            issue_count: view.issues.len(),
            dimensions: dimensions(&report.issues),
            has_points,
            first,
            others,
            pages: Pages::new(export),
            passed_count: passed_count(&passed),
            passed,
            seen: text(&sentences(coverage)),
            limits: evidence_limits(export),
            pictures: pictures.of_pages.into_iter().map(Picture::new).collect(),
            scripts_heading: SCRIPTS_HEADING,
            scripts_meaning: SCRIPTS_MEANING,
            scripts_same: view.scripts.same_in_words(),
            scripts: scripts(&view.scripts),
            unjudged_heading: HEADING,
            unjudged_meaning: MEANING,
            unjudged: unjudged(&view),
            sums: sums(&view),
            explanation: view.explanation,
            engine_version: text(&report.engine_version),
            catalogue_version: text(&report.catalogue_version),
            report_id: export.identity.report_id.as_deref().map(text),
        };
        page.contents = page.contents();
        page
    }

    /// The sections that there are.
    fn contents(&self) -> Vec<(&'static str, &'static str)> {
        let has_issues = !self.first.is_empty();
        let has_weights = self
            .pages
            .as_ref()
            .is_some_and(|pages| !pages.weights.is_empty());
        let sections = [
            (
                "issues",
                if has_issues { "Do first" } else { "Issues" },
                true,
            ),
            ("others", "All other issues", !self.others.is_empty()),
            ("severity", "Severity", has_issues),
            ("pages", "Pages", self.pages.is_some()),
            ("weight", "Weight", has_weights),
            ("pictures", "Pictures", !self.pictures.is_empty()),
            ("passed", "Passed", !self.passed.is_empty()),
            ("scripts", "Scripts", !self.scripts.is_empty()),
            ("unjudged", "Not judged", !self.unjudged.is_empty()),
            ("seen", "Coverage", true),
            ("sums", "Calculation", !self.sums.is_empty()),
        ];
        let there = sections.into_iter().filter(|(_, _, is_there)| *is_there);
        there.map(|(id, heading, _)| (id, heading)).collect()
    }
}

/// How much of the evidence is in the file, and where the rest is.
fn evidence_limits(export: &Export<'_>) -> String {
    let rest = match &export.identity.report_id {
        Some(id) => format!(
            "assay reports occurrences {} lists all that are stored.",
            text(id)
        ),
        None => "The CSV file of the audit has more of them (--format csv).".to_owned(),
    };
    format!(
        "This file shows at most {INLINE_CAUSES} causes of an issue with {INLINE_OCCURRENCES} occurrences each, or {} \
         occurrences of a single cause, and {} occurrences in all. {rest}",
        limits::HTML_PLACES,
        grouped(number_of(limits::PLACES_IN_ALL)),
    )
}

impl Score {
    fn new(score: &ScoreView<'_>) -> Self {
        let more = score.more_takers;
        Self {
            label: score.label,
            number: score.score,
            band: score.band.word(),
            mark: score.band.mark(),
            is_held: score.is_held,
            change: score.change_in_words(),
            arc: format!("{:.2}", f64::from(score.score) * CIRCUMFERENCE / 100.0),
            lost: match score.lost {
                0 => "nothing lost".to_owned(),
                lost => format!("−{}", count(lost.into(), "point", "points")),
            },
            takers: score.takers.iter().map(Taker::new).collect(),
            more_takers: match more {
                0 => String::new(),
                _ => format!("and {}", counted(more, "more", "more")),
            },
        }
    }
}

impl Taker {
    fn new(taker: &TakerView<'_>) -> Self {
        Self {
            to: taker.number.map(anchor),
            title: text(taker.title),
            cost: taker.cost.clone(),
        }
    }
}

fn anchor(number: usize) -> String {
    format!("issue-{number}")
}

fn matrix(view: &ReportView<'_>) -> Vec<MatrixLine> {
    let rows = view.matrix.iter().map(|row| MatrixLine {
        label: row.dimension.label(),
        numbers: row.numbers.clone(),
        total: row.total,
    });
    rows.collect()
}

fn all_kinds(view: &ReportView<'_>) -> Vec<Kind> {
    let kinds = Severity::ALL.into_iter().map(|severity| Kind {
        severity: severity.as_str(),
        mark: severity_mark(severity),
        number: view
            .severities
            .iter()
            .find(|count| count.severity == severity)
            .map_or(0, |count| count.number),
    });
    kinds.collect()
}

impl PassedGroup {
    fn new(export: &Export<'_>, group: PassedChecks) -> Self {
        let number = group.checks.len();
        let shown = group.checks.into_iter().take(limits::HTML_PASSED);
        let checks: Vec<_> = shown
            .map(|(id, title)| PassedCheck {
                to: export.help_url(&id),
                id: text(&id),
                title: text(&title),
            })
            .collect();
        Self {
            label: group.dimension.label(),
            number: counted(number, "check", "checks"),
            more: match number - checks.len() {
                0 => String::new(),
                more => format!("And {}.", counted(more, "more check", "more checks")),
            },
            checks,
        }
    }
}

fn passed_count(passed: &[PassedGroup]) -> String {
    let number: usize = passed.iter().map(|group| group.checks.len()).sum();
    counted(number, "check", "checks")
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
    /// The issue. Each picture is shown with the first occurrence that has it.
    fn new(
        view: &IssueView<'_>,
        all: &[IssueView<'_>],
        pictures: &mut EmbeddedPictures<'_>,
    ) -> Self {
        let issue = view.issue;
        // The only cause, where it says no more than the issue.
        let only = match view.causes.as_slice() {
            [only] if only.headline.is_none() => Some(only),
            _ => None,
        };
        let places = only.map_or(&[][..], |only| &only.occurrences);
        let (at_once, further) = places.split_at(places.len().min(AT_ONCE));
        Self {
            number: view.number,
            anchor: anchor(view.number),
            is_new: issue.state == Some(IssueState::New),
            reach: reach(issue),
            effort: text(&issue.effort),
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
            waivers: view.waivers.iter().map(|line| text(line)).collect(),
            why: blocks(&issue.why),
            fix: blocks(&issue.recommendation),
            places: rows(at_once, pictures),
            further: rows(further, pictures),
            further_label: counted(further.len(), "more occurrence", "more occurrences"),
            more: only.map_or_else(String::new, more_line),
            causes: causes(view, all, pictures),
            more_causes: view.more_causes.clone(),
            help: link(&view.help_url),
            references: view.references.iter().map(Address::of_reference).collect(),
            pages_value: issue.affected_pages,
            points: view.points.map_or_else(String::new, in_points),
        }
    }
}

/// The issue of a check on the same page.
fn issue_of_check(check_id: &str, all: &[IssueView<'_>]) -> Option<Address> {
    let issue = all.iter().find(|view| view.issue.check_id == check_id)?;
    Some(Address {
        to: Some(format!("#{}", anchor(issue.number))),
        text: text(check_id),
    })
}

fn causes(
    view: &IssueView<'_>,
    all: &[IssueView<'_>],
    pictures: &mut EmbeddedPictures<'_>,
) -> Vec<Cause> {
    let shown = view.causes.iter().enumerate();
    let named = shown.filter_map(|(number, cause)| {
        Some(Cause {
            headline: message_pieces(cause.headline?, limits::TEXT),
            repeats: cause
                .repeats
                .and_then(|check_id| issue_of_check(check_id, all)),
            reach: cause.reach.clone(),
            is_open: number == 0,
            places: rows(&cause.occurrences, pictures),
            more: more_line(cause),
        })
    });
    named.collect()
}

fn rows(views: &[OccurrenceView<'_>], pictures: &mut EmbeddedPictures<'_>) -> Vec<OccurrenceRow> {
    let rows = views.iter();
    rows.map(|view| OccurrenceRow::new(view, pictures))
        .collect()
}

impl OccurrenceRow {
    fn new(view: &OccurrenceView<'_>, pictures: &mut EmbeddedPictures<'_>) -> Self {
        let occurrence = view.occurrence;
        let or_empty =
            |text: &Option<String>, most| shown(text.as_deref().unwrap_or_default(), most);
        Self {
            address: Address::new(&occurrence.url),
            line: occurrence.line,
            message: message_pieces(view.message.unwrap_or_default(), limits::TEXT),
            selector: or_empty(&occurrence.selector, limits::ADDRESS),
            snippet: or_empty(&occurrence.snippet, limits::SNIPPET),
            picture: occurrence
                .artifact
                .and_then(|id| pictures.take_element(id))
                .map(Picture::new),
        }
    }
}

fn scripts(view: &ScriptsView) -> Vec<ScriptsLine> {
    let rows = view.rows.iter().map(|row| ScriptsLine {
        anchor: anchor(row.issue),
        found: row.clone(),
    });
    rows.collect()
}

fn unjudged(view: &ReportView<'_>) -> Vec<WithoutVerdict> {
    let rows = view.unjudged.iter().map(|row| WithoutVerdict {
        verb: row.verb,
        reason: text(&row.reason),
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
