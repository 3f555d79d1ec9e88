//! The pages of a report, sorted and filtered by the address, and all of them as a file.

use askama::Template;
use domain::id::{IssueId, ReportId};
use domain::ports::StoredReport;
use domain::report::{
    MAX_PAGE_SEARCH_CHARS, PageCursor, PageFilter, PageListing, PageOrder, PageVisit, Variant,
};
use domain::score::Share;
use domain::text::grouped;
use report::export::{ExportError, PagesCsv, ReportFormat, write_all};
use report::view::text::shown;
use url::form_urlencoded::Serializer;

use super::head;
use super::header::Header;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::evidence::{Address, MAX_TEXT};
use crate::reply::Reply;
use crate::visit::Visit;

/// Rows of a page at most.
const ROWS: u32 = 50;
/// Pages that are read at once for a file.
const ROWS_AT_ONCE: u32 = 5_000;

#[derive(Template)]
#[template(path = "pages/reports/pages.html")]
struct Page {
    layout: Layout,
    header: Header,
    columns: Vec<Column>,
    statuses: Vec<Choice>,
    issues: Vec<Choice>,
    sort: String,
    text: String,
    is_filtered: bool,
    rows: Vec<Row>,
    is_continued: bool,
    /// The address of the first page of the list.
    first: String,
    next: Option<String>,
    file: String,
}

/// The head of a column that the table can be sorted by.
struct Column {
    label: &'static str,
    /// What the column has, where the label is short.
    hint: &'static str,
    to: String,
    /// `ascending` or `descending`, if the table is sorted by it.
    sorted: Option<&'static str>,
    is_number: bool,
}

/// A value of a filter.
struct Choice {
    value: String,
    label: String,
    is_chosen: bool,
}

/// A requested URL.
struct Row {
    address: Address,
    /// The address of its own view.
    view: String,
    title: String,
    description: String,
    canonical: String,
    not_indexable: bool,
    numbers: [String; 10],
}

/// What the table can be sorted by: name, label, hint, and whether the largest come first at the first choice.
const COLUMNS: [(&str, &str, &str, bool); 11] = [
    ("url", "Page", "", false),
    ("status", "Status", "", false),
    ("depth", "Clicks", "Clicks from the start page", false),
    ("words", "Words", "Words of the main text", true),
    ("bytes", "Bytes", "Bytes of the decoded document", true),
    (
        "transferBytes",
        "Sent",
        "Bytes of the document over the wire",
        true,
    ),
    (
        "responseMs",
        "ms",
        "Milliseconds until the first byte",
        true,
    ),
    ("linksIn", "In", "Pages that link to it", true),
    ("linksOut", "Out", "URLs that it links to", true),
    ("issueCount", "Issues", "", true),
    (
        "score",
        "Score",
        "Mean of its scores in all dimensions",
        false,
    ),
];

/// The statuses that the filter offers.
const STATUSES: [(&str, &str); 6] = [
    ("", "All"),
    ("2xx", "Successful (2xx)"),
    ("3xx", "Redirects (3xx)"),
    ("4xx", "Client errors (4xx)"),
    ("5xx", "Server errors (5xx)"),
    ("none", "No response"),
];

/// What the address asks for.
struct Query {
    listing: PageListing,
    /// The text of the statuses, as it was given.
    status: String,
}

impl Query {
    /// Reads the address. A value that is none of a part's is as if it were missing.
    fn read(visit: &Visit) -> Self {
        let query = &visit.query;
        let statuses = query.given("status").and_then(|text| {
            let statuses = PageFilter::parse_statuses(text)?;
            Some((text.to_owned(), statuses))
        });
        let (status, statuses) = statuses.unwrap_or_default();
        let text = query.given("q").map(|text| {
            let chars = text.chars().take(MAX_PAGE_SEARCH_CHARS);
            chars.collect::<String>()
        });
        let filter = PageFilter {
            statuses,
            issue: query.given("issue").and_then(IssueId::parse),
            text,
        };
        Self {
            listing: PageListing {
                variant: visit.variant(),
                filter,
                order: PageOrder::named(query.text("sort")).unwrap_or_default(),
            },
            status,
        }
    }

