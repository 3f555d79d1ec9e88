//! One attempt of a worker at a run.

use std::ops::ControlFlow;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::artifacts::{ArtifactRules, ArtifactsStored, without_artifacts};
use super::complete_run::complete_run;
use crate::ports::{
    AuditEnd, AuditOrder, Auditor, Claim, Clock, HandBack, IdSource, JobQueue, LeaseStatus,
    QueueRules, StoreError,
};
use crate::render_allowance::RenderAllowance;
use crate::report::AuditResult;
use crate::run::{Crash, CrashVerdict, RunError, RunPhase, RunProgress};
use crate::score::DimensionWeights;
use crate::waiver::AuditWaivers;

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    /// The run has a report.
    Completed,
    /// The run has none, and says why.
    Failed,
    /// The run was given back, to be taken up by another worker.
    HandedBack,
    /// The run was taken over, cancelled or removed; nothing was written.
    Lost,
}

/// How often a worker gives a sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeartbeatConfig {
    /// The times of the queue.
    pub rules: QueueRules,
    /// At least so often.
    pub heartbeat: TimeDelta,
    /// So often the database is asked at most: to store progress where there is some to tell, else
    /// to look whether the claim still stands.
    pub progress: TimeDelta,
}

/// One attempt of a worker at a run.
#[derive(Clone, Copy)]
pub struct Attempt<'a> {
    /// The queue the run was claimed from.
    pub queue: &'a dyn JobQueue,
    /// The time.
    pub clock: &'a dyn Clock,
    /// New ids.
    pub ids: &'a dyn IdSource,
    /// What the dimensions count.
    pub weights: &'a DimensionWeights,
    /// How often it gives a sign of life.
    pub heartbeat: HeartbeatConfig,
    /// The claim.
    pub claim: &'a Claim,
    /// The waivers of the site, as they are when the attempt begins.
    pub waivers: &'a AuditWaivers,
    /// How the pictures of the run are stored; none if they are not.
    pub artifacts: Option<ArtifactRules<'a>>,
    /// How many pages a browser may show; `None` for no limit.
    pub rendering: Option<RenderAllowance>,
}

impl Attempt<'_> {
    /// Audits, giving signs of life. `interrupted` is asked with every beat and stops the audit.
    ///
    /// An audit stops by itself when its claim is lost, as it is when the run is cancelled, or when no sign of life got through for as
    /// long as the lease: another worker has the run by then.
    pub fn audit(&self, auditor: &dyn Auditor, interrupted: &dyn Fn() -> bool) -> AuditEnd {
        let now = self.clock.steady();
        let order = AuditOrder {
            url: self.claim.url.clone(),
            options: self.claim.options.clone(),
            waivers: self.waivers.clone(),
            rendering: self.rendering,
            // It was just claimed. The clock that the deadline was set by may be another.
            deadline: self.heartbeat.rules.deadline.to_std().unwrap_or_default(),
            // A run that may have ended a process is watched from another one.
            isolated: self.heartbeat.rules.isolated_runs
                || self.claim.alone
                || self.claim.crashes > 0,
        };
        let mut pulse = Heartbeat {
            last_success: now,
            last_try: None,
            last_look: now,
            reported: None,
        };
        auditor.audit(&order, &mut |progress| {
            if interrupted() {
                return ControlFlow::Break(());
            }
            pulse.beat(self, progress)
        })
    }

    /// Writes down how the audit ended. After an error it can be asked again: what was written
    /// before is not written twice.
    ///
    /// # Errors
    /// When the database fails.
    pub fn finish(&self, end: &AuditEnd) -> Result<AttemptEnd, StoreError> {
        let now = self.clock.now();
        let (held, done) = match end {
            AuditEnd::Result(result) => (self.complete_run(result)?, AttemptEnd::Completed),
            AuditEnd::Error(error) => {
                (self.queue.fail(self.claim, error, now)?, AttemptEnd::Failed)
            }
            AuditEnd::Stopped => self.hand_back(HandBack::Stopped, now)?,
            AuditEnd::NotStarted => self.hand_back(HandBack::Fault, now)?,
            AuditEnd::Crashed(crash) => self.evaluate_crash(*crash, now)?,
        };
        Ok(match held {
            LeaseStatus::Held => done,
            LeaseStatus::Lost => AttemptEnd::Lost,
        })
    }
}

