use api_types::action::ActionList;
use domain::action::{ActionCursor, ActionFilter};
use domain::id::SiteId;
use domain::key::Role;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, PageSize};
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
    let query: ActionsQuery = call.query()?;
    let after = query
        .cursor
        .decode(|text| ActionCursor::decode(text).ok())?;
    let filter = filter(call, &query)?;
    let stores = &call.state.stores;
    let limit = query.limit.get();
    let page = stores.actions(call.org(), &filter, after.as_ref(), limit)?;
    Reply::ok(&convert::actions(&page))
}

fn filter(call: &Call, query: &ActionsQuery) -> Result<ActionFilter, Problem> {
    let ids = &*call.state.ids;
    let statuses = query.status.as_deref().map(ActionFilter::parse_statuses);
    let priorities = query
        .priority
        .as_deref()
        .map(ActionFilter::parse_priorities);
    Ok(ActionFilter {
        variant: call.state.settings.variant,
        statuses: statuses.transpose()?.unwrap_or_default(),
        priorities: priorities.transpose()?.unwrap_or_default(),
        site: (query.site_id.as_deref())
            .map(|id| SiteId::parse(id).ok_or_else(Problem::not_found))
            .transpose()?,
        assignee: (query.assignee_id.as_deref()).map(|id| convert::member(id, ids)),
    })
}
