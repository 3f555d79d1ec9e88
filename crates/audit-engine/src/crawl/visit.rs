//! The visit of one URL: request, parse, evaluate.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::time::Instant;
use url::Url;

use super::cpu_pool;
use super::rendering::{PageRenderer, Rendering, wanted};
use super::visited_page::VisitedPage;
use crate::address::SiteKey;
use crate::bounds::page::MAX_HTML_BYTES;
use crate::check::Check;
use crate::evaluation::evaluate::evaluate_visit;
use crate::fetch::exchange::Exchange;
use crate::fetch::origins::Origins;
use crate::fetch::refusal::Refusal;
use crate::fetch::sheets::Sheets;
use crate::gather::{FetchError, FetchErrorKind, LargeBodyPermits, Request, Response};
use crate::page::{Document, decode_owned};
use crate::style::{LinkedScripts, LinkedSheets};
use crate::view::Page;

/// The bodies that wait for the CPU pool together, in units of 64 KiB: 8 MiB. Bodies that are still arriving
/// are not included; few of them are large.
const WAITING: u32 = 128;

/// The sources of all trees that exist at the same time, in units of 64 KiB. A tree with its outcomes takes
/// many times the memory of its source, so large pages are evaluated one after the other.
const TREES: u32 = 96;

/// The result of the visit of a URL.
#[derive(Debug)]
pub(crate) enum Visit {
    /// A final HTML document, evaluated.
    Page(Box<VisitedPage>),
    /// Another response.
    Other {
        status: u16,
        media_type: String,
        location: Option<Url>,
    },
    /// A response that refuses the crawler.
    Refused {
        refusal: Refusal,
        media_type: String,
    },
    /// A route that only a browser has, and that it did not show.
    RouteNotShown,
    /// No response: the URL was not requested, because robots.txt of its origin disallows it.
    Forbidden,
    /// No response: the request failed.
    Failed(FetchError),
}

/// Visits URLs. Parsing and checks run on the CPU pool, which has a thread for each core.
#[derive(Debug)]
pub(crate) struct Visitor {
    exchange: Arc<Exchange>,
    checks: Arc<[&'static Check]>,
    site: SiteKey,
    origins: Arc<Origins>,
    sheets: Arc<Sheets>,
    /// The browser that shows pages, if there is one.
    renderer: Option<PageRenderer>,
    room: Arc<Room>,
}

/// The limits that all visits of a crawl share.
#[derive(Debug)]
struct Room {
    cpu_pool: Semaphore,
    memory: Semaphore,
    trees: Semaphore,
    large_bodies: LargeBodyPermits,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            // One page waits for each core, so that no core is idle.
            cpu_pool: Semaphore::new(2 * cpu_pool::count()),
            memory: semaphore(WAITING),
            trees: semaphore(TREES),
            // While each core evaluates one, the next one arrives.
            large_bodies: LargeBodyPermits::new(cpu_pool::count() + 1),
        }
    }
}

