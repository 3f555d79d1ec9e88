//! Shows the pages of one run in tabs of one browser.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::report::LabProfile;
use domain::run::Device;
use url::Url;

use super::cdp::CdpError;
use super::context::{Context, ContextOptions};
use super::flags::Containment;
use super::machine_speed::MachineSpeed;
use super::measure::{Conditions, Measurement, read_load};
use super::picture_visit::photograph;
use super::ready_tab::ReadyTab;
use super::settle::Purpose;
use super::shared::SharedBrowser;
use super::site_headers::SiteHeaders;
use super::start::Browser;
use super::tab::Tab;
use super::unsettled::UnsettledPages;
use super::visit::visit;
use crate::egress::{
    GuardedFetcher, Limiter, Tunnel, TunnelCounts, TunnelError, TunnelLimits, host_key,
};
use crate::gather::{
    MeasureFuture, PagePictures, PictureOrder, PicturesFuture, RenderError, RenderFuture,
    RenderedPage, Renderer, Want,
};
use crate::lab::{MachineIndexes, MeasuredLoad, link_speed};

/// Browsers that one run uses, one after the other. A site whose pages end one after the other ends its rendering.
const MAX_BROWSERS: u32 = 3;

/// Pages that a tab shows before it is replaced, so that what they leave behind in its process goes away.
const PAGES_OF_A_TAB: u32 = 50;

/// How long a page may take, unless the caller says otherwise. A page that never settles is taken after 22 s; then comes
/// its snapshot, which takes about a second for 60,000 elements.
pub const VISIT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long one load may be measured. It settles after 25 s at the latest. A page that changes later is loaded twice.
pub const MEASURE_TIMEOUT: Duration = Duration::from_secs(45);

/// How long the measurement of a page waits until its host may receive another request.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(10);

/// How the pages of a run are shown.
#[derive(Debug, Clone)]
pub struct RendererOptions {
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
    shared: Arc<SharedBrowser>,
    fetcher: Arc<GuardedFetcher>,
    limiter: Arc<Limiter>,
    /// Its number among the renderers of the browser.
    number: u64,
    used: Mutex<Used>,
    /// The tab for the next measurement.
    ready: Mutex<Option<ReadyTab>>,
    /// The last page that changes long after its load, and how long it has to be quiet. A page is loaded several times in turn.
    late: Mutex<Option<(Url, Duration)>>,
    unsettled: Mutex<UnsettledPages>,
    speed: Mutex<MachineSpeed>,
    is_closed: AtomicBool,
    containment: Containment,
}

/// The browsers that a run used.
#[derive(Debug, Default)]
struct Used {
    /// The last one, while it exists.
    last: std::sync::Weak<Browser>,
    /// How many.
    count: u32,
}

