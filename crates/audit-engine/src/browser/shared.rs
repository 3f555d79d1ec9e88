//! One browser for the renderers of a process.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as StdMutex, MutexGuard, PoisonError};

use tokio::sync::{Mutex, Semaphore, SemaphorePermit};

use super::flags::Containment;
use super::options::{BrowserOptions, StartError};
use super::start::Browser;
use super::tab::Tab;

/// A browser that starts when a renderer first needs it, and ends when the last of its renderers has closed. Its pages have
/// nothing in common but its processes: each tab has cookies, a cache and a proxy of its own.
#[derive(Debug)]
pub struct SharedBrowser {
    options: BrowserOptions,
    tabs: u32,
    permits: Semaphore,
    renderers: AtomicUsize,
    next_number: AtomicU64,
    /// The tabs that show no page now, with the number of their renderer. At most one for each permit and renderer.
    idle: StdMutex<Vec<(u64, Tab)>>,
    running: Mutex<Option<Arc<Browser>>>,
}

impl SharedBrowser {
    /// A browser with this many tabs, at least one. The renderers take turns for them.
    #[must_use]
    pub fn new(options: BrowserOptions, tabs: usize) -> Arc<Self> {
        let tabs = u32::try_from(tabs.max(1)).unwrap_or(u32::MAX);
        Arc::new(Self {
            options,
            tabs,
            permits: Semaphore::new(usize::try_from(tabs).unwrap_or(Semaphore::MAX_PERMITS)),
            renderers: AtomicUsize::new(0),
            next_number: AtomicU64::new(0),
            idle: StdMutex::default(),
            running: Mutex::default(),
        })
    }

    /// Waits for a tab.
    pub(super) async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.permits.acquire().await.ok()
    }

    /// Waits until no renderer shows a page. None starts to while this is held.
    pub(super) async fn all_permits(&self) -> Option<SemaphorePermit<'_>> {
        self.permits.acquire_many(self.tabs).await.ok()
    }

    /// Another renderer uses the browser. Returns its number.
    pub(super) fn add_renderer(&self) -> u64 {
        self.renderers.fetch_add(1, Ordering::Relaxed);
        self.next_number.fetch_add(1, Ordering::Relaxed)
    }

    /// Keeps a tab for the next page of its renderer.
    pub(super) fn keep_idle(&self, renderer: u64, tab: Tab) {
        self.lock_idle().push((renderer, tab));
    }

    /// An idle tab of this renderer.
    pub(super) fn pop_idle(&self, renderer: u64) -> Option<Tab> {
        let mut idle = self.lock_idle();
        let place = idle.iter().rposition(|(owner, _)| *owner == renderer)?;
        Some(idle.swap_remove(place).1)
    }

    /// The idle tabs of this renderer, or of all.
    pub(super) fn take_idle(&self, renderer: Option<u64>) -> Vec<Tab> {
        let mut idle = self.lock_idle();
        let is_taken = |owner: u64| renderer.is_none_or(|renderer| renderer == owner);
        let (taken, kept) = std::mem::take(&mut *idle)
            .into_iter()
            .partition::<Vec<_>, _>(|(owner, _)| is_taken(*owner));
        *idle = kept;
        taken.into_iter().map(|(_, tab)| tab).collect()
    }

    fn lock_idle(&self) -> MutexGuard<'_, Vec<(u64, Tab)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A renderer uses it no more. Returns whether no other does.
    pub(super) fn remove_renderer(&self) -> bool {
        self.renderers.fetch_sub(1, Ordering::Relaxed) == 1
    }

    /// The browser, if it runs.
    pub(super) async fn running(&self) -> Option<Arc<Browser>> {
        let running = self.running.lock().await;
        running
            .as_ref()
            .filter(|browser| browser.is_running())
            .cloned()
    }

    /// The browser, started if it has not started or has ended.
    pub(super) async fn browser(
        &self,
        containment: Containment,
    ) -> Result<Arc<Browser>, StartError> {
        let mut running = self.running.lock().await;
        if let Some(browser) = running.as_ref().filter(|browser| browser.is_running()) {
            return Ok(Arc::clone(browser));
        }
        // One that has ended is removed with its profile before the next one starts.
        *running = None;
        let started = match Browser::start_with(&self.options, containment).await {
            // The system may have killed it for want of memory, for example.
            Err(StartError::Ended(_)) => Browser::start_with(&self.options, containment).await,
            started => started,
        };
        let browser = Arc::new(started?);
        *running = Some(Arc::clone(&browser));
        Ok(browser)
    }

    /// Kills the browser, unless a renderer has come to use it or it is just starting for one.
    pub(super) fn end(&self) {
        if let Ok(mut running) = self.running.try_lock()
            && self.renderers.load(Ordering::Relaxed) == 0
        {
            *running = None;
        }
    }

    /// Ends the browser, unless a renderer has come to use it. A page that is still shown keeps it until then.
    pub(super) async fn close(&self) {
        let mut running = self.running.lock().await;
        if self.renderers.load(Ordering::Relaxed) > 0 {
            return;
        }
        if let Some(browser) = running.take().and_then(Arc::into_inner) {
            browser.close().await;
        }
    }
}
