//! What a process does beside audits: it starts the runs of schedules and sends events to webhooks.

use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use audit_engine::egress::{GuardedFetcher, Limiter};
use domain::plan::SharedPlans;
use domain::ports::{IdSource, Stores};
use domain::run::OptionBounds;
use domain::target::AllowTargets;
use tokio::runtime::Handle;

use crate::config::{Service, Settings};
use crate::signal::Signal;
use crate::sources::SystemClock;
use crate::worker::{CautiousClock, Courier, Hosts, Scheduler, egress_options};

/// How the service names itself to receivers of events.
const USER_AGENT: &str = concat!("Assay-Webhooks/", env!("CARGO_PKG_VERSION"));

/// What it is done with.
pub(super) struct Errands<'a> {
    pub(super) settings: &'a Settings,
    pub(super) plans: &'a SharedPlans,
    pub(super) stores: &'a Arc<dyn Stores>,
    pub(super) ids: Arc<dyn IdSource>,
    /// The time for what cannot be undone.
    pub(super) cautious: Arc<CautiousClock>,
    /// Where events are sent from.
    pub(super) engine: &'a Handle,
    /// The targets that are allowed beside public ones.
    pub(super) allow: &'a AllowTargets,
    /// Keeps hosts to their limits.
    pub(super) limiter: Arc<Limiter>,
    pub(super) signal: &'a Arc<Signal>,
    /// Whether no other process works on the database.
    pub(super) is_alone: bool,
}

impl Errands<'_> {
    /// Starts the threads.
    pub(super) fn start(self) -> Result<Vec<JoinHandle<()>>> {
        let service = &self.settings.service;
        if self.is_alone {
            let deliveries = self.stores.release_deliveries()?;
            if deliveries > 0 {
                tracing::warn!(
                    deliveries,
                    "events are sent again that an earlier process left"
                );
            }
        }
        let scheduler = Scheduler {
            stores: Arc::clone(self.stores),
            clock: Arc::new(SystemClock),
            ids: Arc::clone(&self.ids),
            plans: self.plans.clone(),
            allow: self.allow.clone(),
            bounds: bounds(service),
            default_max_pages: self.settings.audit.max_pages.min(service.max_pages_limit),
            variant: self.settings.audit.variant,
            delays: service.webhook_delays.clone(),
            signal: Arc::clone(self.signal),
        };
        let mut egress = egress_options(&self.settings.audit, self.allow.clone());
        USER_AGENT.clone_into(&mut egress.user_agent);
        let courier = Courier {
            stores: Arc::clone(self.stores),
            clock: Arc::new(SystemClock),
            cautious: self.cautious,
            fetcher: GuardedFetcher::new(egress)?,
            runtime: self.engine.clone(),
            hosts: Hosts {
                limiter: self.limiter,
                allow: self.allow.clone(),
                connections: self.settings.audit.concurrency,
                max_rate: self.settings.audit.max_rate,
            },
            delays: service.webhook_delays.clone(),
            variant: self.settings.audit.variant,
            signal: Arc::clone(self.signal),
        };
        let mut threads = courier
            .start(&self.ids.ulid())
            .context("the threads that send events could not be started")?;
        threads.push(
            scheduler
                .start()
                .context("the scheduler could not be started")?,
        );
        Ok(threads)
    }
}

/// What the operator allows of the options of runs.
pub(super) const fn bounds(service: &Service) -> OptionBounds {
    OptionBounds {
        max_pages: service.max_pages_limit,
        browser: false,
        user_agent: service.allow_user_agent,
        ignore_robots: service.allow_ignore_robots,
    }
}
