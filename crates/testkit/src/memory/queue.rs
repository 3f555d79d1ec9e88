//! The queue of runs.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::FailureCode;
use domain::action::RunFacts;
use domain::event::{EventFacts, RunNamed};
use domain::id::{OrgId, RunId};
use domain::plan::Period;
use domain::ports::{
    Claim, CompletedRun, HandBack, Held, IdSource, JobQueue, NewCause, NewOccurrence, NewPage,
    QueueRules, Reaped, StoreError, WorkerId,
};
use domain::report::{IssueCause, PageVisit};
use domain::run::{Run, RunError, RunProgress, RunState, has_been_interrupted_enough};

use super::MemoryStores;
use super::state::{CauseKey, KeptCause, KeptReport, OccurrenceKey, PageKey, State};

/// What the queue knows of a run that has not ended.
#[derive(Debug)]
pub(super) struct Job {
    queued_at: DateTime<Utc>,
    epoch: u32,
    attempts: u32,
    /// None while nobody holds the run.
    lease_expires_at: Option<DateTime<Utc>>,
    deadline_at: Option<DateTime<Utc>>,
    host: String,
    /// The process that holds the run, or held it last.
    process: Option<String>,
    suspect: bool,
    crashes: u32,
    interruptions: u32,
}

impl Job {
    pub(super) fn new(queued_at: DateTime<Utc>, host: &str) -> Self {
        Self {
            host: host.to_owned(),
            process: None,
            queued_at,
            epoch: 0,
            attempts: 0,
            lease_expires_at: None,
            deadline_at: None,
            suspect: false,
            crashes: 0,
            interruptions: 0,
        }
    }

    /// Whether somebody has the run, or had it when last seen.
    pub(super) const fn is_held(&self) -> bool {
        self.lease_expires_at.is_some()
    }

    pub(super) const fn queued_at(&self) -> DateTime<Utc> {
        self.queued_at
    }

    fn is_leased(&self, now: DateTime<Utc>) -> bool {
        self.lease_expires_at.is_some_and(|expiry| now < expiry)
    }

    fn has_attempts_left(&self, rules: &QueueRules) -> bool {
        self.attempts < rules.max_attempts
    }

    /// Whether it was under way when its process died, or when its lease ran out.
    const fn is_suspect(&self) -> bool {
        self.suspect || self.is_held()
    }
}

/// Which runs a process may claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offer {
    Nothing,
    Suspects,
    Others,
}

impl State {
    /// The run that a worker would claim.
    fn next_run(&self, worker: &WorkerId, rules: &QueueRules, now: DateTime<Utc>) -> Option<RunId> {
        let waiting = self.waiting(worker, rules, now);
        let last_claim = |org: &OrgId| self.claims.iter().rposition(|claimed| claimed == org);
        let (suspects, others): (Vec<_>, Vec<_>) =
            (waiting.into_iter()).partition(|(_, job, _)| job.is_suspect());
        let found = match self.offer(worker, !suspects.is_empty(), now) {
            Offer::Nothing => None,
            Offer::Suspects => suspects
                .into_iter()
                .min_by_key(|(id, job, _)| (job.interruptions, job.queued_at, *id)),
            Offer::Others => others
                .into_iter()
                .min_by_key(|(id, job, org)| (last_claim(org), job.queued_at, *id)),
        };
        found.map(|(id, ..)| id.clone())
    }

    fn offer(&self, worker: &WorkerId, any_suspect: bool, now: DateTime<Utc>) -> Offer {
        let held: Vec<&Job> = self
            .jobs
            .values()
            .filter(|job| job.is_leased(now))
            .collect();
        let own = Some(worker.process());
        let is_own = |job: &&&Job| job.process.as_deref() == own;
        if held.iter().filter(is_own).any(|job| job.suspect) {
            return Offer::Nothing;
        }
        if !any_suspect || held.iter().any(|job| job.suspect) {
            return Offer::Others;
        }
        if !held.iter().any(|job| is_own(&job)) {
            return Offer::Suspects;
        }
        let first = held.iter().filter_map(|job| job.process.as_deref()).min();
        if first == own {
            Offer::Nothing
        } else {
            Offer::Others
        }
    }

    /// Whether a run was interrupted too often.
    fn is_given_up(&self, id: &RunId, job: &Job, now: DateTime<Utc>) -> bool {
        let started = self.runs.get(id).and_then(|run| run.state.started_at());
        started.is_some_and(|started| has_been_interrupted_enough(job.interruptions, started, now))
    }

