//! Two reports of a site side by side: scores, new, fixed and persisting issues, added and removed pages.

use askama::Template;
use domain::action::MAX_HANDOFF_ITEMS;
use domain::id::ReportId;
use domain::ports::{DifferentPages, PageDifference, ReportDetail, StoredReport};
use domain::report::{ComparedIssue, LabPageChanges, ReportDiff, Variant, diff};
use domain::text::{count, grouped};
use report::view::severity_mark;
use report::view::text::{Piece, message_pieces, shown};
use report::{LabChangeInWords, PERFORMANCE_IS_NOISE};

use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::pages::evidence::{Address, MAX_TEXT};
use crate::reply::Reply;
use crate::score::{Scored, change};
use crate::visit::Visit;

/// Causes of an issue that are shown in a list, at most.
const CAUSES: usize = 5;
/// New issues whose action items are chosen for a handoff from the beginning.
const CHOSEN: usize = 3;
/// Added and removed pages that are shown, at most of each.
const PAGES: usize = 100;

#[derive(Template)]
#[template(path = "pages/reports/compare.html")]
struct Page {
    layout: Layout,
    site_id: String,
    host: String,
    now: Side,
    before: Side,
    scores: Vec<ScoreRow>,
    measured: Vec<MeasuredPage>,
    /// What makes the two hard to compare.
    notes: Vec<&'static str>,
    lists: [List; 3],
    /// The action items of the first new issues, for a handoff.
    items: Vec<Item>,
    pages: [PageList; 2],
}

/// The action item of a new issue.
struct Item {
    id: String,
    title: String,
    /// Whether it is chosen from the beginning.
    is_chosen: bool,
}

/// One of the two reports.
struct Side {
    id: String,
    at: Time,
}

/// A score in both reports.
struct ScoreRow {
    label: &'static str,
    before: Scored,
    now: Scored,
    change: String,
    /// The class of the change's colour.
    class: &'static str,
}

/// A page that a browser measured for both reports.
struct MeasuredPage {
    address: Address,
    rows: Vec<LabChangeInWords>,
}

impl MeasuredPage {
    fn new(page: &LabPageChanges) -> Self {
        Self {
            address: Address::new(&page.url),
            rows: page.changes.iter().map(LabChangeInWords::new).collect(),
        }
    }
}

/// The new, the fixed or the persisting issues.
struct List {
    name: &'static str,
    heading: &'static str,
    /// "12 causes in 3 issues"
    told: String,
    empty: &'static str,
    issues: Vec<Row>,
}

/// An issue in a list, with its causes there.
struct Row {
    path: String,
    title: String,
    severity: &'static str,
    mark: &'static str,
    dimension: &'static str,
    check_id: String,
    causes: Vec<Vec<Piece>>,
    /// "12 more causes"
    more: Option<String>,
}

/// The added or the removed pages.
struct PageList {
    name: &'static str,
    heading: &'static str,
    told: String,
    addresses: Vec<Address>,
    /// "1,204 more pages"
    more: Option<String>,
}

/// Shows what changed in a report since another one. It reads both with all their evidence, as exports do.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let (id, other) = (
        visit.id("id", ReportId::parse)?,
        visit.id("other", ReportId::parse)?,
    );
    let (now, before) = (found(visit, &id)?, found(visit, &other)?);
    if now.site_id != before.site_id {
        return Err(Failure::BadRequest(
            "The reports are of different sites. Choose two audits of one site on its page.",
        ));
    }
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let pages = stores.page_difference(org, &id, &other, PAGES)?;
    let pages = pages.ok_or(Failure::NotFound)?;
    visit.abandoned.check()?;
    let diff = diff(&now, &before);
    Reply::page(&page(visit, (&now, &before), &diff, &pages))
}

fn found(visit: &Visit, id: &ReportId) -> Result<StoredReport, Failure> {
    visit.abandoned.check()?;
    let (stores, detail) = (&visit.state.stores, ReportDetail::Whole);
    let stored = stores.report(visit.org()?, id, visit.variant(), detail)?;
    stored.ok_or(Failure::NotFound)
}

fn page(
    visit: &Visit,
    (now, before): (&StoredReport, &StoredReport),
    diff: &ReportDiff<'_>,
    pages: &PageDifference,
) -> Page {
    let host = shown(report::view::text::host(&now.report.url), MAX_TEXT);
    let title = format!("Changes of {host}");
    Page {
        layout: Layout::new(visit, title, Section::Sites),
        site_id: now.site_id.to_string(),
        host,
        scores: scores(now, before),
        measured: diff.lab.iter().map(MeasuredPage::new).collect(),
        notes: notes(diff),
        lists: [
            List::new("new", "New", "Nothing is new.", &diff.new, now),
            List::new("fixed", "Fixed", "Nothing was fixed.", &diff.fixed, before),
            List::new(
                "persisting",
                "Persisting",
                "No issue is in both reports.",
                &diff.persisting,
                now,
            ),
        ],
        items: match visit.variant() {
            Variant::Current => items(&diff.new),
            Variant::Legacy => Vec::new(),
        },
        pages: [
            PageList::new("added", "Added pages", &pages.added),
            PageList::new("removed", "Removed pages", &pages.removed),
        ],
        now: Side::new(now),
        before: Side::new(before),
    }
}

