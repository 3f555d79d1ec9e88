//! The queue of runs.

use chrono::{DateTime, Utc};
use domain::plan::Plans;
use domain::ports::{
    Claim, CompletedRun, HandBack, IdSource, JobKind, JobQueue, LeaseStatus, NewCause, NewLink,
    NewOccurrence, NewPage, NewPageOrder, NewRedirect, QueueRules, Reaped, RenderReservation,
    StoreError, WorkerId,
};
use domain::report::Folder;
use domain::run::{RunError, RunProgress};

use crate::database::Database;
use crate::database::error::StorageError;
use crate::database::failpoint::point;
use crate::queue::lease::{self, GivenBack};
use crate::queue::suspects::{self, Offer};
use crate::queue::{due, fairness, reap};
use crate::stores::actions::reconcile;
use crate::stores::outbox;
use crate::stores::rendered_pages;
use crate::stores::reports::{
    causes, folders, links, occurrences, page_orders, page_rows, write, written,
};
use crate::stores::stored_bytes;

use super::{claim, end, progress};

impl JobQueue for Database {
    fn claim(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Option<Claim>, StoreError> {
        // A worker that finds no work takes no lock.
        if !self.has_work(worker, rules, now)? {
            return Ok(None);
        }
        let claimed = self.write(|connection| {
            let now = self.now(connection, now)?;
            let claimed = claim::claim(connection, self.secret(), worker, rules, now)?;
            point!("claim-written");
            Ok(claimed)
        })?;
        point!("claim-done");
        Ok(claimed)
    }

    fn has_work(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self.read(|connection| {
            let now = self.lease_time(connection, now)?;
            Ok(match suspects::offer(connection, worker, rules, now)? {
                Offer::Nothing => false,
                Offer::Suspects(_) => true,
                Offer::Others => !fairness::next(connection, worker, rules, now)?.is_empty(),
            })
        })?)
    }

    fn holds(&self, claim: &Claim) -> Result<LeaseStatus, StoreError> {
        Ok(self.read(|connection| lease::look(connection, claim.into()))?)
    }

