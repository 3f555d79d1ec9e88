//! `assay serve`: the HTTP API and the workers, in one process.

mod agents;
mod background;
mod bootstrap;
mod dashboard;
mod readiness;
mod reload;
#[cfg(feature = "pdf")]
mod renderer;
mod shutdown;
mod signer;
mod work;

use std::convert::Infallible;
use std::net::TcpListener;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use ::dashboard::DashboardState;
use anyhow::{Context, Result, bail};
use api::{ApiSettings, ApiState};
use audit_engine::checks::CATALOGUE_VERSION;
use cli::{EngineCatalogue, Exit, ServeArgs};
use domain::audit_log::Actor;
use domain::plan::SharedPlans;
use domain::ports::{OrgStore, ReportRenderer, Stores};
use domain::report::Variant;
use domain::score::SCORING_VERSION;
use domain::target::AllowTargets;
use domain::usecase::Administration;
use httpkit::measure::Meter;
use httpkit::rate_limits::RateLimits;
use storage::{Database, DatabaseUrl};

use crate::config::{Brands, ConfigSource, Service, Settings, Token};
use crate::database;
use crate::lock::Lock;
use crate::logging::{self, Log};
use crate::metrics::{Meters, UPKEEP};
use crate::operate;
use crate::signal::Signal;
use crate::sources::{SystemClock, SystemIds};
use crate::worker_pool::{Next, WorkerPool};
use background::{BackgroundTasks, Started};
use reload::Reload;
use shutdown::Shutdown;
use signer::HmacSigner;
pub(crate) use work::work;

/// Socket send buffer in bytes, for response data that the client has not read; Linux doubles the number. The default
/// is megabytes for each connection.
const SEND_BUFFER_BYTES: usize = 96 * 1_024;
/// Blocking threads of all listeners together; each listener has at least one. The number equals the default number
/// of database connections, which the threads wait for. Each thread keeps memory that it allocated, so with actix's
/// default of 512 memory grew with the number of clients.
const BLOCKING_THREADS: usize = 16;
const MIN_BLOCKING_THREADS: usize = 8;
/// How long active requests may take when the service stops.
const DRAIN_SECONDS: u64 = 5;
/// How long the workers may take to hand back their runs. With [`DRAIN_SECONDS`] before, and a second for the engine,
/// the service stops within 15 s.
const JOIN: Duration = Duration::from_secs(8);

/// Serves until the process receives a stop signal.
pub(crate) fn serve(args: &ServeArgs, settings: &Settings, source: &ConfigSource) -> Result<Exit> {
    logging::with_log(&settings.service, |log| {
        serve_logged(args, settings, source, log)
    })
}

fn serve_logged(
    args: &ServeArgs,
    settings: &Settings,
    source: &ConfigSource,
    log: &'static Log,
) -> Result<Exit> {
    let service = &settings.service;
    // First, so that neither a wrong logo nor a port in use leaves anything behind.
    let brands = service.organizations.clone().read()?;
    let listener = TcpListener::bind(service.listen)
        .with_context(|| format!("cannot listen on {}", service.listen))?;
    // Connections have it from the listener.
    rustix::net::sockopt::set_socket_send_buffer_size(&listener, SEND_BUFFER_BYTES)?;
    let listening = listener.local_addr()?;
    let base_url = service.base_url_at(listening);
    let engine = engine()?;
    let (shutdown, reloads) =
        shutdown::listen(engine.handle()).context("cannot listen for signals")?;
    // Kept until the end: the database is ours as long as it is.
    let _lock = match &service.database {
        DatabaseUrl::Sqlite(file) => {
            database::make_folder_of_database(service)?;
            Some(Lock::take(file)?)
        }
        DatabaseUrl::Postgres(_) => None,
    };
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
        service.dashboard.enabled,
    )?;

    let allow: AllowTargets = settings
        .audit
        .allow_targets
        .iter()
        .chain(&args.allow_targets)
        .cloned()
        .collect::<AllowTargets>()
        .with_own_listeners([listening]);
    let audits = match args.no_worker {
        true => 0,
        false => service.concurrent_runs,
    };
    if args.no_worker && database.is_sqlite() {
        tracing::warn!(
            "runs stay queued: this process has no worker (--no-worker), and an SQLite database allows no other processes"
        );
    }
    let browser = background::browser(settings);
    let pictures = background::pictures(service)?;
    // The client of a bucket has a runtime, which must not be dropped on the threads of another one.
    let kept_pictures = Arc::clone(&pictures);
    // Before anything is counted.
    let meters = meters(&database, settings)?;
    let Started {
        signal,
        process,
        mut pool,
    } = BackgroundTasks {
        settings,
        database: &database,
        plans: &plans,
        ids: &ids,
        engine: engine.handle(),
        allow: allow.clone(),
        browser: browser.clone(),
        pictures: Arc::clone(&pictures),
    }
    .start(audits)?;
    readiness::spawn(database.clone(), &mut pool)
        .context("the readiness probe could not be started")?;
    if let Some(meters) = &meters {
        spawn_upkeep(meters, &mut pool)?;
    }
    let signer = HmacSigner::load(&database, &SystemClock)?;
    let checks = Arc::new(EngineCatalogue);
    let (run_waker, brief_waker) = (Arc::clone(&signal), Arc::clone(&signal));
    let state = ApiState {
        stores,
        objects: pictures,
        checks,
        clock: Arc::new(SystemClock),
        ids,
        signer: Arc::new(signer),
        renderer: renderer(service, brands, &base_url),
        documents: Arc::default(),
        pages: Arc::default(),
        rate_limits: RateLimits::new(service.callers.clone()),
        settings: Arc::new(ApiSettings {
            variant: settings.audit.variant,
            base_url: base_url.clone(),
            plans,
            allow_targets: allow,
            default_max_pages: settings.audit.max_pages.min(service.max_pages_limit),
            bounds: background::bounds(service, browser.as_ref()),
            rate_limit: service.rate_limit,
            meter: meters.map(|meters| -> Arc<dyn Meter> { meters }),
            error_page: Some(::dashboard::error_page(
                &base_url,
                service.dashboard.enabled,
            )),
            on_run_started: Arc::new(move || run_waker.call()),
            on_brief_queued: Arc::new(move || brief_waker.call()),
        }),
    };
    let agents = agents::agents(&state, listening)?;
    let examined = source.clone();
    let examine = move || operate::diagnose(&examined);
    let pages = dashboard::pages(
        &state,
        &service.dashboard,
        service.retention,
        versions(&database),
        examine,
    )?;
    reloads.run(engine.handle(), move || reload.run());
    tracing::info!(address = %listening, base_url, process, "listening");
    let served = answer(
        listener,
        state,
        agents,
        pages,
        shutdown,
        service.drain,
        Arc::clone(&signal),
    );
    signal.stop();
    pool.join(JOIN);
    // The engine's remaining tasks are no longer needed.
    engine.shutdown_timeout(Duration::from_secs(1));
    drop(kept_pictures);
    tracing::info!("stopped");
    served?;
    Ok(Exit::Fine)
}

