//! The browser of audits.

use audit_engine::browser::Sandbox;
use cli::BrowserSettings;

use super::raw::RawBrowser;
use super::{ConfigError, value};

/// The least and the most memory of a browser, in megabytes. A browser with one page takes about 400.
const MEMORY_MB: std::ops::RangeInclusive<u64> = 500..=64_000;

/// Where the runs of the service use a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum BrowserRuns {
    /// In this process, if there is a browser on this machine.
    #[default]
    Here,
    /// In other processes on the same database: this one leaves them the runs that use a browser.
    Elsewhere,
    /// Nowhere: pages are audited as they are served.
    Off,
}

pub(super) fn browser(raw: RawBrowser) -> Result<BrowserSettings, ConfigError> {
    let memory_mb = raw.memory_mb.unwrap_or(1_500);
    if !MEMORY_MB.contains(&memory_mb) {
        return Err(value(
            "browser.memory_mb",
            "must be a number of megabytes from 500 to 64000",
        ));
    }
    Ok(BrowserSettings {
        path: raw.path,
        sandbox: match raw.sandbox.as_deref() {
            None | Some("on") => Sandbox::On,
            Some("off") => Sandbox::Off,
            Some(_) => return Err(value("browser.sandbox", "must be `on` or `off`")),
        },
        memory_bytes: memory_mb * 1_000_000,
    })
}

pub(super) fn browser_runs(raw: &RawBrowser) -> Result<BrowserRuns, ConfigError> {
    match raw.runs.as_deref() {
        None | Some("here") => Ok(BrowserRuns::Here),
        Some("elsewhere") => Ok(BrowserRuns::Elsewhere),
        Some("off") => Ok(BrowserRuns::Off),
        Some(_) => Err(value(
            "browser.runs",
            "must be `here`, `elsewhere` or `off`",
        )),
    }
}
