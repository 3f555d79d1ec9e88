//! Writes the briefs of action items.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use domain::action::{ActionBrief, BRIEF_GIVEN_UP, MAX_BRIEF_ATTEMPTS};
use domain::ports::{CheckCatalogue, JobKind, LeaseStatus, StoreError};
use domain::report::Variant;

use super::{DueJob, HeldJob, JobEnd, WorkerContext};

/// The message to the requester if a brief cannot be written.
const FAILED: &str = "The brief could not be generated. Request it again; if that does not help, the \
                      operator of the server finds the cause in its log.";

/// The job that writes a brief.
pub(crate) struct BriefJob {
    /// The documentation of checks.
    pub(crate) checks: Arc<dyn CheckCatalogue>,
}

impl DueJob for BriefJob {
    const KIND: JobKind = JobKind::Brief;
    const MAX_ATTEMPTS: Option<u32> = Some(MAX_BRIEF_ATTEMPTS);

    fn run(&self, context: &WorkerContext, job: &HeldJob<'_>) -> Result<JobEnd, StoreError> {
        let Some(brief) = context.stores.begin_brief(&job.claim)? else {
            return Ok(JobEnd::Done);
        };
        // A brief that makes the writer panic must not be retried.
        let written = catch_unwind(AssertUnwindSafe(|| self.write(context, job, &brief)));
        let action = job.claim.subject.as_str();
        let written = match written {
            Ok(Err(StoreError::Failed(error))) => {
                tracing::error!(
                    action.id = action,
                    error,
                    "action item of a brief unreadable"
                );
                Err(FAILED.to_owned())
            }
            Ok(written) => written?,
            Err(_) => {
                tracing::error!(action.id = action, "brief generation panicked");
                Err(FAILED.to_owned())
            }
        };
        finish(context, job, &written)
    }

    fn give_up(&self, context: &WorkerContext, job: &HeldJob<'_>) -> Result<JobEnd, StoreError> {
        match context.stores.begin_brief(&job.claim)? {
            Some(_) => finish(context, job, &Err(BRIEF_GIVEN_UP.to_owned())),
            None => Ok(JobEnd::Done),
        }
    }
}

impl BriefJob {
    /// Returns the text, or why there is none. After a database error the brief is left to the next attempt.
    fn write(
        &self,
        context: &WorkerContext,
        job: &HeldJob<'_>,
        brief: &ActionBrief,
    ) -> Result<Result<String, String>, StoreError> {
        let (org, action) = (&job.claim.org_id, &brief.action_id);
        // Items of all dimensions have briefs; the variant decides which of them a client can read.
        let dossier = context.stores.dossier(org, action, Variant::Current)?;
        let Some(dossier) = dossier else {
            return Ok(Err(FAILED.to_owned()));
        };
        let check = dossier.item.audit.as_ref().map(|audit| &audit.check_id);
        let guide = check.and_then(|check| self.checks.guide(check));
        let text = report::brief::render(&dossier, guide.as_ref(), brief.instructions.as_ref());
        Ok(Ok(text))
    }
}

fn finish(
    context: &WorkerContext,
    job: &HeldJob<'_>,
    written: &Result<String, String>,
) -> Result<JobEnd, StoreError> {
    let now = context.clock.now();
    let action = job.claim.subject.as_str();
    match context.stores.finish_brief(&job.claim, written, now)? {
        LeaseStatus::Held => tracing::info!(action.id = action, "brief written"),
        LeaseStatus::Lost => {
            tracing::info!(action.id = action, "brief dropped: requested again");
        }
    }
    Ok(JobEnd::Settled)
}

#[cfg(test)]
mod tests {
    use domain::action::{BriefRequest, BriefStatus, Instructions};
    use domain::audit_log::Actor;
    use domain::id::{ActionId, OrgId};
    use domain::ports::{
        ActionStore, JobQueue, JobStore, OrgStore, QueueRules, RunStore, WorkerId,
    };
    use storage::Database;
    use testkit::{FixedClock, SampleChecks, SequentialIds, sample};

    use super::*;
    use crate::jobs::do_next;
    use crate::jobs::tests::context;
    use crate::worker_pool::Next;

    struct Fixture {
        context: WorkerContext,
        job: BriefJob,
        worker: WorkerId,
        stores: Database,
        org: OrgId,
        action: ActionId,
    }

    /// A queued brief for an item that an audit created.
    fn world() -> Fixture {
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
        assert_eq!(held, Ok(LeaseStatus::Held));
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
        Fixture {
            context: context(&stores, &FixedClock::new(now)),
            job: BriefJob {
                checks: Arc::new(SampleChecks),
            },
            worker: WorkerId("b".to_owned()),
            stores,
            org: org.id,
            action: item.id,
        }
    }

    impl Fixture {
        fn do_next(&self) -> Result<Next, StoreError> {
            do_next(&self.context, &self.job, &self.worker)
        }

        fn brief(&self) -> ActionBrief {
            let brief = self.stores.brief(&self.org, &self.action);
            brief.unwrap().unwrap()
        }
    }

    #[test]
    fn a_requested_brief_is_written_once() {
        let world = world();
        assert_eq!(world.do_next(), Ok(Next::Continue));
        assert_ne!(world.do_next(), Ok(Next::Continue));
        let brief = world.brief();
        assert_eq!(brief.status, BriefStatus::Ready);
        let content = brief.content.unwrap();
        assert!(content.starts_with("# Brief: ") && content.contains("We use Rust."));
    }

    #[test]
    fn an_unavailable_database_delays_the_brief() {
        let world = world();
        let away = StoreError::Unavailable("away".to_owned());
        world.stores.break_with(Some(away));
        assert!(world.do_next().is_err());
        world.stores.break_with(None);
        assert_eq!(world.do_next(), Ok(Next::Continue));
        assert_eq!(world.brief().status, BriefStatus::Ready);
    }

    #[test]
    fn a_brief_fails_after_all_its_workers_died() {
        let world = world();
        let lease = chrono::TimeDelta::zero();
        for _ in 0..MAX_BRIEF_ATTEMPTS {
            let now = sample::noon();
            let claimed = world
                .stores
                .claim_job(JobKind::Brief, &world.worker, lease, now);
            assert!(claimed.unwrap().is_some());
        }
        assert_eq!(world.do_next(), Ok(Next::Continue));
        let brief = world.brief();
        assert_eq!(brief.status, BriefStatus::Failed);
        assert_eq!(brief.error.as_deref(), Some(BRIEF_GIVEN_UP));
        assert_ne!(world.do_next(), Ok(Next::Continue));
    }
}
