//! The background tasks of a process.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use audit_engine::egress::{GuardedFetcher, Limiter};
use chrono::TimeDelta;
use cli::EngineCatalogue;
use domain::plan::SharedPlans;
use domain::ports::{Clock, IdSource, ObjectStore, RunModes, Stores};
use domain::run::OptionBounds;
use domain::target::AllowTargets;
use domain::usecase::HeartbeatConfig;
use storage::Database;
use tokio::runtime::Handle;

use crate::clock::{CautiousClock, ClockChange};
use crate::config::{BrowserRuns, Service, Settings};
use crate::jobs::WorkerContext;
use crate::jobs::audit::{
    AuditJob, ChildAuditor, CrawlOptions, EngineAuditor, Isolation, PictureStore, RunAuditor,
    RunBrowser, egress_options,
};
use crate::jobs::backup::BackupTask;
use crate::jobs::brief::BriefJob;
use crate::jobs::delivery::{Hosts, WebhookDispatcher};
use crate::jobs::listener::QueueListener;
use crate::jobs::retention::RetentionJob;
use crate::jobs::scheduled_start::ScheduledStartJob;
use crate::jobs::time_repair::TimeRepair;
use crate::objects;
use crate::operate::WORK_FOLDER;
use crate::signal::Signal;
use crate::sources::{SystemClock, SystemIds};
use crate::worker_pool::WorkerPool;

/// The user agent of webhook deliveries.
const USER_AGENT: &str = concat!("Assay-Webhooks/", env!("CARGO_PKG_VERSION"));
/// Minimum interval between two updates of a run's stored progress.
const PROGRESS: TimeDelta = TimeDelta::seconds(1);

/// The settings and dependencies of background tasks.
pub(super) struct BackgroundTasks<'a> {
    pub(super) settings: &'a Settings,
    pub(super) database: &'a Database,
    pub(super) plans: &'a SharedPlans,
    pub(super) ids: &'a Arc<SystemIds>,
    /// The runtime of audits and deliveries.
    pub(super) engine: &'a Handle,
    /// Allowed targets in addition to public ones.
    pub(super) allow: AllowTargets,
    /// The browser of runs.
    pub(super) browser: Option<RunBrowser>,
    /// The pictures of runs.
    pub(super) pictures: Arc<dyn ObjectStore>,
}

/// Running background tasks.
pub(super) struct Started {
    /// Wakes them, and tells them to stop.
    pub(super) signal: Arc<Signal>,
    /// The unique name of their process among all processes on the database.
    pub(super) process: String,
    /// Their threads.
    pub(super) pool: WorkerPool,
}

