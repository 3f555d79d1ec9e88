//! The queue of runs.

mod claim;
pub(crate) mod end;
mod hold;
pub(crate) mod jobs;
mod reap;

use chrono::{DateTime, Utc};
use domain::ports::{
    Claim, CompletedRun, Held, IdSource, JobQueue, NewOccurrence, NewPage, QueueRules, Reaped,
    StoreError, WorkerId,
};
use domain::run::{RunError, RunProgress};

use crate::actions::reconcile;
use crate::database::Database;
use crate::error::Fault;
use crate::outbox;
use crate::reports::{occurrences, pages, write};

impl JobQueue for Database {
    fn claim(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Option<Claim>, StoreError> {
        // Who finds nothing to do takes no lock.
        if !self.read(|connection| claim::is_any(connection, rules, now))? {
            return Ok(None);
        }
        Ok(self.write(|connection| claim::claim(connection, self.secret(), worker, rules, now))?)
    }

    fn holds(&self, claim: &Claim) -> Result<Held, StoreError> {
        Ok(self.read(|connection| hold::look(connection, claim))?)
    }

    fn heartbeat(
        &self,
        claim: &Claim,
        progress: &RunProgress,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        Ok(self.write(|connection| {
            if hold::renew(connection, claim, now + rules.lease)? == Held::Lost {
                return Ok(Held::Lost);
            }
            hold::store_progress(connection, claim, progress)?;
            Ok(Held::Yes)
        })?)
    }

    fn write_occurrences(
        &self,
        claim: &Claim,
        batch: &[NewOccurrence],
    ) -> Result<Held, StoreError> {
        Ok(self.write(|connection| {
            if hold::lock(connection, claim)? == Held::Lost {
                return Ok(Held::Lost);
            }
            occurrences::remove_earlier_epochs(connection, claim)?;
            occurrences::insert(connection, claim, batch)?;
            Ok(Held::Yes)
        })?)
    }

    fn write_pages(&self, claim: &Claim, batch: &[NewPage]) -> Result<Held, StoreError> {
        Ok(self.write(|connection| {
            if hold::lock(connection, claim)? == Held::Lost {
                return Ok(Held::Lost);
            }
            pages::remove_earlier_epochs(connection, claim)?;
            pages::insert(connection, claim, batch)?;
            Ok(Held::Yes)
        })?)
    }

    fn complete(
        &self,
        claim: &Claim,
        completed: &CompletedRun,
        ids: &dyn IdSource,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        let mut rows = write::ReportRows::of(claim, completed, now)?;
        Ok(self.write(|connection| {
            if hold::end(connection, claim)? == Held::Lost {
                return Ok(Held::Lost);
            }
            occurrences::remove_earlier_epochs(connection, claim)?;
            pages::remove_earlier_epochs(connection, claim)?;
            let items = reconcile::with_report(connection, claim, completed, ids, now)?;
            rows.insert(connection, claim, &items)?;
            end::complete(connection, claim, &completed.progress, now)?;
            let (run, report) = (&claim.run_id, &completed.report_id);
            outbox::tell_completed(connection, run, report, completed.reports.scores(), now)?;
            Ok(Held::Yes)
        })?)
    }

    fn fail(
        &self,
        claim: &Claim,
        error: &RunError,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        Ok(self.write(|connection| {
            if hold::end(connection, claim)? == Held::Lost {
                return Ok(Held::Lost);
            }
            end::fail(connection, claim.run_id.as_str(), error, now)?;
            Ok(Held::Yes)
        })?)
    }

    fn hand_back(&self, claim: &Claim, now: DateTime<Utc>) -> Result<Held, StoreError> {
        Ok(self.write(|connection| hold::hand_back(connection, claim, now))?)
    }

    fn release_all(&self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        Ok(self.write(|connection| hold::release_all(connection, now))?)
    }

    fn reap(&self, rules: &QueueRules, now: DateTime<Utc>) -> Result<Reaped, StoreError> {
        let mut reaped = Reaped::default();
        let mut last_fault = None;
        for (job, verdict) in self.read(|connection| reap::candidates(connection, rules, now))? {
            let ended = self.write(|connection| {
                if !reap::take(connection, &job, verdict, rules, now)? {
                    return Ok(0);
                }
                end::fail(connection, &job.run_id, &verdict.error(), now)?;
                Ok(1)
            });
            match (ended, verdict) {
                (Ok(ended), reap::Verdict::PastDeadline) => reaped.past_deadline += ended,
                (Ok(ended), reap::Verdict::GivenUp) => reaped.given_up += ended,
                (Err(fault @ (Fault::Failed(_) | Fault::Conflict(_))), _) => {
                    tracing::error!(run.id = job.run_id, error = ?fault, "a run was not reaped");
                    last_fault = Some(fault);
                }
                // The database is away; asking again for each run would only take long.
                (Err(fault), _) => return Err(fault.into()),
            }
        }
        last_fault.map_or(Ok(reaped), |fault| Err(fault.into()))
    }
}
