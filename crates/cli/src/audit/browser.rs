//! The browser of an audit in rendered mode.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use audit_engine::browser::{
    BrowserOptions, ChromiumRenderer, FindError, FoundBrowser, RendererOptions, Sandbox,
    SharedBrowser, SiteHeaders, VISIT_TIMEOUT,
};
use audit_engine::check::Need;
use audit_engine::egress::{GuardedFetcher, Limiter, TunnelLimits};
use audit_engine::{RenderedPages, product};
use domain::run::{Device, RequestHeaders};
use domain::target::complete_url;
use url::Url;

use super::AuditDefaults;
use super::absent::named_checks;
use crate::args::{AuditArgs, AuditMode, DeviceArg};
use crate::output::write_note;

/// The most tabs. More use more memory than they save time.
const MAX_TABS: usize = 4;

/// The browser that audits use.
#[derive(Debug, Clone)]
pub struct BrowserSettings {
    /// The program; `None` for the first one that is found.
    pub path: Option<PathBuf>,
    /// Whether pages run in the browser's sandbox.
    pub sandbox: Sandbox,
    /// Bytes of memory that its processes may use together.
    pub memory_bytes: u64,
}

impl BrowserSettings {
    /// The browser of this machine, which has not started, with a tab for each core and at most four.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self) -> Result<Arc<SharedBrowser>, FindError> {
        let search_path = std::env::var_os("PATH").unwrap_or_default();
        let found = FoundBrowser::find(self.path.as_deref(), &search_path)?;
        let mut browser = BrowserOptions::new(found, std::env::temp_dir(), search_path);
        browser.sandbox = self.sandbox;
        browser.memory_bytes = self.memory_bytes;
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        Ok(SharedBrowser::new(browser, cores.min(MAX_TABS)))
    }
}

/// How the pages of an audit are shown. The headers are for the origin of the start page.
#[must_use]
pub fn renderer_options(
    contact_url: &str,
    device: Device,
    headers: &RequestHeaders,
    url: &str,
) -> RendererOptions {
    RendererOptions {
        device,
        product: product(contact_url),
        // An address that is no URL ends the audit before the browser starts.
        headers: Url::parse(&complete_url(url))
            .map(|start| SiteHeaders::new(headers.clone(), &start))
            .unwrap_or_default(),
        limits: TunnelLimits::default(),
        visit_timeout: VISIT_TIMEOUT,
    }
}

/// How the pages of an audit are rendered.
pub(super) struct Rendering {
    browser: Arc<SharedBrowser>,
    options: RendererOptions,
}

impl Rendering {
    /// As the arguments ask for; none in static mode, and none if there is no browser and none is required.
    ///
    /// # Errors
    /// If the mode, or a check that an argument names, needs a browser, and there is none or the mode is static.
    pub(super) fn new(
        args: &AuditArgs,
        defaults: &AuditDefaults,
        headers: &RequestHeaders,
    ) -> Result<Option<Self>, String> {
        if args.mode == AuditMode::Static {
            return match check_with_browser(args) {
                Some(argument) => Err(format!(
                    "{argument}: the check needs a browser; add --mode rendered"
                )),
                None => Ok(None),
            };
        }
        match defaults.browser.find() {
            Ok(browser) => Ok(Some(Self {
                browser,
                options: renderer_options(
                    &defaults.contact_url,
                    match args.device {
                        DeviceArg::Mobile => Device::Mobile,
                        DeviceArg::Desktop => Device::Desktop,
                    },
                    headers,
                    &args.url,
                ),
            })),
            Err(error) => {
                without_browser(args, &format!("{error}; {}", error.remedy()))?;
                Ok(None)
            }
        }
    }

    /// The renderer, whose requests pass the gates of the fetcher and the limits of the limiter.
    pub(super) fn renderer(
        &self,
        fetcher: &Arc<GuardedFetcher>,
        limiter: &Arc<Limiter>,
    ) -> Arc<ChromiumRenderer> {
        Arc::new(ChromiumRenderer::new(
            Arc::clone(&self.browser),
            self.options.clone(),
            Arc::clone(fetcher),
            Arc::clone(limiter),
        ))
    }
}

/// Says that pages are audited as they are served, because of this problem with the browser.
///
/// # Errors
/// If the mode, or a check that an argument names, requires a browser.
pub(super) fn without_browser(args: &AuditArgs, problem: &str) -> Result<(), String> {
    match (args.mode, check_with_browser(args)) {
        (AuditMode::Static, _) => {}
        (AuditMode::Auto, None) => write_note(&format!(
            "pages are audited as they are served, without a browser: {problem}"
        )),
        (AuditMode::Auto, Some(argument)) => {
            return Err(format!("{argument}: the check needs a browser: {problem}"));
        }
        (AuditMode::Rendered, _) => return Err(format!("--mode rendered: {problem}")),
    }
    Ok(())
}

/// The first argument that names a check which needs a browser. Without one it would not run, and a gate on it would
/// always pass.
fn check_with_browser(args: &AuditArgs) -> Option<String> {
    named_checks(args)
        .find(|(_, check)| check.needs(Need::Browser))
        .map(|(argument, _)| argument)
}

/// Which pages the browser shows.
pub(super) const fn pages(mode: AuditMode) -> RenderedPages {
    match mode {
        AuditMode::Auto => RenderedPages::AsNeeded,
        AuditMode::Static | AuditMode::Rendered => RenderedPages::All,
    }
}
