//! `assay serve`: the HTTP API and the workers, in one process.

mod agents;
mod bootstrap;
mod errands;
#[cfg(feature = "pdf")]
mod fonts;
mod lock;
mod logs;
#[cfg(feature = "pdf")]
mod renderer;
mod shutdown;
mod signer;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::web::ServiceConfig;
use anyhow::{Context, Result, bail};
use api::{ApiSettings, ApiState, Traffic};
use chrono::TimeDelta;
use cli::{EngineCatalogue, Exit, ServeArgs};
use domain::audit_log::Actor;
use domain::ports::{IdSource, OrgStore, ReportRenderer, Stores, WorkerId};
use domain::target::AllowTargets;
use domain::usecase::{Administration, Beats};
use storage::{Database, DatabaseUrl};

use crate::config::{Service, Settings};
use crate::database;
use crate::sources::{SystemClock, SystemIds};
use errands::Errands;
use shutdown::Shutdown;
use signer::HmacSigner;

use crate::worker::{Desk, EngineAuditor, Shop, Signal, Workers, egress_options};

/// How long requests under way may take when the service stops.
const DRAIN_SECONDS: u64 = 5;
/// How long the workers may take to hand back their runs. With [`DRAIN_SECONDS`] before it, and a second
/// for the engine, the service stops within 15 s.
const JOIN: Duration = Duration::from_secs(8);
/// How often the progress of a run is stored at most.
const PROGRESS: TimeDelta = TimeDelta::seconds(1);

/// Serves until it is told to stop.
pub(crate) fn serve(args: &ServeArgs, settings: &Settings) -> Result<Exit> {
    let service = &settings.service;
    logs::init(service)?;
    // First, so that a port that is taken leaves nothing behind.
    let listener = TcpListener::bind(service.listen)
        .with_context(|| format!("{} cannot be listened on", service.listen))?;
    let listening = listener.local_addr()?;
    let base_url = service.base_url_at(listening);
    let engine = tokio::runtime::Builder::new_multi_thread()
        .thread_name("engine")
        .enable_all()
        .build()
        .context("the engine's runtime could not be started")?;
    let shutdown = Shutdown::listen(engine.handle()).context("signals cannot be listened for")?;
    // Kept until the end: the database is ours as long as it is.
    let _lock = match &service.database {
        DatabaseUrl::Sqlite(file) => {
            database::make_folder_of_database(service)?;
            Some(lock::Lock::take(file)?)
        }
        DatabaseUrl::Postgres(_) => None,
    };
    let database = database::open_to_serve(service)?;
    refuse_unknown_plans(&database, service)?;
    let stores: Arc<dyn Stores> = Arc::new(database.clone());
    let ids = Arc::new(SystemIds::default());
    bootstrap::bootstrap(
        &Administration {
            stores: &*stores,
            clock: &SystemClock,
            ids: &*ids,
            plans: &service.plans,
            actor: &Actor::System,
        },
        args.bootstrap_key_file.as_deref(),
        &base_url,
    )?;

    let allow: AllowTargets = settings
        .audit
        .allow_targets
        .iter()
        .chain(&args.allow_targets)
        .cloned()
        .collect::<AllowTargets>()
        .with_own_listeners([listening]);
    let egress = egress_options(&settings.audit, allow.clone());
    let auditor = EngineAuditor::new(engine.handle().clone(), &settings.audit, egress)?;
    let signal = Arc::new(Signal::default());
    let shop = Arc::new(Shop {
        stores: Arc::clone(&stores),
        clock: Arc::new(SystemClock),
        ids: ids.clone(),
        auditor: Arc::new(auditor),
        weights: settings.audit.weights,
        beats: Beats {
            rules: service.queue,
            heartbeat: TimeDelta::from_std(service.heartbeat)?,
            progress: PROGRESS,
        },
        signal: Arc::clone(&signal),
    });
    if database.is_sqlite() {
        take_up(&shop)?;
    }
    let signer = HmacSigner::load(&database, &SystemClock)?;
    let checks = Arc::new(EngineCatalogue);
    let desk = Desk {
        stores: Arc::clone(&stores),
        checks: checks.clone(),
        clock: Arc::new(SystemClock),
        signal: Arc::clone(&signal),
    };
    let desk_id = WorkerId(format!("{}-briefs", ids.ulid()));
    let workers = Workers::start(&shop, service.concurrent_runs, service.reaper)
        .and_then(|workers| Ok(workers.and(desk.start(desk_id)?)))
        .context("the workers could not be started")?;
    let errands = Errands {
        settings,
        stores: &stores,
        ids: ids.clone(),
        engine: engine.handle(),
        allow: &allow,
        signal: &signal,
        is_alone: database.is_sqlite(),
    };
    let workers = errands.start()?.into_iter().fold(workers, Workers::and);
    let (waker, desk_waker) = (Arc::clone(&signal), Arc::clone(&signal));
    let state = ApiState {
        stores,
        checks,
        clock: Arc::new(SystemClock),
        ids,
        signer: Arc::new(signer),
        renderer: renderer(service, &base_url),
        documents: Arc::default(),
        traffic: Traffic::default(),
        settings: Arc::new(ApiSettings {
            variant: settings.audit.variant,
            base_url: base_url.clone(),
            plans: service.plans.clone(),
            allow_targets: allow,
            default_max_pages: settings.audit.max_pages.min(service.max_pages_limit),
            bounds: errands::bounds(service),
            rate_limit: service.rate_limit,
            on_run_started: Arc::new(move || waker.call()),
            on_brief_queued: Arc::new(move || desk_waker.call()),
        }),
    };
    let agents = agents::agents(&state, listening)?;
    tracing::info!(address = %listening, base_url, "listening");
    let served = answer(listener, state, agents, shutdown, Arc::clone(&signal));
    signal.stop();
    workers.join(JOIN);
    // What the engine still has under way is not wanted any more.
    engine.shutdown_timeout(Duration::from_secs(1));
    tracing::info!("stopped");
    served?;
    Ok(Exit::Fine)
}

