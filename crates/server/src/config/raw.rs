//! The raw settings as written in a file, before validation.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ConfigError;
use super::artifacts::RawArtifacts;
use super::backup::{RawBackup, RawS3};
use super::callers::RawCallers;
use super::dashboard::RawDashboard;
use super::operation::{RawMetrics, RawRetention};
use super::organizations::RawOrganization;

/// One layer; every key is optional.
#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    pub(super) variant: Option<String>,
    #[serde(default)]
    pub(super) server: RawServer,
    #[serde(default)]
    pub(super) storage: RawStorage,
    #[serde(default)]
    pub(super) worker: RawWorker,
    #[serde(default)]
    pub(super) logs: RawLogs,
    #[serde(default)]
    pub(super) plans: BTreeMap<String, RawPlan>,
    #[serde(default)]
    pub(super) crawl: RawCrawl,
    #[serde(default)]
    pub(super) egress: RawEgress,
    #[serde(default)]
    pub(super) browser: RawBrowser,
    #[serde(default)]
    pub(super) rate_limit: RawRateLimit,
    #[serde(default)]
    pub(super) callers: RawCallers,
    #[serde(default)]
    pub(super) pdf: RawPdf,
    #[serde(default)]
    pub(super) organizations: BTreeMap<String, RawOrganization>,
    #[serde(default)]
    pub(super) retention: RawRetention,
    #[serde(default)]
    pub(super) artifacts: RawArtifacts,
    #[serde(default)]
    pub(super) backup: RawBackup,
    #[serde(default)]
    pub(super) s3: RawS3,
    #[serde(default)]
    pub(super) metrics: RawMetrics,
    #[serde(default)]
    pub(super) dashboard: RawDashboard,
    #[serde(default)]
    pub(super) scoring: RawScoring,
    #[serde(default)]
    pub(super) webhooks: RawWebhooks,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawServer {
    pub(super) listen: Option<String>,
    pub(super) base_url: Option<String>,
    pub(super) drain_seconds: Option<u32>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStorage {
    pub(super) data_dir: Option<PathBuf>,
    pub(super) database_url: Option<String>,
    pub(super) max_connections: Option<u32>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWorker {
    pub(super) concurrent_runs: Option<usize>,
    pub(super) lease_seconds: Option<u32>,
    pub(super) heartbeat_seconds: Option<u32>,
    pub(super) reaper_seconds: Option<u32>,
    pub(super) max_attempts: Option<u32>,
    pub(super) runs_per_organization: Option<u32>,
    pub(super) isolation: Option<String>,
    pub(super) memory_mb: Option<u32>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLogs {
    pub(super) format: Option<String>,
    pub(super) filter: Option<String>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlan {
    pub(super) sites: Option<u64>,
    pub(super) monthly_runs: Option<u64>,
    pub(super) storage_bytes: Option<u64>,
    pub(super) rendered_pages_per_run: Option<u64>,
    pub(super) monthly_rendered_pages: Option<u64>,
    #[serde(default)]
    pub(super) paid: bool,
    pub(super) reports_days: Option<u32>,
    pub(super) audit_log_days: Option<u32>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCrawl {
    pub(super) max_pages: Option<u32>,
    pub(super) max_pages_limit: Option<u32>,
    pub(super) contact_url: Option<String>,
    pub(super) external_links: Option<String>,
    pub(super) concurrency: Option<usize>,
    pub(super) max_rate: Option<f64>,
    pub(super) budget_seconds: Option<u64>,
    pub(super) deadline_seconds: Option<u64>,
    pub(super) allow_user_agent: Option<bool>,
    pub(super) allow_ignore_robots: Option<bool>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEgress {
    pub(super) allow_targets: Option<Vec<String>>,
    pub(super) connect_timeout_ms: Option<u64>,
    pub(super) header_timeout_ms: Option<u64>,
    pub(super) total_timeout_ms: Option<u64>,
    pub(super) extra_ca_file: Option<PathBuf>,
    pub(super) resolve: Option<BTreeMap<String, String>>,
    pub(super) dns_server: Option<String>,
    pub(super) proxy: Option<String>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBrowser {
    pub(super) runs: Option<String>,
    pub(super) path: Option<PathBuf>,
    pub(super) sandbox: Option<String>,
    pub(super) memory_mb: Option<u64>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPdf {
    pub(super) font_dirs: Option<Vec<PathBuf>>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRateLimit {
    pub(super) enabled: Option<bool>,
    pub(super) per_minute: Option<u32>,
    pub(super) burst: Option<u32>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWebhooks {
    pub(super) retry_delays_seconds: Option<Vec<u32>>,
}

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawScoring {
    pub(super) weights: Option<BTreeMap<String, u32>>,
}

/// `ASSAY_SECTION__KEY=value` as TOML; none for other variables. A value that is not valid TOML is
/// used as a string.
///
/// `ASSAY_URL` and `ASSAY_API_KEY` belong to the client commands, `ASSAY_HEADERS` and
/// `ASSAY_BASIC_AUTH` to `assay audit`; they are ignored.
pub(super) fn variable_as_toml(name: &str, value: &str) -> Result<Option<String>, ConfigError> {
    let Some(path) = name.strip_prefix("ASSAY_") else {
        return Ok(None);
    };
    if matches!(path, "URL" | "API_KEY" | "HEADERS" | "BASIC_AUTH") {
        return Ok(None);
    }
    let keys: Vec<String> = path.split("__").map(str::to_ascii_lowercase).collect();
    let mut root = toml::Table::new();
    insert(&mut root, &keys, parsed(value));
    toml::to_string(&root)
        .map(Some)
        .map_err(|error| ConfigError::Invalid {
            origin: format!("the environment variable {name}"),
            message: error.to_string(),
        })
}

fn parsed(value: &str) -> toml::Value {
    toml::from_str::<toml::Table>(&format!("value = {value}"))
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| toml::Value::String(value.to_owned()))
}

fn insert(table: &mut toml::Table, keys: &[String], value: toml::Value) {
    let Some((first, rest)) = keys.split_first() else {
        return;
    };
    // The only key that is not in snake case.
    let first = if first == "aireadiness" {
        "aiReadiness"
    } else {
        first
    };
    if rest.is_empty() {
        table.insert(first.to_owned(), value);
        return;
    }
    let inner = table
        .entry(first.to_owned())
        .or_insert_with(|| toml::Value::Table(toml::Table::new()));
    if let toml::Value::Table(inner) = inner {
        insert(inner, rest, value);
    }
}
