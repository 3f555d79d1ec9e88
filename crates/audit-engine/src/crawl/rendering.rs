//! Shows the pages of a crawl in a browser.

use std::fmt;
use std::sync::Arc;

use tokio::time::Instant;
use url::Url;

use super::visit::is_success;
use crate::address::is_same_document;
use crate::gather::{RenderError, RenderedPage, Renderer};

/// What a browser made of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rendering {
    /// No browser was asked.
    NotAsked,
    /// It showed the page.
    Shown,
    /// The page leads to another one by script or by a refresh, so it is judged as it was served.
    LedTo(Url),
    /// It did not show the page, which is judged as it was served.
    Failed,
}

/// The pages that a browser was asked to show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RenderCounts {
    /// Audited pages that it showed.
    pub(crate) shown: u64,
    /// Audited pages that it did not show.
    pub(crate) failed: u64,
}

/// The browser of a crawl.
#[derive(Clone)]
pub(crate) struct PageRenderer {
    renderer: Arc<dyn Renderer>,
    /// Pages that arrive later are not shown.
    until: Instant,
}

impl fmt::Debug for PageRenderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageRenderer")
            .field("until", &self.until)
            .finish_non_exhaustive()
    }
}

impl PageRenderer {
    pub(crate) fn new(renderer: Arc<dyn Renderer>, until: Instant) -> Self {
        Self { renderer, until }
    }

    /// Shows the page at this URL, which may have the fragment of a route.
    pub(super) async fn show(&self, url: &Url) -> (Rendering, Option<RenderedPage>) {
        let rendered = tokio::time::timeout_at(self.until, self.renderer.render(url.clone())).await;
        let reason = match rendered {
            Ok(Ok(shown)) if !is_same_document(&shown.url, url) => {
                return (Rendering::LedTo(shown.url), None);
            }
            // The server refused the browser what it gave to the crawler.
            Ok(Ok(shown)) if !is_success(shown.status) => {
                format!("the browser got the status code {}", shown.status)
            }
            Ok(Ok(shown)) => return (Rendering::Shown, Some(shown)),
            Ok(Err(RenderError::Left(target))) => match Url::parse(&target) {
                Ok(target) => return (Rendering::LedTo(target), None),
                Err(_) => RenderError::Left(target).to_string(),
            },
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the time for rendering is over".to_owned(),
        };
        tracing::info!(page.url = %url, reason, "page not rendered");
        (Rendering::Failed, None)
    }
}
