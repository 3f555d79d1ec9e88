//! Shows the pages of one run in tabs of one browser.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use url::Url;

use super::cdp::CdpError;
use super::context::{Context, ContextOptions, Device};
use super::flags::Containment;
use super::measure::measure;
use super::options::BrowserOptions;
use super::settle::Purpose;
use super::site_headers::SiteHeaders;
use super::start::Browser;
use super::visit::visit;
use crate::egress::{
    GuardedFetcher, Limiter, Tunnel, TunnelCounts, TunnelError, TunnelLimits, host_key,
};
use crate::gather::{MeasureFuture, RenderError, RenderFuture, RenderedPage, Renderer, Want};
use crate::lab::{MeasuredLoad, link_speed};

/// Browsers that are started for one run. A site whose pages end one after the other ends its rendering.
const MAX_STARTS: u32 = 3;

/// Pages that a tab shows before it is replaced, so that what they leave behind in its process goes away.
const PAGES_OF_A_TAB: u32 = 50;

/// How long a page may take, unless the caller says otherwise. A page that never settles is taken after 22 s; then comes
/// its snapshot, which takes about a second for 60,000 elements.
pub const VISIT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a page may be measured, with two benchmarks. It settles after 25 s at the latest.
pub const MEASURE_TIMEOUT: Duration = Duration::from_secs(45);

/// How long the measurement of a page waits until its host may receive another request.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(10);

/// How the pages of a run are shown.
#[derive(Debug, Clone)]
pub struct RendererOptions {
    /// How the browser is started.
    pub browser: BrowserOptions,
    /// Tabs that show pages at the same time; at least one.
    pub tabs: usize,
    /// The screen.
    pub device: Device,
    /// The crawler's name and version, and a URL about it, as they stand in the user agent.
    pub product: String,
    /// Headers for the site's own origin.
    pub headers: SiteHeaders,
    /// How much a tab may load.
    pub limits: TunnelLimits,
    /// How long a page may take from the request to its snapshot; [`VISIT_TIMEOUT`] is enough for pages that never settle.
    pub visit_timeout: Duration,
}

/// Shows pages in Chromium. The browser starts with the first page.
#[derive(Debug)]
pub struct ChromiumRenderer {
    options: RendererOptions,
    fetcher: Arc<GuardedFetcher>,
    limiter: Arc<Limiter>,
    tabs: Semaphore,
    idle: Mutex<Vec<Tab>>,
    running: tokio::sync::Mutex<Running>,
    containment: Containment,
}

/// The current browser.
#[derive(Debug, Default)]
struct Running {
    browser: Option<Arc<Browser>>,
    starts: u32,
}

/// A tab with the proxy that it loads through. The browser lives as long as one of its tabs.
#[derive(Debug)]
struct Tab {
    context: Context,
    tunnel: Tunnel,
    browser: Arc<Browser>,
    pages: u32,
}

impl ChromiumRenderer {
    /// A renderer whose traffic passes the gates of `fetcher` and the limits of `limiter`.
    #[must_use]
    pub fn new(
        options: RendererOptions,
        fetcher: Arc<GuardedFetcher>,
        limiter: Arc<Limiter>,
    ) -> Self {
        Self {
            tabs: Semaphore::new(options.tabs.max(1)),
            options,
            fetcher,
            limiter,
            idle: Mutex::default(),
            running: tokio::sync::Mutex::default(),
            containment: Containment::Full,
        }
    }

    /// The same renderer, but nothing keeps the traffic of the browser in the proxy: the control that shows what the
    /// defences are for. For tests alone.
    #[doc(hidden)]
    #[must_use]
    pub const fn without_defences(mut self) -> Self {
        self.containment = Containment::None;
        self
    }

    /// Starts the browser, unless it runs: the first page starts it otherwise.
    ///
    /// # Errors
    /// [`RenderError::Unavailable`] with the reason, and what to do about it.
    pub async fn start(&self) -> Result<(), RenderError> {
        self.browser().await.map(|_| ())
    }

    /// Name and version of the browser, if it has started.
    pub async fn product(&self) -> Option<String> {
        let running = self.running.lock().await;
        let browser = running.browser.as_ref()?;
        Some(browser.product().to_owned())
    }

    /// Ends the browser and removes its profile. A page that is still shown keeps it until then.
    pub async fn close(&self) {
        let idle = std::mem::take(&mut *self.lock_idle());
        drop(idle);
        let browser = self.running.lock().await.browser.take();
        if let Some(browser) = browser.and_then(Arc::into_inner) {
            browser.close().await;
        }
    }