/// The action items of new issues, in the order of the report. The first few are chosen.
fn items(new: &[ComparedIssue<'_>]) -> Vec<Item> {
    let with_items = new.iter().filter_map(|compared| {
        let id = compared.identity.action_id.as_ref()?;
        Some((id, shown(&compared.issue.title, MAX_TEXT)))
    });
    let first = with_items.take(MAX_HANDOFF_ITEMS).enumerate();
    let items = first.map(|(place, (id, title))| Item {
        id: id.to_string(),
        title,
        is_chosen: place < CHOSEN,
    });
    items.collect()
}

impl Side {
    fn new(stored: &StoredReport) -> Self {
        Self {
            id: stored.id.to_string(),
            at: Time::new(stored.created_at),
        }
    }
}

/// The overall score, and the subscores that both reports have.
fn scores(now: &StoredReport, before: &StoredReport) -> Vec<ScoreRow> {
    let (now, before) = (&now.report.score, &before.report.score);
    let overall = ScoreRow::new("Overall", before.overall, now.overall);
    let dimensions = now.dimensions.iter().filter_map(|(dimension, score)| {
        let earlier = before.dimensions.get(dimension)?;
        let (before, now) = (earlier.subscore, score.subscore);
        Some(ScoreRow::new(dimension.label(), before, now))
    });
    std::iter::once(overall).chain(dimensions).collect()
}

impl ScoreRow {
    fn new(label: &'static str, before: u8, now: u8) -> Self {
        Self {
            label,
            before: Scored::new(before),
            now: Scored::new(now),
            change: change(now, before),
            class: match now.cmp(&before) {
                std::cmp::Ordering::Greater => "good",
                std::cmp::Ordering::Less => "poor",
                std::cmp::Ordering::Equal => "quiet",
            },
        }
    }
}

fn notes(diff: &ReportDiff<'_>) -> Vec<&'static str> {
    let scoring = diff.scoring_version_changed.then_some(
        "The scores come from different scoring models: their changes say nothing about the site.",
    );
    let catalogue = diff.catalogue_version_changed.then_some(
        "The reports use different versions of the checks: issues may be new or fixed because the checks changed, not the site.",
    );
    let noise = diff.performance_is_noise.then_some(PERFORMANCE_IS_NOISE);
    scoring.into_iter().chain(catalogue).chain(noise).collect()
}

impl List {
    fn new(
        name: &'static str,
        heading: &'static str,
        empty: &'static str,
        issues: &[ComparedIssue<'_>],
        report: &StoredReport,
    ) -> Self {
        let causes = issues.iter().map(|issue| issue.causes.len()).sum();
        let causes = count(number(causes), "cause", "causes");
        Self {
            name,
            heading,
            told: format!(
                "{causes} in {}",
                count(number(issues.len()), "issue", "issues")
            ),
            empty,
            issues: issues
                .iter()
                .map(|compared| Row::new(compared, report))
                .collect(),
        }
    }
}

impl Row {
    fn new(compared: &ComparedIssue<'_>, report: &StoredReport) -> Self {
        let (issue, causes) = (compared.issue, &compared.causes);
        let first = causes.get(..CAUSES).unwrap_or(causes);
        let more = number(causes.len().saturating_sub(first.len()));
        // A single cause often says no more than the title.
        let is_told = first.iter().all(|cause| cause.message == issue.title);
        let listed = if is_told { &[] } else { first };
        Self {
            path: format!(
                "/reports/{}/issues/{}",
                report.id, compared.identity.issue_id
            ),
            severity: issue.severity.as_str(),
            mark: severity_mark(issue.severity),
            dimension: issue.dimension.label(),
            check_id: issue.check_id.clone(),
            causes: listed
                .iter()
                .map(|cause| message_pieces(&cause.message, MAX_TEXT))
                .collect(),
            more: (more > 0).then(|| count(more, "more cause", "more causes")),
            title: shown(&issue.title, MAX_TEXT),
        }
    }
}

impl PageList {
    fn new(name: &'static str, heading: &'static str, pages: &DifferentPages) -> Self {
        let more = pages.total.saturating_sub(number(pages.urls.len()));
        Self {
            name,
            heading,
            told: count(pages.total, "page", "pages"),
            addresses: pages.urls.iter().map(|url| Address::new(url)).collect(),
            more: (more > 0).then(|| format!("{} more", grouped(more))),
        }
    }
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
