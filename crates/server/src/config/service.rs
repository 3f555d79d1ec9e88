//! The configuration of the service.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use chrono::TimeDelta;
use domain::plan::{Plan, PlanLimits, Plans};
use domain::ports::{QueueRules, RunModes};
use domain::retention::Retention;
use domain::webhook::RetryDelays;
use httpkit::limits::{CallerLimits, RateLimit};
use object_storage::S3Access;
use storage::DatabaseUrl;
use tracing_subscriber::EnvFilter;

use super::artifacts::{self, ArtifactSettings};
use super::backup::{self, BackupSettings};
use super::browser::{self, BrowserRuns};
use super::callers;
use super::dashboard::{self, Dashboard};
use super::isolation::IsolationMode;
use super::operation::{self, RawMetrics, Token};
use super::organizations::{Organizations, organizations};
use super::raw::{Raw, RawServer, RawStorage};
use super::{ConfigError, http_url, value};

/// Maximum of `server.drain_seconds`.
const MAX_DRAIN_SECONDS: u32 = 300;

/// The settings of the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    /// `--listen`.
    pub(crate) listen: Option<SocketAddr>,
    /// `--metrics-listen`.
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// `--data-dir`.
    pub(crate) data_dir: Option<PathBuf>,
    /// `--database-url`.
    pub(crate) database_url: Option<String>,
}

impl From<Flags> for Raw {
    fn from(flags: Flags) -> Self {
        Self {
            server: RawServer {
                listen: flags.listen.map(|listen| listen.to_string()),
                base_url: None,
                drain_seconds: None,
            },
            storage: RawStorage {
                data_dir: flags.data_dir,
                database_url: flags.database_url,
                max_connections: None,
            },
            metrics: RawMetrics {
                listen: flags.metrics_listen.map(|listen| listen.to_string()),
                token: None,
            },
            ..Self::default()
        }
    }
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// Text on a terminal, otherwise JSON.
    Auto,
    /// JSON.
    Json,
    /// Text.
    Text,
}

/// The service settings.
#[derive(Debug, Clone)]
pub(crate) struct Service {
    /// The listen address.
    pub(crate) listen: SocketAddr,
    /// The public base URL, if set.
    pub(super) base_url: Option<String>,
    /// How long the process still answers requests after it was told to stop, while `/readyz` says that it stops.
    pub(crate) drain: Duration,
    /// The folder of the default database.
    pub(crate) data_dir: PathBuf,
    /// The database.
    pub(crate) database: DatabaseUrl,
    /// Maximum number of database connections.
    pub(crate) max_connections: u32,
    /// Concurrent runs.
    pub(crate) concurrent_runs: usize,
    /// Lease, deadline and attempts of the queue.
    pub(crate) queue: QueueRules,
    /// Which runs are audited in a child process.
    pub(crate) isolation: IsolationMode,
    /// Memory limit in bytes of a run in a child process.
    pub(crate) memory_bytes: u64,
    /// Where runs use a browser.
    pub(crate) browser_runs: BrowserRuns,
    /// Interval of a worker's heartbeats.
    pub(crate) heartbeat: Duration,
    /// Interval of the reaper, which ends runs without a live worker.
    pub(crate) reaper: Duration,
    /// The maximum page limit of a run.
    pub(crate) max_pages_limit: u32,
    /// Whether clients may set the user agent of their runs.
    pub(crate) allow_user_agent: bool,
    /// Whether callers may ignore robots.txt.
    pub(crate) allow_ignore_robots: bool,
    /// Folders with fonts for scripts that the embedded ones lack.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only PDFs use it"))]
    pub(crate) font_dirs: Vec<PathBuf>,
    /// The web pages.
    pub(crate) dashboard: Dashboard,
    /// The rate limit of a key.
    pub(crate) rate_limit: Option<RateLimit>,
    /// The concurrency limits of callers.
    pub(crate) callers: CallerLimits,
    /// The plans.
    pub(crate) plans: Plans,
    /// How reports present the organizations.
    pub(crate) organizations: Organizations,
    /// The retry schedule of webhook deliveries.
    pub(crate) webhook_delays: RetryDelays,
    /// The retention periods that neither the organization nor its plan overrides.
    pub(crate) retention: Retention,
    /// Interval of the retention sweeps of an organization.
    pub(crate) sweep_every: Duration,
    /// The pictures of runs.
    pub(crate) artifacts: ArtifactSettings,
    /// Scheduled backups; none if they are off.
    pub(crate) backup: Option<BackupSettings>,
    /// How to reach S3-compatible storage; none without credentials.
    pub(crate) s3: Option<S3Access>,
    /// The token for metrics; none if `/metrics` is off.
    pub(crate) metrics_token: Option<Token>,
    /// The listen address of `assay worker` for metrics.
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// The format of log lines.
    pub(crate) log_format: LogFormat,
    /// The log filter.
    pub(crate) log_filter: String,
}

