//! All occurrences of an issue.

use askama::Template;
use domain::id::{IssueId, ReportId};
use domain::ports::{CausePage, OccurrencePage};
use domain::report::{Occurrence, OccurrenceCursor, is_fingerprint};
use domain::text::{count, grouped};
use report::export::Scored;
use report::view::ReportView;
use report::view::text::message_pieces;

use super::header::Header;
use super::issue::IssueCard;
use super::pictures::Pictures;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::evidence::OccurrenceRow;
use crate::pages::waiver_link::waiver_form_path;
use crate::reply::Reply;
use crate::visit::Visit;

/// Occurrences of a page at most.
const OCCURRENCES: u32 = 50;
/// Causes that the filter offers, at most: the largest.
const CAUSES: u32 = 100;
/// The most characters of a cause in the list that it is chosen from.
const MAX_LABEL: usize = 100;

#[derive(Template)]
#[template(path = "pages/reports/occurrences.html")]
struct Page<'a> {
    layout: Layout,
    header: Header,
    issue: IssueCard,
    causes: Vec<Choice>,
    /// The fingerprint of the cause that is shown alone; else empty.
    cause: &'a str,
    /// What is said of the list: how many occurrences there are and are kept.
    told: String,
    more_causes: String,
    /// The form of the site that accepts the findings, of this cause alone where one is shown.
    waive_path: String,
    places: Vec<OccurrenceRow>,
    is_continued: bool,
    /// The address of the first page, with the cause.
    first: String,
    next: Option<String>,
}

/// A cause to choose.
struct Choice {
    fingerprint: String,
    label: String,
}

/// Shows the occurrences.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let report = visit.id("id", ReportId::parse)?;
    let issue = visit.id("issue", IssueId::parse)?;
    let (org, stores, variant) = (visit.org()?, &visit.state.stores, visit.variant());
    let ids = (&report, &issue);
    let cause = visit.query.given("cause");
    if cause.is_some_and(|cause| !is_fingerprint(cause)) {
        return Err(Failure::NotFound);
    }
    let after = after(visit)?;
    let stored = stores.report_of_issue(org, ids, variant)?;
    let stored = stored.ok_or(Failure::NotFound)?;
    let causes = stores.causes(org, ids, variant, None, CAUSES)?;
    let causes = causes.ok_or(Failure::NotFound)?;
    let found = stores.occurrences(org, ids, variant, cause, after, OCCURRENCES)?;
    let found = found.ok_or(Failure::NotFound)?;
    let header = Header::new(visit, &stored)?;
    // The causes are listed below; the issue shows none of its own.
    let shares = [Vec::new()];
    let view = ReportView::new(&stored.report, &Scored::Whole, "", &shares);
    let mut issues = view.issues.iter().zip(&stored.issues);
    let (issue, identity) = issues.next().ok_or(Failure::NotFound)?;
    let issue = IssueCard::new(issue, identity, (&stored.site_id, variant));
    let waive_path = waiver_form_path(&header.site_id, &issue.check_id, cause);
    let mut places = rows(&found.occurrences);
    Pictures::load(visit, &report)?.add_to(places.iter_mut().zip(&found.occurrences));
    let first = address(&header, &issue, cause, None);
    let next = found
        .next
        .map(|next| address(&header, &issue, cause, Some(next)));
    Reply::page(&Page {
        layout: Layout::new(visit, issue.title.clone(), Section::Sites),
        told: told(&found),
        more_causes: more(&causes),
        causes: choices(causes),
        cause: cause.unwrap_or_default(),
        waive_path,
        places,
        is_continued: after.is_some(),
        first,
        next,
        issue,
        header,
    })
}

fn after(visit: &Visit) -> Result<Option<OccurrenceCursor>, Failure> {
    let Some(text) = visit.query.given("after") else {
        return Ok(None);
    };
    let cursor = OccurrenceCursor::decode(text);
    let invalid =
        "The address of this page of the list is invalid. Open the issue from its report.";
    cursor.map(Some).ok_or(Failure::BadRequest(invalid))
}

fn address(
    header: &Header,
    issue: &IssueCard,
    cause: Option<&str>,
    after: Option<OccurrenceCursor>,
) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(cause.map(|cause| ("cause", cause)));
    query.extend_pairs(after.map(|after| ("after", after.encode())));
    let (report, issue, query) = (&header.report_id, &issue.issue_id, query.finish());
    let mark = if query.is_empty() { "" } else { "?" };
    format!("/reports/{report}/issues/{issue}{mark}{query}")
}

/// How many occurrences there are, and that not all are kept.
fn told(page: &OccurrencePage) -> String {
    let total = count(page.total, "occurrence", "occurrences");
    match page.stored < page.total {
        true => format!(
            "{total} on the site, of which {} are stored.",
            grouped(page.stored)
        ),
        false => format!("{total} on the site."),
    }
}

/// That the filter does not offer all causes.
fn more(page: &CausePage) -> String {
    let offered = u64::try_from(page.causes.len()).unwrap_or(u64::MAX);
    match page.total.saturating_sub(offered) {
        0 => String::new(),
        more => format!(
            "The {} largest causes can be chosen; {} are in the list of all.",
            grouped(offered),
            count(more, "smaller one", "smaller ones")
        ),
    }
}

fn choices(page: CausePage) -> Vec<Choice> {
    let causes = page.causes.into_iter().map(|cause| {
        // An option shows no markup.
        let pieces = message_pieces(&cause.message, MAX_LABEL).into_iter();
        let words: String = pieces.map(|piece| piece.text).collect();
        Choice {
            label: format!("{words} ({})", grouped(cause.occurrences_total)),
            fingerprint: cause.fingerprint,
        }
    });
    causes.collect()
}

/// The occurrences, each with its message unless the one before has the same.
fn rows(occurrences: &[Occurrence]) -> Vec<OccurrenceRow> {
    let mut before = None;
    let places = occurrences.iter().map(|occurrence| {
        let message = occurrence.message.as_str();
        let is_new = before.replace(message) != Some(message);
        OccurrenceRow::new(occurrence, is_new.then_some(message))
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_kept_is_said() {
        let page = |total, stored| OccurrencePage {
            occurrences: Vec::new(),
            total,
            stored,
            next: None,
        };
        assert_eq!(told(&page(1, 1)), "1 occurrence on the site.");
        assert_eq!(
            told(&page(2_304, 1_000)),
            "2,304 occurrences on the site, of which 1,000 are stored."
        );
    }

    #[test]
    fn a_message_is_shown_once_in_a_row() {
        let occurrence = |message: &str| Occurrence {
            url: "https://example.com/".to_owned(),
            selector: None,
            snippet: None,
            line: None,
            message: message.to_owned(),
            waiver: None,
            artifact: None,
        };
        let found = rows(&[occurrence("a"), occurrence("a"), occurrence("b")]);
        let messages = found.iter().map(|place| place.message.iter());
        let messages = messages.map(|pieces| pieces.map(|piece| &*piece.text).collect::<String>());
        let messages: Vec<_> = messages.collect();
        assert_eq!(messages, ["a", "", "b"]);
    }
}
