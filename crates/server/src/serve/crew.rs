//! Who works on what is queued: the workers, and those who help them.

use std::sync::Arc;

use anyhow::{Context, Result};
use audit_engine::egress::Limiter;
use chrono::TimeDelta;
use domain::plan::SharedPlans;
use domain::ports::Stores;
use domain::target::AllowTargets;
use domain::usecase::Beats;
use storage::Database;
use tokio::runtime::Handle;

use super::errands::Errands;
use crate::config::Settings;
use crate::signal::Signal;
use crate::sources::{SystemClock, SystemIds};
use crate::worker::{
    CautiousClock, ChildAuditor, CrawlOptions, Desk, EngineAuditor, Housekeeper, Isolation,
    Lookout, RunAuditor, Shop, Workers, egress_options,
};
use cli::EngineCatalogue;

/// How often the progress of a run is stored at most.
const PROGRESS: TimeDelta = TimeDelta::seconds(1);

/// What a crew works with.
pub(super) struct Tools<'a> {
    pub(super) settings: &'a Settings,
    pub(super) database: &'a Database,
    pub(super) plans: &'a SharedPlans,
    pub(super) ids: &'a Arc<SystemIds>,
    /// Where audits run.
    pub(super) engine: &'a Handle,
    /// The targets that may be audited beside public ones.
    pub(super) allow: AllowTargets,
}

/// A crew at work.
pub(super) struct Crew {
    /// Calls it, and tells it to stop.
    pub(super) signal: Arc<Signal>,
    /// The name of its process among all on the database.
    pub(super) process: String,
    /// Its threads.
    pub(super) workers: Workers,
}

impl Tools<'_> {
    /// Starts the threads of a process that runs `audits` at once. Without any it still writes briefs,
    /// starts the runs of schedules, sends events, keeps house, and ends what can no longer end by itself.
    pub(super) fn start(self, audits: usize) -> Result<Crew> {
        let service = &self.settings.service;
        let stores: Arc<dyn Stores> = Arc::new(self.database.clone());
        let egress = egress_options(&self.settings.audit, self.allow.clone());
        // One for everything that the process sends, audits and events.
        let limiter = Arc::<Limiter>::default();
        let crawl = CrawlOptions::from(&self.settings.audit);
        let auditor = RunAuditor {
            child: ChildAuditor::new(crawl, &egress, service.memory_bytes),
            engine: EngineAuditor::new(
                self.engine.clone(),
                &self.settings.audit,
                egress,
                Arc::clone(&limiter),
            )?,
        };
        let signal = Arc::new(Signal::default());
        let shop = Arc::new(Shop {
            process: domain::ports::IdSource::ulid(&**self.ids),
            stores: Arc::clone(&stores),
            clock: Arc::new(SystemClock),
            ids: self.ids.clone(),
            auditor: Arc::new(auditor),
            isolation: Isolation::new(service.isolation),
            weights: self.settings.audit.weights,
            beats: Beats {
                rules: service.queue,
                heartbeat: TimeDelta::from_std(service.heartbeat)?,
                progress: PROGRESS,
            },
            signal: Arc::clone(&signal),
        });
        if self.database.is_sqlite() {
            take_up(&shop)?;
        }
        let cautious = Arc::new(CautiousClock::new(
            Arc::new(SystemClock),
            self.database.last_sign_of_life()?,
        ));
        let errands = Errands {
            settings: self.settings,
            plans: self.plans,
            stores: &stores,
            ids: self.ids.clone(),
            cautious: Arc::clone(&cautious),
            engine: self.engine,
            allow: &self.allow,
            limiter,
            signal: &signal,
            is_alone: self.database.is_sqlite(),
        };
        let errands = errands.start()?;
        let desk = Desk {
            stores,
            checks: Arc::new(EngineCatalogue),
            clock: Arc::new(SystemClock),
            signal: Arc::clone(&signal),
        };
        let housekeeper = Housekeeper {
            stores: Arc::clone(&shop.stores),
            clock: cautious,
            plans: self.plans.clone(),
            retention: service.retention,
            every: service.housekeeping,
            signal: Arc::clone(&signal),
        };
        let desk_id = shop.worker("briefs");
        let process = shop.process.clone();
        let mut workers = Workers::start(&shop, audits, service.reaper)
            .and_then(|workers| Ok(workers.and(desk.start(desk_id)?).and(housekeeper.start()?)))
            .context("the workers could not be started")?;
        workers = errands.into_iter().fold(workers, Workers::and);
        if audits > 0 {
            let lookout = Lookout {
                shop,
                database: self.database.clone(),
            };
            workers = workers.and(
                lookout
                    .start()
                    .context("the workers could not be started")?,
            );
        }
        Ok(Crew {
            signal,
            process,
            workers,
        })
    }
}

/// Gives back the runs of the process that had this database before.
fn take_up(shop: &Shop) -> Result<()> {
    let runs = shop.stores.release_all(shop.clock.now())?;
    if runs > 0 {
        tracing::warn!(runs, "runs are taken up again that an earlier process left");
    }
    Ok(())
}