/// What makes documents of reports, where this build has it.
#[cfg(feature = "pdf")]
fn renderer(service: &Service, base_url: &str) -> Option<Arc<dyn ReportRenderer>> {
    let folders = service.font_dirs.clone();
    Some(Arc::new(renderer::PdfRenderer::new(
        base_url.to_owned(),
        folders,
    )))
}

#[cfg(not(feature = "pdf"))]
fn renderer(_service: &Service, _base_url: &str) -> Option<Arc<dyn ReportRenderer>> {
    None
}

/// Answers requests until the process is told to stop, and those under way to their end.
fn answer(
    listener: TcpListener,
    state: ApiState,
    agents: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
    shutdown: Shutdown,
    workers: Arc<Signal>,
) -> Result<()> {
    let traffic = state.traffic.clone();
    actix_web::rt::System::new().block_on(async move {
        let server = HttpServer::new(move || api::app(&state).configure(&agents))
            .listen(listener)?
            .disable_signals()
            .shutdown_timeout(DRAIN_SECONDS)
            .run();
        let handle = server.handle();
        actix_web::rt::spawn(async move {
            shutdown.told().await;
            // No run is claimed any more, and those under way are handed back meanwhile.
            workers.stop();
            // A stream that went on would be waited for, and then cut off.
            traffic.stop();
            handle.stop(true).await;
        });
        server.await
    })?;
    Ok(())
}

/// Gives back the runs of the process that had this database before.
fn take_up(shop: &Shop) -> Result<()> {
    let runs = shop.stores.release_all(shop.clock.now())?;
    if runs > 0 {
        tracing::warn!(runs, "runs are taken up again that an earlier process left");
    }
    Ok(())
}

fn refuse_unknown_plans(database: &Database, service: &Service) -> Result<()> {
    for org in database.orgs()? {
        if service.plans.get(&org.plan).is_none() {
            bail!(
                "the organization {} ({}) is on the plan `{}`, which is not configured: add [plans.{}] to the configuration, or run `assay plans set --org {} --plan self_hosted`",
                org.id,
                org.name,
                org.plan,
                org.plan,
                org.id
            );
        }
    }
    Ok(())
}
