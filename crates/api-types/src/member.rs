//! The people in an organization.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::account::Role;

/// A person in the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Id of the member; action items name it as their `assigneeId`.
    pub member_id: String,
    /// The person's name.
    pub name: String,
    /// The person's e-mail address, in lower case.
    pub email: String,
    /// What the person may do.
    pub role: Role,
}

/// All members of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberList {
    /// The members, oldest first.
    pub members: Vec<Member>,
}
