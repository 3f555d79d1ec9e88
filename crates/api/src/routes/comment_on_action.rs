use api_types::comment::{ActionComment, AddCommentRequest};
use domain::action::{ActionComment as Comment, CommentBody, NewComment};
use domain::id::{ActionId, CommentId};
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_comment_on_action,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::comment()),
    handle: comment_on_action,
};

/// Comment on an action item
///
/// The author is the key of this request. Comments cannot be changed.
#[utoipa::path(
    post,
    path = "/api/mcp/actions/{actionId}/comments",
    tag = "Actions",
    params(IdempotencyHeader, ("actionId" = String, Path, description = "Id of the action item.")),
    request_body = AddCommentRequest,
    responses((status = 201, description = "The comment.", body = ActionComment)),
)]
fn comment_on_action(call: &Call) -> Result<Reply, Problem> {
    let body = call
        .body(|asked: AddCommentRequest, invalid| invalid.check(CommentBody::parse(&asked.body)))?;
    let id = call.id("actionId", ActionId::parse)?;
    let comment = NewComment {
        id: CommentId::make(&*call.state.ids),
        body,
        author: convert::author(&call.caller.key),
        created_at: call.now(),
    };
    let stores = &call.state.stores;
    call.once(
        |once| stores.add_comment(call.org(), &id, &comment, once),
        answer,
    )
}

fn answer(comment: &Comment) -> Result<Reply, Problem> {
    Reply::created(&convert::comment(comment))
}
