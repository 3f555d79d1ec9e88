//! A report: what to fix first, the scores, what was not judged, what is in order, and files to save.

use askama::Template;
use domain::id::ReportId;
use domain::ports::{ReportDetail, StoredReport};
use domain::report::{GLANCE_CAUSES, GLANCE_OCCURRENCES, IssueState};
use domain::text::count;
use domain::{Dimension, Severity};
use report::export::Scored;
use report::view::text::{Piece, message_pieces, shown};
use report::view::{
    PassedChecks, ReportView, ScoreView, SeverityCount, UNJUDGED_HEADING, UNJUDGED_MEANING,
    coverage, passed, severity_mark, shares,
};

use super::download::{Download, downloads};
use super::filter::IssueFilter;
use super::header::Header;
use super::issue::IssueCard;
use super::pictures::{PagePicture, Pictures};
use super::unjudged::Unjudged;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::score::signed;
use crate::visit::Visit;

/// Issues of a page at most.
const ISSUES: usize = 50;
/// The most characters of a summary.
const MAX_SUMMARY: usize = 2_000;

#[derive(Template)]
#[template(path = "pages/reports/report.html")]
struct Page {
    layout: Layout,
    header: Header,
    summary: Vec<Piece>,
    scores: Vec<Score>,
    severities: Vec<Counted>,
    choices: Choices,
    filter: IssueFilter,
    issues: Vec<IssueCard>,
    /// "12 of 48 issues"
    told: String,
    next: Option<String>,
    is_continued: bool,
    /// The report before, where it still exists, and what changed since in few words.
    earlier: Option<(String, String)>,
    coverage: String,
    unjudged: Vec<Unjudged>,
    passed: Vec<PassedChecks>,
    passed_count: String,
    downloads: Vec<Download>,
    pictures: Vec<PagePicture>,
}

/// A score with its band.
struct Score {
    label: &'static str,
    number: u8,
    word: &'static str,
    mark: &'static str,
    is_held: bool,
    is_overall: bool,
    /// "+3"; none on the first report.
    change: Option<String>,
    summary: Vec<Piece>,
}

impl Score {
    fn new(view: &ScoreView<'_>, is_overall: bool) -> Self {
        Self {
            label: view.label,
            number: view.score,
            word: view.band.word(),
            mark: view.band.mark(),
            is_held: view.is_held,
            is_overall,
            change: view.change.map(signed),
            summary: message_pieces(view.summary, MAX_SUMMARY),
        }
    }
}

/// How many issues have a severity.
struct Counted {
    severity: Severity,
    mark: &'static str,
    number: usize,
}

impl Counted {
    const fn new(view: &SeverityCount) -> Self {
        Self {
            severity: view.severity,
            mark: severity_mark(view.severity),
            number: view.number,
        }
    }
}

/// What the filters offer: what occurs in the report.
struct Choices {
    dimensions: Vec<Dimension>,
    severities: Vec<Severity>,
    /// Both, unless the report is the first of its site.
    states: Vec<(IssueState, &'static str)>,
}

impl Choices {
    fn new(stored: &StoredReport) -> Self {
        let issues = &stored.report.issues;
        let dimensions = Dimension::ALL.into_iter();
        let severities = Severity::ALL.into_iter();
        let has_states = issues.iter().any(|issue| issue.state.is_some());
        let states = [
            (IssueState::New, "New"),
            (IssueState::Persisting, "Persisting"),
        ];
        Self {
            dimensions: dimensions
                .filter(|wanted| issues.iter().any(|issue| issue.dimension == *wanted))
                .collect(),
            severities: severities
                .filter(|wanted| issues.iter().any(|issue| issue.severity == *wanted))
                .collect(),
            states: states.into_iter().filter(|_| has_states).collect(),
        }
    }
}

/// Shows the report.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ReportId::parse)?;
    let (stores, detail) = (&visit.state.stores, ReportDetail::Glance);
    let stored = stores.report(visit.org()?, &id, visit.variant(), detail)?;
    let stored = stored.ok_or(Failure::NotFound)?;
    let header = Header::new(visit, &stored)?;
    let earlier = earlier(visit, &stored)?;
    let pictures = Pictures::load(visit, &id)?.of_pages();
    Reply::page(&Page {
        pictures,
        ..page(visit, &stored, header, earlier)
    })
}

