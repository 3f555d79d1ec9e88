//! What the configuration says of the service.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use chrono::TimeDelta;
use domain::plan::{Plan, PlanLimits, Plans};
use domain::ports::QueueRules;
use domain::retention::Retention;
use domain::webhook::RetryDelays;
use httpkit::limits::{CallerLimits, RateLimit};
use storage::DatabaseUrl;
use tracing_subscriber::EnvFilter;

use super::callers;
use super::isolation::IsolationMode;
use super::operation::{self, RawMetrics, Token};
use super::raw::{Raw, RawServer, RawStorage};
use super::{ConfigError, http_url, value};

/// What the command line says of the configuration.
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
    /// Text on a terminal, else JSON.
    Auto,
    /// JSON.
    Json,
    /// Text.
    Text,
}

/// How the service runs.
#[derive(Debug, Clone)]
pub(crate) struct Service {
    /// Where it listens.
    pub(crate) listen: SocketAddr,
    /// Where it is reached, if that is said.
    base_url: Option<String>,
    /// The folder of the default database.
    pub(crate) data_dir: PathBuf,
    /// The database.
    pub(crate) database: DatabaseUrl,
    /// Connections to it at most.
    pub(crate) max_connections: u32,
    /// Runs audited at once.
    pub(crate) concurrent_runs: usize,
    /// The times of the queue.
    pub(crate) queue: QueueRules,
    /// Which runs are audited in a process of their own.
    pub(crate) isolation: IsolationMode,
    /// Bytes of memory that a run may allocate in a process of its own.
    pub(crate) memory_bytes: u64,
    /// Between two signs of life of a worker.
    pub(crate) heartbeat: Duration,
    /// Between two looks for runs that nobody works on any more.
    pub(crate) reaper: Duration,
    /// The highest number of pages of a run.
    pub(crate) max_pages_limit: u32,
    /// Whether callers may choose the user agent of their runs.
    pub(crate) allow_user_agent: bool,
    /// Whether callers may have robots.txt ignored.
    pub(crate) allow_ignore_robots: bool,
    /// Folders with fonts for scripts that the embedded ones lack.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "for PDFs alone"))]
    pub(crate) font_dirs: Vec<PathBuf>,
    /// How often a key may call.
    pub(crate) rate_limit: Option<RateLimit>,
    /// What callers may use at once.
    pub(crate) callers: CallerLimits,
    /// The plans.
    pub(crate) plans: Plans,
    /// When events are sent again to a webhook that did not take them.
    pub(crate) webhook_delays: RetryDelays,
    /// How long things are kept, where neither organization nor plan says so.
    pub(crate) retention: Retention,
    /// Between two looks for what is kept no longer.
    pub(crate) sweep_every: Duration,
    /// What opens the measurements; none where nobody may see them.
    pub(crate) metrics_token: Option<Token>,
    /// Where `assay worker` tells them.
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// How log lines are written.
    pub(crate) log_format: LogFormat,
    /// What is logged.
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
                "less than worker.lease_seconds is needed",
            ));
        }
        if worker
            .concurrent_runs
            .is_some_and(|runs| !(1..=256).contains(&runs))
        {
            return Err(value(
                "worker.concurrent_runs",
                "a number from 1 to 256 is needed",
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
                    "an address with a port is needed, for example 127.0.0.1:8080",
                )
            })?,
            base_url: base_url
                .map(|url| http_url("server.base_url", url))
                .transpose()?,
            database: match &raw.storage.database_url {
                Some(url) => url
                    .parse()
                    .map_err(|error| value("storage.database_url", &shown(&error)))?,
                None => DatabaseUrl::Sqlite(data_dir.join("assay.db")),
            },
            data_dir,
            max_connections: in_range(
                "storage.max_connections",
                raw.storage.max_connections.unwrap_or(16),
                1_000,
            )?,
            concurrent_runs: worker.concurrent_runs.unwrap_or_else(cores),
            queue: QueueRules {
                lease: TimeDelta::seconds(lease.into()),
                deadline: TimeDelta::try_seconds(i64::try_from(deadline).unwrap_or(i64::MAX))
                    .ok_or_else(|| value("crawl.deadline_seconds", "a smaller number is needed"))?,
                max_attempts: at_least_one("worker.max_attempts", worker.max_attempts, 3)?,
                runs_per_organization: worker
                    .runs_per_organization
                    .map(|runs| at_least_one("worker.runs_per_organization", Some(runs), 1))
                    .transpose()?,
                isolated_runs: false,
            },
            isolation: match worker.isolation.as_deref() {
                None | Some("auto") => IsolationMode::Auto,
                Some("process") => IsolationMode::Process,
                Some("thread") => IsolationMode::Thread,
                Some(_) => {
                    return Err(value(
                        "worker.isolation",
                        "`auto`, `process` or `thread` is needed",
                    ));
                }
            },
            memory_bytes: memory(worker.memory_mb)?,
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
            font_dirs: raw.pdf.font_dirs.clone().unwrap_or_default(),
            rate_limit: rate_limit(raw)?,
            callers: callers::limits(&raw.callers)?,
            plans: plans(raw)?,
            webhook_delays: webhook_delays(raw)?,
            retention: operation::retention(&raw.retention)?,
            sweep_every: operation::sweep_every(&raw.retention)?,
            metrics_token: operation::token(&raw.metrics)?,
            metrics_listen: operation::metrics_listen(&raw.metrics)?,
            log_format: match raw.logs.format.as_deref() {
                None | Some("auto") => LogFormat::Auto,
                Some("json") => LogFormat::Json,
                Some("text") => LogFormat::Text,
                Some(_) => {
                    return Err(value("logs.format", "`auto`, `json` or `text` is needed"));
                }
            },
            log_filter: log_filter(raw.logs.filter.as_deref().unwrap_or("info"))?,
        })
    }

    /// Where the service is reached when it listens there, without a slash at the end.
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
        NonZeroU32::new(given.unwrap_or(default)).ok_or_else(|| value(key, "at least 1 is needed"))
    };
    let limit = RateLimit {
        per_minute: positive("rate_limit.per_minute", given.per_minute, 600)?,
        burst: positive("rate_limit.burst", given.burst, 120)?,
    };
    Ok(given.enabled.unwrap_or(true).then_some(limit))
}

