//! The breadth-first crawl.

mod block_detector;
mod commit;
mod cpu_pool;
mod enqueue;
mod finished_visits;
mod frontier;
mod kept_pages;
mod left_out;
mod page_links;
pub(crate) mod progress;
mod progress_meter;
mod refusals;
mod render_choice;
mod rendering;
mod sessions;
mod shown_images;
mod skipped_urls;
mod tasks;
mod traps;
mod visit;
mod visited_page;
mod visited_urls;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use domain::report::StoppedBy;
use domain::target::AllowTargets;
use tokio::time::Instant;
use url::Url;

use crate::address::SiteKey;
use crate::check::Check;
use crate::dom::Limit;
use crate::evaluation::collector::Collector;
use crate::fetch::exchange::Exchange;
use crate::fetch::origins::Origins;
use crate::fetch::sheets::Sheets;
use crate::gather::Response;
use crate::options::AuditOptions;
use crate::site::{
    Coverage, PageFacts, ShownImages, SkipReason, Trap, UrlId, UrlResponse, UrlState, UrlTable,
};
use block_detector::BlockDetector;
pub(crate) use enqueue::Listed;
use frontier::{Entry, Frontier};
use progress::OnProgress;
use progress_meter::{Evaluated, ProgressMeter};
use render_choice::RenderChoice;
pub(crate) use render_choice::url_pattern;
pub(crate) use rendering::{PageRenderer, RenderCounts};
use skipped_urls::SkippedUrls;
use tasks::{QueuedVisit, VisitTasks};
use traps::Traps;
use visit::Visitor;
pub(crate) use visit::{is_page, page};
pub(crate) use visited_page::noindex;
pub(crate) use visited_urls::RequestedUrl;
use visited_urls::VisitedUrls;

/// The settings of a crawl.
pub(crate) struct Rules {
    pub(crate) key: SiteKey,
    pub(crate) origins: Arc<Origins>,
    /// The linked style sheets that checks read.
    pub(crate) sheets: Arc<Sheets>,
    pub(crate) allow: AllowTargets,
    pub(crate) options: AuditOptions,
    pub(crate) ahead: usize,
    /// When the crawl ends, complete or not.
    pub(crate) until: Instant,
    /// How long the crawl waits for the start page at its end, to detect whether the site blocks it.
    pub(crate) closing: Duration,
    /// The target of the meta refresh of the start page.
    pub(crate) refresh: Option<Url>,
    /// The browser that shows pages; none in static mode.
    pub(crate) renderer: Option<PageRenderer>,
}

/// The result of a crawl.
pub(crate) struct Crawled {
    pub(crate) urls: UrlTable,
    pub(crate) pages: Vec<PageFacts>,
    /// Pages whose details were dropped because the memory limit was reached.
    pub(crate) pages_without_details: u64,
    /// How many pages reached each limit.
    pub(crate) limits_reached: BTreeMap<Limit, u64>,
    pub(crate) page_by_url: HashMap<UrlId, usize>,
    /// Requested URLs that are not pages, in the order in which their responses were committed.
    pub(crate) others: Vec<RequestedUrl>,
    pub(crate) stopped_by: Option<StoppedBy>,
    /// The evidence, if the site blocked the crawl.
    pub(crate) blocked: Option<String>,
    /// Whether pages may be missing although nothing stopped the crawl: patterns excluded them, they are part
    /// of a crawl trap, a page exceeded a limit, or a browser did not show a page.
    pub(crate) has_gaps: bool,
    /// Discovered URLs of the site. Each was fetched or skipped for one reason.
    pub(crate) discovered: u64,
    pub(crate) fetched: u64,
    /// URLs that were skipped and are not in the table, by reason.
    pub(crate) left_out: BTreeMap<SkipReason, u64>,
    /// Crawl traps, the largest first.
    pub(crate) traps: Vec<Trap>,
    /// What a browser made of the pages.
    pub(crate) rendered: RenderCounts,
    /// What they use of their scripts and style sheets.
    pub(crate) coverage: Coverage,
    /// How large the pages have their images.
    pub(crate) shown_images: ShownImages,
}

/// Why a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Every URL was visited, or the page cap was reached.
    Done,
    /// Its time budget was exhausted.
    Late,
    /// It was cancelled.
    Stopped,
}

