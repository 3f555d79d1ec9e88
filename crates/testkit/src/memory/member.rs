//! Members of organizations.

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::{MemberId, OrgId};
use domain::org::Member;
use domain::ports::{NewMember, StoreError};

use super::state::State;

impl State {
    pub(super) fn add_member(
        &mut self,
        org: &OrgId,
        member: &NewMember,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        let address_is_known = self
            .members
            .iter()
            .any(|(of, known)| of == org && known.email == member.email);
        if self.org(org).is_none() || address_is_known {
            return Ok(false);
        }
        if self.members.iter().any(|(_, known)| known.id == member.id) {
            return Err(StoreError::Failed(format!("{} is there", member.id)));
        }
        let added = Member {
            id: member.id.clone(),
            name: member.name.clone(),
            email: member.email.clone(),
            role: member.role,
            created_at: member.created_at,
        };
        self.members.push((org.clone(), added));
        let what = (
            member.id.as_str(),
            format!("{}, {}", member.email, member.role),
        );
        self.note(org, member.created_at, by, "member.added", what);
        Ok(true)
    }

    pub(super) fn members_of(&self, org: &OrgId) -> Vec<Member> {
        let members = self.members.iter().filter(|(of, _)| of == org);
        let mut members: Vec<_> = members.map(|(_, member)| member.clone()).collect();
        members.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        members
    }

    pub(super) fn remove_member(
        &mut self,
        org: &OrgId,
        member: &MemberId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> bool {
        let is_meant = |(of, known): &mut (OrgId, Member)| of == org && known.id == *member;
        let Some((_, removed)) = self.members.extract_if(.., is_meant).next() else {
            return false;
        };
        self.unassign(member);
        let what = (member.as_str(), removed.email);
        self.note(org, at, by, "member.removed", what);
        true
    }
}
