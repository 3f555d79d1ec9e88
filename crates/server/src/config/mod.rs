//! The configuration: embedded defaults, then a file, then environment variables.

mod artifacts;
mod backup;
mod browser;
mod callers;
mod dashboard;
mod isolation;
mod layers;
mod operation;
mod organizations;
mod raw;
mod service;
mod shown;
mod source;

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use audit_engine::egress::{ProxyUrl, ProxyUrlError};
use cli::{AuditDefaults, Notation, Timeouts};
use domain::Dimension;
use domain::report::Variant;
use domain::score::DimensionWeights;
use domain::target::AllowTarget;

pub(crate) use backup::BackupSettings;
pub(crate) use browser::BrowserRuns;
pub(crate) use dashboard::Dashboard;
pub(crate) use isolation::IsolationMode;
use layers::Layers;
pub(crate) use operation::Token;
pub(crate) use organizations::Brands;
use raw::Raw;
pub(crate) use service::{Flags, LogFormat, Service};
pub(crate) use shown::{changed_keys, show};
pub(crate) use source::ConfigSource;

/// The commented default configuration: the documentation of every setting.
pub(crate) const DEFAULTS: &str = include_str!("../../config.default.toml");
/// Default deadline of a run in seconds.
const DEADLINE_SECONDS: u64 = 600;
/// Maximum deadline of a run in seconds: a day.
const MAX_DEADLINE_SECONDS: u64 = 86_400;
/// The file in the working folder that is read if no file is given.
const USUAL_FILE: &str = "assay.toml";

/// An error in the configuration, with its location.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        path: PathBuf,
        error: std::io::Error,
    },
    /// The text is not a valid configuration.
    #[error("{origin}: {message}")]
    Invalid { origin: String, message: String },
    /// A value is out of range.
    #[error("{key}: {message}")]
    Value { key: &'static str, message: String },
}

/// The whole configuration.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Audit settings, for the service and the command line.
    pub(crate) audit: AuditDefaults,
    /// Service settings.
    pub(crate) service: Service,
}

/// Loads the configuration: the defaults, a file, environment variables, flags.
pub(crate) fn load(
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
    flags: Flags,
) -> Result<Settings, ConfigError> {
    validate(layers(file, environment, flags)?)
}

/// All layers merged, not validated.
fn layers(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: Flags,
) -> Result<Raw, ConfigError> {
    let defaults = parse("the built-in defaults", DEFAULTS)?;
    let environment: Vec<_> = environment.into_iter().collect();
    let of_other_tools = Raw {
        s3: backup::of_variables(environment.iter()),
        ..Raw::default()
    };
    let mut layers = Layers::default().with(&defaults)?.with(&of_other_tools)?;
    if let Some((path, text)) = read(file)? {
        layers = layers.with(&parse(&path.display().to_string(), &text)?)?;
    }
    for (name, setting) in environment {
        if let Some(text) = raw::variable_as_toml(&name, &setting)? {
            let layer: Raw = toml::from_str(&text).map_err(|error| ConfigError::Invalid {
                origin: format!("the environment variable {name}"),
                message: Notation::Toml.in_words(error.message()),
            })?;
            layers = layers.with(&layer)?;
        }
    }
    layers.with(&flags.into())?.merged()
}

fn read(file: Option<&Path>) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let (path, required) = match file {
        Some(path) => (path.to_owned(), true),
        None => (PathBuf::from(USUAL_FILE), false),
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if !required && error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ConfigError::Unreadable { path, error }),
    }
}

fn parse(origin: &str, text: &str) -> Result<Raw, ConfigError> {
    toml::from_str(text).map_err(|error| ConfigError::Invalid {
        origin: origin.to_owned(),
        message: located(&error, text),
    })
}

/// The error with its line number. The line itself is not shown: it may contain a password.
fn located(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    match before {
        Some(before) => format!(
            "line {}: {}",
            before.matches('\n').count() + 1,
            Notation::Toml.in_words(error.message())
        ),
        None => Notation::Toml.in_words(error.message()),
    }
}

fn validate(raw: Raw) -> Result<Settings, ConfigError> {
    let service = Service::validate(&raw)?;
    Ok(Settings {
        audit: audit_defaults(raw, &service)?,
        service,
    })
}

