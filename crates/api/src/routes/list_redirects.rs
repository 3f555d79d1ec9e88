use api_types::report::{ListFormat, RedirectList};
use domain::id::ReportId;
use domain::key::Role;
use domain::report::RedirectCursor;
use report::export::RedirectsCsv;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, PageSize};
use crate::list_file::{self, Extent};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_redirects,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: list_file::lane,
    problems: &[],
    example: |_| serde_json::to_value(examples::redirects()),
    handle: list_redirects,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct RedirectsQuery {
    /// A file instead of JSON: `csv` has one row for each URL of each chain.
    #[param(inline)]
    format: Option<ListFormat>,
    /// The maximum number of chains per page.
    #[param(inline, value_type = Option<PageSize>)]
    limit: Option<PageSize>,
    /// The `nextCursor` of the previous page.
    #[param(inline, value_type = Option<Cursor>)]
    cursor: Option<Cursor>,
}

/// List the redirect chains of a report
///
/// Lists every redirect chain that begins at a URL that a page links to, a sitemap lists or the run began at, with
/// the status of each URL. At most 1,000 are stored; `redirectsTotal` counts all. For the next page of the list, pass
/// `nextCursor` as `cursor`. With `format=csv`, the response is one file with all entries; `limit` and `cursor` are
/// not allowed then.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/redirects",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        RedirectsQuery,
    ),
    responses((
        status = 200,
        description = "The redirect chains.",
        content((RedirectList = "application/json"), (String = "text/csv")),
        headers(
            ("Content-Disposition" = String, description = "The file name for saving the list: `attachment; filename=\"redirects-rep_01KAK2NB6HQ4V1X9C7J3D5S8MT.csv\"`. Absent without `format`."),
        ),
    )),
)]
fn list_redirects(call: &Call) -> Result<Reply, Problem> {
    let extent = call.query(|query: RedirectsQuery, invalid| {
        let part = (query.limit, query.cursor.as_ref());
        let extent = Extent::read(query.format, part, RedirectCursor::decode, invalid)?;
        Some(extent)
    })?;
    let id = call.id("reportId", ReportId::parse)?;
    let read = |after, limit| {
        let stores = &call.state.stores;
        stores.redirects(call.org(), &id, after, limit)
    };
    list_file::respond(
        call,
        ("redirects", &id),
        extent,
        read,
        |page| Reply::ok(&convert::redirects(page)),
        RedirectsCsv::new,
    )
}
