//! The configuration of rate and concurrency limits.

use std::num::NonZeroU32;
use std::time::Duration;

use httpkit::limits::{CallerLimits, RateLimit, Tiers};
use serde::{Deserialize, Serialize};

use super::{ConfigError, value};

/// The maximum of each limit of connections, requests or streams. Each of these uses memory of this process.
const MAX_AT_ONCE: u32 = 100_000;
/// Maximum of a timeout in seconds: an hour.
const MAX_SECONDS: u32 = 3_600;

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCallers {
    pub(super) trusted_proxies: Option<Vec<String>>,
    pub(super) connections_per_address: Option<u32>,
    pub(super) connections: Option<u32>,
    pub(super) anonymous_per_minute: Option<u32>,
    pub(super) anonymous_burst: Option<u32>,
    pub(super) anonymous_calls_per_address: Option<u32>,
    pub(super) anonymous_calls: Option<u32>,
    pub(super) calls_per_key: Option<u32>,
    pub(super) calls_per_organization: Option<u32>,
    pub(super) calls: Option<u32>,
    pub(super) agent_calls_per_key: Option<u32>,
    pub(super) agent_calls_per_organization: Option<u32>,
    pub(super) agent_calls: Option<u32>,
    pub(super) reports_per_key: Option<u32>,
    pub(super) reports_per_organization: Option<u32>,
    pub(super) reports: Option<u32>,
    pub(super) exports_per_key: Option<u32>,
    pub(super) exports_per_organization: Option<u32>,
    pub(super) exports: Option<u32>,
    pub(super) streams_per_key: Option<u32>,
    pub(super) streams_per_organization: Option<u32>,
    pub(super) streams: Option<u32>,
    pub(super) body_seconds: Option<u32>,
    pub(super) stalled_seconds: Option<u32>,
}

/// The limits; for unset ones the defaults of [`CallerLimits`].
pub(super) fn limits(raw: &RawCallers) -> Result<CallerLimits, ConfigError> {
    let default = CallerLimits::default();
    Ok(CallerLimits {
        trusted_proxies: match &raw.trusted_proxies {
            Some(networks) => proxies(networks)?,
            None => default.trusted_proxies,
        },
        connections_per_address: at_once(
            "callers.connections_per_address",
            raw.connections_per_address,
            default.connections_per_address,
        )?,
        connections: at_once("callers.connections", raw.connections, default.connections)?,
        anonymous_per_address: at_once(
            "callers.anonymous_calls_per_address",
            raw.anonymous_calls_per_address,
            default.anonymous_per_address,
        )?,
        anonymous: at_once(
            "callers.anonymous_calls",
            raw.anonymous_calls,
            default.anonymous,
        )?,
        anonymous_rate: RateLimit {
            per_minute: positive(
                "callers.anonymous_per_minute",
                raw.anonymous_per_minute,
                default.anonymous_rate.per_minute,
            )?,
            burst: positive(
                "callers.anonymous_burst",
                raw.anonymous_burst,
                default.anonymous_rate.burst,
            )?,
        },
        calls: tiers(
            [
                ("callers.calls_per_key", raw.calls_per_key),
                ("callers.calls_per_organization", raw.calls_per_organization),
                ("callers.calls", raw.calls),
            ],
            default.calls,
        )?,
        agent_calls: tiers(
            [
                ("callers.agent_calls_per_key", raw.agent_calls_per_key),
                (
                    "callers.agent_calls_per_organization",
                    raw.agent_calls_per_organization,
                ),
                ("callers.agent_calls", raw.agent_calls),
            ],
            default.agent_calls,
        )?,
        reports: tiers(
            [
                ("callers.reports_per_key", raw.reports_per_key),
                (
                    "callers.reports_per_organization",
                    raw.reports_per_organization,
                ),
                ("callers.reports", raw.reports),
            ],
            default.reports,
        )?,
        exports: tiers(
            [
                ("callers.exports_per_key", raw.exports_per_key),
                (
                    "callers.exports_per_organization",
                    raw.exports_per_organization,
                ),
                ("callers.exports", raw.exports),
            ],
            default.exports,
        )?,
        streams: tiers(
            [
                ("callers.streams_per_key", raw.streams_per_key),
                (
                    "callers.streams_per_organization",
                    raw.streams_per_organization,
                ),
                ("callers.streams", raw.streams),
            ],
            default.streams,
        )?,
        body_time: seconds("callers.body_seconds", raw.body_seconds, default.body_time)?,
        stall_time: seconds(
            "callers.stalled_seconds",
            raw.stalled_seconds,
            default.stall_time,
        )?,
    })
}