impl Service {
    pub(super) fn validate(raw: &Raw) -> Result<Self, ConfigError> {
        let listen = raw.server.listen.as_deref().unwrap_or_default();
        let data_dir = raw.storage.data_dir.clone().unwrap_or_default();
        let worker = &raw.worker;
        let lease = at_least_one("worker.lease_seconds", worker.lease_seconds, 30)?;
        let heartbeat = at_least_one("worker.heartbeat_seconds", worker.heartbeat_seconds, 10)?;
        if heartbeat >= lease {
            return Err(value(
                "worker.heartbeat_seconds",
                "must be less than worker.lease_seconds",
            ));
        }
        if worker
            .concurrent_runs
            .is_some_and(|runs| !(1..=256).contains(&runs))
        {
            return Err(value(
                "worker.concurrent_runs",
                "must be a number from 1 to 256",
            ));
        }
        let database = match &raw.storage.database_url {
            Some(url) => url
                .parse()
                .map_err(|error| value("storage.database_url", &shown(&error)))?,
            None => DatabaseUrl::Sqlite(data_dir.join("assay.db")),
        };
        let browser_runs = browser::browser_runs(&raw.browser)?;
        if browser_runs == BrowserRuns::Elsewhere && matches!(database, DatabaseUrl::Sqlite(_)) {
            return Err(value(
                "browser.runs",
                "cannot be `elsewhere` with an SQLite database, which only one process uses",
            ));
        }
        let base_url = raw.server.base_url.as_deref();
        let deadline = raw
            .crawl
            .deadline_seconds
            .unwrap_or(super::DEADLINE_SECONDS);
        Ok(Self {
            listen: listen.parse().map_err(|_| {
                value(
                    "server.listen",
                    "must be an address with a port, for example 127.0.0.1:8080",
                )
            })?,
            base_url: base_url
                .map(|url| http_url("server.base_url", url))
                .transpose()?,
            drain: drain(&raw.server)?,
            database,
            artifacts: artifacts::artifacts(&raw.artifacts, &data_dir)?,
            data_dir,
            max_connections: in_range(
                "storage.max_connections",
                raw.storage.max_connections.unwrap_or(16),
                1_000,
            )?,
            concurrent_runs: worker.concurrent_runs.unwrap_or_else(available_cores),
            queue: QueueRules {
                lease: TimeDelta::seconds(lease.into()),
                deadline: TimeDelta::try_seconds(i64::try_from(deadline).unwrap_or(i64::MAX))
                    .ok_or_else(|| value("crawl.deadline_seconds", "is too large"))?,
                max_attempts: at_least_one("worker.max_attempts", worker.max_attempts, 3)?,
                runs_per_organization: worker
                    .runs_per_organization
                    .map(|runs| at_least_one("worker.runs_per_organization", Some(runs), 1))
                    .transpose()?,
                isolated_runs: false,
                // Known when the browser was looked for.
                modes: RunModes::All,
            },
            isolation: match worker.isolation.as_deref() {
                None | Some("auto") => IsolationMode::Auto,
                Some("process") => IsolationMode::Process,
                Some("thread") => IsolationMode::Thread,
                Some(_) => {
                    return Err(value(
                        "worker.isolation",
                        "must be `auto`, `process` or `thread`",
                    ));
                }
            },
            memory_bytes: memory(worker.memory_mb)?,
            browser_runs,
            heartbeat: Duration::from_secs(heartbeat.into()),
            reaper: Duration::from_secs(
                at_least_one("worker.reaper_seconds", worker.reaper_seconds, 5)?.into(),
            ),
            max_pages_limit: in_range(
                "crawl.max_pages_limit",
                raw.crawl.max_pages_limit.unwrap_or(100_000),
                100_000,
            )?,
            allow_user_agent: raw.crawl.allow_user_agent.unwrap_or(false),
            allow_ignore_robots: raw.crawl.allow_ignore_robots.unwrap_or(false),
            organizations: organizations(&raw.organizations)?,
            font_dirs: raw.pdf.font_dirs.clone().unwrap_or_default(),
            rate_limit: rate_limit(raw)?,
            dashboard: dashboard::dashboard(&raw.dashboard)?,
            callers: callers::limits(&raw.callers)?,
            plans: plans(raw)?,
            webhook_delays: webhook_delays(raw)?,
            retention: operation::retention(&raw.retention)?,
            sweep_every: operation::sweep_every(&raw.retention)?,
            backup: backup::backup(&raw.backup)?,
            s3: backup::s3(&raw.s3)?,
            metrics_token: operation::token(&raw.metrics)?,
            metrics_listen: operation::metrics_listen(&raw.metrics)?,
            log_format: match raw.logs.format.as_deref() {
                None | Some("auto") => LogFormat::Auto,
                Some("json") => LogFormat::Json,
                Some("text") => LogFormat::Text,
                Some(_) => {
                    return Err(value("logs.format", "must be `auto`, `json` or `text`"));
                }
            },
            log_filter: log_filter(raw.logs.filter.as_deref().unwrap_or("info"))?,
        })
    }

