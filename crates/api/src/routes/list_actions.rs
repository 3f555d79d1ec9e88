use api_types::action::ActionList;
use domain::action::{ActionCursor, ActionFilter};
use domain::id::SiteId;
use domain::key::Role;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, InvalidFields, PageSize};
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_actions,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::NotFound],
    example: |_| serde_json::to_value(examples::actions()),
    handle: list_actions,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct ActionsQuery {
    /// Filter by status; comma-separated: `open`, `in_progress`, `done`, `dismissed`.
    #[param(
        pattern = "^(open|in_progress|done|dismissed)(,(open|in_progress|done|dismissed))*$",
        example = "open,in_progress"
    )]
    status: Option<String>,
    /// Filter by priority; comma-separated: `critical`, `high`, `medium`, `low`.
    #[param(
        pattern = "^(critical|high|medium|low)(,(critical|high|medium|low))*$",
        example = "critical,high"
    )]
    priority: Option<String>,
    /// Filter by site.
    site_id: Option<String>,
    /// Filter by assignee. An unknown member id returns an empty list.
    assignee_id: Option<String>,
    /// The maximum number of items per page.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `nextCursor` of the previous page.
    #[serde(default)]
    #[param(inline)]
    cursor: Cursor,
}

/// List action items
///
/// Lists the items of the organization in any status, by priority, then newest first. Filters combine with AND.
/// For the next page, pass `nextCursor` as `cursor` with the same filters.
#[utoipa::path(
    get,
    path = "/api/mcp/actions",
    tag = "Actions",
    params(ActionsQuery),
    responses((status = 200, description = "The items.", body = ActionList)),
)]
fn list_actions(call: &Call) -> Result<Reply, Problem> {
    let (filter, site, after, limit) = call.query(|query, invalid| read(call, query, invalid))?;
    let site = site.map(|id| SiteId::parse(&id).ok_or_else(Problem::not_found));
    let filter = ActionFilter {
        site: site.transpose()?,
        ..filter
    };
    let stores = &call.state.stores;
    let page = stores.actions(call.org(), &filter, after.as_ref(), limit)?;
    Reply::ok(&convert::actions(&page))
}

/// The filter without the site, the id of the site as it is given, and the part of the list.
fn read(
    call: &Call,
    query: ActionsQuery,
    invalid: &mut InvalidFields,
) -> Option<(ActionFilter, Option<String>, Option<ActionCursor>, u32)> {
    let statuses = query.status.as_deref().map(ActionFilter::parse_statuses);
    let statuses = invalid.check(statuses.transpose());
    let priorities = query.priority.as_deref();
    let priorities = priorities.map(ActionFilter::parse_priorities);
    let priorities = invalid.check(priorities.transpose());
    let after = query.cursor.decode(|text| ActionCursor::decode(text).ok());
    let after = invalid.check(after);
    let ids = &*call.state.ids;
    let filter = ActionFilter {
        statuses: statuses?.unwrap_or_default(),
        priorities: priorities?.unwrap_or_default(),
        assignee: (query.assignee_id.as_deref()).map(|id| convert::member(id, ids)),
        ..ActionFilter::all(call.state.settings.variant)
    };
    Some((filter, query.site_id, after?, query.limit.get()))
}