/// The report before; none on the first, and where it has been deleted.
fn earlier(visit: &Visit, stored: &StoredReport) -> Result<Option<ReportId>, Failure> {
    let Some(changes) = &stored.report.changes else {
        return Ok(None);
    };
    let owner = visit.state.stores.org_of_report(&changes.against)?;
    let is_there = owner.as_ref() == Some(visit.org()?);
    Ok(is_there.then(|| changes.against.clone()))
}

fn page(visit: &Visit, stored: &StoredReport, header: Header, earlier: Option<ReportId>) -> Page {
    let report = &stored.report;
    let shares = shares(&report.issues, GLANCE_CAUSES, GLANCE_OCCURRENCES);
    let view = ReportView::new(report, &Scored::Whole, "", &shares);
    let filter = IssueFilter::new(&visit.query);
    let (issues, told, next) = listed(visit, stored, &view, &filter);
    let passed = passed(report, visit.state.checks.checks());
    let passed_count: usize = passed.iter().map(|group| group.checks.len()).sum();
    Page {
        layout: Layout::new(visit, format!("Report on {}", header.host), Section::Sites),
        summary: message_pieces(&view.summary, MAX_SUMMARY),
        scores: scores(&view),
        severities: view.severities.iter().map(Counted::new).collect(),
        choices: Choices::new(stored),
        issues,
        told,
        next,
        is_continued: after(visit) > 0,
        earlier: earlier.map(|id| {
            let path = format!("/reports/{}/compare/{id}", header.report_id);
            (path, view.changes.clone().unwrap_or_default())
        }),
        coverage: shown(&coverage(&report.coverage), MAX_SUMMARY),
        unjudged: view.unjudged.iter().map(Unjudged::new).collect(),
        passed,
        passed_count: count(number(passed_count), "check", "checks"),
        downloads: downloads(visit),
        pictures: Vec::new(),
        filter,
        header,
    }
}

fn scores(view: &ReportView<'_>) -> Vec<Score> {
    let overall = view.overall.iter().map(|score| Score::new(score, true));
    let dimensions = view.dimensions.iter().map(|score| Score::new(score, false));
    overall.chain(dimensions).collect()
}

/// The number of the issue behind which the page begins.
fn after(visit: &Visit) -> usize {
    visit.query.text("after").parse().unwrap_or(0)
}

/// The issues that the filter shows, how many there are, and the query of the next page. A report never changes, so the
/// number of the last issue says where the next page begins.
fn listed(
    visit: &Visit,
    stored: &StoredReport,
    view: &ReportView<'_>,
    filter: &IssueFilter,
) -> (Vec<IssueCard>, String, Option<String>) {
    let identities = stored.issues.iter();
    let matching: Vec<_> = view.issues.iter().zip(identities).collect();
    let matching: Vec<_> = matching
        .into_iter()
        .filter(|(issue, _)| filter.shows(issue.issue))
        .collect();
    let in_all = count(number(view.issues.len()), "issue", "issues");
    let told = match filter.is_set() {
        true => format!("{} of {in_all}", matching.len()),
        false => in_all,
    };
    let after = after(visit);
    let mut rest = matching
        .into_iter()
        .filter(|(issue, _)| issue.number > after);
    let cards: Vec<_> = rest
        .by_ref()
        .take(ISSUES)
        .map(|(issue, identity)| {
            IssueCard::new(issue, identity, (&stored.site_id, visit.variant()))
        })
        .collect();
    let last = cards.last().map(|card| card.number);
    let next = rest.next().and(last).map(|last| filter.query(last));
    (cards, told, next)
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
