//! The configuration: embedded defaults, then a file, then environment variables.

mod callers;
mod isolation;
mod operation;
mod raw;
mod service;
mod shown;
mod source;

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use audit_engine::egress::{ProxyUrl, ProxyUrlError};
use cli::{AuditDefaults, Timeouts};
use domain::Dimension;
use domain::report::Variant;
use domain::score::DimensionWeights;
use domain::target::AllowTarget;

pub(crate) use isolation::IsolationMode;
pub(crate) use operation::Token;
use raw::Raw;
pub(crate) use service::{Flags, LogFormat, Service};
pub(crate) use shown::{changed_keys, show};
pub(crate) use source::ConfigSource;

/// The defaults, commented: the documentation of every setting.
pub(crate) const DEFAULTS: &str = include_str!("../../config.default.toml");
/// Seconds for a whole run, unless said otherwise.
const DEADLINE_SECONDS: u64 = 600;
/// Seconds for a whole run at most: a day.
const MAX_DEADLINE_SECONDS: u64 = 86_400;
/// Read from the working folder when no file is named.
const USUAL_FILE: &str = "assay.toml";

/// What is wrong with the configuration, and where.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        path: PathBuf,
        error: std::io::Error,
    },
    /// The text is no valid configuration.
    #[error("{origin}: {message}")]
    Invalid { origin: String, message: String },
    /// A value is out of its range.
    #[error("{key}: {message}")]
    Value { key: &'static str, message: String },
}

/// The whole configuration.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// How sites are audited, by the service and from the command line.
    pub(crate) audit: AuditDefaults,
    /// How the service runs.
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

/// All layers together, not judged.
fn layers(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: Flags,
) -> Result<Raw, ConfigError> {
    let mut raw = parse("the built-in defaults", DEFAULTS)?;
    if let Some((path, text)) = read(file)? {
        raw = raw.overlay(parse(&path.display().to_string(), &text)?);
    }
    for (name, setting) in environment {
        if let Some(text) = raw::variable_as_toml(&name, &setting)? {
            let layer = toml::from_str(&text).map_err(|error| ConfigError::Invalid {
                origin: format!("the environment variable {name}"),
                message: error.message().to_owned(),
            })?;
            raw = raw.overlay(layer);
        }
    }
    Ok(raw.overlay(flags.into()))
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

/// What is wrong and on which line. The line itself is not shown: it may hold a password.
fn located(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    match before {
        Some(before) => format!(
            "line {}: {}",
            before.matches('\n').count() + 1,
            error.message()
        ),
        None => error.message().to_owned(),
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
            "a number from 1 to 100000 is needed",
        ));
    }
    let deadline = crawl.deadline_seconds.unwrap_or(DEADLINE_SECONDS);
    if !(1..=MAX_DEADLINE_SECONDS).contains(&deadline) {
        return Err(value(
            "crawl.deadline_seconds",
            "a number of seconds from 1 to 86400 is needed",
        ));
    }
    let deadline = Duration::from_secs(deadline);
    // What is left of the deadline is for resources, external links and the checks of the site.
    let budget = crawl
        .budget_seconds
        .map_or(deadline / 5 * 4, Duration::from_secs);
    if budget.is_zero() || budget >= deadline {
        return Err(value(
            "crawl.budget_seconds",
            "less than crawl.deadline_seconds, and at least 1, is needed",
        ));
    }
    if crawl
        .concurrency
        .is_some_and(|connections| !(1..=256).contains(&connections))
    {
        return Err(value(
            "crawl.concurrency",
            "a number from 1 to 256 is needed",
        ));
    }
    if crawl
        .max_rate
        .is_some_and(|rate| !rate.is_finite() || rate <= 0.0)
    {
        return Err(value("crawl.max_rate", "a number above 0 is needed"));
    }
    Ok(AuditDefaults {
        max_pages,
        external: match crawl.external_links.as_deref() {
            None | Some("check") => true,
            Some("skip") => false,
            Some(_) => return Err(value("crawl.external_links", "`check` or `skip` is needed")),
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
        timeouts: Timeouts {
            connect: millis(
                "egress.connect_timeout_ms",
                egress.connect_timeout_ms,
                5_000,
            )?,
            headers: millis("egress.header_timeout_ms", egress.header_timeout_ms, 10_000)?,
            total: millis("egress.total_timeout_ms", egress.total_timeout_ms, 30_000)?,
        },
        base_url: service.base_url_at(service.listen),
        weights: weights(raw.scoring.weights)?,
        variant: match raw.variant.as_deref() {
            None | Some("current") => Variant::Current,
            Some("legacy") => Variant::Legacy,
            Some(_) => return Err(value("variant", "`current` or `legacy` is needed")),
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
        0 => Err(value(key, "at least 1 is needed")),
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
                &format!("{name} = {address:?}: an IP address is needed"),
            )),
        })
        .collect()
}

fn dns_server(text: Option<&str>) -> Result<Option<SocketAddr>, ConfigError> {
    let parsed = text.map(|text| text.trim().parse());
    parsed.transpose().map_err(|_| {
        value(
            "egress.dns_server",
            "an IP address and a port are needed, for example 10.0.0.53:53 or [fd00::53]:53",
        )
    })
}

fn proxy(text: Option<&str>) -> Result<Option<ProxyUrl>, ConfigError> {
    // Its text is not repeated: it may hold a password.
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

/// An absolute URL that a header can carry, without a slash at its end.
fn http_url(key: &'static str, text: &str) -> Result<String, ConfigError> {
    let trimmed = text.trim_end_matches('/');
    let absolute = trimmed.starts_with("http://") || trimmed.starts_with("https://");
    if absolute && trimmed.chars().all(|c| c.is_ascii_graphic()) {
        Ok(trimmed.to_owned())
    } else {
        Err(value(key, "an absolute http or https URL is needed"))
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
            "at least one weight above 0 is needed",
        ));
    }
    Ok(weights)
}

#[cfg(test)]
mod tests;
