//! The thread that writes briefs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use chrono::TimeDelta;
use domain::ports::{BriefClaim, CheckCatalogue, Clock, Held, StoreError, Stores, WorkerId};
use domain::report::Variant;

use super::{Signal, Waited};

/// How long a brief belongs to who writes it. Writing takes milliseconds.
const LEASE: TimeDelta = TimeDelta::seconds(30);
/// How long to wait before looking again by oneself, and after a failure of the database.
const POLL: Duration = Duration::from_secs(1);

/// What the asker is told where a brief cannot be written.
const FAILED: &str = "The brief could not be written. Ask for it again; if that does not help, the \
                      operator of the server finds the cause in its log.";

/// What is needed to write briefs.
pub(crate) struct Desk {
    /// Where everything is kept.
    pub(crate) stores: Arc<dyn Stores>,
    /// The documentation of checks.
    pub(crate) checks: Arc<dyn CheckCatalogue>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// Wakes the thread when a brief was queued, and tells it to stop.
    pub(crate) signal: Arc<Signal>,
}

impl Desk {
    /// Starts the thread.
    pub(crate) fn start(self, id: WorkerId) -> std::io::Result<JoinHandle<()>> {
        let thread = std::thread::Builder::new().name("briefs".to_owned());
        thread.spawn(move || self.work(&id))
    }

    fn work(&self, id: &WorkerId) {
        loop {
            // Listen before looking, so that a brief queued in between is not overlooked.
            let seen = self.signal.seen();
            let turn = catch_unwind(AssertUnwindSafe(|| self.write_next(id)));
            let waited = match turn.unwrap_or_else(|_| Err(panicked())) {
                Ok(true) if self.signal.is_stopped() => Waited::Stopped,
                Ok(true) => Waited::Called,
                Ok(false) => self.signal.wait(seen, POLL),
                Err(error) => {
                    tracing::warn!(%error, "no brief could be claimed or stored");
                    self.signal.wait_for_stop(POLL)
                }
            };
            if waited == Waited::Stopped {
                return;
            }
        }
    }

    /// Writes the brief that has waited longest; false where there is none.
    fn write_next(&self, id: &WorkerId) -> Result<bool, StoreError> {
        let claimed = self.stores.claim_brief(id, LEASE, self.clock.now())?;
        let Some(claim) = claimed else {
            return Ok(false);
        };
        // A brief that makes us panic must not be tried for ever.
        let written = catch_unwind(AssertUnwindSafe(|| self.write(&claim)));
        let written = match written {
            Ok(Err(StoreError::Failed(error))) => {
                tracing::error!(action.id = %claim.action_id, error, "a brief's item cannot be read");
                Err(FAILED.to_owned())
            }
            Ok(written) => written?,
            Err(_) => {
                tracing::error!(action.id = %claim.action_id, "writing a brief panicked");
                Err(FAILED.to_owned())
            }
        };
        let held = self
            .stores
            .finish_brief(&claim, &written, self.clock.now())?;
        match held {
            Held::Yes => tracing::info!(action.id = %claim.action_id, "brief written"),
            Held::Lost => tracing::info!(action.id = %claim.action_id, "brief not wanted any more"),
        }
        Ok(true)
    }

    /// The text, or why there is none; an error of the database leaves the brief to the next try.
    fn write(&self, claim: &BriefClaim) -> Result<Result<String, String>, StoreError> {
        let (org, action) = (&claim.org_id, &claim.action_id);
        // Items of all dimensions have briefs; the variant decides who may read them.
        let dossier = self.stores.dossier(org, action, Variant::Current)?;
        let brief = self.stores.brief(org, action)?;
        let (Some(dossier), Some(brief)) = (dossier, brief) else {
            return Ok(Err(FAILED.to_owned()));
        };
        let check = dossier.item.audit.as_ref().map(|audit| &audit.check_id);
        let guide = check.and_then(|check| self.checks.guide(check));
        let text = report::brief::render(&dossier, guide.as_ref(), brief.instructions.as_ref());
        Ok(Ok(text))
    }
}

fn panicked() -> StoreError {
    StoreError::Failed("the thread that writes briefs panicked".to_owned())
}

#[cfg(test)]
mod tests {
    use domain::action::{BriefRequest, BriefStatus, Instructions};
    use domain::audit_log::Actor;
    use domain::id::{ActionId, OrgId};
    use domain::ports::{ActionStore, JobQueue, OrgStore, QueueRules, RunStore};
    use storage::Database;
    use testkit::{FixedClock, SampleChecks, SequentialIds, sample};

    use super::*;

    /// A desk, and an item of an audit that has a brief queued.
    fn desk() -> (Desk, Database, OrgId, ActionId) {
        let (stores, ids) = (Database::for_test(), SequentialIds::default());
        let org = sample::new_org(&ids);
        stores.create_org(&org, &Actor::System).unwrap();
        let run = sample::new_run(&ids, "https://example.com/");
        stores.start_run(&org.id, &run).unwrap();
        let now = sample::noon();
        let worker = WorkerId("w".to_owned());
        let claim = stores.claim(&worker, &QueueRules::DEFAULT, now).unwrap();
        let completed = sample::completed_run(&ids, &sample::audit_result());
        let held = stores.complete(&claim.unwrap(), &completed, &ids, now);
        assert_eq!(held, Ok(Held::Yes));
        let all = domain::action::ActionFilter::all(Variant::Current);
        let item = stores
            .actions(&org.id, &all, None, 1)
            .unwrap()
            .items
            .remove(0);
        let request = BriefRequest {
            instructions: Instructions::parse("We use Rust.").unwrap(),
            at: now,
        };
        let queued = stores.queue_brief(&org.id, &item.id, &request, &Actor::System, None);
        assert!(queued.is_ok());
        let desk = Desk {
            stores: Arc::new(stores.clone()),
            checks: Arc::new(SampleChecks),
            clock: Arc::new(FixedClock::new(now)),
            signal: Arc::default(),
        };
        (desk, stores, org.id, item.id)
    }

    #[test]
    fn a_brief_that_was_asked_for_is_written_once() {
        let (desk, stores, org, action) = desk();
        let worker = WorkerId("b".to_owned());
        assert_eq!(desk.write_next(&worker), Ok(true));
        assert_eq!(desk.write_next(&worker), Ok(false));
        let brief = stores.brief(&org, &action).unwrap().unwrap();
        assert_eq!(brief.status, BriefStatus::Ready);
        let content = brief.content.unwrap();
        assert!(content.starts_with("# Brief: ") && content.contains("We use Rust."));
    }

    #[test]
    fn a_database_that_is_away_leaves_the_brief_to_be_written_later() {
        let (desk, stores, org, action) = desk();
        let worker = WorkerId("b".to_owned());
        stores.break_with(Some(StoreError::Unavailable("away".to_owned())));
        assert!(desk.write_next(&worker).is_err());
        stores.break_with(None);
        assert_eq!(desk.write_next(&worker), Ok(true));
        let brief = stores.brief(&org, &action).unwrap().unwrap();
        assert_eq!(brief.status, BriefStatus::Ready);
    }
}
