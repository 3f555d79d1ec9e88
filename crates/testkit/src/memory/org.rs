//! Organizations.

use chrono::{DateTime, Utc};
use domain::audit_log::{Actor, AuditEntry, AuditNote};
use domain::id::{MemberId, OrgId};
use domain::org::{Member, Organization};
use domain::plan::{Period, Usage};
use domain::ports::{NewKey, NewMember, NewOrg, OrgStore, StoreError};

use super::MemoryStores;
use super::state::State;

impl State {
    fn add_org(&mut self, org: &NewOrg, by: &Actor) -> Result<(), StoreError> {
        if self.org(&org.id).is_some() {
            return Err(StoreError::Failed(format!("{} is there", org.id)));
        }
        self.orgs.push(Organization {
            id: org.id.clone(),
            name: org.name.clone(),
            plan: org.plan.clone(),
            created_at: org.created_at,
        });
        let what = (org.id.as_str(), org.name.clone());
        self.note(&org.id, org.created_at, by, "org.created", what);
        Ok(())
    }
}

impl OrgStore for MemoryStores {
    fn bootstrap(&self, org: &NewOrg, key: &NewKey, by: &Actor) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        if !state.orgs.is_empty() {
            return Ok(false);
        }
        state.add_org(org, by)?;
        state.add_key(&org.id, key, by)?;
        Ok(true)
    }

    fn has_organizations(&self) -> Result<bool, StoreError> {
        Ok(!self.open()?.orgs.is_empty())
    }

    fn create_org(&self, org: &NewOrg, by: &Actor) -> Result<(), StoreError> {
        self.open()?.add_org(org, by)
    }

    fn orgs(&self) -> Result<Vec<Organization>, StoreError> {
        let mut orgs = self.open()?.orgs.clone();
        orgs.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        Ok(orgs)
    }

    fn org(&self, org: &OrgId) -> Result<Option<Organization>, StoreError> {
        Ok(self.open()?.org(org).cloned())
    }

    fn set_plan(
        &self,
        org: &OrgId,
        plan: &str,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        let Some(found) = state.orgs.iter_mut().find(|known| known.id == *org) else {
            return Ok(false);
        };
        plan.clone_into(&mut found.plan);
        let what = (org.as_str(), plan.to_owned());
        state.note(org, at, by, "org.plan_changed", what);
        Ok(true)
    }

    fn usage(&self, org: &OrgId, period: Period) -> Result<Usage, StoreError> {
        Ok(self.open()?.usage_of(org, period))
    }

    fn add_member(&self, org: &OrgId, member: &NewMember, by: &Actor) -> Result<bool, StoreError> {
        self.open()?.add_member(org, member, by)
    }

    fn members(&self, org: &OrgId) -> Result<Vec<Member>, StoreError> {
        Ok(self.open()?.members_of(org))
    }

    fn remove_member(
        &self,
        org: &OrgId,
        member: &MemberId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.open()?.remove_member(org, member, at, by))
    }

    fn note(
        &self,
        org: &OrgId,
        at: DateTime<Utc>,
        by: &Actor,
        note: &AuditNote,
    ) -> Result<(), StoreError> {
        self.open()?.note(
            org,
            at,
            by,
            note.event,
            (&note.subject, note.detail.clone()),
        );
        Ok(())
    }

    fn audit_log(&self, org: &OrgId) -> Result<Vec<AuditEntry>, StoreError> {
        let state = self.open()?;
        let lines = state.audit_log.iter().filter(|(of, _)| of == org);
        Ok(lines.map(|(_, entry)| entry.clone()).collect())
    }
}