impl ChromiumRenderer {
    /// A renderer whose traffic passes the gates of `fetcher` and the limits of `limiter`.
    #[must_use]
    pub fn new(
        shared: Arc<SharedBrowser>,
        options: RendererOptions,
        fetcher: Arc<GuardedFetcher>,
        limiter: Arc<Limiter>,
    ) -> Self {
        let number = shared.add_renderer();
        Self {
            options,
            shared,
            fetcher,
            limiter,
            number,
            used: Mutex::default(),
            ready: Mutex::default(),
            late: Mutex::default(),
            unsettled: Mutex::default(),
            speed: Mutex::default(),
            is_closed: AtomicBool::new(false),
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

    /// Name and version of the browser, if it runs.
    pub async fn product(&self) -> Option<String> {
        let browser = self.shared.running().await?;
        Some(browser.product().to_owned())
    }

    /// Closes the tabs, and ends the browser with its profile if no other renderer uses it. A page that is still shown
    /// keeps it until then.
    pub async fn close(&self) {
        let mut idle = self.shared.take_idle(Some(self.number));
        idle.extend(self.take_ready().map(ReadyTab::into_tab));
        let is_last = self.leave();
        if is_last {
            // The tabs end with the browser, which lives as long as one of them.
            drop(idle);
            self.shared.close().await;
            return;
        }
        for tab in idle {
            tab.context.close().await;
        }
    }

    /// Leaves the browser to the other renderers. Returns whether there are none.
    fn leave(&self) -> bool {
        !self.is_closed.swap(true, Ordering::Relaxed) && self.shared.remove_renderer()
    }

    async fn show(&self, url: Url, want: Want) -> Result<RenderedPage, RenderError> {
        let permit = self.shared.permit().await;
        let shown = self.show_once(&url, want).await;
        drop(permit);
        if !matches!(shown, Err(RenderError::Crashed)) {
            return shown;
        }
        // Another page may have taken the browser with it, and would again: this one is now shown alone.
        let _permits = self.shared.all_permits().await;
        self.show_once(&url, want).await
    }

    async fn show_once(&self, url: &Url, want: Want) -> Result<RenderedPage, RenderError> {
        let mut tab = self.tab().await?;
        tab.tunnel.begin_page();
        let before = tab.tunnel.counts();
        let start = Instant::now();
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
            // A page whose script had to be stopped settles only after that.
            if !page.is_settled || page.events.has_long_script {
                lock(&self.unsettled).add(page.url.clone(), start.elapsed());
            }
        }
        self.put_back(tab, is_spent).await;
        shown
    }

    /// Keeps a tab for the next page, unless it may not be able to show one.
    async fn put_back(&self, tab: Tab, is_spent: bool) {
        if is_spent || tab.pages >= PAGES_OF_A_TAB {
            tab.context.close().await;
        } else {
            self.shared.keep_idle(self.number, tab);
        }
    }

    async fn take_pictures(
        &self,
        url: Url,
        order: PictureOrder,
    ) -> Result<PagePictures, RenderError> {
        let _permit = self.shared.permit().await;
        let mut tab = self.tab().await?;
        tab.tunnel.begin_page();
        let visit = photograph(&tab.context, &url, &order);
        let visited = tokio::time::timeout(self.options.visit_timeout, visit).await;
        tab.pages += 1;
        let (taken, is_spent) = match visited {
            Ok(visited) => (visited.shown, visited.is_spent),
            Err(_) => (Err(RenderError::Timeout), true),
        };
        self.put_back(tab, is_spent).await;
        taken
    }

    /// An empty tab: one that is idle, or a new one.
    async fn tab(&self) -> Result<Tab, RenderError> {
        // No page is measured now, and a tab takes memory.
        drop(self.take_ready());
        while let Some(tab) = self.shared.pop_idle(self.number) {
            if tab.is_usable().await {
                return Ok(tab);
            }
            tracing::debug!("a tab is replaced, because it is not empty in time");
            tab.context.close().await;
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
                CdpError::Closed | CdpError::Crashed => RenderError::Crashed,
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
        let _permits = self.shared.all_permits().await;
        // The pages in them may still run scripts, also those of other renderers.
        for tab in self.shared.take_idle(None) {
            tab.context.close().await;
        }
        let known = lock(&self.late).clone().filter(|(late, _)| *late == url);
        let mut quiet = known.map(|(_, quiet)| quiet);
        loop {
            let (measured, benchmark) = self.measure_once(&url, quiet).await?;
            match measured {
                Measurement::Complete(load) => {
                    return Ok(MeasuredLoad {
                        url: load.url,
                        profile: LabProfile::from(self.options.device),
                        benchmark,
                        is_settled: load.is_settled,
                        observed: load.observed,
                    });
                }
                Measurement::ChangesLater(with_changes) => {
                    quiet = Some(with_changes);
                    *lock(&self.late) = Some((url.clone(), with_changes));
                }
            }
        }
    }

    /// Measures the page once, and the speed of the machine before and after it.
    async fn measure_once(
        &self,
        url: &Url,
        quiet: Option<Duration>,
    ) -> Result<(Measurement, MachineIndexes), RenderError> {
        // Waits for the turn of the load as a whole, and not within it.
        let host = host_key(url);
        let turn = self.limiter.acquire_within(&host, PERMIT_TIMEOUT).await;
        drop(turn.ok_or(RenderError::Timeout)?);
        let ready = self.ready_tab().await?;
        let index_before = ready.benchmark().index;
        let machine_index = lock(&self.speed).mean_index();
        let conditions = Conditions {
            profile: LabProfile::from(self.options.device),
            machine_index,
            quiet,
            most: lock(&self.unsettled).measured_for(url),
        };
        let tab = ready.into_tab();
        let measuring = async {
            let load = read_load(&tab.context, url, conditions).await?;
            // Nothing is measured any more, so the next tab opens meanwhile.
            Ok(tokio::join!(load.complete(&tab.context), self.slow_tab()))
        };
        let measured = tokio::time::timeout(MEASURE_TIMEOUT, measuring).await;
        tab.context.close().await;
        let (measured, next) = measured.unwrap_or(Err(RenderError::Timeout))?;
        let indexes = MachineIndexes {
            mean: machine_index,
            before: index_before,
            after: self.index_after(next).await,
        };
        Ok((measured, indexes))
    }

    /// A tab for the next measurement, with a benchmark that is fresh: the one that is ready, unless it cannot show a page.
    async fn ready_tab(&self) -> Result<ReadyTab, RenderError> {
        let tab = match self.take_ready() {
            Some(ready) if !ready.is_usable().await => {
                tracing::debug!(
                    "the tab for a measurement is replaced, because it does not answer"
                );
                ready.into_tab().context.close().await;
                self.slow_tab().await?
            }
            Some(ready) if ready.is_fresh() => return Ok(ready),
            Some(ready) => ready.into_tab(),
            None => self.slow_tab().await?,
        };
        self.run_benchmark(tab).await
    }

    /// Measures the speed of the machine after a load in the next tab, and keeps that tab: this benchmark is also the one before the
    /// next load. If it fails, the index is 0, so that the load is kept, but does not count as steady.
    async fn index_after(&self, next: Result<Tab, RenderError>) -> u32 {
        let ready = async { self.run_benchmark(next?).await };
        match ready.await {
            Ok(ready) => {
                let index = ready.benchmark().index;
                *lock(&self.ready) = Some(ready);
                index
            }
            Err(error) => {
                tracing::debug!(%error, "the speed of the machine after a load is not known");
                0
            }
        }
    }

    /// Measures the speed of the machine in the tab.
    async fn run_benchmark(&self, tab: Tab) -> Result<ReadyTab, RenderError> {
        let length = lock(&self.speed).next_length();
        let ready = ReadyTab::new(tab, length).await?;
        lock(&self.speed).add(ready.benchmark());
        Ok(ready)
    }

    /// A new tab over a slow connection.
    async fn slow_tab(&self) -> Result<Tab, RenderError> {
        let fetcher = Arc::clone(&self.fetcher);
        let speed = link_speed(LabProfile::from(self.options.device));
        let tunnel = Tunnel::open_slowed(fetcher, self.options.limits, speed).await;
        self.open_tab(tunnel, Purpose::METRICS).await
    }

    fn take_ready(&self) -> Option<ReadyTab> {
        lock(&self.ready).take()
    }

    /// The browser, started if it has not started or has ended.
    async fn browser(&self) -> Result<Arc<Browser>, RenderError> {
        if lock(&self.used).is_over() {
            let message = format!("it ended {MAX_BROWSERS} times");
            return Err(RenderError::Unavailable(message));
        }
        let started = self.shared.browser(self.containment).await;
        let browser = started.map_err(|error| {
            let remedy = error.remedy().map(|remedy| format!(": {remedy}"));
            RenderError::Unavailable(format!("{error}{}", remedy.unwrap_or_default()))
        });
        lock(&self.used).note(browser.as_ref().ok());
        browser
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for ChromiumRenderer {
    fn drop(&mut self) {
        drop(self.shared.take_idle(Some(self.number)));
        drop(self.take_ready());
        if self.leave() {
            self.shared.end();
        }
    }
}

impl Used {
    /// Whether the last of the browsers has ended.
    fn is_over(&self) -> bool {
        let runs = self
            .last
            .upgrade()
            .is_some_and(|browser| browser.is_running());
        self.count >= MAX_BROWSERS && !runs
    }

    /// Counts a browser that is another one than before, or that did not start.
    fn note(&mut self, browser: Option<&Arc<Browser>>) {
        let last = browser.map(Arc::downgrade).unwrap_or_default();
        if browser.is_none() || !last.ptr_eq(&self.last) {
            self.count += 1;
            self.last = last;
        }
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

    fn photograph(&self, url: Url, order: PictureOrder) -> PicturesFuture<'_> {
        Box::pin(self.take_pictures(url, order))
    }

    fn measure(&self, url: Url) -> MeasureFuture<'_> {
        Box::pin(self.measure_alone(url))
    }
}