    /// Runs that a worker could claim, with their organizations.
    fn waiting(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Vec<(&RunId, &Job, &OrgId)> {
        let mut under_way: BTreeMap<&OrgId, u32> = BTreeMap::new();
        let mut elsewhere = Vec::new();
        for (id, job) in self.jobs.iter().filter(|(_, job)| job.is_leased(now)) {
            if let Some(run) = self.runs.get(id) {
                *under_way.entry(&run.org_id).or_default() += 1;
            }
            if rules.isolated_runs || job.process.as_deref() != Some(worker.process()) {
                elsewhere.push(job.host.as_str());
            }
        }
        let is_free = |org: &OrgId| {
            let most = rules.runs_per_organization.unwrap_or(u32::MAX);
            under_way.get(org).is_none_or(|runs| *runs < most)
        };
        self.jobs
            .iter()
            .filter(|(_, job)| !job.is_leased(now) && job.has_attempts_left(rules))
            .filter(|(id, job)| !self.is_given_up(id, job, now))
            .filter(|(_, job)| !elsewhere.contains(&job.host.as_str()))
            .filter_map(|(id, job)| Some((id, job, &self.runs.get(id)?.org_id)))
            .filter(|(_, _, org)| is_free(org))
            .collect()
    }

    fn claim(
        &mut self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Option<Claim> {
        let id = self.next_run(worker, rules, now)?;
        let run = self.runs.get_mut(&id)?;
        let job = self.jobs.get_mut(&id)?;
        self.claims.push(run.org_id.clone());
        job.process = Some(worker.process().to_owned());
        let deadline_at = now + rules.deadline;
        job.epoch += 1;
        job.suspect = job.is_suspect();
        job.interruptions += u32::from(job.is_held());
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
            attempt: job.attempts + 1,
            alone: job.suspect,
            crashes: job.crashes,
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
        let states = self.compare_with_earlier(claim, completed);
        let kept = KeptReport {
            states,
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
            } else if was_claimed
                && !job.is_leased(now)
                && (!job.has_attempts_left(rules) || self.is_given_up(id, job, now))
            {
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
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Option<Claim>, StoreError> {
        Ok(self.open()?.claim(worker, rules, now))
    }

    fn has_work(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self.open()?.next_run(worker, rules, now).is_some())
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

    fn write_causes(&self, claim: &Claim, batch: &[NewCause]) -> Result<Held, StoreError> {
        let mut state = self.open()?;
        if state.held(claim).is_none() {
            return Ok(Held::Lost);
        }
        state.forget_written(&claim.run_id, Some(claim.epoch));
        for new in batch {
            let key = CauseKey {
                run: claim.run_id.clone(),
                epoch: claim.epoch,
                position: new.position,
            };
            state.causes.entry(key).or_insert_with(|| KeptCause {
                issue: new.issue,
                cause: IssueCause {
                    state: None,
                    occurrences: Vec::new(),
                    ..new.cause.clone()
                },
                score_impact_legacy: new.score_impact_legacy,
            });
        }
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
                cause: new.cause,
                ordinal: new.ordinal,
            };
            (key, new.occurrence.clone())
        });
        for (key, occurrence) in rows {
            state.occurrences.entry(key).or_insert(occurrence);
        }
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
        for (key, visit) in rows {
            state.pages.entry(key).or_insert(visit);
        }
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

    fn hand_back(
        &self,
        claim: &Claim,
        why: HandBack,
        _now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        let mut state = self.open()?;
        let Some((_, job)) = state.held(claim) else {
            return Ok(Held::Lost);
        };
        job.lease_expires_at = None;
        match why {
            HandBack::Stopped => {}
            HandBack::Fault => job.attempts += 1,
            HandBack::Crashed => job.crashes += 1,
            HandBack::Suspected => {
                job.suspect = true;
                job.interruptions += 1;
            }
        }
        Ok(Held::Yes)
    }

    fn release_all(&self, _now: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut state = self.open()?;
        let mut released = 0;
        for job in state.jobs.values_mut().filter(|job| job.is_held()) {
            job.lease_expires_at = None;
            job.suspect = true;
            job.interruptions += 1;
            released += 1;
        }
        Ok(released)
    }

    fn reap(&self, rules: &QueueRules, now: DateTime<Utc>) -> Result<Reaped, StoreError> {
        Ok(self.open()?.reap(rules, now))
    }
}