    fn heartbeat(
        &self,
        claim: &Claim,
        progress: &RunProgress,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            let until = self.lease_time(connection, now)? + rules.lease;
            if lease::renew(connection, claim.into(), until)? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            progress::store(connection, claim, progress)?;
            point!("heartbeat-written");
            Ok(LeaseStatus::Held)
        })?)
    }

    fn reserve_rendering(
        &self,
        claim: &Claim,
        plans: &Plans,
    ) -> Result<RenderReservation, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(RenderReservation::Lost);
            }
            let allowance = rendered_pages::reserve(connection, claim, plans)?;
            point!("rendering-reserved");
            Ok(RenderReservation::Reserved(allowance))
        })?)
    }

    fn write_causes(&self, claim: &Claim, batch: &[NewCause]) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            written::remove_earlier_epochs(connection, claim)?;
            causes::insert(connection, claim, batch)?;
            point!("causes-written");
            Ok(LeaseStatus::Held)
        })?)
    }

    fn write_occurrences(
        &self,
        claim: &Claim,
        batch: &[NewOccurrence],
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            written::remove_earlier_epochs(connection, claim)?;
            occurrences::insert(connection, claim, batch)?;
            point!("occurrences-written");
            Ok(LeaseStatus::Held)
        })?)
    }

    fn write_pages(&self, claim: &Claim, batch: &[NewPage]) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            written::remove_earlier_epochs(connection, claim)?;
            page_rows::insert(connection, claim, batch)?;
            point!("pages-written");
            Ok(LeaseStatus::Held)
        })?)
    }

    fn write_page_orders(
        &self,
        claim: &Claim,
        batch: &[NewPageOrder],
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            written::remove_earlier_epochs(connection, claim)?;
            page_orders::insert(connection, claim, batch)?;
            Ok(LeaseStatus::Held)
        })?)
    }

    fn write_links(&self, claim: &Claim, batch: &[NewLink]) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            written::remove_earlier_epochs(connection, claim)?;
            links::insert_targets(connection, claim, batch)?;
            Ok(LeaseStatus::Held)
        })?)
    }

    fn write_redirects(
        &self,
        claim: &Claim,
        batch: &[NewRedirect],
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            written::remove_earlier_epochs(connection, claim)?;
            links::insert_chains(connection, claim, batch)?;
            Ok(LeaseStatus::Held)
        })?)
    }

    fn write_folders(&self, claim: &Claim, all: &[Folder]) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            written::remove_earlier_epochs(connection, claim)?;
            folders::insert(connection, claim, all)?;
            Ok(LeaseStatus::Held)
        })?)
    }

    fn complete(
        &self,
        claim: &Claim,
        completed: &CompletedRun,
        ids: &dyn IdSource,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        let mut rows = write::ReportRows::new(claim, completed, now)?;
        let held = self.write(|connection| {
            if lease::end(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            point!("finish-begun");
            written::remove_earlier_epochs(connection, claim)?;
            let items = reconcile::with_report(connection, claim, completed, ids, now)?;
            point!("finish-reconciled");
            rows.insert(connection, claim, &items)?;
            point!("finish-reported");
            end::complete(connection, claim, &completed.progress, now)?;
            stored_bytes::count(connection, claim)?;
            // The stored reports may now exceed the storage limit of the plan.
            due::expedite(connection, JobKind::Retention, claim.org_id.as_str(), now)?;
            let (run, report) = (&claim.run_id, &completed.report_id);
            outbox::publish_completed(connection, run, report, completed.reports.scores(), now)?;
            point!("finish-written");
            Ok(LeaseStatus::Held)
        })?;
        point!("finish-done");
        Ok(held)
    }

    fn fail(
        &self,
        claim: &Claim,
        error: &RunError,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::end(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            end::fail(connection, claim.run_id.as_str(), error, now)?;
            point!("fail-written");
            Ok(LeaseStatus::Held)
        })?)
    }

    fn hand_back(
        &self,
        claim: &Claim,
        why: HandBack,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        let given = given_back(claim, why, now);
        let held = self.write(|connection| {
            let held = lease::give_back(connection, claim.into(), &given)?;
            point!("hand-back-written");
            Ok(held)
        })?;
        point!("hand-back-done");
        Ok(held)
    }

    fn release_all(&self, now: DateTime<Utc>) -> Result<u64, StoreError> {
        Ok(self.write(|connection| lease::release_runs(connection, now))?)
    }

    fn reap(&self, rules: &QueueRules, now: DateTime<Utc>) -> Result<Reaped, StoreError> {
        let mut reaped = Reaped::default();
        let mut last_fault = None;
        let candidates = self.read(|connection| {
            let now = self.lease_time(connection, now)?;
            reap::candidates(connection, rules, now)
        })?;
        for (job, verdict) in candidates {
            let ended = self.write(|connection| {
                let lease_now = self.lease_time(connection, now)?;
                if !reap::take(connection, &job, verdict, rules, lease_now)? {
                    return Ok(0);
                }
                end::fail(connection, &job.run_id, &verdict.error(), now)?;
                Ok(1)
            });
            match (ended, verdict) {
                (Ok(ended), reap::Verdict::PastDeadline) => reaped.past_deadline += ended,
                (Ok(ended), reap::Verdict::GivenUp) => reaped.given_up += ended,
                (Err(fault @ (StorageError::Failed(_) | StorageError::Conflict(_))), _) => {
                    tracing::error!(run.id = job.run_id, error = ?fault, "run not reaped");
                    last_fault = Some(fault);
                }
                // The database is down; trying each further run would only take long.
                (Err(fault), _) => return Err(fault.into()),
            }
        }
        last_fault.map_or(Ok(reaped), |fault| Err(fault.into()))
    }
}

/// Returns the changes to a run's job when the run is handed back.
fn given_back(claim: &Claim, why: HandBack, now: DateTime<Utc>) -> GivenBack {
    GivenBack {
        due_at: Some(now),
        attempts: i64::from(why == HandBack::Fault),
        crashes: i64::from(why == HandBack::Crashed),
        interruptions: i64::from(why == HandBack::Suspected),
        suspect: claim.alone || why == HandBack::Suspected,
    }
}