    /// The address of the list in an order, from a cursor on.
    fn address(&self, path: &str, order: PageOrder, after: Option<PageCursor>) -> String {
        let mut query = Serializer::new(String::new());
        if order != PageOrder::default() {
            query.append_pair("sort", &order.to_string());
        }
        if !self.status.is_empty() {
            query.append_pair("status", &self.status);
        }
        if let Some(issue) = &self.listing.filter.issue {
            query.append_pair("issue", issue.as_str());
        }
        if let Some(text) = &self.listing.filter.text {
            query.append_pair("q", text);
        }
        if let Some(after) = after {
            query.append_pair("after", &after.encode());
        }
        match query.finish() {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// The cursor of the address.
    fn after(&self, visit: &Visit) -> Result<Option<PageCursor>, Failure> {
        let Some(text) = visit.query.given("after") else {
            return Ok(None);
        };
        let cursor = PageCursor::decode(text);
        let cursor = cursor.filter(|cursor| cursor.order == self.listing.order);
        let invalid =
            "The address of this page of the list is invalid. Open the list from its report.";
        cursor.map(Some).ok_or(Failure::BadRequest(invalid))
    }
}

/// Shows the list.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ReportId::parse)?;
    let query = Query::read(visit);
    let after = query.after(visit)?;
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let stored = head(visit, &id)?;
    let page = stores.pages(org, &id, &query.listing, after, ROWS)?;
    let page = page.ok_or(Failure::NotFound)?;
    let header = Header::new(visit, &stored)?;
    let path = format!("/reports/{id}/pages");
    let order = query.listing.order;
    Reply::page(&Page {
        layout: Layout::new(visit, format!("Pages of {}", header.host), Section::Sites),
        columns: columns(&query, &path),
        statuses: statuses(&query.status),
        issues: issues(&stored, query.listing.filter.issue.as_ref()),
        sort: order.to_string(),
        text: query.listing.filter.text.clone().unwrap_or_default(),
        is_filtered: !query.listing.filter.is_empty(),
        rows: (page.visits.iter())
            .map(|found| Row::new(found, &path, visit.variant()))
            .collect(),
        is_continued: after.is_some(),
        first: query.address(&path, order, None),
        next: page
            .next
            .map(|next| query.address(&path, order, Some(next))),
        file: query.address(&format!("{path}.csv"), order, None),
        header,
    })
}

/// All pages of the list as a file.
pub(super) fn file(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ReportId::parse)?;
    let Query { listing, .. } = Query::read(visit);
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let failed = |error: &ExportError| Failure::Internal(error.to_string());
    let table = PagesCsv::new(listing.variant).map_err(|error| failed(&error))?;
    let bytes = write_all(table, failed, |after| {
        visit.abandoned.check()?;
        let page = stores.pages(org, &id, &listing, after, ROWS_AT_ONCE)?;
        page.ok_or(Failure::NotFound)
    })?;
    let media_type = ReportFormat::Csv.media_type();
    Ok(Reply::file(media_type, format!("pages-{id}.csv"), bytes))
}

fn columns(query: &Query, path: &str) -> Vec<Column> {
    let now = query.listing.order;
    let columns = COLUMNS.iter().map(|&(name, label, hint, is_descending)| {
        let first = PageOrder {
            sort: PageOrder::named(name).unwrap_or_default().sort,
            descending: is_descending,
        };
        let is_sorted = now.sort == first.sort;
        let next = PageOrder {
            descending: first.descending != (is_sorted && now.descending == first.descending),
            ..first
        };
        Column {
            label,
            hint,
            to: query.address(path, next, None),
            sorted: is_sorted.then_some(match now.descending {
                true => "descending",
                false => "ascending",
            }),
            is_number: name != "url",
        }
    });
    columns.collect()
}

