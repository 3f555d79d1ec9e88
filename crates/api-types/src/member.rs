//! The members of an organization.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::account::Role;

/// A member of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Id of the member, used as `assigneeId` of action items.
    pub member_id: String,
    /// The member's name.
    pub name: String,
    /// The member's e-mail address, in lower case.
    pub email: String,
    /// The member's role.
    pub role: Role,
}

/// All members of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberList {
    /// The members, oldest first.
    pub members: Vec<Member>,
}
