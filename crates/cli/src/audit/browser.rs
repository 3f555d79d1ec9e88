//! The browser of an audit in rendered mode.

use std::num::NonZero;
use std::sync::Arc;

use audit_engine::browser::{
    BrowserOptions, ChromiumRenderer, Device, FoundBrowser, RendererOptions, VISIT_TIMEOUT,
};
use audit_engine::egress::{GuardedFetcher, Limiter, TunnelLimits};
use audit_engine::product;

use super::AuditDefaults;
use crate::args::{AuditArgs, AuditMode};

/// The most tabs. More use more memory than they save time.
const MAX_TABS: usize = 4;

/// How the pages are rendered; none in static mode.
///
/// # Errors
/// If there is no browser, or an option that a browser does not follow.
pub(super) fn options(
    args: &AuditArgs,
    defaults: &AuditDefaults,
) -> Result<Option<RendererOptions>, String> {
    if args.mode == AuditMode::Static {
        return Ok(None);
    }
    if !args.headers.is_empty() || args.basic_auth.is_some() {
        return Err(
            "--mode rendered cannot be combined with --header and --basic-auth: the browser does not send them"
                .to_owned(),
        );
    }
    let settings = &defaults.browser;
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    let found = FoundBrowser::find(settings.path.as_deref(), &search_path)
        .map_err(|error| format!("--mode rendered: {error}; {}", error.remedy()))?;
    let mut browser = BrowserOptions::new(found, std::env::temp_dir(), search_path);
    browser.sandbox = settings.sandbox;
    browser.memory_bytes = settings.memory_bytes;
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    Ok(Some(RendererOptions {
        browser,
        tabs: cores.min(MAX_TABS),
        device: Device::default(),
        product: product(&defaults.contact_url),
        limits: TunnelLimits::default(),
        visit_timeout: VISIT_TIMEOUT,
    }))
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
