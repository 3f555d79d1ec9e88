//! The queue of runs: jobs of [`JobKind::Run`](super::JobKind::Run), with what is special about them. They
//! have a deadline, organizations and hosts share them fairly, and a run that may have ended a process is
//! tried again alone.

use chrono::{DateTime, TimeDelta, Utc};

use super::{IdSource, LeaseStatus, StoreError, WorkerId};
use crate::action::RunCoverage;
use crate::id::{IssueId, OrgId, ReportId, RunId, SiteId};
use crate::plan::Plans;
use crate::render_allowance::RenderAllowance;
use crate::report::{
    Folder, IssueCause, LinkCounts, LinkTarget, Occurrence, PageSort, PageVisit, RedirectChain,
    ReportPair,
};
use crate::run::{RunError, RunOptions, RunProgress};

/// The times and bounds of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueRules {
    /// How long a claim stands without a heartbeat.
    pub lease: TimeDelta,
    /// How long one attempt at a run may take.
    pub deadline: TimeDelta,
    /// How often a run is attempted that fails through faults of ours ([`HandBack::Fault`]); after that
    /// it fails with `internal`.
    pub max_attempts: u32,
    /// Runs of one organization under way at once, in all processes together; none is no bound.
    pub runs_per_organization: Option<u32>,
    /// Whether each run is audited in a process of its own. Then runs do not share limits for a host, and
    /// a host is audited by one run at a time; else the runs of one process share its limits, and only
    /// other processes leave the host alone.
    pub isolated_runs: bool,
    /// Which runs the process takes.
    pub modes: RunModes,
}

/// Which runs a process takes, by their mode. It leaves the others to processes that have a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunModes {
    /// All.
    #[default]
    All,
    /// Those that can be audited without a browser: in `auto` and `static` mode.
    NotRendered,
    /// Those in `static` mode.
    Static,
}

impl QueueRules {
    /// A lease of 30 seconds, a deadline of ten minutes, three attempts, no bound for organizations, runs in all modes.
    pub const DEFAULT: Self = Self {
        lease: TimeDelta::seconds(30),
        deadline: TimeDelta::minutes(10),
        max_attempts: 3,
        runs_per_organization: None,
        isolated_runs: false,
        modes: RunModes::All,
    };
}

/// A run that a worker may work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The run.
    pub run_id: RunId,
    /// Whose run it is.
    pub org_id: OrgId,
    /// Its site.
    pub site_id: SiteId,
    /// The start URL.
    pub url: String,
    /// How to audit.
    pub options: RunOptions,
    /// The number of this claim; every write must match it.
    pub epoch: u32,
    /// Which attempt this is, from 1. Only those count that ended with [`HandBack::Fault`].
    pub attempt: u32,
    /// Whether the run is a suspect: its process has no other run while it is held.
    pub alone: bool,
    /// Crashes that are charged to the run ([`HandBack::Crashed`]).
    pub crashes: u32,
    /// When this attempt must have ended.
    pub deadline_at: DateTime<Utc>,
}

/// Why a run is handed back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandBack {
    /// The worker was told to stop. That costs the run nothing.
    Stopped,
    /// A fault of ours ended the attempt. It costs one of [`QueueRules::max_attempts`].
    Fault,
    /// The process that audited the run was killed, perhaps through another run. The run becomes a
    /// suspect.
    Suspected,
    /// The process that audited the run crashed, and the run is charged with it.
    Crashed,
}

/// A cause to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCause {
    /// Its place among all causes of the current report of [`CompletedRun::reports`], from 0: those
    /// of the first issue in their order, then those of the next.
    pub position: u32,
    /// The place of its issue in that report, from 0.
    pub issue: u32,
    /// Its place among the causes of its issue, from 0.
    pub ordinal: u32,
    /// The cause itself; its occurrences are written by [`JobQueue::write_occurrences`].
    pub cause: IssueCause,
    /// Its score impact in the legacy report; none where its issue is no part of that.
    pub score_impact_legacy: Option<f64>,
}

/// An occurrence to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOccurrence {
    /// The place of its cause, as [`NewCause::position`] has it.
    pub cause: u32,
    /// The occurrence's place in its cause, from 0.
    pub ordinal: u32,
    /// The occurrence itself.
    pub occurrence: Occurrence,
}

