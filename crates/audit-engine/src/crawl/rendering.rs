//! Shows the pages of a crawl in a browser.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::time::Instant;
use url::Url;

use super::visit::is_success;
use crate::address::is_same_document;
use crate::check::{Check, Need};
use crate::gather::{RenderError, RenderedPage, Renderer, Want};

/// URLs at the beginning of the queue on whose pages the Tab key is pressed. A site has its look of the focus in one style
/// sheet, as a rule, and a walk takes longer than to show the page.
const WALKED: usize = 5;

/// URLs at the beginning of the queue of whose pages is noted which code runs. Few pages use all of a style sheet or script.
const COVERED: usize = 10;

/// What the checks need of the page at this position in the queue.
pub(super) fn wanted(checks: &[&'static Check], place: usize) -> Want {
    let needs = |need| checks.iter().any(|check| check.needs(need));
    Want {
        focus: place < WALKED && needs(Need::TabKey),
        coverage: place < COVERED && needs(Need::Coverage),
        pixels: needs(Need::Pixels),
    }
}

/// What a browser made of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rendering {
    /// No browser was asked.
    NotAsked,
    /// It showed the page.
    Shown,
    /// The page leads to another one, so it is judged as it was served.
    LedTo {
        /// The other page.
        target: Url,
        /// Whether a script or a refresh leads there. Otherwise the server redirects browsers.
        by_page: bool,
    },
    /// It did not show the page, which is judged as it was served.
    Failed,
    /// It was not asked, because it had shown as many pages as it may. The page is judged as it was served.
    OverLimit,
}

/// The pages that a browser was asked to show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RenderCounts {
    /// Audited pages that it showed.
    pub(crate) shown: u64,
    /// Audited pages that it did not show.
    pub(crate) failed: u64,
    /// Audited pages for which it was not asked, because it had shown as many as it may.
    pub(crate) over_limit: u64,
}

/// The browser of a crawl.
#[derive(Clone)]
pub(crate) struct PageRenderer {
    renderer: Arc<dyn Renderer>,
    /// Pages that arrive later are not shown.
    until: Instant,
    /// How many more pages may be shown.
    left: Arc<AtomicU64>,
}

impl fmt::Debug for PageRenderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageRenderer")
            .field("until", &self.until)
            .finish_non_exhaustive()
    }
}

impl PageRenderer {
    /// Shows at most this many pages, until a time.
    pub(crate) fn new(renderer: Arc<dyn Renderer>, most: u64, until: Instant) -> Self {
        let left = Arc::new(AtomicU64::new(most));
        Self {
            renderer,
            until,
            left,
        }
    }

    /// When pages are no longer shown.
    pub(super) const fn until(&self) -> Instant {
        self.until
    }

    /// Whether further pages may be shown.
    pub(super) fn may_show_more(&self) -> bool {
        self.left.load(Ordering::Relaxed) > 0
    }

    /// Takes one of the pages that may be shown.
    fn take_one(&self) -> bool {
        let less = |left: u64| left.checked_sub(1);
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less)
            .is_ok()
    }

    /// Shows the page at this URL, which may have the fragment of a route, unless as many were shown as may be.
    pub(super) async fn show(&self, url: &Url, want: Want) -> (Rendering, Option<RenderedPage>) {
        if !self.take_one() {
            return (Rendering::OverLimit, None);
        }
        let rendering = self.renderer.render_with(url.clone(), want);
        let rendered = tokio::time::timeout_at(self.until, rendering).await;
        let reason = match rendered {
            Ok(Ok(shown)) if !is_same_document(&shown.url, url) => {
                let by_page = shown.led_by_page;
                let target = shown.url;
                return (Rendering::LedTo { target, by_page }, None);
            }
            // The server refused the browser what it gave to the crawler.
            Ok(Ok(shown)) if !is_success(shown.status) => {
                format!("the browser got the status code {}", shown.status)
            }
            Ok(Ok(shown)) => return (Rendering::Shown, Some(shown)),
            Ok(Err(RenderError::Left(target))) => match Url::parse(&target) {
                Ok(target) => {
                    let by_page = true;
                    return (Rendering::LedTo { target, by_page }, None);
                }
                Err(_) => RenderError::Left(target).to_string(),
            },
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the time for rendering is over".to_owned(),
        };
        tracing::info!(page.url = %url, reason, "page not rendered");
        (Rendering::Failed, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::find;

    #[test]
    fn what_takes_long_is_wanted_of_the_first_pages_if_a_check_needs_it() {
        let (focus, errors) = (
            find("focus-not-visible").unwrap(),
            find("console-errors").unwrap(),
        );
        assert_eq!(wanted(&[errors], 0), Want::default());
        let expected = Want {
            focus: true,
            ..Want::default()
        };
        assert_eq!(wanted(&[errors, focus], WALKED - 1), expected);
        assert_eq!(wanted(&[errors, focus], WALKED), Want::default());
    }

    #[test]
    fn coverage_is_wanted_of_more_pages_than_the_focus() {
        let checks = [
            find("focus-not-visible").unwrap(),
            find("js-unused").unwrap(),
        ];
        let expected = Want {
            coverage: true,
            ..Want::default()
        };
        assert_eq!(wanted(&checks, WALKED), expected);
        assert_eq!(wanted(&checks, COVERED - 1), expected);
        assert_eq!(wanted(&checks, COVERED), Want::default());
    }

    #[test]
    fn colors_are_wanted_of_all_pages() {
        let expected = Want {
            pixels: true,
            ..Want::default()
        };
        for id in ["color-contrast", "color-contrast-enhanced"] {
            assert_eq!(wanted(&[find(id).unwrap()], COVERED), expected);
        }
    }
}
