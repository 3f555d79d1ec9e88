use api_types::report::{LinkKind, LinkList, ListFormat};
use domain::id::ReportId;
use domain::key::Role;
use domain::report::LinkCursor;
use report::export::LinksCsv;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert::{self, ToDomain};
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, PageSize};
use crate::list_file::{self, Extent};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_links,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: list_file::lane,
    problems: &[],
    example: |_| serde_json::to_value(examples::links()),
    handle: list_links,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct LinksQuery {
    /// Filter by kind. By default, all are listed.
    #[param(inline)]
    kind: Option<LinkKind>,
    /// A file instead of JSON: `csv` has all links of the list.
    #[param(inline)]
    format: Option<ListFormat>,
    /// The maximum number of entries per page.
    #[param(inline, value_type = Option<PageSize>)]
    limit: Option<PageSize>,
    /// The `nextCursor` of the previous page.
    #[param(inline, value_type = Option<Cursor>)]
    cursor: Option<Cursor>,
}

/// List the links of a report
///
/// Lists the distinct URLs that the audited pages link to, with the result of a request for each, how many pages link
/// to it, and the first of these pages. At most 5,000 are stored; `linksTotal` counts all. For the next page of the
/// list, pass `nextCursor` as `cursor` with the same `kind`. With `format=csv`, the response is one file with all
/// entries; `limit` and `cursor` are not allowed then.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/links",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        LinksQuery,
    ),
    responses((
        status = 200,
        description = "The links.",
        content((LinkList = "application/json"), (String = "text/csv")),
        headers(
            ("Content-Disposition" = String, description = "The file name for saving the list: `attachment; filename=\"links-rep_01KAK2NB6HQ4V1X9C7J3D5S8MT.csv\"`. Absent without `format`."),
        ),
    )),
)]
fn list_links(call: &Call) -> Result<Reply, Problem> {
    let (extent, kind) = call.query(|query: LinksQuery, invalid| {
        let part = (query.limit, query.cursor.as_ref());
        let extent = Extent::read(query.format, part, LinkCursor::decode, invalid)?;
        Some((extent, query.kind.map(ToDomain::to_domain)))
    })?;
    let id = call.id("reportId", ReportId::parse)?;
    let read = |after, limit| {
        let stores = &call.state.stores;
        stores.links(call.org(), &id, kind, after, limit)
    };
    list_file::respond(
        call,
        ("links", &id),
        extent,
        read,
        |page| Reply::ok(&convert::links(page)),
        LinksCsv::new,
    )
}
