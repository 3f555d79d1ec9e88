//! All stores, in memory.

mod action;
mod brief;
mod compare;
mod event;
mod housekeeping;
mod idempotency;
mod key;
mod member;
mod org;
mod queue;
mod reconcile;
mod report;
mod run;
mod schedule;
mod signing_key;
mod site;
mod state;
mod webhook;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::ports::{Health, NotReady, StoreError};
use domain::schedule::Schedule;

use state::State;

/// Everything that is stored, in memory. Clones share it.
///
/// It keeps the same contract as the databases, `crates/storage/tests/contract`, so what holds over
/// it holds over them.
///
/// ```
/// use domain::audit_log::Actor;
/// use domain::ports::OrgStore;
/// use testkit::{MemoryStores, SequentialIds, sample};
///
/// let stores = MemoryStores::default();
/// let org = sample::new_org(&SequentialIds::default());
/// stores.create_org(&org, &Actor::CommandLine)?;
/// assert!(stores.has_organizations()?);
/// # Ok::<(), domain::ports::StoreError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryStores {
    state: Arc<Mutex<State>>,
    broken: Arc<Mutex<Option<StoreError>>>,
}

impl MemoryStores {
    /// Makes every call from now on answer this error and change nothing; none to heal.
    pub fn break_with(&self, error: Option<StoreError>) {
        *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = error;
    }

    /// Gives the site named in it a schedule, with a history that no port can give it.
    pub fn put_schedule(&self, schedule: Schedule) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.schedules.insert(schedule.site_id.clone(), schedule);
    }

    /// What is stored, for one call alone.
    fn open(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        match &*broken {
            Some(error) => Err(error.clone()),
            None => Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }
}

impl Health for MemoryStores {
    fn ready(&self) -> Result<(), NotReady> {
        match self.open() {
            Ok(_) => Ok(()),
            Err(StoreError::Unavailable(_)) => Err(NotReady::DatabaseUnreachable),
            Err(StoreError::Failed(_)) => Err(NotReady::DatabaseFailed),
        }
    }
}