impl Visitor {
    pub(crate) fn new(
        exchange: Arc<Exchange>,
        checks: Arc<[&'static Check]>,
        site: SiteKey,
        origins: Arc<Origins>,
        sheets: Arc<Sheets>,
    ) -> Self {
        Self {
            exchange,
            checks,
            site,
            origins,
            sheets,
            renderer: None,
            room: Arc::default(),
        }
    }

    /// The same visitor, but a browser shows the pages before they are evaluated.
    pub(crate) fn rendering_with(mut self, renderer: Option<PageRenderer>) -> Self {
        self.renderer = renderer;
        self
    }

    /// A visitor that runs no checks, and shares the CPU pool and the memory limits with this one.
    pub(crate) fn without_checks(&self) -> Self {
        Self {
            exchange: Arc::clone(&self.exchange),
            checks: Arc::from([]),
            site: self.site.clone(),
            origins: Arc::clone(&self.origins),
            sheets: Arc::clone(&self.sheets),
            renderer: self.renderer.clone(),
            room: Arc::clone(&self.room),
        }
    }

    /// Requests the URL, unless its response is `known`, and evaluates the response if it is a page. With `shown_at`, its
    /// position in the queue, the page is evaluated as a browser shows it.
    pub(crate) async fn visit(
        &self,
        url: Url,
        known: Option<Response>,
        shown_at: Option<usize>,
    ) -> Visit {
        let fragment = url.fragment().map(str::to_owned);
        let answer = match known {
            Some(response) => Ok(response),
            None => {
                match self.origins.allow(&self.exchange, &url).await {
                    Ok(true) => {}
                    Ok(false) => return Visit::Forbidden,
                    Err(error) => return Visit::Failed(error),
                }
                // No request starts while received bodies wait for the CPU pool. Semaphores are fair, so that
                // visits with bodies come first. The semaphores are never closed.
                drop(self.room.memory.acquire().await.ok());
                let request = Request::page(url, MAX_HTML_BYTES)
                    .with_large_body_permits(&self.room.large_bodies);
                self.exchange.send(request).await
            }
        };
        if let Some(refusal) = answer.as_ref().ok().and_then(Refusal::from_response) {
            let media_type = answer.map(|refused| refused.media_type());
            return Visit::Refused {
                refusal,
                media_type: media_type.unwrap_or_default(),
            };
        }
        match answer {
            Err(error) => Visit::Failed(error),
            Ok(mut response) if is_page(&response) => {
                // The fragment of a route is not sent.
                response.url.set_fragment(fragment.as_deref());
                self.evaluate(response, shown_at).await
            }
            Ok(response) => Visit::Other {
                status: response.status,
                media_type: response.media_type(),
                location: response.redirect_target(),
            },
        }
    }

    /// How a page that succeeded before now refuses the crawler; none if it still succeeds, or does not respond
    /// by `until`.
    pub(crate) async fn request_again(&self, url: Url, until: Instant) -> Option<Refusal> {
        let request = Request::page(url, MAX_HTML_BYTES);
        let answer = tokio::time::timeout_at(until, self.exchange.send(request)).await;
        answer.ok()?.as_ref().ok().and_then(Refusal::from_response)
    }

    async fn evaluate(&self, response: Response, shown_at: Option<usize>) -> Visit {
        let (checks, site) = (Arc::clone(&self.checks), self.site.clone());
        // Held until the page has been evaluated, and not only until its source has been read.
        let permit = response.large_body_permit.clone();
        let _held = self
            .room
            .memory
            .acquire_many(parts(response.body.len(), WAITING))
            .await
            .ok();
        // The browser shows the page before its tree is built here: it may take some seconds.
        let asked = self.renderer.as_ref().zip(shown_at);
        let (rendering, shown) = match asked {
            // The browser would wait as long again for what does not come.
            Some(_) if response.truncated => (Rendering::Failed, None),
            Some((renderer, place)) => renderer.show(&response.url, wanted(&checks, place)).await,
            None => (Rendering::NotAsked, None),
        };
        if response.url.fragment().is_some() && rendering != Rendering::Shown {
            return Visit::RouteNotShown;
        }
        let tree = parts(response.body.len(), TREES);
        let _tree = self.room.trees.acquire_many(tree).await.ok();
        let (sheets, is_judged) = (Arc::clone(&self.sheets), !checks.is_empty());
        let led_to = match &rendering {
            Rendering::LedTo {
                target,
                by_page: true,
            } => Some(target.clone()),
            _ => None,
        };
        let read = self.on_cpu_pool(move || {
            let page = page(response, site);
            let page = match shown {
                Some(shown) => page.rendered(&shown.snapshot).with_events(shown.events),
                None => page.with_led_to(led_to),
            };
            match loaded(&sheets, &page) {
                None if is_judged => Read::Waits(Box::new(page)),
                loaded => Read::Evaluated(judged(&checks, page, loaded)),
            }
        });
        let visited = match read.await {
            Some(Read::Evaluated(visited)) => Some(visited),
            Some(Read::Waits(page)) => {
                // Visits that wait for the permit hold connections that the style sheets need.
                drop(permit);
                let scripts = self.sheets.request_scripts(&page);
                futures_util::join!(self.sheets.request_linked(&page), scripts);
                let (loaded, checks) = (loaded(&self.sheets, &page), Arc::clone(&self.checks));
                self.on_cpu_pool(move || judged(&checks, *page, loaded))
                    .await
            }
            None => None,
        };
        match visited {
            Some(mut visited) => {
                visited.rendering = rendering;
                Visit::Page(visited)
            }
            None => Visit::Failed(FetchError::new(
                FetchErrorKind::Protocol,
                "an internal error prevented the evaluation of the page",
            )),
        }
    }

    async fn on_cpu_pool<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let _core = self.room.cpu_pool.acquire().await.ok();
        cpu_pool::run(work).await
    }
}