impl BackgroundTasks<'_> {
    /// Starts the threads of a process with `audits` audit threads. A process without audit threads still runs
    /// every other kind of job, and the reaper.
    pub(super) fn start(self, audits: usize) -> Result<Started> {
        let signal = Arc::new(Signal::default());
        let stores: Arc<dyn Stores> = Arc::new(self.database.clone());
        let context = WorkerContext {
            process: self.ids.ulid(),
            stores,
            clock: Arc::new(SystemClock),
            ids: self.ids.clone(),
            signal: Arc::clone(&signal),
        };
        if self.database.is_sqlite() {
            release(&context)?;
        }
        let mut pool = WorkerPool::new(Arc::clone(&signal));
        self.spawn(&context, &mut pool, audits)
            .context("the background tasks could not be started")?;
        Ok(Started {
            signal,
            process: context.process,
            pool,
        })
    }

    fn spawn(&self, context: &WorkerContext, pool: &mut WorkerPool, audits: usize) -> Result<()> {
        let service = &self.settings.service;
        // One limiter for all requests of the process, audits and deliveries.
        let limiter = Arc::<Limiter>::default();
        let audit = Arc::new(self.audit_job(context, &limiter)?);
        audit.spawn(pool, audits, service.reaper)?;
        self.dispatcher(context, limiter)?.spawn(pool)?;
        pool.spawn_job(
            context,
            BriefJob {
                checks: Arc::new(EngineCatalogue),
            },
        )?;
        pool.spawn_job(
            context,
            ScheduledStartJob {
                plans: self.plans.clone(),
                allow: self.allow.clone(),
                bounds: bounds(service, self.browser.as_ref()),
                default_max_pages: self.settings.audit.max_pages.min(service.max_pages_limit),
                variant: self.settings.audit.variant,
            },
        )?;
        let sweep_every = TimeDelta::from_std(service.sweep_every)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        pool.spawn_job(
            context,
            RetentionJob {
                cautious: Arc::new(CautiousClock::new(
                    clock,
                    self.database.last_sign_of_life()?,
                )),
                plans: self.plans.clone(),
                pictures: Arc::clone(&self.pictures),
                retention: service.retention,
                every: sweep_every,
            },
        )?;
        self.spawn_backups(context, pool)?;
        let mut repair = TimeRepair {
            context: context.clone(),
            delays: service.webhook_delays.clone(),
            sweep_every,
            clock_change: ClockChange::default(),
        };
        pool.spawn("clock", move || repair.step())?;
        let mut listener = QueueListener {
            context: context.clone(),
            database: self.database.clone(),
            rules: (audits > 0)
                .then(|| -> Box<dyn Fn() -> _ + Send> { Box::new(move || audit.rules()) }),
            wake_ups: None,
        };
        pool.spawn("listener", move || listener.step())?;
        Ok(())
    }

    fn spawn_backups(&self, context: &WorkerContext, pool: &mut WorkerPool) -> Result<()> {
        let service = &self.settings.service;
        let Some(settings) = &service.backup else {
            return Ok(());
        };
        if self.database.is_sqlite() {
            self.database.release_any_backup()?;
        }
        let task = BackupTask {
            database: self.database.clone(),
            store: objects::open(&settings.to, service.s3.as_ref(), objects::Purpose::Backups)?,
            settings: settings.clone(),
            work_folder: service.data_dir.join(WORK_FOLDER),
            worker: context.worker("backup"),
            clock: Arc::clone(&context.clock),
            signal: Arc::clone(&context.signal),
        };
        pool.spawn("backup", move || task.step())?;
        Ok(())
    }

    fn audit_job(&self, context: &WorkerContext, limiter: &Arc<Limiter>) -> Result<AuditJob> {
        let (service, audit) = (&self.settings.service, &self.settings.audit);
        let egress = egress_options(audit, self.allow.clone());
        let crawl = CrawlOptions::new(audit, service.artifacts.of);
        let limiter = Arc::clone(limiter);
        let browser = self.browser.clone();
        let auditor = RunAuditor {
            child: ChildAuditor::new(crawl, &egress, browser.as_ref(), service.memory_bytes),
            engine: EngineAuditor::new(self.engine.clone(), crawl, egress, limiter, browser)?,
        };
        Ok(AuditJob {
            context: context.clone(),
            auditor: Arc::new(auditor),
            weights: audit.weights,
            isolation: Isolation::new(service.isolation),
            modes: self.modes(),
            pictures: PictureStore {
                objects: Arc::clone(&self.pictures),
                keep: service.artifacts.keep,
            },
            plans: self.plans.clone(),
            heartbeat: HeartbeatConfig {
                rules: service.queue,
                heartbeat: TimeDelta::from_std(service.heartbeat)?,
                progress: PROGRESS,
            },
        })
    }

    /// Which runs this process takes. The only process on a database takes all: without a browser, a run in `rendered` mode
    /// gets a report that says that its pages were not rendered.
    fn modes(&self) -> RunModes {
        match self.settings.service.browser_runs {
            BrowserRuns::Elsewhere => RunModes::Static,
            BrowserRuns::Here | BrowserRuns::Off
                if self.browser.is_some() || self.database.is_sqlite() =>
            {
                RunModes::All
            }
            BrowserRuns::Here | BrowserRuns::Off => RunModes::NotRendered,
        }
    }

    fn dispatcher(
        &self,
        context: &WorkerContext,
        limiter: Arc<Limiter>,
    ) -> Result<WebhookDispatcher> {
        let audit = &self.settings.audit;
        let mut egress = egress_options(audit, self.allow.clone());
        USER_AGENT.clone_into(&mut egress.user_agent);
        Ok(WebhookDispatcher {
            context: context.clone(),
            fetcher: GuardedFetcher::new(egress)?,
            runtime: self.engine.clone(),
            hosts: Hosts {
                limiter,
                allow: self.allow.clone(),
                connections: audit.concurrency,
                max_rate: audit.max_rate,
            },
            delays: self.settings.service.webhook_delays.clone(),
            variant: audit.variant,
        })
    }
}

/// Releases the leases of the process that used this database before.
fn release(context: &WorkerContext) -> Result<()> {
    let runs = context.stores.release_all(context.clock.now())?;
    if runs > 0 {
        tracing::warn!(runs, "runs of an earlier process resumed");
    }
    let jobs = context.stores.release_jobs()?;
    if jobs > 0 {
        tracing::warn!(jobs, "jobs of an earlier process resumed");
    }
    Ok(())
}

/// How long a request to the store of pictures may take.
const PICTURE_TIMEOUT: Duration = Duration::from_secs(20);

/// Opens the store of the pictures of runs. A store that does not answer must not keep a run from prolonging its lease.
pub(super) fn pictures(service: &Service) -> Result<Arc<dyn ObjectStore>> {
    let lease = service.queue.lease.to_std().unwrap_or_default();
    let purpose = objects::Purpose::Pictures(PICTURE_TIMEOUT.min(lease / 2));
    let opened = objects::open(&service.artifacts.url, service.s3.as_ref(), purpose);
    opened.context("artifacts.url")
}

/// Finds the browser of this machine, if runs use it in this process.
pub(super) fn browser(settings: &Settings) -> Option<RunBrowser> {
    let audit = &settings.audit;
    match settings.service.browser_runs {
        BrowserRuns::Here => RunBrowser::find(&audit.browser, &audit.contact_url),
        BrowserRuns::Elsewhere | BrowserRuns::Off => None,
    }
}

/// Returns the operator's limits for the options of runs.
pub(super) const fn bounds(service: &Service, browser: Option<&RunBrowser>) -> OptionBounds {
    OptionBounds {
        max_pages: service.max_pages_limit,
        browser: browser.is_some() || matches!(service.browser_runs, BrowserRuns::Elsewhere),
        user_agent: service.allow_user_agent,
        ignore_robots: service.allow_ignore_robots,
    }
}
