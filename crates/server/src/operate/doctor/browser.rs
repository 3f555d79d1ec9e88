//! Checks whether there is a browser that starts.

use std::ffi::OsStr;
use std::time::{Duration, Instant};

use audit_engine::browser::{
    Browser, BrowserOptions, FindError, FoundBrowser, Sandbox, StartError,
};

use cli::BrowserSettings;

use super::Finding;

const CHECK: &str = "browser";

/// How long the browser may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(5);

/// A service without a browser audits pages as they are served, so nothing about it is a problem.
const USE: &str = "audits in the modes `auto` and `rendered` use one";

/// Starts the browser of this machine and asks for its version.
pub(super) fn examine(settings: &BrowserSettings) -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match FoundBrowser::find(settings.path.as_deref(), &path) {
        Ok(found) => Finding::fine(CHECK, describe(found, settings.sandbox, &path)),
        Err(error) => Finding::fine(CHECK, missing(&error)),
    }
}

fn missing(error: &FindError) -> String {
    format!("{error}; {USE}. To add one, {}", error.remedy())
}

fn describe(found: FoundBrowser, sandbox: Sandbox, path: &OsStr) -> String {
    let place = found.path().display().to_string();
    let mut options = BrowserOptions::new(found, std::env::temp_dir(), path.to_owned());
    options.start_timeout = START_TIMEOUT;
    options.sandbox = sandbox;
    let started = started(&options);
    let started = match started {
        Err(StartError::Sandbox(_)) => {
            options.sandbox = Sandbox::Off;
            self::started(&options)
        }
        other => other,
    };
    match started {
        Ok((product, took)) => {
            let sandbox = match options.sandbox {
                Sandbox::On => "with its sandbox".to_owned(),
                Sandbox::Off if sandbox == Sandbox::Off => {
                    "without its sandbox, as configured".to_owned()
                }
                Sandbox::Off => format!(
                    "without its sandbox, which cannot be used here ({})",
                    sandbox_remedy()
                ),
            };
            format!(
                "{product} at {place} started in {} ms {sandbox}; {USE}",
                took.as_millis()
            )
        }
        Err(error) => {
            let remedy = error.remedy().map(|remedy| format!(": {remedy}"));
            format!(
                "{place} does not start: {error}{}; {USE}",
                remedy.unwrap_or_default()
            )
        }
    }
}

fn sandbox_remedy() -> &'static str {
    StartError::Sandbox(String::new())
        .remedy()
        .unwrap_or_default()
}

/// Name, version, and how long the start took. The browser has ended when this returns.
fn started(options: &BrowserOptions) -> Result<(String, Duration), StartError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(StartError::Profile)?;
    runtime.block_on(async {
        let begun = Instant::now();
        let browser = Browser::start(options).await?;
        let (product, took) = (browser.product().to_owned(), begun.elapsed());
        browser.close().await;
        Ok((product, took))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_a_browser_is_told_what_to_install() {
        let message = missing(&FindError::None);
        assert!(message.starts_with("no Chromium was found; "), "{message}");
        assert!(message.contains("chromium-headless-shell"), "{message}");
    }

    #[test]
    fn a_browser_that_does_not_start_is_named() {
        let found = FoundBrowser::find(Some(std::path::Path::new("/bin/true")), OsStr::new(""));
        let message = describe(found.unwrap(), Sandbox::On, OsStr::new("/bin:/usr/bin"));
        assert!(
            message.starts_with("/bin/true does not start: "),
            "{message}"
        );
    }
}