/// The state of a page after it was parsed.
enum Read {
    Evaluated(Box<VisitedPage>),
    /// It loads style sheets or scripts that are not requested yet.
    Waits(Box<Page>),
}

/// What a page is evaluated with.
type Loaded = (LinkedSheets, LinkedScripts);

/// The style sheets and scripts that the page loads; `None` if one was not requested yet.
fn loaded(sheets: &Sheets, page: &Page) -> Option<Loaded> {
    let linked = match page.stylesheets().next() {
        Some(_) => sheets.linked_by(page)?,
        None => LinkedSheets::new(),
    };
    Some((linked, sheets.scripts_of(page)?))
}

fn judged(checks: &[&'static Check], page: Page, loaded: Option<Loaded>) -> Box<VisitedPage> {
    let (sheets, scripts) = loaded.unwrap_or_default();
    let page = page.with_sheets(sheets).with_scripts(scripts);
    let judged = evaluate_visit(checks, &page);
    Box::new(VisitedPage::new(&page, judged))
}

fn semaphore(permits: u32) -> Semaphore {
    Semaphore::new(usize::try_from(permits).unwrap_or(Semaphore::MAX_PERMITS))
}

/// The size in units of 64 KiB, at least one and at most `most`.
fn parts(bytes: usize, most: u32) -> u32 {
    u32::try_from(bytes.div_ceil(64 * 1024))
        .unwrap_or(most)
        .clamp(1, most)
}

/// Whether the response is a page: a success with an HTML body.
pub(crate) fn is_page(response: &Response) -> bool {
    is_success(response.status) && response.is_html()
}

/// Whether the status code is that of a success with a body.
pub(super) const fn is_success(status: u16) -> bool {
    matches!(status, 200..300) && !matches!(status, 204 | 205)
}

/// The page in a response for which [`is_page`] is true.
pub(crate) fn page(response: Response, site: SiteKey) -> Page {
    let bytes = u64::try_from(response.body.len()).unwrap_or(u64::MAX);
    let decoded = decode_owned(response.body, response.headers.get("content-type"));
    let document = Document {
        url: response.url,
        status: response.status,
        headers: response.headers,
        version: response.version,
        wire_bytes: response.wire_bytes,
        time_to_first_byte: response.time_to_first_byte,
        bytes,
        truncated: response.truncated,
        encoding: decoded.encoding,
        encoding_source: decoded.source,
    };
    Page::new(document, site, decoded.text)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fetch::added_headers::AddedHeaders;
    use crate::gather::{FetchFuture, Fetcher};

    struct Nobody;

    impl Fetcher for Nobody {
        fn fetch(&self, _: Request) -> FetchFuture<'_> {
            Box::pin(std::future::pending())
        }
    }

    #[tokio::test]
    async fn visitors_of_a_crawl_share_the_cpu_pool_and_memory() {
        let start = Url::parse("https://example.com/").unwrap();
        let exchange = Exchange::new(
            Arc::new(Nobody),
            Arc::default(),
            Duration::ZERO,
            AddedHeaders::new(Default::default(), None, &start),
        );
        let exchange = Arc::new(exchange);
        let judging = Visitor::new(
            Arc::clone(&exchange),
            Arc::from([]),
            SiteKey::from_url(&start).unwrap(),
            Arc::new(Origins::ignored(&start)),
            Arc::new(Sheets::new(exchange, |_| true)),
        );
        let passing = judging.without_checks();
        let _memory = judging.room.memory.acquire_many(WAITING).await;
        assert_eq!(passing.room.memory.available_permits(), 0);
        assert!(Arc::ptr_eq(&judging.room, &passing.room));
    }
}