fn audit_defaults(raw: Raw, service: &Service) -> Result<AuditDefaults, ConfigError> {
    let crawl = raw.crawl;
    let egress = raw.egress;
    let max_pages = crawl.max_pages.unwrap_or(audit_engine::DEFAULT_MAX_PAGES);
    if !(1..=100_000).contains(&max_pages) {
        return Err(value(
            "crawl.max_pages",
            "must be a number from 1 to 100000",
        ));
    }
    let deadline = crawl.deadline_seconds.unwrap_or(DEADLINE_SECONDS);
    if !(1..=MAX_DEADLINE_SECONDS).contains(&deadline) {
        return Err(value(
            "crawl.deadline_seconds",
            "must be a number of seconds from 1 to 86400",
        ));
    }
    let deadline = Duration::from_secs(deadline);
    // The rest of the deadline is for resources, external links and site checks.
    let budget = crawl
        .budget_seconds
        .map_or(deadline / 5 * 4, Duration::from_secs);
    if budget.is_zero() || budget >= deadline {
        return Err(value(
            "crawl.budget_seconds",
            "must be at least 1, and less than crawl.deadline_seconds",
        ));
    }
    if crawl
        .concurrency
        .is_some_and(|connections| !(1..=256).contains(&connections))
    {
        return Err(value("crawl.concurrency", "must be a number from 1 to 256"));
    }
    if crawl
        .max_rate
        .is_some_and(|rate| !rate.is_finite() || rate <= 0.0)
    {
        return Err(value("crawl.max_rate", "must be a number above 0"));
    }
    Ok(AuditDefaults {
        max_pages,
        external: match crawl.external_links.as_deref() {
            None | Some("check") => true,
            Some("skip") => false,
            Some(_) => return Err(value("crawl.external_links", "must be `check` or `skip`")),
        },
        contact_url: http_url(
            "crawl.contact_url",
            &crawl
                .contact_url
                .unwrap_or_else(|| audit_engine::DOCS_URL.to_owned()),
        )?,
        concurrency: crawl.concurrency,
        max_rate: crawl.max_rate,
        crawl_budget: budget,
        deadline,
        allow_targets: allow_targets(&egress.allow_targets.unwrap_or_default())?,
        resolve: resolve(egress.resolve.unwrap_or_default())?,
        dns_server: dns_server(egress.dns_server.as_deref())?,
        proxy: proxy(egress.proxy.as_deref())?,
        extra_ca_pem: extra_ca(egress.extra_ca_file.as_deref())?,
        browser: browser::browser(raw.browser)?,
        timeouts: Timeouts {
            connect: millis(
                "egress.connect_timeout_ms",
                egress.connect_timeout_ms,
                5_000,
            )?,
            headers: millis("egress.header_timeout_ms", egress.header_timeout_ms, 10_000)?,
            total: millis("egress.total_timeout_ms", egress.total_timeout_ms, 30_000)?,
        },
        base_url: service.base_url.clone(),
        weights: weights(raw.scoring.weights)?,
        variant: match raw.variant.as_deref() {
            None | Some("current") => Variant::Current,
            Some("legacy") => Variant::Legacy,
            Some(_) => return Err(value("variant", "must be `current` or `legacy`")),
        },
    })
}

fn value(key: &'static str, message: &str) -> ConfigError {
    ConfigError::Value {
        key,
        message: message.to_owned(),
    }
}

fn millis(key: &'static str, given: Option<u64>, default: u64) -> Result<Duration, ConfigError> {
    match given.unwrap_or(default) {
        0 => Err(value(key, "must be at least 1")),
        millis => Ok(Duration::from_millis(millis)),
    }
}

fn allow_targets(targets: &[String]) -> Result<Vec<AllowTarget>, ConfigError> {
    targets
        .iter()
        .map(|target| {
            target
                .parse()
                .map_err(|error: domain::target::AllowTargetError| {
                    value("egress.allow_targets", &error.to_string())
                })
        })
        .collect()
}

fn resolve(names: BTreeMap<String, String>) -> Result<HashMap<String, Vec<IpAddr>>, ConfigError> {
    names
        .into_iter()
        .map(|(name, address)| match address.parse() {
            Ok(address) => Ok((name, vec![address])),
            Err(_) => Err(value(
                "egress.resolve",
                &format!("{name} = {address:?}: the value must be an IP address"),
            )),
        })
        .collect()
}

fn dns_server(text: Option<&str>) -> Result<Option<SocketAddr>, ConfigError> {
    let parsed = text.map(|text| text.trim().parse());
    parsed.transpose().map_err(|_| {
        value(
            "egress.dns_server",
            "must be an IP address with a port, for example 10.0.0.53:53 or [fd00::53]:53",
        )
    })
}

fn proxy(text: Option<&str>) -> Result<Option<ProxyUrl>, ConfigError> {
    // The error does not quote the value: it may contain a password.
    let parsed = text.map(str::parse).transpose();
    parsed.map_err(|error: ProxyUrlError| value("egress.proxy", &error.to_string()))
}

fn extra_ca(file: Option<&Path>) -> Result<Vec<Vec<u8>>, ConfigError> {
    let Some(path) = file else {
        return Ok(Vec::new());
    };
    match std::fs::read(path) {
        Ok(pem) => Ok(vec![pem]),
        Err(error) => Err(ConfigError::Unreadable {
            path: path.to_owned(),
            error,
        }),
    }
}

/// An absolute URL that is valid in a header, without a trailing slash.
fn http_url(key: &'static str, text: &str) -> Result<String, ConfigError> {
    let trimmed = text.trim_end_matches('/');
    let absolute = trimmed.starts_with("http://") || trimmed.starts_with("https://");
    if absolute && trimmed.chars().all(|c| c.is_ascii_graphic()) {
        Ok(trimmed.to_owned())
    } else {
        Err(value(key, "must be an absolute http or https URL"))
    }
}

fn weights(named: Option<BTreeMap<String, u32>>) -> Result<DimensionWeights, ConfigError> {
    let mut weights = DimensionWeights::default();
    for (name, weight) in named.unwrap_or_default() {
        let dimension: Dimension =
            name.parse()
                .map_err(|error: domain::dimension::UnknownDimension| {
                    value("scoring.weights", &error.to_string())
                })?;
        *match dimension {
            Dimension::Performance => &mut weights.performance,
            Dimension::Accessibility => &mut weights.accessibility,
            Dimension::Seo => &mut weights.seo,
            Dimension::Security => &mut weights.security,
            Dimension::Content => &mut weights.content,
            Dimension::AiReadiness => &mut weights.ai_readiness,
        } = weight;
    }
    if Dimension::ALL
        .into_iter()
        .all(|dimension| weights.get(dimension) == 0)
    {
        return Err(value(
            "scoring.weights",
            "at least one weight must be above 0",
        ));
    }
    Ok(weights)
}

#[cfg(test)]
mod tests;