/// A page to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    /// Its place in the list of the report, from 0.
    pub position: u32,
    /// What became of it. Where its redirects lead is not stored.
    pub visit: PageVisit,
}

/// A part of an order of the pages, to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPageOrder {
    /// What they are sorted by.
    pub sort: PageSort,
    /// Which part of the order this is, from 0. All but the last have [`PAGE_ORDER_PART`] pages.
    pub part: u32,
    /// How many pages of the whole order have a value.
    pub known: u32,
    /// The places of the pages, as [`NewPage::position`] has them.
    pub positions: Vec<u32>,
}

/// Pages of one part of an order.
pub const PAGE_ORDER_PART: usize = 500;

/// A link target to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLink {
    /// Its place in the list of the report, from 0.
    pub position: u32,
    /// The target itself.
    pub target: LinkTarget,
}

/// A redirect chain to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRedirect {
    /// Its place in the list of the report, from 0.
    pub position: u32,
    /// The chain itself.
    pub chain: RedirectChain,
}

/// What a completed run brought.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletedRun {
    /// The id of the report.
    pub report_id: ReportId,
    /// The report. Its causes and occurrences were written by [`JobQueue::write_causes`] and
    /// [`JobQueue::write_occurrences`] before and are not written again.
    pub reports: ReportPair,
    /// One id for each issue of `reports.current`, in its order.
    pub issue_ids: Vec<IssueId>,
    /// What it looked at; for the action items.
    pub coverage: RunCoverage,
    /// How many link targets and redirect chains it found.
    pub links: LinkCounts,
    /// How far the run came in the end.
    pub progress: RunProgress,
}

/// What [`JobQueue::reap`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reaped {
    /// Runs that failed with `deadline_exceeded`.
    pub past_deadline: u64,
    /// Runs that failed with `internal`: after their last attempt, or interrupted too often.
    pub given_up: u64,
}

/// What [`JobQueue::reserve_rendering`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderReservation {
    /// The run may have so many pages shown in a browser; `None` for no limit.
    Reserved(Option<RenderAllowance>),
    /// The claim is lost; nothing was written.
    Lost,
}