fn statuses(chosen: &str) -> Vec<Choice> {
    let choice = |value: &str, label: &str| Choice {
        value: value.to_owned(),
        label: label.to_owned(),
        is_chosen: value == chosen,
    };
    let mut choices: Vec<_> = STATUSES
        .iter()
        .map(|(value, label)| choice(value, label))
        .collect();
    // An address can name more than the filter offers.
    if choices.iter().all(|choice| !choice.is_chosen) {
        choices.push(choice(chosen, chosen));
    }
    choices
}

fn issues(stored: &StoredReport, chosen: Option<&IssueId>) -> Vec<Choice> {
    let all = Choice {
        value: String::new(),
        label: "All".to_owned(),
        is_chosen: chosen.is_none(),
    };
    let issues = stored.report.issues.iter().zip(&stored.issues);
    let issues = issues.map(|(issue, identity)| Choice {
        value: identity.issue_id.to_string(),
        label: shown(&issue.title, 100),
        is_chosen: chosen == Some(&identity.issue_id),
    });
    std::iter::once(all).chain(issues).collect()
}

/// The address of a page's own view.
pub(super) fn view(report: &str, url: &str) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("url", url);
    format!("/reports/{report}/page?{}", query.finish())
}

impl Row {
    fn new(visit: &PageVisit, path: &str, variant: Variant) -> Self {
        let details = &visit.details;
        let report = path
            .trim_start_matches("/reports/")
            .trim_end_matches("/pages");
        let text = |text: Option<&String>| shown(text.map_or("", String::as_str), MAX_TEXT);
        let other = details.canonical.as_ref().filter(|url| **url != visit.url);
        Self {
            address: Address::new(&visit.url),
            view: view(report, &visit.url),
            title: text(visit.title.as_ref()),
            description: text(details.description.as_ref()),
            canonical: text(other),
            not_indexable: details.indexable == Some(false),
            numbers: [
                // A status is a name, not a quantity.
                visit
                    .status
                    .map_or_else(|| "none".to_owned(), |status| status.to_string()),
                number(visit.depth),
                number(details.words),
                number(visit.bytes),
                number(details.transfer_bytes),
                number(details.response_ms),
                number(details.links_in),
                number(details.links_out),
                grouped(visit.issues_in(variant).into()),
                number(mean_score(visit, variant)),
            ],
        }
    }
}

/// The mean of the scores of a page, 0 to 100.
pub(super) fn mean_score(visit: &PageVisit, variant: Variant) -> Option<u8> {
    let score = visit.scores.mean(variant.dimensions());
    score.map(Share::to_score)
}

/// A number with separators; a dash where it is not known.
pub(super) fn number<T: Into<u64>>(value: Option<T>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| grouped(value.into()))
}

#[cfg(test)]
mod tests {
    use domain::report::PageSort;

    use super::*;

    fn query(order: &str) -> Query {
        Query {
            listing: PageListing {
                order: PageOrder::named(order).unwrap(),
                filter: PageFilter {
                    text: Some("a&b".to_owned()),
                    ..PageFilter::default()
                },
                ..PageListing::all(Variant::Current)
            },
            status: "4xx".to_owned(),
        }
    }

    #[test]
    fn a_second_choice_of_a_column_turns_its_order() {
        let to = |order: &str| columns(&query(order), "/p").remove(3).to;
        assert_eq!(to("crawl"), "/p?sort=-words&status=4xx&q=a%26b");
        assert_eq!(to("-words"), "/p?sort=words&status=4xx&q=a%26b");
        assert_eq!(to("words"), "/p?sort=-words&status=4xx&q=a%26b");
        let sorted = columns(&query("words"), "/p").remove(3).sorted;
        assert_eq!(sorted, Some("ascending"));
    }

    #[test]
    fn every_column_names_an_order() {
        for (name, ..) in COLUMNS {
            assert!(PageSort::named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_status_that_is_not_offered_stays_chosen() {
        let choices = statuses("404,5xx");
        let chosen: Vec<_> = choices.iter().filter(|choice| choice.is_chosen).collect();
        assert_eq!((chosen.len(), chosen[0].label.as_str()), (1, "404,5xx"));
        assert_eq!(statuses("").len(), STATUSES.len());
    }
}