/// Creates the runtime of the audit engine.
fn engine() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .thread_name("engine")
        .enable_all()
        .build()
        .context("the engine's runtime could not be started")
}

/// Installs the metrics, if they can be read.
fn meters(database: &Database, settings: &Settings) -> Result<Option<Arc<Meters>>> {
    let Some(token) = settings.service.metrics_token.clone() else {
        return Ok(None);
    };
    install_meters(Some(token), database, settings).map(Some)
}

/// Starts the thread that runs metrics upkeep.
fn spawn_upkeep(meters: &Arc<Meters>, pool: &mut WorkerPool) -> Result<()> {
    let meters = Arc::clone(meters);
    pool.spawn("metrics", move || {
        meters.run_upkeep();
        Ok::<_, Infallible>(Next::Sleep(UPKEEP))
    })
    .context("the metrics could not be started")
}

fn install_meters(
    token: Option<Token>,
    database: &Database,
    settings: &Settings,
) -> Result<Arc<Meters>> {
    let variant = match settings.audit.variant {
        Variant::Current => "current",
        Variant::Legacy => "legacy",
    };
    let meters = Meters::install(token, database.clone(), Arc::new(SystemClock), variant)?;
    Ok(Arc::new(meters))
}

/// Creates the PDF renderer, if this build has one.
#[cfg(feature = "pdf")]
fn renderer(service: &Service, brands: Brands, base_url: &str) -> Option<Arc<dyn ReportRenderer>> {
    let folders = service.font_dirs.clone();
    Some(Arc::new(renderer::PdfRenderer::new(
        base_url.to_owned(),
        folders,
        brands,
    )))
}

#[cfg(not(feature = "pdf"))]
fn renderer(
    _service: &Service,
    _brands: Brands,
    _base_url: &str,
) -> Option<Arc<dyn ReportRenderer>> {
    None
}

/// Serves requests until the process receives a stop signal, and finishes active ones.
fn answer(
    listener: TcpListener,
    state: ApiState,
    agents: mcp::Mount,
    pages: DashboardState,
    mut shutdown: Shutdown,
    drain: Duration,
    workers: Arc<Signal>,
) -> Result<()> {
    let rate_limits = state.rate_limits.clone();
    let listeners = available_parallelism().map_or(1, NonZeroUsize::get);
    let blocking_threads = (BLOCKING_THREADS / listeners).max(MIN_BLOCKING_THREADS);
    actix_web::rt::System::new().block_on(async move {
        let app_state = state.clone();
        let app = move || {
            let app = api::app(&app_state).configure(|app| agents(app));
            app.configure(|app| ::dashboard::configure(app, &pages))
        };
        let server = httpkit::server::server(listener, &state.http(), app, |builder| {
            builder
                .workers(listeners)
                .worker_max_blocking_threads(blocking_threads)
                .disable_signals()
                .shutdown_timeout(DRAIN_SECONDS)
        })?;
        let handle = server.handle();
        actix_web::rt::spawn(async move {
            shutdown.received().await;
            // Meanwhile workers claim no more runs, and hand back their runs.
            workers.stop();
            rate_limits.drain();
            shutdown.received_again_within(drain).await;
            // An open stream would delay the stop until it is cut off.
            rate_limits.stop();
            handle.stop(true).await;
        });
        server.await
    })?;
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

/// The parts of this installation, for its operator.
fn versions(database: &Database) -> Vec<(&'static str, String)> {
    let kind = match database.is_sqlite() {
        true => "SQLite",
        false => "PostgreSQL",
    };
    vec![
        ("Assay", env!("CARGO_PKG_VERSION").to_owned()),
        ("Catalogue of checks", CATALOGUE_VERSION.to_owned()),
        ("Scoring model", SCORING_VERSION.to_string()),
        ("Database", kind.to_owned()),
    ]
}
