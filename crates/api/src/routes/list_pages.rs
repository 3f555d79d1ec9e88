use api_types::report::{ListFormat, PageList};
use domain::id::{IssueId, ReportId};
use domain::key::Role;
use domain::report::{
    MAX_PAGE_SEARCH_CHARS, PageCursor, PageFilter, PageListing, PageOrder, PageSort,
};
use report::export::PagesCsv;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, PageSize};
use crate::list_file::{self, Extent};
use httpkit::problem::{FieldCode, Problem, field_error};

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
    let query: PagesQuery = call.query()?;
    let order = order(query.sort.as_deref())?;
    let in_order =
        |text: &str| PageCursor::decode(text).filter(|cursor: &PageCursor| cursor.order == order);
    let extent = Extent::read(query.format, query.limit, query.cursor.as_ref(), in_order)?;
    let listing = PageListing {
        variant: call.state.settings.variant,
        filter: filter(&query)?,
        order,
    };
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
        Problem::fields(vec![field_error(FieldCode::UnknownValue, "sort", message)])
    })
}

fn filter(query: &PagesQuery) -> Result<PageFilter, Problem> {
    let statuses = query.status.as_deref().map(|text| {
        PageFilter::parse_statuses(text).ok_or_else(|| {
            let message = "Must be status codes (404), classes (4xx) or none, comma-separated.";
            Problem::fields(vec![field_error(
                FieldCode::UnknownValue,
                "status",
                message,
            )])
        })
    });
    let chars = query.q.as_deref().map_or(0, |text| text.chars().count());
    if chars > MAX_PAGE_SEARCH_CHARS {
        let message = format!("Must have at most {MAX_PAGE_SEARCH_CHARS} characters.");
        return Err(Problem::fields(vec![field_error(
            FieldCode::TooLong,
            "q",
            message,
        )]));
    }
    let issue = query.issue.as_deref();
    Ok(PageFilter {
        statuses: statuses.transpose()?.unwrap_or_default(),
        issue: issue
            .map(|id| IssueId::parse(id).ok_or_else(Problem::not_found))
            .transpose()?,
        text: query.q.clone(),
    })
}
