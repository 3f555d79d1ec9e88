//! A tab of a browser.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::cdp::commands::{SetDocumentContent, SetScriptsDisabled};
use super::context::Context;
use super::interruptions::Interruptions;
use super::start::Browser;
use crate::egress::Tunnel;

/// How long a tab may take until it is empty. Large pages take some tenths of a second.
const EMPTY_TIMEOUT: Duration = Duration::from_millis(500);

/// A tab with the proxy that it loads through. The browser lives as long as one of its tabs.
#[derive(Debug)]
pub(super) struct Tab {
    pub(super) context: Context,
    pub(super) tunnel: Tunnel,
    pub(super) browser: Arc<Browser>,
    /// Pages that it has shown.
    pub(super) pages: u32,
}

impl Tab {
    /// Whether it can show a page. It is empty then, and runs scripts.
    pub(super) async fn is_usable(&self) -> bool {
        self.browser.is_running() && self.prepare_next_page().await
    }

    /// Removes the content of the last page, so that the next one begins sooner, and then lets scripts run, which are stopped for
    /// snapshots. Returns whether the tab did this in time: scripts may keep it busy, also in the next visit, or it may have ended.
    /// Meanwhile dialogs are dismissed and windows are closed that the page opened since its visit.
    async fn prepare_next_page(&self) -> bool {
        let tab = self.context.tab();
        let empty = SetDocumentContent {
            frame_id: self.context.main_frame(),
            html: "",
        };
        let enable = SetScriptsDisabled { value: false };
        let preparing = async {
            tab.call(&empty).await?;
            tab.call(&enable).await
        };
        let mut interruptions = Interruptions::default();
        tokio::select! {
            prepared = timeout(EMPTY_TIMEOUT, preparing) => matches!(prepared, Ok(Ok(_))),
            () = interruptions.answer_all(&self.context) => false,
        }
    }
}
