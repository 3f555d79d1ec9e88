//! One browser for the renderers of a process.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Mutex, Semaphore, SemaphorePermit};

use super::flags::Containment;
use super::options::{BrowserOptions, StartError};
use super::start::Browser;

/// A browser that starts when a renderer first needs it, and ends when the last of its renderers has closed. Its pages have
/// nothing in common but its processes: each tab has cookies, a cache and a proxy of its own.
#[derive(Debug)]
pub struct SharedBrowser {
    options: BrowserOptions,
    tabs: Semaphore,
    renderers: AtomicUsize,
    running: Mutex<Option<Arc<Browser>>>,
}

impl SharedBrowser {
    /// A browser with this many tabs, at least one. The renderers take turns for them.
    #[must_use]
    pub fn new(options: BrowserOptions, tabs: usize) -> Arc<Self> {
        Arc::new(Self {
            options,
            tabs: Semaphore::new(tabs.max(1)),
            renderers: AtomicUsize::new(0),
            running: Mutex::default(),
        })
    }

    /// Waits for a tab.
    pub(super) async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        // The semaphore is never closed.
        self.tabs.acquire().await.ok()
    }

    /// Another renderer uses the browser.
    pub(super) fn add_renderer(&self) {
        self.renderers.fetch_add(1, Ordering::Relaxed);
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
        let browser = Arc::new(Browser::start_with(&self.options, containment).await?);
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
