//! `assay worker`: only the workers, on a database shared with services.

use anyhow::{Context, Result, bail};
use cli::{Exit, WorkerArgs};
use domain::plan::SharedPlans;
use domain::target::AllowTargets;
use std::sync::Arc;
use std::time::Duration;
use storage::Database;

use super::background::{self, BackgroundTasks, Started};
use super::reload::Reload;
use super::{JOIN, install_meters, refuse_unknown_plans, shutdown, spawn_upkeep};
use crate::config::{BrowserRuns, ConfigSource, Settings};
use crate::database;
use crate::logging::{self, Log};
use crate::metrics::{Listener, Meters};
use crate::sources::SystemIds;

/// Audits queued runs until the process receives a stop signal.
pub(crate) fn work(args: &WorkerArgs, settings: &Settings, source: &ConfigSource) -> Result<Exit> {
    let service = &settings.service;
    if let storage::DatabaseUrl::Sqlite(file) = &service.database {
        bail!(
            "`assay worker` needs the PostgreSQL database of a service, and {} is an SQLite database, which allows only one process: `assay serve` has its own workers. Set the service's database with --database-url postgres://…",
            file.display()
        );
    }
    logging::with_log(service, |log| work_logged(args, settings, source, log))
}

fn work_logged(
    args: &WorkerArgs,
    settings: &Settings,
    source: &ConfigSource,
    log: &'static Log,
) -> Result<Exit> {
    let service = &settings.service;
    let engine = super::engine()?;
    let (mut shutdown, reloads) =
        shutdown::listen(engine.handle()).context("cannot listen for signals")?;
    let database = database::open_to_serve(service)?;
    refuse_unknown_plans(&database, service)?;
    let plans = SharedPlans::new(service.plans.clone());
    let reload = Reload {
        source: source.clone(),
        started_with: source.show()?,
        database: database.clone(),
        log,
        plans: plans.clone(),
    };
    // Before anything is counted.
    let measuring = measure(&database, settings)?;
    let own = measuring.as_ref().map(|(_, listener)| listener.address());
    let allow: AllowTargets = settings
        .audit
        .allow_targets
        .iter()
        .chain(&args.allow_targets)
        .cloned()
        .collect::<AllowTargets>()
        .with_own_listeners([service.listen].into_iter().chain(own));
    let browser = background::browser(settings);
    if args.browser && browser.is_none() {
        bail!(no_browser(settings));
    }
    let tasks = BackgroundTasks {
        settings,
        database: &database,
        plans: &plans,
        ids: &Arc::new(SystemIds::default()),
        engine: engine.handle(),
        allow,
        browser,
        pictures: background::pictures(service)?,
    };
    let Started {
        signal,
        process,
        mut pool,
    } = tasks.start(service.concurrent_runs)?;
    if let Some((meters, _)) = &measuring {
        spawn_upkeep(meters, &mut pool)?;
    }
    reloads.run(engine.handle(), move || reload.run());
    tracing::info!(process, runs = service.concurrent_runs, "working");
    engine.block_on(shutdown.received());
    signal.stop();
    pool.join(JOIN);
    // Until here the metrics show how runs are handed back.
    if let Some((_, listener)) = measuring {
        engine.block_on(listener.stop());
    }
    // The engine's remaining tasks are no longer needed.
    engine.shutdown_timeout(Duration::from_secs(1));
    tracing::info!("stopped");
    Ok(Exit::Fine)
}

/// Why a process that needs a browser has none.
fn no_browser(settings: &Settings) -> String {
    let reason = match settings.service.browser_runs {
        BrowserRuns::Here => settings.audit.browser.find().err().map(|error| {
            let remedy = error.remedy();
            format!("{error}; {remedy}")
        }),
        BrowserRuns::Elsewhere | BrowserRuns::Off => None,
    };
    let reason = reason.unwrap_or_else(|| "set browser.runs to `here`".to_owned());
    format!("--browser: {reason}")
}

/// Installs and serves the metrics, if configured.
fn measure(database: &Database, settings: &Settings) -> Result<Option<(Arc<Meters>, Listener)>> {
    let Some(address) = settings.service.metrics_listen else {
        return Ok(None);
    };
    let token = settings.service.metrics_token.clone();
    if token.is_none() && !address.ip().is_loopback() {
        tracing::warn!(
            %address,
            "metrics are public at this address: set metrics.token, or listen on a loopback address"
        );
    }
    let is_open = token.is_none();
    let meters = install_meters(token, database, settings)?;
    let listener = Listener::start(address, Arc::clone(&meters), is_open)?;
    tracing::info!(address = %listener.address(), "serving metrics");
    Ok(Some((meters, listener)))
}
