//! The retention periods of an organization: which hold, and what its administrators may choose.

use crate::audit_log::Actor;
use crate::org::Organization;
use crate::plan::Plans;
use crate::ports::{Clock, StoreError, Stores};
use crate::retention::{Keep, Retention, RetentionChoice};

/// Reads and sets the retention periods of organizations.
#[derive(Clone, Copy)]
pub struct RetentionSettings<'a> {
    /// All stores.
    pub stores: &'a dyn Stores,
    /// The plans, which have retention periods of their organizations.
    pub plans: &'a Plans,
    /// The periods where neither the organization nor its plan has any.
    pub installation: Retention,
}

/// The retention periods of an organization, and where they come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionState {
    /// What the organization chose.
    pub chosen: RetentionChoice,
    /// The periods of its plan. Administrators cannot choose longer ones.
    pub plan: RetentionChoice,
    /// The periods where neither the organization nor its plan has any.
    pub installation: Retention,
}

/// Why a retention period was not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RetentionRefused {
    /// The plan keeps data for a shorter time.
    #[error("the plan of the organization keeps {what} for at most {limit}")]
    BeyondPlan {
        /// The data, such as `reports`.
        what: &'static str,
        /// The period of the plan.
        limit: Keep,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RetentionState {
    /// The periods that hold: the organization's own, else those of its plan, else those of the installation.
    #[must_use]
    pub fn effective(&self) -> Retention {
        self.chosen.over(self.default())
    }

    /// The periods that hold where the organization chooses none.
    #[must_use]
    pub fn default(&self) -> Retention {
        self.plan.over(self.installation)
    }

    /// The periods with another choice.
    #[must_use]
    pub fn with(&self, chosen: RetentionChoice) -> Retention {
        Self { chosen, ..*self }.effective()
    }

    /// Checks that a choice keeps nothing for longer than the plan does.
    ///
    /// # Errors
    /// [`RetentionRefused::BeyondPlan`] with the first period that is too long.
    pub fn check(&self, choice: RetentionChoice) -> Result<(), RetentionRefused> {
        let periods = [
            ("reports", choice.reports, self.plan.reports),
            ("the audit log", choice.audit_log, self.plan.audit_log),
        ];
        for (what, chosen, limit) in periods {
            if let (Some(chosen), Some(limit)) = (chosen, limit)
                && chosen.is_longer_than(limit)
            {
                return Err(RetentionRefused::BeyondPlan { what, limit });
            }
        }
        Ok(())
    }
}

impl RetentionSettings<'_> {
    /// The retention periods of an organization.
    ///
    /// # Errors
    /// When the database fails.
    pub fn of(&self, org: &Organization) -> Result<RetentionState, StoreError> {
        let plan = self.plans.get(&org.plan).map(|plan| plan.retention);
        Ok(RetentionState {
            chosen: self.stores.retention(&org.id)?,
            plan: plan.unwrap_or_default(),
            installation: self.installation,
        })
    }

    /// Sets what an administrator of the organization chose, and writes it to the audit log. The next sweep deletes
    /// what is past a period that became shorter.
    ///
    /// # Errors
    /// [`RetentionRefused`] says why not.
    pub fn choose(
        &self,
        org: &Organization,
        choice: RetentionChoice,
        clock: &dyn Clock,
        by: &Actor,
    ) -> Result<(), RetentionRefused> {
        self.of(org)?.check(choice)?;
        self.stores
            .set_retention(&org.id, choice, clock.now(), by)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> RetentionState {
        RetentionState {
            chosen: RetentionChoice::default(),
            plan: RetentionChoice {
                reports: Some(Keep::days(90)),
                audit_log: None,
            },
            installation: Retention {
                reports: Keep::days(400),
                audit_log: Keep::days(730),
                events: Keep::days(30),
            },
        }
    }

    fn reports(days: u32) -> RetentionChoice {
        RetentionChoice {
            reports: Some(Keep::days(days)),
            audit_log: None,
        }
    }

    #[test]
    fn the_choice_lies_over_the_plan_and_the_plan_over_the_installation() {
        let state = state();
        assert_eq!(state.effective().reports, Keep::days(90));
        assert_eq!(state.effective().audit_log, Keep::days(730));
        assert_eq!(state.with(reports(7)).reports, Keep::days(7));
    }

    #[test]
    fn administrators_cannot_choose_a_longer_period_than_the_plan_has() {
        let state = state();
        assert_eq!(state.check(reports(90)), Ok(()));
        for days in [91, 0] {
            let refused = state.check(reports(days)).unwrap_err();
            assert_eq!(
                refused.to_string(),
                "the plan of the organization keeps reports for at most 90 days"
            );
        }
    }

    #[test]
    fn without_a_period_of_the_plan_every_period_can_be_chosen() {
        let choice = RetentionChoice {
            reports: None,
            audit_log: Some(Keep::Forever),
        };
        assert_eq!(state().check(choice), Ok(()));
    }
}