    /// The base URL for this listen address, without a trailing slash.
    pub(crate) fn base_url_at(&self, listening: SocketAddr) -> String {
        if let Some(url) = &self.base_url {
            return url.clone();
        }
        let ip = match listening.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("http://{}", SocketAddr::new(ip, listening.port()))
    }
}

fn rate_limit(raw: &Raw) -> Result<Option<RateLimit>, ConfigError> {
    let given = &raw.rate_limit;
    let positive = |key, given: Option<u32>, default| {
        NonZeroU32::new(given.unwrap_or(default)).ok_or_else(|| value(key, "must be at least 1"))
    };
    let limit = RateLimit {
        per_minute: positive("rate_limit.per_minute", given.per_minute, 600)?,
        burst: positive("rate_limit.burst", given.burst, 120)?,
    };
    Ok(given.enabled.unwrap_or(true).then_some(limit))
}

/// The maximum number of attempts of a delivery, and the maximum delay between two.
const MAX_ATTEMPTS: usize = 50;
const MAX_DELAY_SECONDS: u32 = 7 * 24 * 3_600;

fn webhook_delays(raw: &Raw) -> Result<RetryDelays, ConfigError> {
    let Some(given) = &raw.webhooks.retry_delays_seconds else {
        return Ok(RetryDelays::default());
    };
    let fits = given.len() <= MAX_ATTEMPTS && given.iter().all(|&delay| delay <= MAX_DELAY_SECONDS);
    let delays = given.iter().map(|&delay| TimeDelta::seconds(delay.into()));
    RetryDelays::new(delays.collect())
        .filter(|_| fits)
        .ok_or_else(|| {
            value(
                "webhooks.retry_delays_seconds",
                "must be 1 to 50 numbers, none above 604800 (a week)",
            )
        })
}

fn plans(raw: &Raw) -> Result<Plans, ConfigError> {
    for name in raw.plans.keys() {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(fits) {
            return Err(value(
                "plans",
                &format!("the name {name:?} may only contain lower-case letters, digits, _ and -"),
            ));
        }
    }
    let plans = raw.plans.iter().map(|(name, plan)| {
        Ok(Plan {
            name: name.clone(),
            limits: PlanLimits {
                sites: plan.sites,
                monthly_runs: plan.monthly_runs,
                storage_bytes: plan.storage_bytes,
                rendered_pages_per_run: plan.rendered_pages_per_run,
                monthly_rendered_pages: plan.monthly_rendered_pages,
            },
            paid: plan.paid,
            retention: operation::choice(plan)?,
        })
    });
    let plans: Vec<Plan> = plans.collect::<Result<_, ConfigError>>()?;
    Ok(Plans::new(plans))
}

/// Validates the filter.
fn log_filter(text: &str) -> Result<String, ConfigError> {
    match EnvFilter::builder().parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err(value(
            "logs.filter",
            &format!(
                "{text:?} is not a log filter: use a level such as info, or directives such as info,api=debug"
            ),
        )),
    }
}

fn available_cores() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2))
}

/// Default memory limit in MiB of a run in a child process.
const MEMORY_MB: u32 = 1_024;
/// The minimum in MiB that an audit of an ordinary site needs.
const MIN_MEMORY_MB: u32 = 256;

fn memory(given: Option<u32>) -> Result<u64, ConfigError> {
    match given.unwrap_or(MEMORY_MB) {
        0..MIN_MEMORY_MB => Err(value(
            "worker.memory_mb",
            &format!("must be at least {MIN_MEMORY_MB}"),
        )),
        mebibytes => Ok(u64::from(mebibytes) << 20),
    }
}

fn drain(raw: &RawServer) -> Result<Duration, ConfigError> {
    match raw.drain_seconds.unwrap_or(0) {
        seconds if seconds <= MAX_DRAIN_SECONDS => Ok(Duration::from_secs(seconds.into())),
        _ => Err(value(
            "server.drain_seconds",
            &format!("must be a number from 0 to {MAX_DRAIN_SECONDS}"),
        )),
    }
}

fn at_least_one(key: &'static str, given: Option<u32>, default: u32) -> Result<u32, ConfigError> {
    match given.unwrap_or(default) {
        0 => Err(value(key, "must be at least 1")),
        number => Ok(number),
    }
}

fn in_range(key: &'static str, number: u32, most: u32) -> Result<u32, ConfigError> {
    if (1..=most).contains(&number) {
        Ok(number)
    } else {
        Err(value(key, &format!("must be a number from 1 to {most}")))
    }
}

fn shown(error: &impl fmt::Display) -> String {
    error.to_string()
}
