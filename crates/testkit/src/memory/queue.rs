//! The queue of runs.

use chrono::{DateTime, Utc};
use domain::FailureCode;
use domain::action::RunFacts;
use domain::event::{EventFacts, RunNamed};
use domain::id::RunId;
use domain::plan::Period;
use domain::ports::{
    Claim, CompletedRun, Held, IdSource, JobQueue, NewOccurrence, NewPage, QueueRules, Reaped,
    StoreError, WorkerId,
};
use domain::report::PageVisit;
use domain::run::{Run, RunError, RunProgress, RunState};

use super::MemoryStores;
use super::state::{KeptReport, OccurrenceKey, PageKey, State};

/// What the queue knows of a run that has not ended.
#[derive(Debug)]
pub(super) struct Job {
    queued_at: DateTime<Utc>,
    epoch: u32,
    attempts: u32,
    /// None while nobody holds the run.
    lease_expires_at: Option<DateTime<Utc>>,
    deadline_at: Option<DateTime<Utc>>,
}

impl Job {
    pub(super) const fn new(queued_at: DateTime<Utc>) -> Self {
        Self {
            queued_at,
            epoch: 0,
            attempts: 0,
            lease_expires_at: None,
            deadline_at: None,
        }
    }

    fn is_leased(&self, now: DateTime<Utc>) -> bool {
        self.lease_expires_at.is_some_and(|expiry| now < expiry)
    }

    fn has_attempts_left(&self, rules: &QueueRules) -> bool {
        self.attempts < rules.max_attempts
    }
}

impl State {
    fn longest_waiting(&self, rules: &QueueRules, now: DateTime<Utc>) -> Option<RunId> {
        let is_claimable = |(id, job): &(&RunId, &Job)| match self.runs.get(*id)?.state {
            RunState::Queued => Some(()),
            _ => (!job.is_leased(now) && job.has_attempts_left(rules)).then_some(()),
        };
        self.jobs
            .iter()
            .filter(|entry| is_claimable(entry).is_some())
            .min_by_key(|(id, job)| (job.queued_at, *id))
            .map(|(id, _)| id.clone())
    }

    fn claim(&mut self, rules: &QueueRules, now: DateTime<Utc>) -> Option<Claim> {
        let id = self.longest_waiting(rules, now)?;
        let run = self.runs.get_mut(&id)?;
        let job = self.jobs.get_mut(&id)?;
        let deadline_at = now + rules.deadline;
        job.epoch += 1;
        job.attempts += 1;
        job.lease_expires_at = Some(now + rules.lease);
        job.deadline_at = Some(deadline_at);
        run.state = RunState::Running {
            started_at: run.state.started_at().unwrap_or(now),
        };
        Some(Claim {
            run_id: id,
            org_id: run.org_id.clone(),
            site_id: run.site_id.clone(),
            url: run.url.clone(),
            options: run.options.clone(),
            epoch: job.epoch,
            attempt: job.attempts,
            deadline_at,
        })
    }

    /// The run and the job of a claim; none where the claim is lost.
    fn held(&mut self, claim: &Claim) -> Option<(&mut Run, &mut Job)> {
        let job = self.jobs.get_mut(&claim.run_id)?;
        let run = self.runs.get_mut(&claim.run_id)?;
        let is_its = job.epoch == claim.epoch && run.org_id == claim.org_id;
        // A claim that was given back is held no longer, also while nobody else has taken it.
        (is_its && job.lease_expires_at.is_some()).then_some((run, job))
    }

    fn complete(
        &mut self,
        claim: &Claim,
        completed: &CompletedRun,
        ids: &dyn IdSource,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        if completed.issue_ids.len() != completed.reports.current.issues.len() {
            return Err(StoreError::Failed("not one id for each issue".to_owned()));
        }
        let is_there = self.reports.contains_key(&completed.report_id);
        let Some((run, _)) = self.held(claim) else {
            return Ok(Held::Lost);
        };
        if is_there {
            let text = format!("{} is there", completed.report_id);
            return Err(StoreError::Failed(text));
        }
        let started_at = run.state.started_at().unwrap_or(now);
        run.progress = completed.progress;
        run.options.headers = run.options.headers.hidden();
        run.state = RunState::Completed {
            started_at,
            finished_at: now,
            report_id: completed.report_id.clone(),
        };
        self.jobs.remove(&claim.run_id);
        self.forget_written(&claim.run_id, Some(claim.epoch));
        let facts = RunFacts {
            run_id: &claim.run_id,
            report_id: &completed.report_id,
            site_id: &claim.site_id,
            started_at,
            now,
            coverage: &completed.coverage,
        };
        let issues = &completed.reports.current.issues;
        let kept = KeptReport {
            run: claim.run_id.clone(),
            epoch: claim.epoch,
            created_at: now,
            action_ids: self.reconcile(&claim.org_id, issues, &facts, ids),
            completed: completed.clone(),
        };
        self.reports.insert(completed.report_id.clone(), kept);
        if let Some(run) = self.runs.get(&claim.run_id) {
            let facts = EventFacts::RunCompleted {
                run: named(run),
                report_id: completed.report_id.clone(),
                scores: completed.reports.scores(),
            };
            self.tell_end(&claim.run_id, &claim.org_id, now, facts);
        }
        Ok(Held::Yes)
    }