/// Parses proxies; an address stands for the network of only that address.
fn proxies<T: std::str::FromStr + From<std::net::IpAddr>>(
    networks: &[String],
) -> Result<Vec<T>, ConfigError> {
    let parse = |text: &String| {
        let address = text.parse::<std::net::IpAddr>().map(T::from);
        address.or_else(|_| text.parse()).map_err(|_| {
            value(
                "callers.trusted_proxies",
                &format!("{text:?} must be an IP address, or a network such as 10.0.0.0/8"),
            )
        })
    };
    networks.iter().map(parse).collect()
}

fn tiers(given: [(&'static str, Option<u32>); 3], default: Tiers) -> Result<Tiers, ConfigError> {
    let [key, organization, total] = given;
    Ok(Tiers {
        key: at_once(key.0, key.1, default.key)?,
        organization: at_once(organization.0, organization.1, default.organization)?,
        total: at_once(total.0, total.1, default.total)?,
    })
}

fn at_once(key: &'static str, given: Option<u32>, default: usize) -> Result<usize, ConfigError> {
    match given {
        None => Ok(default),
        Some(number) if (1..=MAX_AT_ONCE).contains(&number) => {
            Ok(usize::try_from(number).unwrap_or(usize::MAX))
        }
        Some(_) => Err(value(
            key,
            &format!("must be a number from 1 to {MAX_AT_ONCE}"),
        )),
    }
}

fn positive(
    key: &'static str,
    given: Option<u32>,
    default: NonZeroU32,
) -> Result<NonZeroU32, ConfigError> {
    match given {
        None => Ok(default),
        Some(number) => NonZeroU32::new(number).ok_or_else(|| value(key, "at least 1 is needed")),
    }
}

fn seconds(
    key: &'static str,
    given: Option<u32>,
    default: Duration,
) -> Result<Duration, ConfigError> {
    match given {
        None => Ok(default),
        Some(seconds) if (1..=MAX_SECONDS).contains(&seconds) => {
            Ok(Duration::from_secs(seconds.into()))
        }
        Some(_) => Err(value(
            key,
            &format!("must be a number of seconds from 1 to {MAX_SECONDS}"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::DEFAULTS;

    #[test]
    fn the_shipped_file_matches_the_default_limits() {
        let whole: toml::Table = toml::from_str(DEFAULTS).unwrap();
        let raw: RawCallers = whole["callers"].clone().try_into().unwrap();
        assert_eq!(raw.calls_per_key, Some(64), "it says them");
        assert_eq!(limits(&raw).unwrap(), CallerLimits::default());
    }

    #[test]
    fn values_out_of_range_are_refused_by_their_names() {
        for (text, start) in [
            ("calls_per_key = 0", "callers.calls_per_key: "),
            ("exports = 100001", "callers.exports: "),
            ("anonymous_burst = 0", "callers.anonymous_burst: "),
            ("body_seconds = 0", "callers.body_seconds: "),
            ("stalled_seconds = 3601", "callers.stalled_seconds: "),
            (
                "trusted_proxies = [\"proxy.example.com\"]",
                "callers.trusted_proxies: ",
            ),
        ] {
            let raw: RawCallers = toml::from_str(text).unwrap();
            let error = limits(&raw).unwrap_err().to_string();
            assert!(error.starts_with(start), "{error}");
        }
    }

    #[test]
    fn proxies_are_addresses_and_networks() {
        let raw: RawCallers =
            toml::from_str("trusted_proxies = [\"10.0.0.1\", \"fd00::/8\"]").unwrap();
        let limits = limits(&raw).unwrap();
        let shown: Vec<_> = limits
            .trusted_proxies
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(shown, ["10.0.0.1/32", "fd00::/8"]);
    }
}
