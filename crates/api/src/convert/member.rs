use api_types::member as wire;
use domain::org::Member;

use super::same_variants::ToWire;

/// All members.
pub(crate) fn members(members: &[Member]) -> wire::MemberList {
    wire::MemberList {
        members: members.iter().map(member).collect(),
    }
}

fn member(member: &Member) -> wire::Member {
    wire::Member {
        member_id: member.id.to_string(),
        name: member.name.clone(),
        email: member.email.clone(),
        role: member.role.to_wire(),
    }
}
