//! The browser of runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use audit_engine::RenderedPages;
use audit_engine::browser::{ChromiumRenderer, SharedBrowser};
use audit_engine::egress::{GuardedFetcher, Limiter};
use cli::{BrowserSettings, renderer_options};
use domain::ports::AuditOrder;
use domain::run::Mode;

/// How long runs in `auto` mode do without a browser that did not start.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(300);

/// The browser that the runs of a process share.
#[derive(Debug, Clone)]
pub(crate) struct RunBrowser {
    pub(super) settings: BrowserSettings,
    pub(super) contact_url: String,
    shared: Arc<SharedBrowser>,
    /// When it last failed to start.
    failed_at: Arc<Mutex<Option<Instant>>>,
}

impl RunBrowser {
    /// The browser of this machine. The reason is logged if there is none.
    pub(crate) fn find(settings: &BrowserSettings, contact_url: &str) -> Option<Self> {
        match settings.find() {
            Ok(shared) => Some(Self {
                settings: settings.clone(),
                contact_url: contact_url.to_owned(),
                shared,
                failed_at: Arc::default(),
            }),
            Err(error) => {
                tracing::info!(reason = %error, "no browser: pages are audited as they are served");
                None
            }
        }
    }

    /// Shows the pages of a run; none in static mode.
    pub(super) fn renderer(
        &self,
        order: &AuditOrder,
        fetcher: &Arc<GuardedFetcher>,
        limiter: &Arc<Limiter>,
    ) -> Option<Arc<ChromiumRenderer>> {
        if order.options.mode == Mode::Static {
            return None;
        }
        let device = order.options.device;
        let headers = &order.options.headers;
        let options = renderer_options(&self.contact_url, device, headers, &order.url);
        Some(Arc::new(ChromiumRenderer::new(
            Arc::clone(&self.shared),
            options,
            Arc::clone(fetcher),
            Arc::clone(limiter),
        )))
    }

    /// Starts the browser before the first request of a run. If it does not start, runs in `auto` mode are audited without
    /// it for a while; one in `rendered` mode tries again for each page, and its report says which pages were not
    /// rendered.
    pub(super) async fn started(
        &self,
        renderer: Arc<ChromiumRenderer>,
        mode: Mode,
    ) -> Option<Arc<ChromiumRenderer>> {
        if mode == Mode::Auto && self.has_just_failed() {
            return None;
        }
        match renderer.start().await {
            Ok(()) => Some(renderer),
            Err(error) => {
                tracing::warn!(%error, "browser not started");
                *self.lock_failed_at() = Some(Instant::now());
                (mode == Mode::Rendered).then_some(renderer)
            }
        }
    }

    fn has_just_failed(&self) -> bool {
        self.lock_failed_at()
            .is_some_and(|at| at.elapsed() < PAUSE_AFTER_FAILURE)
    }

    fn lock_failed_at(&self) -> MutexGuard<'_, Option<Instant>> {
        self.failed_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which pages of a run the browser shows.
pub(super) const fn rendered_pages(mode: Mode) -> RenderedPages {
    match mode {
        Mode::Auto => RenderedPages::AsNeeded,
        Mode::Static | Mode::Rendered => RenderedPages::All,
    }
}
