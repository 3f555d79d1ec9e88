//! The configuration of retention and metrics.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use domain::retention::{Keep, MAX_DAYS, Retention, RetentionChoice};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use super::raw::RawPlan;
use super::{ConfigError, value};

/// Minimum length of a token in characters, so that it cannot be guessed.
const MIN_TOKEN_CHARS: usize = 16;
/// Maximum interval of retention sweeps in seconds: a day.
const MAX_SECONDS: u32 = 86_400;

#[derive(Debug, Default, Clone, Copy, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRetention {
    pub(super) reports_days: Option<u32>,
    pub(super) audit_log_days: Option<u32>,
    pub(super) events_days: Option<u32>,
    pub(super) every_seconds: Option<u32>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMetrics {
    pub(super) token: Option<String>,
    pub(super) listen: Option<String>,
}

/// A secret token that `Debug` does not show.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

impl Token {
    /// Compares in constant time for all words of the same length.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.0.as_bytes().ct_eq(word.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The default retention periods.
pub(super) fn retention(raw: &RawRetention) -> Result<Retention, ConfigError> {
    Ok(Retention {
        reports: keep("retention.reports_days", raw.reports_days.unwrap_or(400))?,
        audit_log: keep(
            "retention.audit_log_days",
            raw.audit_log_days.unwrap_or(730),
        )?,
        events: keep("retention.events_days", raw.events_days.unwrap_or(30))?,
    })
}

/// The retention periods of a plan.
pub(super) fn choice(plan: &RawPlan) -> Result<RetentionChoice, ConfigError> {
    let said = |key, days: Option<u32>| days.map(|days| keep(key, days)).transpose();
    Ok(RetentionChoice {
        reports: said("plans.NAME.reports_days", plan.reports_days)?,
        audit_log: said("plans.NAME.audit_log_days", plan.audit_log_days)?,
    })
}

fn keep(key: &'static str, days: u32) -> Result<Keep, ConfigError> {
    if days > MAX_DAYS {
        let message = format!("must be a number of days from 0 (forever) to {MAX_DAYS}");
        return Err(value(key, &message));
    }
    Ok(Keep::days(days))
}

/// Returns the interval between two retention sweeps of an organization.
pub(super) fn sweep_every(raw: &RawRetention) -> Result<Duration, ConfigError> {
    let seconds = raw.every_seconds.unwrap_or(3_600);
    if !(1..=MAX_SECONDS).contains(&seconds) {
        let message = format!("must be a number of seconds from 1 to {MAX_SECONDS}");
        return Err(value("retention.every_seconds", &message));
    }
    Ok(Duration::from_secs(seconds.into()))
}

/// The token. An error does not quote an invalid value.
pub(super) fn token(raw: &RawMetrics) -> Result<Option<Token>, ConfigError> {
    let Some(text) = &raw.token else {
        return Ok(None);
    };
    if text.len() < MIN_TOKEN_CHARS || !text.chars().all(|c| c.is_ascii_graphic()) {
        let message = format!(
            "must have at least {MIN_TOKEN_CHARS} visible ASCII characters and no spaces; `openssl rand -hex 24` generates one"
        );
        return Err(value("metrics.token", &message));
    }
    Ok(Some(Token(text.clone())))
}

/// The listen address of a worker for metrics.
pub(super) fn metrics_listen(raw: &RawMetrics) -> Result<Option<SocketAddr>, ConfigError> {
    let parse = |text: &String| {
        text.parse().map_err(|_| {
            value(
                "metrics.listen",
                "must be an address with a port, for example 127.0.0.1:9464",
            )
        })
    };
    raw.listen.as_ref().map(parse).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_hidden_in_debug_and_equals_only_itself() {
        let raw = RawMetrics {
            token: Some("0123456789abcdef".to_owned()),
            ..RawMetrics::default()
        };
        let token = token(&raw).unwrap().unwrap();
        assert!(token.is("0123456789abcdef"));
        assert!(!token.is("0123456789abcdeF") && !token.is("") && !token.is("0123456789abcdef0"));
        assert_eq!(format!("{token:?}"), "***");
    }

    #[test]
    fn a_token_that_could_be_guessed_is_refused_and_not_repeated() {
        for text in ["", "short", "with a space in between", "0123456789abcdeé"] {
            let raw = RawMetrics {
                token: Some(text.to_owned()),
                ..RawMetrics::default()
            };
            let error = token(&raw).unwrap_err().to_string();
            assert!(
                error.starts_with("metrics.token: must have at least 16"),
                "{error}"
            );
            assert!(text.is_empty() || !error.contains(text), "{error}");
        }
    }

    #[test]
    fn an_address_without_a_port_is_refused() {
        let raw = RawMetrics {
            listen: Some("127.0.0.1".to_owned()),
            ..RawMetrics::default()
        };
        let error = metrics_listen(&raw).unwrap_err().to_string();
        assert!(error.starts_with("metrics.listen: "), "{error}");
    }

    #[test]
    fn days_beyond_a_century_are_refused() {
        let raw = RawRetention {
            reports_days: Some(40_000),
            ..RawRetention::default()
        };
        let error = retention(&raw).unwrap_err().to_string();
        assert!(error.starts_with("retention.reports_days: "), "{error}");
    }
}