    fn lock_idle(&self) -> std::sync::MutexGuard<'_, Vec<Tab>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn show(&self, url: Url, want: Want) -> Result<RenderedPage, RenderError> {
        // The semaphore is never closed.
        let _permit = self.tabs.acquire().await.ok();
        match self.show_once(&url, want).await {
            // Another page may have taken the browser with it.
            Err(RenderError::Crashed) => self.show_once(&url, want).await,
            shown => shown,
        }
    }

    async fn show_once(&self, url: &Url, want: Want) -> Result<RenderedPage, RenderError> {
        let mut tab = self.tab().await?;
        tab.tunnel.begin_page();
        let before = tab.tunnel.counts();
        let visit = visit(&tab.context, url, want);
        let visited = tokio::time::timeout(self.options.visit_timeout, visit).await;
        tab.pages += 1;
        let limited = was_limited(before, tab.tunnel.counts());
        let (mut shown, is_spent) = match visited {
            Ok(visited) => (visited.shown, visited.is_spent),
            Err(_) => (Err(RenderError::Timeout), true),
        };
        if let Ok(page) = &mut shown {
            page.events.was_limited = limited;
        }
        if is_spent || tab.pages >= PAGES_OF_A_TAB {
            tab.context.close().await;
        } else {
            self.lock_idle().push(tab);
        }
        shown
    }

    /// A tab that is idle, or a new one.
    async fn tab(&self) -> Result<Tab, RenderError> {
        while let Some(tab) = self.pop_idle() {
            if tab.browser.is_running() {
                return Ok(tab);
            }
        }
        let (fetcher, limiter) = (Arc::clone(&self.fetcher), Arc::clone(&self.limiter));
        let tunnel = Tunnel::open(fetcher, limiter, self.options.limits).await;
        self.open_tab(tunnel, Purpose::Snapshot).await
    }

    /// A new tab in a context of its own.
    async fn open_tab(
        &self,
        tunnel: Result<Tunnel, TunnelError>,
        purpose: Purpose,
    ) -> Result<Tab, RenderError> {
        let tunnel = tunnel.map_err(|error| RenderError::Unavailable(error.to_string()))?;
        let browser = self.browser().await?;
        let options = ContextOptions {
            containment: self.containment,
            device: self.options.device,
            product: &self.options.product,
            headers: &self.options.headers,
            purpose,
        };
        let context = Context::open(&browser, tunnel.address(), options)
            .await
            .map_err(|error| match error {
                CdpError::Closed => RenderError::Crashed,
                other => RenderError::Browser(other.to_string()),
            })?;
        Ok(Tab {
            context,
            tunnel,
            browser,
            pages: 0,
        })
    }

    async fn measure_alone(&self, url: Url) -> Result<MeasuredLoad, RenderError> {
        let all = u32::try_from(self.options.tabs.max(1)).unwrap_or(u32::MAX);
        // The semaphore is never closed.
        let _permits = self.tabs.acquire_many(all).await.ok();
        // The pages in them may still run scripts.
        while let Some(tab) = self.pop_idle() {
            tab.context.close().await;
        }
        let profile = self.options.device.profile();
        // Waits for the turn of the load as a whole, and not within it.
        let host = host_key(&url);
        let turn = self.limiter.acquire_within(&host, PERMIT_TIMEOUT).await;
        drop(turn.ok_or(RenderError::Timeout)?);
        let fetcher = Arc::clone(&self.fetcher);
        let speed = link_speed(profile);
        let tunnel = Tunnel::open_slowed(fetcher, self.options.limits, speed).await;
        let tab = self.open_tab(tunnel, Purpose::Metrics).await?;
        let measuring = measure(&tab.context, &url, profile);
        let measured = tokio::time::timeout(MEASURE_TIMEOUT, measuring).await;
        tab.context.close().await;
        measured.unwrap_or(Err(RenderError::Timeout))
    }

    fn pop_idle(&self) -> Option<Tab> {
        self.lock_idle().pop()
    }

    /// The browser, started if it has not started or has ended.
    async fn browser(&self) -> Result<Arc<Browser>, RenderError> {
        let mut running = self.running.lock().await;
        if let Some(browser) = running.browser.as_ref().filter(|own| own.is_running()) {
            return Ok(Arc::clone(browser));
        }
        if running.starts >= MAX_STARTS {
            let message = format!("it ended {MAX_STARTS} times");
            return Err(RenderError::Unavailable(message));
        }
        running.starts += 1;
        running.browser = None;
        let started = Browser::start_with(&self.options.browser, self.containment).await;
        let browser = Arc::new(started.map_err(|error| {
            let remedy = error.remedy().map(|remedy| format!(": {remedy}"));
            RenderError::Unavailable(format!("{error}{}", remedy.unwrap_or_default()))
        })?);
        running.browser = Some(Arc::clone(&browser));
        Ok(browser)
    }
}

/// Whether the tunnel kept something from the page that it showed between two counts.
const fn was_limited(before: TunnelCounts, after: TunnelCounts) -> bool {
    after.is_cut || after.refused > before.refused || after.unreachable > before.unreachable
}

impl Renderer for ChromiumRenderer {
    fn render_with(&self, url: Url, want: Want) -> RenderFuture<'_> {
        Box::pin(self.show(url, want))
    }

    fn measure(&self, url: Url) -> MeasureFuture<'_> {
        Box::pin(self.measure_alone(url))
    }
}