/// The queue of runs.
///
/// The times given to it are what runs are shown with. What leases and deadlines are judged by may be
/// another clock, that of the database: then the clocks of the processes may differ and jump.
pub trait JobQueue: Send + Sync {
    /// Claims a run: a queued one, or one whose lease has run out and that has attempts left. It
    /// becomes `running`; its first claim sets when it started. No run is claimed twice at the same
    /// epoch, however many ask at once.
    ///
    /// A run whose lease ran out, or that [`JobQueue::release_all`] gave back, is a suspect until it
    /// ends. Suspects come first, those interrupted least before the others. A suspect is claimed only
    /// by a process that holds no other run, and only while no process holds another suspect; its
    /// process claims nothing until it ends. While a suspect waits, one process (of those that hold
    /// runs, the first by name) claims no other run, so that it comes free.
    ///
    /// Organizations take turns: the next run is one of the organization whose last claim is longest
    /// ago, and of its runs the one that has waited longest. Passed over are organizations that have
    /// as many runs under way as [`QueueRules::runs_per_organization`] allows, and runs of hosts that
    /// another process is just auditing.
    ///
    /// # Errors
    /// When the database fails.
    fn claim(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Option<Claim>, StoreError>;

    /// Tells whether [`JobQueue::claim`] would find a run, without a write.
    ///
    /// # Errors
    /// When the database fails.
    fn has_work(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Whether a claim is held, without a write.
    ///
    /// # Errors
    /// When the database fails.
    fn holds(&self, claim: &Claim) -> Result<LeaseStatus, StoreError>;

    /// Renews the lease and stores the progress.
    ///
    /// # Errors
    /// When the database fails.
    fn heartbeat(
        &self,
        claim: &Claim,
        progress: &RunProgress,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Reserves rendered pages for a run, of those that its organization's plan allows, instead of those that it reserved in
    /// an earlier attempt. They count as used until the run ends; then the pages count that a browser really showed, in the
    /// month in which the run was started, as [`Usage::monthly_rendered_pages`] says.
    ///
    /// [`Usage::monthly_rendered_pages`]: crate::plan::Usage::monthly_rendered_pages
    ///
    /// # Errors
    /// When the database fails, or the configuration has no plan of that name.
    fn reserve_rendering(
        &self,
        claim: &Claim,
        plans: &Plans,
    ) -> Result<RenderReservation, StoreError>;

    /// Stores causes under run and epoch, unseen until the run completes. Causes of earlier epochs of
    /// this run are removed.
    ///
    /// # Errors
    /// When the database fails.
    fn write_causes(&self, claim: &Claim, batch: &[NewCause]) -> Result<LeaseStatus, StoreError>;

    /// Stores occurrences under run and epoch, unseen until the run completes. Occurrences of
    /// earlier epochs of this run are removed.
    ///
    /// # Errors
    /// When the database fails.
    fn write_occurrences(
        &self,
        claim: &Claim,
        batch: &[NewOccurrence],
    ) -> Result<LeaseStatus, StoreError>;

    /// Stores pages under run and epoch, unseen until the run completes. Pages of earlier epochs of
    /// this run are removed.
    ///
    /// # Errors
    /// When the database fails.
    fn write_pages(&self, claim: &Claim, batch: &[NewPage]) -> Result<LeaseStatus, StoreError>;

    /// Stores orders of the pages under run and epoch. Without them a list is sorted when it is read.
    ///
    /// # Errors
    /// When the database fails.
    fn write_page_orders(
        &self,
        claim: &Claim,
        batch: &[NewPageOrder],
    ) -> Result<LeaseStatus, StoreError>;

    /// Stores link targets under run and epoch, unseen until the run completes. Those of earlier epochs of this run
    /// are removed.
    ///
    /// # Errors
    /// When the database fails.
    fn write_links(&self, claim: &Claim, batch: &[NewLink]) -> Result<LeaseStatus, StoreError>;

    /// Stores redirect chains under run and epoch, as [`JobQueue::write_links`] does.
    ///
    /// # Errors
    /// When the database fails.
    fn write_redirects(
        &self,
        claim: &Claim,
        batch: &[NewRedirect],
    ) -> Result<LeaseStatus, StoreError>;

    /// Stores all folders of the site under run and epoch, as [`JobQueue::write_links`] does.
    ///
    /// # Errors
    /// When the database fails.
    fn write_folders(&self, claim: &Claim, all: &[Folder]) -> Result<LeaseStatus, StoreError>;

    /// Completes a run in one transaction: report, issues, the state of issues and causes against the
    /// site's report before, action items reconciled as [`ActionStore`] says, run, end of the job. `ids` are for new items and their comments.
    ///
    /// [`ActionStore`]: super::ActionStore
    ///
    /// # Errors
    /// When the database fails; the run is then as before.
    fn complete(
        &self,
        claim: &Claim,
        completed: &CompletedRun,
        ids: &dyn IdSource,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Ends a run without a report, and removes its causes, occurrences, pages and links. A run that fails with `internal`
    /// is taken out of the usage of the month it was started in.
    ///
    /// # Errors
    /// When the database fails; the run is then as before.
    fn fail(
        &self,
        claim: &Claim,
        error: &RunError,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Gives a run back, to be claimed by anyone at once. It stays `running`.
    ///
    /// # Errors
    /// When the database fails.
    fn hand_back(
        &self,
        claim: &Claim,
        why: HandBack,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Gives back the runs of all workers as suspects: for the process that starts and knows that it
    /// is alone on the database. Answers how many there were.
    ///
    /// # Errors
    /// When the database fails.
    fn release_all(&self, now: DateTime<Utc>) -> Result<u64, StoreError>;

    /// Ends what can no longer end by itself: runs past their deadline, and runs that nobody holds
    /// after their last attempt, or that were interrupted too often
    /// ([`has_been_interrupted_enough`](crate::run::has_been_interrupted_enough)).
    ///
    /// # Errors
    /// When the database fails.
    fn reap(&self, rules: &QueueRules, now: DateTime<Utc>) -> Result<Reaped, StoreError>;
}
