use api_types::action::ActionList;
use domain::action::{ActionCursor, ActionFilter};
use domain::id::SiteId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use httpkit::problem::{Code, Problem};

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_actions,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::NotFound],
    example: |_| serde_json::to_value(examples::actions()),
    handle: list_actions,
};

/// List action items
///
/// Lists the items of the organization in any status, by priority, then newest first. Filters combine with AND.
/// For the next page, pass `nextCursor` as `cursor` with the same filters.
#[utoipa::path(
    get,
    path = "/api/mcp/actions",
    tag = "Actions",
    params(
        ("status" = Option<String>, Query, description = "Filter by status; comma-separated: `open`, `in_progress`, `done`, `dismissed`.", pattern = "^(open|in_progress|done|dismissed)(,(open|in_progress|done|dismissed))*$", example = "open,in_progress"),
        ("priority" = Option<String>, Query, description = "Filter by priority; comma-separated: `critical`, `high`, `medium`, `low`.", pattern = "^(critical|high|medium|low)(,(critical|high|medium|low))*$", example = "critical,high"),
        ("siteId" = Option<String>, Query, description = "Filter by site."),
        ("assigneeId" = Option<String>, Query, description = "Filter by assignee. An unknown member id returns an empty list."),
        ("limit" = Option<u32>, Query, description = "The maximum number of items per page; 50 by default.", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `nextCursor` of the previous page."),
    ),
    responses((status = 200, description = "The items.", body = ActionList)),
)]
fn list_actions(call: &Call) -> Result<Answer, Problem> {
    let limit = call.query.number("limit", 1..=MAX_LIMIT)?;
    let after = call.query.cursor(|text| ActionCursor::decode(text).ok())?;
    let filter = filter(call)?;
    let stores = &call.state.stores;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    let page = stores.actions(call.org(), &filter, after.as_ref(), limit)?;
    Answer::ok(&convert::actions(&page))
}

fn filter(call: &Call) -> Result<ActionFilter, Problem> {
    let (query, ids) = (&call.query, &*call.state.ids);
    let statuses = query.text("status").map(ActionFilter::parse_statuses);
    let priorities = query.text("priority").map(ActionFilter::parse_priorities);
    Ok(ActionFilter {
        variant: call.state.settings.variant,
        statuses: statuses.transpose()?.unwrap_or_default(),
        priorities: priorities.transpose()?.unwrap_or_default(),
        site: (query.text("siteId"))
            .map(|id| SiteId::parse(id).ok_or_else(Problem::not_found))
            .transpose()?,
        assignee: (query.text("assigneeId")).map(|id| convert::member(id, ids)),
    })
}
