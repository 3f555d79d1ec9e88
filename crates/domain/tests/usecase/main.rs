//! The use cases over the stores.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as expected"
)]

mod administer;
mod artifacts;
mod attempt;
mod authenticate;
mod create_site;
mod one_time_links;
mod own_account;
mod people;
mod second_factor;
mod sessions;
mod start_audit;
mod start_due;
mod webhooks;

use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::plan::Plans;
use domain::ports::OrgStore;
use domain::usecase::Administration;
use domain::waiver::AuditWaivers;
use storage::Database;
use testkit::{FixedClock, SequentialIds, sample};

/// A database with one organization, a clock that stands at noon, counted ids.
struct Fixture {
    stores: Database,
    clock: FixedClock,
    ids: SequentialIds,
    plans: Plans,
    org: OrgId,
    /// None, unless a test sets some.
    waivers: AuditWaivers,
}

impl Fixture {
    fn new() -> Self {
        let ids = SequentialIds::default();
        let stores = Database::for_test();
        let org = sample::new_org(&ids);
        stores.create_org(&org, &Actor::System).unwrap();
        Self {
            stores,
            clock: FixedClock::new(sample::noon()),
            ids,
            plans: Plans::new([]),
            org: org.id,
            waivers: AuditWaivers::default(),
        }
    }

    fn administration(&self) -> Administration<'_> {
        Administration {
            stores: &self.stores,
            clock: &self.clock,
            ids: &self.ids,
            plans: &self.plans,
            actor: &Actor::CommandLine,
        }
    }
}
