//! The browser of an audit in rendered mode.

use std::num::NonZero;
use std::sync::Arc;

use audit_engine::browser::{
    BrowserOptions, ChromiumRenderer, Device, FoundBrowser, RendererOptions, SiteHeaders,
    VISIT_TIMEOUT,
};
use audit_engine::egress::{GuardedFetcher, Limiter, TunnelLimits};
use audit_engine::{RenderedPages, product};
use domain::run::RequestHeaders;
use domain::target::complete_url;
use url::Url;

use super::AuditDefaults;
use crate::args::{AuditArgs, AuditMode};
use crate::output::write_note;

/// The most tabs. More use more memory than they save time.
const MAX_TABS: usize = 4;

/// How the pages are rendered; none in static mode, and none if there is no browser and none is required.
///
/// # Errors
/// If there is no browser although the mode requires one.
pub(super) fn options(
    args: &AuditArgs,
    defaults: &AuditDefaults,
    headers: &RequestHeaders,
) -> Result<Option<RendererOptions>, String> {
    if args.mode == AuditMode::Static {
        return Ok(None);
    }
    let settings = &defaults.browser;
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let found = match FoundBrowser::find(settings.path.as_deref(), &search_path) {
        Ok(found) => found,
        Err(error) => {
            without_browser(args, &format!("{error}; {}", error.remedy()))?;
            return Ok(None);
        }
    };
    let mut browser = BrowserOptions::new(found, std::env::temp_dir(), search_path);
    browser.sandbox = settings.sandbox;
    browser.memory_bytes = settings.memory_bytes;
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    Ok(Some(RendererOptions {
        browser,
        tabs: cores.min(MAX_TABS),
        device: Device::default(),
        product: product(&defaults.contact_url),
        // An address that is no URL ends the audit before the browser starts.
        headers: Url::parse(&complete_url(&args.url))
            .map(|start| SiteHeaders::new(headers.clone(), &start))
            .unwrap_or_default(),
        limits: TunnelLimits::default(),
        visit_timeout: VISIT_TIMEOUT,
    }))
}

/// Says that pages are audited as they are served, because of this problem with the browser.
///
/// # Errors
/// If the mode requires a browser.
pub(super) fn without_browser(args: &AuditArgs, problem: &str) -> Result<(), String> {
    match args.mode {
        AuditMode::Static => {}
        AuditMode::Auto => write_note(&format!(
            "pages are audited as they are served, without a browser: {problem}"
        )),
        AuditMode::Rendered => return Err(format!("--mode rendered: {problem}")),
    }
    Ok(())
}

/// Which pages the browser shows.
pub(super) const fn pages(mode: AuditMode) -> RenderedPages {
    match mode {
        AuditMode::Auto => RenderedPages::AsNeeded,
        AuditMode::Static | AuditMode::Rendered => RenderedPages::All,
    }
}

/// The renderer, whose requests pass the gates of the fetcher and the limits of the limiter.
pub(super) fn renderer(
    options: &RendererOptions,
    fetcher: &Arc<GuardedFetcher>,
    limiter: &Arc<Limiter>,
) -> Arc<ChromiumRenderer> {
    let (fetcher, limiter) = (Arc::clone(fetcher), Arc::clone(limiter));
    Arc::new(ChromiumRenderer::new(options.clone(), fetcher, limiter))
}