    /// Ends a run without a report.
    fn fail(&mut self, id: &RunId, error: &RunError, now: DateTime<Utc>) {
        self.jobs.remove(id);
        self.forget_written(id, None);
        let Some(run) = self.runs.get_mut(id) else {
            return;
        };
        run.options.headers = run.options.headers.hidden();
        run.state = RunState::Failed {
            started_at: run.state.started_at().unwrap_or(now),
            finished_at: now,
            error: error.clone(),
        };
        let (org, facts) = (
            run.org_id.clone(),
            EventFacts::RunFailed {
                run: named(run),
                error: error.clone(),
            },
        );
        let month = (org.clone(), Period::of(run.created_at));
        if error.code == FailureCode::Internal
            && let Some(count) = self.usage.get_mut(&month)
        {
            *count = count.saturating_sub(1);
        }
        self.tell_end(id, &org, now, facts);
    }

    fn reap(&mut self, rules: &QueueRules, now: DateTime<Utc>) -> Reaped {
        let (mut past_deadline, mut given_up) = (Vec::new(), Vec::new());
        for (id, job) in &self.jobs {
            let was_claimed = job.epoch > 0;
            let is_late = job.deadline_at.is_some_and(|deadline| deadline < now);
            if job.is_leased(now) && is_late {
                past_deadline.push(id.clone());
            } else if was_claimed && !job.is_leased(now) && !job.has_attempts_left(rules) {
                given_up.push(id.clone());
            }
        }
        for id in &past_deadline {
            self.fail(id, &RunError::past_deadline(), now);
        }
        for id in &given_up {
            self.fail(id, &RunError::internal(), now);
        }
        let count = |runs: Vec<RunId>| u64::try_from(runs.len()).unwrap_or(u64::MAX);
        Reaped {
            past_deadline: count(past_deadline),
            given_up: count(given_up),
        }
    }
}

/// A run as events name it.
fn named(run: &Run) -> RunNamed {
    RunNamed {
        id: run.id.clone(),
        site_id: run.site_id.clone(),
        url: run.url.clone(),
        trigger: run.trigger,
    }
}

impl JobQueue for MemoryStores {
    fn claim(
        &self,
        _worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Option<Claim>, StoreError> {
        Ok(self.open()?.claim(rules, now))
    }

    fn holds(&self, claim: &Claim) -> Result<Held, StoreError> {
        Ok(match self.open()?.held(claim) {
            Some(_) => Held::Yes,
            None => Held::Lost,
        })
    }

    fn heartbeat(
        &self,
        claim: &Claim,
        progress: &RunProgress,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        let mut state = self.open()?;
        let Some((run, job)) = state.held(claim) else {
            return Ok(Held::Lost);
        };
        job.lease_expires_at = Some(now + rules.lease);
        run.progress = *progress;
        Ok(Held::Yes)
    }

    fn write_occurrences(
        &self,
        claim: &Claim,
        batch: &[NewOccurrence],
    ) -> Result<Held, StoreError> {
        let mut state = self.open()?;
        if state.held(claim).is_none() {
            return Ok(Held::Lost);
        }
        state.forget_written(&claim.run_id, Some(claim.epoch));
        let rows = batch.iter().map(|new| {
            let key = OccurrenceKey {
                run: claim.run_id.clone(),
                epoch: claim.epoch,
                issue: new.issue,
                ordinal: new.ordinal,
            };
            (key, new.occurrence.clone())
        });
        state.occurrences.extend(rows);
        Ok(Held::Yes)
    }

    fn write_pages(&self, claim: &Claim, batch: &[NewPage]) -> Result<Held, StoreError> {
        let mut state = self.open()?;
        if state.held(claim).is_none() {
            return Ok(Held::Lost);
        }
        state.forget_written(&claim.run_id, Some(claim.epoch));
        let rows = batch.iter().map(|new| {
            let key = PageKey {
                run: claim.run_id.clone(),
                epoch: claim.epoch,
                position: new.position,
            };
            let visit = PageVisit {
                leads_to: None,
                ..new.visit.clone()
            };
            (key, visit)
        });
        state.pages.extend(rows);
        Ok(Held::Yes)
    }

    fn complete(
        &self,
        claim: &Claim,
        completed: &CompletedRun,
        ids: &dyn IdSource,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        self.open()?.complete(claim, completed, ids, now)
    }

    fn fail(
        &self,
        claim: &Claim,
        error: &RunError,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        let mut state = self.open()?;
        if state.held(claim).is_none() {
            return Ok(Held::Lost);
        }
        state.fail(&claim.run_id, error, now);
        Ok(Held::Yes)
    }

    fn hand_back(&self, claim: &Claim, _now: DateTime<Utc>) -> Result<Held, StoreError> {
        let mut state = self.open()?;
        let Some((_, job)) = state.held(claim) else {
            return Ok(Held::Lost);
        };
        job.lease_expires_at = None;
        job.attempts = job.attempts.saturating_sub(1);
        Ok(Held::Yes)
    }

    fn release_all(&self, _now: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut state = self.open()?;
        let leases = state.jobs.values_mut().map(|job| &mut job.lease_expires_at);
        let released = leases.filter_map(Option::take).count();
        Ok(u64::try_from(released).unwrap_or(u64::MAX))
    }

    fn reap(&self, rules: &QueueRules, now: DateTime<Utc>) -> Result<Reaped, StoreError> {
        Ok(self.open()?.reap(rules, now))
    }
}
