use api_types::report::{ListFormat, PageList};
use domain::id::{IssueId, ReportId};
use domain::key::Role;
use domain::report::{
    MAX_PAGE_SEARCH_CHARS, PageCursor, PageFilter, PageListing, PageOrder, PageSort, StatusFilter,
    Variant,
};
use report::export::PagesCsv;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, InvalidFields, PageSize};
use crate::list_file::{self, Extent};
use httpkit::problem::{FieldCode, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_pages,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: list_file::lane,
    problems: &[],
    example: |variant| serde_json::to_value(examples::pages(variant)),
    handle: list_pages,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct PagesQuery {
    /// The order: `crawl`, `url`, `status`, `depth`, `title`, `words`, `bytes`, `transferBytes`, `responseMs`,
    /// `linksIn`, `linksOut`, `issueCount` or `score` (the mean of a page's scores); with a minus sign, the largest
    /// value first. Pages without a value are last.
    #[param(
        pattern = "^(crawl|-?(url|status|depth|title|words|bytes|transferBytes|responseMs|linksIn|linksOut|issueCount|score))$",
        example = "-issueCount"
    )]
    sort: Option<String>,
    /// Filter by status; comma-separated: a code (`404`), a class (`4xx`), or `none` for no response.
    #[param(
        pattern = "^([1-9][0-9][0-9]|[1-9]xx|none)(,([1-9][0-9][0-9]|[1-9]xx|none))*$",
        example = "404,5xx"
    )]
    status: Option<String>,
    /// Filter by issue: pages with a stored occurrence of the issue with this id; 404 if the report has no such issue.
    issue: Option<String>,
    /// Filter by text in the URL or the title; ASCII letters match in both cases.
    #[param(max_length = 200)]
    q: Option<String>,
    /// A file instead of JSON: `csv` has all pages of the list.
    #[param(inline)]
    format: Option<ListFormat>,
    /// The maximum number of entries per page.
    #[param(inline, value_type = Option<PageSize>)]
    limit: Option<PageSize>,
    /// The `nextCursor` of the previous page.
    #[param(inline, value_type = Option<Cursor>)]
    cursor: Option<Cursor>,
}

/// List the pages of a report
///
/// Lists the URLs that the run requested from the site, by default in crawl order. Filters combine with AND. For the
/// next page of the list, pass `nextCursor` as `cursor` with the same filters and order. With `format=csv`, the
/// response is one file with all entries; `limit` and `cursor` are not allowed then. Reports of earlier versions have
/// `null` for what these did not store.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/pages",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        PagesQuery,
    ),
    responses((
        status = 200,
        description = "The pages.",
        content((PageList = "application/json"), (String = "text/csv")),
        headers(
            ("Content-Disposition" = String, description = "The file name for saving the list: `attachment; filename=\"pages-rep_01KAK2NB6HQ4V1X9C7J3D5S8MT.csv\"`. Absent without `format`."),
        ),
    )),
)]
fn list_pages(call: &Call) -> Result<Reply, Problem> {
    let variant = call.state.settings.variant;
    let (extent, listing, issue) = call.query(|query, invalid| listing(query, variant, invalid))?;
    let issue = issue.map(|id| IssueId::parse(&id).ok_or_else(Problem::not_found));
    let filter = PageFilter {
        issue: issue.transpose()?,
        ..listing.filter
    };
    let listing = PageListing { filter, ..listing };
    let id = call.id("reportId", ReportId::parse)?;
    let read = |after, limit| {
        let stores = &call.state.stores;
        stores.pages(call.org(), &id, &listing, after, limit)
    };
    list_file::respond(
        call,
        ("pages", &id),
        extent,
        read,
        |page| Reply::ok(&convert::pages(page, listing.variant)),
        || PagesCsv::new(listing.variant),
    )
}

/// The part of the list, its filter and order, and the id of the issue as it is given.
fn listing(
    query: PagesQuery,
    variant: Variant,
    invalid: &mut InvalidFields,
) -> Option<(Extent<PageCursor>, PageListing, Option<String>)> {
    let order = invalid.check(order(query.sort.as_deref()));
    let statuses = invalid.check(query.status.as_deref().map(statuses).transpose());
    let text = invalid.check(query.q.map(search_text).transpose());
    let in_order = |text: &str| {
        let has_order = |cursor: &PageCursor| order.is_none_or(|order| cursor.order == order);
        PageCursor::decode(text).filter(has_order)
    };
    let part = (query.limit, query.cursor.as_ref());
    let extent = Extent::read(query.format, part, in_order, invalid);
    let filter = PageFilter {
        statuses: statuses?.unwrap_or_default(),
        issue: None,
        text: text?,
    };
    let listing = PageListing {
        variant,
        filter,
        order: order?,
    };
    Some((extent?, listing, query.issue))
}

fn order(text: Option<&str>) -> Result<PageOrder, Problem> {
    let Some(text) = text else {
        return Ok(PageOrder::default());
    };
    PageOrder::named(text).ok_or_else(|| {
        let names: Vec<_> = PageSort::offered().map(PageSort::as_str).collect();
        let message = format!(
            "Must be one of {}; with `-` in front for the largest value first, except for `crawl`.",
            names.join(", ")
        );
        Problem::coded(FieldCode::UnknownValue, "sort", message)
    })
}

fn statuses(text: &str) -> Result<Vec<StatusFilter>, Problem> {
    PageFilter::parse_statuses(text).ok_or_else(|| {
        let message = "Must be status codes (404), classes (4xx) or none, comma-separated.";
        Problem::coded(FieldCode::UnknownValue, "status", message)
    })
}

fn search_text(text: String) -> Result<String, Problem> {
    if text.chars().count() > MAX_PAGE_SEARCH_CHARS {
        let message = format!("Must have at most {MAX_PAGE_SEARCH_CHARS} characters.");
        return Err(Problem::coded(FieldCode::TooLong, "q", message));
    }
    Ok(text)
}
