//! The configuration of the web pages.

use std::time::Duration;

use dashboard::HashCost;
use domain::account::SessionLifetime;
use domain::id::AccountId;
use serde::{Deserialize, Serialize};

use super::{ConfigError, value};

const DAY: u64 = 24 * 60 * 60;
/// Maximum lifetime of a session in days.
const MAX_DAYS: u32 = 365;
/// Accounts of operators at most.
const MAX_OPERATORS: usize = 100;
/// Minimum memory of a password hash in KiB: OWASP's smallest recommendation for argon2id.
const MIN_HASH_MEMORY_KIB: u32 = 7_168;

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDashboard {
    pub(super) enabled: Option<bool>,
    pub(super) allow_plain_http: Option<bool>,
    pub(super) session_idle_days: Option<u32>,
    pub(super) session_days: Option<u32>,
    pub(super) hash_memory_kib: Option<u32>,
    pub(super) hash_iterations: Option<u32>,
    pub(super) operators: Option<Vec<String>>,
}

/// The settings of the web pages.
#[derive(Debug, Clone)]
pub(crate) struct Dashboard {
    /// Whether the service serves pages.
    pub(crate) enabled: bool,
    /// Whether people may sign in over plain http from other machines.
    pub(crate) allow_plain_http: bool,
    /// How long sessions last.
    pub(crate) lifetime: SessionLifetime,
    /// The cost of a password hash.
    pub(crate) hash_cost: HashCost,
    /// The accounts that see the pages of the operator.
    pub(crate) operators: Vec<AccountId>,
}

pub(super) fn dashboard(raw: &RawDashboard) -> Result<Dashboard, ConfigError> {
    let default = HashCost::default();
    let idle = days("dashboard.session_idle_days", raw.session_idle_days, 7)?;
    let absolute = days("dashboard.session_days", raw.session_days, 30)?;
    if idle > absolute {
        return Err(value(
            "dashboard.session_idle_days",
            "must be at most dashboard.session_days",
        ));
    }
    let memory_kib = raw.hash_memory_kib.unwrap_or(default.memory_kib);
    if !(MIN_HASH_MEMORY_KIB..=1_048_576).contains(&memory_kib) {
        return Err(value(
            "dashboard.hash_memory_kib",
            "must be a number from 7168 to 1048576",
        ));
    }
    let iterations = raw.hash_iterations.unwrap_or(default.iterations);
    if !(1..=100).contains(&iterations) {
        return Err(value(
            "dashboard.hash_iterations",
            "must be a number from 1 to 100",
        ));
    }
    Ok(Dashboard {
        enabled: raw.enabled.unwrap_or(true),
        allow_plain_http: raw.allow_plain_http.unwrap_or(false),
        lifetime: SessionLifetime { idle, absolute },
        hash_cost: HashCost {
            memory_kib,
            iterations,
            ..default
        },
        operators: operators(raw.operators.as_deref().unwrap_or_default())?,
    })
}

fn operators(ids: &[String]) -> Result<Vec<AccountId>, ConfigError> {
    const KEY: &str = "dashboard.operators";
    if ids.len() > MAX_OPERATORS {
        let message = format!("must list at most {MAX_OPERATORS} accounts");
        return Err(value(KEY, &message));
    }
    let ids = ids.iter().map(|id| {
        let wrong = "must list ids of accounts (acc_…), as Settings → Your account shows them";
        AccountId::parse(id).ok_or_else(|| value(KEY, wrong))
    });
    ids.collect()
}

fn days(key: &'static str, given: Option<u32>, default: u32) -> Result<Duration, ConfigError> {
    let days = given.unwrap_or(default);
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(value(key, "must be a number of days from 1 to 365"));
    }
    Ok(Duration::from_secs(u64::from(days) * DAY))
}