/// A crawl in progress.
pub(crate) struct Crawl<'a> {
    rules: &'a Rules,
    urls: UrlTable,
    frontier: Frontier,
    tasks: VisitTasks,
    visited: VisitedUrls<'a>,
    skipped: SkippedUrls,
    traps: Traps,
    blocks: BlockDetector,
    progress: ProgressMeter<'a>,
    choice: RenderChoice,
}

impl<'a> Crawl<'a> {
    pub(crate) fn new(
        rules: &'a Rules,
        exchange: Arc<Exchange>,
        checks: Arc<[&'static Check]>,
        collector: &'a mut Collector,
        on_progress: OnProgress<'a>,
    ) -> Self {
        let origins = Arc::clone(&rules.origins);
        let sheets = Arc::clone(&rules.sheets);
        let visitor = Visitor::new(exchange, checks, rules.key.clone(), origins, sheets)
            .rendering_with(rules.renderer.clone());
        Self {
            rules,
            urls: UrlTable::default(),
            frontier: Frontier::default(),
            tasks: VisitTasks::new(visitor),
            visited: VisitedUrls::new(collector),
            skipped: SkippedUrls::default(),
            traps: Traps::default(),
            blocks: BlockDetector::new(),
            progress: ProgressMeter::new(
                on_progress,
                rules.options.max_pages,
                rules.renderer.as_ref().map(PageRenderer::until),
            ),
            choice: RenderChoice::new(rules.options.rendered_pages),
        }
    }

    /// Crawls all pages that are reachable from `start`, the response of the start page, and then the URLs that
    /// only sitemaps and feeds list.
    ///
    /// A page that patterns exclude is requested as well, because it may contain the only link to a page that
    /// they include. The crawl reads its links. The page is not evaluated and does not count towards the cap.
    pub(crate) async fn run(
        mut self,
        requested: &Url,
        hops: &[(u16, Url)],
        start: Response,
        listed: impl Iterator<Item = Listed> + Send,
    ) -> Crawled {
        let start_url = start.url.clone();
        let deadline = self.rules.until;
        self.record_landing(requested, hops, &start.url);
        let id = self.urls.intern(&start.url, true);
        self.progress.record_discovery(true);
        self.frontier.push(Entry {
            id,
            depth: Some(0),
            parent: None,
            hops: 0,
            link_only: false,
        });
        let mut answered = Some(start);
        let mut listed = Some(listed);
        let stop = self.rules.options.stop.clone();
        let end = loop {
            self.dispatch(&mut answered);
            if self.frontier.is_drained() {
                let Some(listed) = listed.take() else {
                    break End::Done;
                };
                let listed = self.intern_listed(listed);
                self.enqueue_listed(&listed);
                continue;
            }
            if self.frontier.in_flight() == 0 {
                break End::Done;
            }
            let next = tokio::time::timeout_at(deadline, self.tasks.join_next());
            let next = tokio::select! {
                biased;
                () = stop.cancelled() => break End::Stopped,
                next = next => next,
            };
            match next {
                Ok(true) => {}
                Ok(false) => break End::Done,
                // Visits in flight are dropped together with their tasks.
                Err(_) => break End::Late,
            }
            self.commit_finished(&start_url, deadline).await;
            if self.blocks.is_blocked() {
                break End::Done;
            }
            self.progress.report(Evaluated {
                pages: u64::try_from(self.visited.page_count()).unwrap_or(u64::MAX),
                rendered: self.visited.rendered_count(),
                renders_all: self.choice.shows_all()
                    && (self.rules.renderer.as_ref()).is_some_and(PageRenderer::may_show_more),
            });
        };
        if end != End::Stopped {
            let until = Instant::now() + self.rules.closing;
            let visitor = self.tasks.visitor();
            self.blocks
                .evaluate_at_end(visitor, &start_url, until)
                .await;
        }
        self.finish(end, listed)
    }

    /// Requests as many queued URLs as may be requested ahead.
    fn dispatch(&mut self, answered: &mut Option<Response>) {
        let room = self.room();
        let ahead = match self.rules.renderer {
            Some(_) if self.choice.is_undecided() => 1,
            _ => self.rules.ahead,
        };
        while self.tasks.has_room()
            && let Some((place, entry)) = self.frontier.dispatch(ahead, room)
        {
            let url = Url::parse(self.urls.url(entry.id));
            let is_shown = self.rules.renderer.is_some()
                && (url.as_ref()).is_ok_and(|url| self.choice.shows(url, entry.link_only));
            let visit = QueuedVisit {
                place,
                entry,
                url,
                is_shown,
            };
            self.tasks.spawn(visit, answered.take());
        }
    }

    /// Commits finished visits in the order of the queue, until the site turns out to block the crawl.
    async fn commit_finished(&mut self, start: &Url, until: Instant) {
        while let Some((entry, visit)) = self.tasks.take(self.frontier.next_commit()) {
            self.frontier.commit();
            self.commit(&entry, visit);
            let visitor = self.tasks.visitor();
            self.blocks.evaluate(visitor, start, until).await;
            if self.blocks.is_blocked() {
                break;
            }
        }
    }

    /// How many further pages may be requested. Zero once far more URLs were requested than pages may be
    /// audited, so that the crawl of a site full of broken links ends as well.
    fn room(&self) -> usize {
        let cap = self.page_cap();
        if self.frontier.requested() >= cap.saturating_mul(4).saturating_add(1_000) {
            return 0;
        }
        cap.saturating_sub(self.visited.page_count())
    }

    fn page_cap(&self) -> usize {
        usize::try_from(self.rules.options.max_pages)
            .unwrap_or(usize::MAX)
            .max(1)
    }

    /// Records the redirects from the requested URL to the start page.
    fn record_landing(&mut self, requested: &Url, hops: &[(u16, Url)], landed: &Url) {
        self.urls
            .intern(requested, self.rules.key.contains(requested));
        for (index, (status, url)) in hops.iter().enumerate() {
            let next = hops.get(index + 1).map_or(landed, |(_, url)| url);
            let id = self.urls.intern(url, self.rules.key.contains(url));
            let location = self.urls.intern(next, self.rules.key.contains(next));
            let media_type = Box::from("");
            let answer = UrlResponse {
                status: *status,
                media_type,
                location: Some(location),
            };
            self.urls.set(id, UrlState::Responded(answer));
            self.visited.add_other(id, Some(0));
            // It is already requested, so a link must not request it again.
            self.frontier.mark_requested(id);
        }
    }

    fn finish(mut self, end: End, never_queued: Option<impl Iterator<Item = Listed>>) -> Crawled {
        let rest = self.frontier.take_rest();
        let cut = !rest.is_empty() || self.tasks.is_running() || self.skipped.is_cap_reached();
        let (reason, stopped_by) = match end {
            End::Done => (SkipReason::PageCap, StoppedBy::PageCap),
            End::Late => (SkipReason::Deadline, StoppedBy::Deadline),
            End::Stopped => (SkipReason::Cancelled, StoppedBy::Cancelled),
        };
        let stopped_by = match (cut, self.skipped.is_depth_reached()) {
            (true, _) => Some(stopped_by),
            (false, true) => Some(StoppedBy::Depth),
            (false, false) => None,
        };
        let rest = rest.iter().filter(|entry| !entry.link_only);
        let left = rest.map(|entry| entry.id).chain(self.tasks.unfinished());
        for id in left {
            self.urls.set(id, UrlState::Skipped(reason));
        }
        let never_queued = never_queued
            .map(|listed| self.intern_listed(listed))
            .unwrap_or_default();
        for id in never_queued {
            if self
                .urls
                .get(id)
                .is_some_and(|entry| entry.state == UrlState::Known)
            {
                self.progress.record_discovery(true);
                self.urls.set(id, UrlState::Skipped(reason));
            }
        }
        let has_gaps = self.skipped.has_gaps() || !self.traps.is_empty();
        let visited = self.visited.into_results();
        Crawled {
            traps: self.traps.summarize(&self.urls),
            left_out: self.skipped.counts(),
            urls: self.urls,
            has_gaps: has_gaps || visited.pages_without_details > 0,
            pages_without_details: visited.pages_without_details,
            pages: visited.pages,
            page_by_url: visited.page_by_url,
            others: visited.others,
            stopped_by,
            blocked: self.blocks.into_evidence(),
            limits_reached: visited.limits_reached,
            rendered: visited.rendered,
            coverage: visited.coverage,
            shown_images: visited.shown_images,
            discovered: self.progress.discovered(),
            fetched: self.progress.fetched(),
        }
    }
}
