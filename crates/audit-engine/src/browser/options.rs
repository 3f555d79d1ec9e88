//! How a browser is started, and why it was not.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::{CdpError, FoundBrowser};
use crate::bounds::browser::{BROWSER_MEMORY_BYTES, BROWSER_START_TIMEOUT};

/// The oldest version that has every command that the engine calls.
pub(super) const OLDEST_VERSION: u32 = 128;

/// Whether pages run in the browser's own sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sandbox {
    /// In the sandbox, which needs user namespaces or a set-uid helper, and a user other than root.
    #[default]
    On,
    /// Without it: a page that breaks the browser's renderer has the rights of the engine's user.
    Off,
}

/// How a browser is started.
#[derive(Debug, Clone)]
pub struct BrowserOptions {
    /// The program.
    pub browser: FoundBrowser,
    /// Whether pages run in the sandbox.
    pub sandbox: Sandbox,
    /// The folder in which the folder of the profile is created.
    pub profiles: PathBuf,
    /// The value of the variable `PATH`; the browser sees no other variable of the engine.
    pub search_path: OsString,
    /// How long it may take until it answers.
    pub start_timeout: Duration,
    /// Bytes of memory that its processes may use together. Beyond them the largest page ends; at one and a half times
    /// as many the browser ends.
    pub memory_bytes: u64,
}

impl BrowserOptions {
    /// Starts within 20 s, in the sandbox, and uses 1,500 MB.
    #[must_use]
    pub const fn new(browser: FoundBrowser, profiles: PathBuf, search_path: OsString) -> Self {
        Self {
            browser,
            sandbox: Sandbox::On,
            profiles,
            search_path,
            start_timeout: BROWSER_START_TIMEOUT,
            memory_bytes: BROWSER_MEMORY_BYTES,
        }
    }
}

/// Why a browser did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder of the profile could not be created.
    #[error("the folder of the browser's profile could not be created: {0}")]
    Profile(std::io::Error),
    /// The program could not be started.
    #[error("{} could not be started: {error}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// The system's reason.
        error: std::io::Error,
    },
    /// The sandbox cannot be used here.
    #[error("the sandbox of the browser cannot be used here: {0}")]
    Sandbox(String),
    /// It ended before it answered.
    #[error("the browser ended while it started: {0}")]
    Ended(String),
    /// It did not answer.
    #[error("the browser started, but did not answer: {0}")]
    Silent(CdpError),
    /// It is too old.
    #[error("{0} is too old: version {OLDEST_VERSION} or later is needed")]
    TooOld(String),
    /// There is no support for this system.
    #[error("rendered mode is not available on this system")]
    Unsupported,
}

impl StartError {
    /// What to do about it; none if the error says it.
    #[must_use]
    pub const fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Sandbox(_) => Some(
                "run as another user than root; or allow user namespaces (in a container by its seccomp profile); or install the package chromium-sandbox (Debian); or set sandbox = \"off\" in [browser], if you trust the sites that you audit",
            ),
            Self::TooOld(_) => Some("update the browser"),
            Self::Profile(_)
            | Self::Spawn { .. }
            | Self::Ended(_)
            | Self::Silent(_)
            | Self::Unsupported => None,
        }
    }

    /// The error of a browser that ended, from what it wrote to its standard error.
    pub(super) fn from_stderr(stderr: &str) -> Self {
        const OF_SANDBOX: [&str; 4] = [
            "no-sandbox",
            "No usable sandbox",
            "SUID sandbox",
            "Failed to move to new namespace",
        ];
        let lines = || {
            stderr
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
        };
        let about_sandbox =
            lines().find(|line| OF_SANDBOX.iter().any(|words| line.contains(words)));
        match about_sandbox {
            Some(line) => Self::Sandbox(line.trim_end_matches('.').to_owned()),
            None => {
                let last = lines().next_back().unwrap_or("it wrote no reason");
                Self::Ended(last.to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_sandbox_is_told_from_other_ends() {
        let root = "[1:1:ERROR:zygote_host_impl_linux.cc(101)] Running as root without --no-sandbox is not supported.\n\n";
        let error = StartError::from_stderr(root);
        assert!(matches!(error, StartError::Sandbox(_)), "{error}");
        assert!(error.remedy().unwrap().contains("user namespaces"));
        let other = StartError::from_stderr("one\nerror while loading shared libraries\n");
        assert_eq!(
            other.to_string(),
            "the browser ended while it started: error while loading shared libraries"
        );
        assert!(
            StartError::from_stderr("")
                .to_string()
                .ends_with("it wrote no reason")
        );
    }
}
