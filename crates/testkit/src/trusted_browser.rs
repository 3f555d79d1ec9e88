//! The browser of this machine, for sites that are trusted.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use audit_engine::browser::{
    BrowserOptions, ChromiumRenderer, FoundBrowser, RendererOptions, Sandbox, SharedBrowser,
    SiteHeaders, VISIT_TIMEOUT,
};
use audit_engine::default_user_agent;
use audit_engine::egress::{EgressOptions, GuardedFetcher, Limiter, TunnelLimits};
use domain::run::Device;

/// Whether there is a browser. Without one a test says that it was not run.
///
/// # Panics
/// If there is none and this is CI, where nothing is left out.
#[must_use]
pub fn has_browser() -> bool {
    let found = find().is_ok();
    assert!(
        found || std::env::var_os("CI").is_none(),
        "Chromium is missing: scripts/test installs it"
    );
    if !found {
        // Nobody may read it.
        let _ = writeln!(std::io::stderr(), "NOT RUN: there is no Chromium");
    }
    found
}

fn find() -> Result<FoundBrowser, audit_engine::browser::FindError> {
    FoundBrowser::find(None, &std::env::var_os("PATH").unwrap_or_default())
}

/// A browser without a sandbox, and what it has in common with the audits that use it.
pub struct TrustedBrowser {
    /// Fetches by the same rules.
    pub fetcher: Arc<GuardedFetcher>,
    /// The limits of hosts. An audit that does not share them has the browser wait for its own.
    pub limiter: Arc<Limiter>,
    /// Shows pages.
    pub renderer: Arc<ChromiumRenderer>,
}

impl TrustedBrowser {
    /// The first browser that is found, with this number of tabs. It starts with the first page.
    ///
    /// # Errors
    /// If there is none, or the settings of requests are invalid.
    pub fn new(device: Device, tabs: usize, egress: EgressOptions) -> Result<Self, Box<dyn Error>> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut browser = BrowserOptions::new(find()?, std::env::temp_dir(), path);
        browser.sandbox = Sandbox::Off;
        let options = RendererOptions {
            device,
            product: default_user_agent(),
            headers: SiteHeaders::default(),
            limits: TunnelLimits::default(),
            visit_timeout: VISIT_TIMEOUT,
        };
        let fetcher = Arc::new(GuardedFetcher::new(egress)?);
        let limiter = Arc::new(Limiter::default());
        let renderer = ChromiumRenderer::new(
            SharedBrowser::new(browser, tabs),
            options,
            Arc::clone(&fetcher),
            Arc::clone(&limiter),
        );
        Ok(Self {
            fetcher,
            limiter,
            renderer: Arc::new(renderer),
        })
    }
}
