//! `assay worker`: the workers alone, on a database that services share.

use anyhow::{Context, Result, bail};
use cli::{Exit, WorkerArgs};
use domain::target::AllowTargets;
use std::sync::Arc;
use std::time::Duration;

use super::crew::Tools;
use super::shutdown::Shutdown;
use super::{JOIN, logs, refuse_unknown_plans};
use crate::config::Settings;
use crate::database;
use crate::sources::SystemIds;

/// Audits what is queued until it is told to stop.
pub(crate) fn work(args: &WorkerArgs, settings: &Settings) -> Result<Exit> {
    let service = &settings.service;
    if let storage::DatabaseUrl::Sqlite(file) = &service.database {
        bail!(
            "workers share a PostgreSQL database with a service, and {} is one of SQLite, which one process alone serves: `assay serve` has workers of its own. Name the service's database with --database-url postgres://…",
            file.display()
        );
    }
    logs::init(service)?;
    let engine = super::engine()?;
    let shutdown = Shutdown::listen(engine.handle()).context("signals cannot be listened for")?;
    let database = database::open_to_serve(service)?;
    refuse_unknown_plans(&database, service)?;
    let allow: AllowTargets = settings
        .audit
        .allow_targets
        .iter()
        .chain(&args.allow_targets)
        .cloned()
        .collect::<AllowTargets>()
        .with_own_listeners([service.listen]);
    let tools = Tools {
        settings,
        database: &database,
        ids: &Arc::new(SystemIds::default()),
        engine: engine.handle(),
        allow,
    };
    let crew = tools.start(service.concurrent_runs)?;
    tracing::info!(
        process = crew.process,
        runs = service.concurrent_runs,
        "working"
    );
    engine.block_on(shutdown.told());
    crew.signal.stop();
    crew.workers.join(JOIN);
    // What the engine still has under way is not wanted any more.
    engine.shutdown_timeout(Duration::from_secs(1));
    tracing::info!("stopped");
    Ok(Exit::Fine)
}