/// The most attempts at a delivery, and the longest wait between two.
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
                "1 to 50 numbers are needed, none above 604800 (a week)",
            )
        })
}

fn plans(raw: &Raw) -> Result<Plans, ConfigError> {
    for name in raw.plans.keys() {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(fits) {
            return Err(value(
                "plans",
                &format!("the name {name:?}: lower-case letters, digits, _ and - are needed"),
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
            },
            paid: plan.paid,
            retention: operation::choice(plan)?,
        })
    });
    let plans: Vec<Plan> = plans.collect::<Result<_, ConfigError>>()?;
    Ok(Plans::new(plans))
}

/// A filter that can be read.
fn log_filter(text: &str) -> Result<String, ConfigError> {
    match EnvFilter::builder().parse(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err(value(
            "logs.filter",
            &format!(
                "{text:?} is no filter: write a level such as info, or directives such as info,api=debug"
            ),
        )),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2))
}

/// MiB of memory that a run may use in a process of its own, unless said otherwise.
const MEMORY_MB: u32 = 1_024;
/// The fewest MiB with which an audit of an ordinary site ends.
const MIN_MEMORY_MB: u32 = 256;

fn memory(given: Option<u32>) -> Result<u64, ConfigError> {
    match given.unwrap_or(MEMORY_MB) {
        0..MIN_MEMORY_MB => Err(value(
            "worker.memory_mb",
            &format!("at least {MIN_MEMORY_MB} is needed"),
        )),
        mebibytes => Ok(u64::from(mebibytes) << 20),
    }
}

fn at_least_one(key: &'static str, given: Option<u32>, default: u32) -> Result<u32, ConfigError> {
    match given.unwrap_or(default) {
        0 => Err(value(key, "at least 1 is needed")),
        number => Ok(number),
    }
}

fn in_range(key: &'static str, number: u32, most: u32) -> Result<u32, ConfigError> {
    if (1..=most).contains(&number) {
        Ok(number)
    } else {
        Err(value(key, &format!("a number from 1 to {most} is needed")))
    }
}

fn shown(error: &impl fmt::Display) -> String {
    error.to_string()
}
