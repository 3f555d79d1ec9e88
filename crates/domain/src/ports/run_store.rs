//! Where runs begin and are looked up.

use chrono::{DateTime, Utc};
use url::Url;

use super::StoreError;
use crate::id::{OrgId, RunId, SiteId};
use crate::idempotency::{Idempotent, IdempotentWrite, KeyReused};
use crate::plan::{LimitHit, PlanLimits};
use crate::run::{Run, RunCursor, RunFilter, RunOptions, RunStatus, Trigger};
use crate::site::SiteHost;

/// The site that is created when the organization has none of its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSite {
    /// Its id.
    pub id: SiteId,
    /// Its host.
    pub host: SiteHost,
    /// The address of its root.
    pub url: String,
    /// Its name.
    pub name: String,
}

impl NewSite {
    /// The site that begins at the root of a URL, named by its host.
    #[must_use]
    pub fn at(url: &Url, host: SiteHost, id: SiteId) -> Self {
        let mut root = url.clone();
        root.set_path("/");
        root.set_query(None);
        root.set_fragment(None);
        Self {
            id,
            url: root.into(),
            name: host.to_string(),
            host,
        }
    }
}

/// A run to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    /// Its id.
    pub id: RunId,
    /// The start URL, which went through the URL gate.
    pub url: String,
    /// The site to attach it to; none for the organization's site of the URL's host.
    pub site_id: Option<SiteId>,
    /// The site to create where there is none. Its host is that of the URL.
    pub new_site: NewSite,
    /// What starts it.
    pub trigger: Trigger,
    /// How to audit.
    pub options: RunOptions,
    /// The caps of the organization's plan.
    pub limits: PlanLimits,
    /// When it is started.
    pub now: DateTime<Utc>,
}

/// A run that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedRun {
    /// Its id.
    pub run_id: RunId,
    /// Its site, found or created.
    pub site_id: SiteId,
}

/// A page of a list of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPage {
    /// The runs, newest first.
    pub runs: Vec<Run>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<RunCursor>,
}

/// What came of cancelling a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cancellation {
    /// It had not ended, and is cancelled.
    Done(Run),
    /// It was cancelled before; nothing is changed.
    Before(Run),
    /// It had ended in this state, which is another; nothing is changed.
    TooLate(RunStatus),
}

impl Cancellation {
    /// The cancelled run.
    ///
    /// # Errors
    /// When there is no such run, or it had ended in another state.
    pub fn accepted(found: Option<Self>) -> Result<Self, CancelRunError> {
        match found {
            None => Err(CancelRunError::NotFound),
            Some(Self::TooLate(ended)) => Err(CancelRunError::Ended(ended)),
            Some(cancelled) => Ok(cancelled),
        }
    }
}

/// Why a run was not cancelled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CancelRunError {
    /// The organization has no such run.
    #[error("the organization has no such run")]
    NotFound,
    /// It had ended in another state.
    #[error("the run has already ended as `{}` and cannot be cancelled", .0.as_str())]
    Ended(RunStatus),
    /// The Idempotency-Key was used for another call.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a run was not started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartRunError {
    /// The organization has no such site.
    #[error("the organization has no such site")]
    SiteNotFound,
    /// The URL is not on the host of the site it should be attached to.
    #[error("the site's host is {host}")]
    OtherHost {
        /// The site's host.
        host: SiteHost,
    },
    /// A cap of the plan is reached.
    #[error(transparent)]
    LimitHit(#[from] LimitHit),
    /// The Idempotency-Key was used for another call.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where runs begin and are looked up.
///
/// The values of a run's headers are stored encrypted and erased when the run ends, however it does.
/// A run that is looked up has their names, each with the value [`HIDDEN`]; a claim has the values.
///
/// [`HIDDEN`]: crate::run::HIDDEN
pub trait RunStore: Send + Sync {
    /// Starts a run in one transaction: the site is found or created, the caps are judged by
    /// [`PlanLimits::check`], the run and its job are inserted, the month's usage is counted. Of
    /// calls in parallel at a cap exactly the allowed number succeeds.
    ///
    /// # Errors
    /// [`StartRunError`] says why not; nothing is changed then.
    fn start_run(&self, org: &OrgId, run: &NewRun) -> Result<StartedRun, StartRunError>;

    /// Starts a run as [`RunStore::start_run`] does, unless that was done before by the same call.
    /// What was stored of an earlier call is judged first, also where that call's key is used for
    /// another one. The answer is stored in the transaction; a call that is refused stores none.
    ///
    /// # Errors
    /// As [`RunStore::start_run`], and [`StartRunError::KeyReused`].
    fn start_run_once(
        &self,
        org: &OrgId,
        run: &NewRun,
        once: &IdempotentWrite<'_, StartedRun>,
    ) -> Result<Idempotent<StartedRun>, StartRunError>;

    /// One run.
    ///
    /// # Errors
    /// When the database fails.
    fn run(&self, org: &OrgId, run: &RunId) -> Result<Option<Run>, StoreError>;

    /// The runs that a filter shows, newest first, at most `limit`, from behind a cursor on. None
    /// where the organization has no site of the filter's id.
    ///
    /// # Errors
    /// When the database fails.
    fn runs(
        &self,
        org: &OrgId,
        filter: &RunFilter,
        after: Option<&RunCursor>,
        limit: u32,
    ) -> Result<Option<RunPage>, StoreError>;

    /// Cancels a run in one transaction: the run ends, its job and its occurrences are removed. A
    /// worker that has it loses it with its next write. The run still counts in the usage of the
    /// month it was started in. None where there is no such run.
    ///
    /// Of a cancellation and another end at once exactly one takes place.
    ///
    /// # Errors
    /// When the database fails; the run is then as before.
    fn cancel_run(
        &self,
        org: &OrgId,
        run: &RunId,
        now: DateTime<Utc>,
    ) -> Result<Option<Cancellation>, StoreError>;

    /// Cancels a run as [`RunStore::cancel_run`] does, unless the same call was made before. `once` makes the response
    /// to store; [`Cancellation::TooLate`] is an error here.
    ///
    /// # Errors
    /// When there is no such run, it had ended in another state, the key was used for another call, or the database
    /// fails. Nothing is stored then.
    fn cancel_run_once(
        &self,
        org: &OrgId,
        run: &RunId,
        now: DateTime<Utc>,
        once: &IdempotentWrite<'_, Cancellation>,
    ) -> Result<Idempotent<Cancellation>, CancelRunError>;
}