impl Attempt<'_> {
    fn hand_back(
        &self,
        why: HandBack,
        now: DateTime<Utc>,
    ) -> Result<(LeaseStatus, AttemptEnd), StoreError> {
        let held = self.queue.hand_back(self.claim, why, now)?;
        Ok((held, AttemptEnd::HandedBack))
    }

    /// Charges a crash to the run, or has it tried again alone.
    fn evaluate_crash(
        &self,
        crash: Crash,
        now: DateTime<Utc>,
    ) -> Result<(LeaseStatus, AttemptEnd), StoreError> {
        match crash.verdict(self.claim.alone, self.claim.crashes) {
            CrashVerdict::Suspect => self.hand_back(HandBack::Suspected, now),
            CrashVerdict::Charge => self.hand_back(HandBack::Crashed, now),
            CrashVerdict::End => {
                let error = RunError::resource_limit();
                let held = self.queue.fail(self.claim, &error, now)?;
                Ok((held, AttemptEnd::Failed))
            }
        }
    }

    /// Completes the run, with a sign of life at the beginning and whenever one is due. A run whose pictures cannot be
    /// stored completes without them.
    fn complete_run(&self, result: &AuditResult) -> Result<LeaseStatus, StoreError> {
        let progress = result.coverage.progress(RunPhase::Scoring, 99);
        let mut last = None;
        let mut alive = || {
            let steady = self.clock.steady();
            if last.is_some_and(|last| is_within(self.heartbeat.heartbeat, last, steady)) {
                return Ok(LeaseStatus::Held);
            }
            last = Some(steady);
            let now = self.clock.now();
            self.queue
                .heartbeat(self.claim, &progress, &self.heartbeat.rules, now)
        };
        let bare = match self.store_artifacts(result, &mut alive)? {
            ArtifactsStored::All => None,
            ArtifactsStored::None => Some(without_artifacts(result)),
            ArtifactsStored::Lost => return Ok(LeaseStatus::Lost),
        };
        complete_run(
            self.queue,
            self.clock,
            self.ids,
            self.weights,
            self.claim,
            bare.as_ref().unwrap_or(result),
            &mut alive,
        )
    }

    fn store_artifacts(
        &self,
        result: &AuditResult,
        alive: &mut dyn FnMut() -> Result<LeaseStatus, StoreError>,
    ) -> Result<ArtifactsStored, StoreError> {
        if result.artifacts.is_empty() {
            return Ok(ArtifactsStored::All);
        }
        let Some(rules) = self.artifacts else {
            return Ok(ArtifactsStored::None);
        };
        rules.store(self.clock, self.claim, &result.artifacts, alive)
    }
}

/// Whether less than a span has passed since then.
fn is_within(span: TimeDelta, then: Duration, now: Duration) -> bool {
    now.saturating_sub(then) < span.to_std().unwrap_or_default()
}

/// The signs of life of one attempt, at times of [`Clock::steady`].
struct Heartbeat {
    last_success: Duration,
    /// None before the first, which is reported at once: the run is no longer queued.
    last_try: Option<Duration>,
    /// When the database was asked last whether the claim stands.
    last_look: Duration,
    reported: Option<RunProgress>,
}

impl Heartbeat {
    fn beat(&mut self, attempt: &Attempt<'_>, progress: &RunProgress) -> ControlFlow<()> {
        let heartbeat = &attempt.heartbeat;
        let now = attempt.clock.steady();
        let news = self.reported.as_ref() != Some(progress);
        let rest = if news {
            heartbeat.progress
        } else {
            heartbeat.heartbeat
        };
        if self.last_try.is_some_and(|last| is_within(rest, last, now)) {
            return self.look(attempt, now);
        }
        self.last_try = Some(now);
        self.last_look = now;
        let shown = attempt.clock.now();
        match attempt
            .queue
            .heartbeat(attempt.claim, progress, &heartbeat.rules, shown)
        {
            Ok(LeaseStatus::Held) => {
                self.last_success = now;
                self.reported = Some(*progress);
                ControlFlow::Continue(())
            }
            Ok(LeaseStatus::Lost) => ControlFlow::Break(()),
            Err(_) if is_within(heartbeat.rules.lease, self.last_success, now) => {
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Looks whether the run was cancelled meanwhile, or taken over.
    ///
    /// A look is one row read by its index. A heartbeat each second would tell the same, but it is a
    /// transaction that is synchronized to disk, and on SQLite one that others wait for.
    fn look(&mut self, attempt: &Attempt<'_>, now: Duration) -> ControlFlow<()> {
        if is_within(attempt.heartbeat.progress, self.last_look, now) {
            return ControlFlow::Continue(());
        }
        self.last_look = now;
        match attempt.queue.holds(attempt.claim) {
            Ok(LeaseStatus::Lost) => ControlFlow::Break(()),
            // How long the database may be away is judged by the heartbeats.
            Ok(LeaseStatus::Held) | Err(_) => ControlFlow::Continue(()),
        }
    }
}
