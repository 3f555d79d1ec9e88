use api_types::comment::CommentList;
use domain::action::CommentCursor;
use domain::id::ActionId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::PageQuery;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_comments,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::comments()),
    handle: list_comments,
};

/// List the comments on an action item
///
/// Lists the comments of people and of the service, oldest first. For the next page, pass `nextCursor` as
/// `cursor`.
#[utoipa::path(
    get,
    path = "/api/mcp/actions/{actionId}/comments",
    tag = "Actions",
    params(
        ("actionId" = String, Path, description = "Id of the action item."),
        PageQuery,
    ),
    responses((status = 200, description = "The comments.", body = CommentList)),
)]
fn list_comments(call: &Call) -> Result<Reply, Problem> {
    let (after, limit) = call.query(|query: PageQuery, invalid| {
        query.part(|text| CommentCursor::decode(text).ok(), invalid)
    })?;
    let id = call.id("actionId", ActionId::parse)?;
    let stores = &call.state.stores;
    let page = stores.comments(call.org(), &id, after.as_ref(), limit)?;
    Reply::ok(&convert::comments(&page.ok_or_else(Problem::not_found)?))
}
