//! The breadth-first crawl.

mod draft;
mod frontier;
mod visit;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use domain::report::StoppedBy;
use domain::target::{AllowTargets, gate_parsed_url};
use tokio::task::JoinSet;
use url::Url;

use crate::address::{SiteKey, path_and_query};
use crate::gather::robots::RobotsState;
use crate::gather::{FetchError, FetchErrorKind, Response};
use crate::run::collector::Collector;
use crate::run::exchange::Exchange;
use crate::run::options::{AuditOptions, PRODUCT_TOKEN};
use crate::run::progress::{OnProgress, Phase, Progress};
use crate::site::{
    Answer, LinkFact, PageFacts, PageNumber, ResourceUse, SkipReason, UrlId, UrlState, UrlTable,
};
use draft::Draft;
use frontier::{Entry, Frontier};
pub(crate) use visit::{MAX_HTML_BYTES, is_page};
use visit::{Visit, Visitor};

/// Path segments of a URL that is still followed.
const MAX_PATH_DEPTH: usize = 20;

/// What the crawl goes by.
pub(crate) struct Rules {
    pub(crate) key: SiteKey,
    pub(crate) robots: RobotsState,
    pub(crate) allow: AllowTargets,
    pub(crate) options: AuditOptions,
    pub(crate) ahead: usize,
}

/// What the crawl brought home.
pub(crate) struct Crawled {
    pub(crate) urls: UrlTable,
    pub(crate) pages: Vec<PageFacts>,
    pub(crate) page_by_url: HashMap<UrlId, usize>,
    pub(crate) stopped_by: Option<StoppedBy>,
    pub(crate) discovered: u64,
    pub(crate) fetched: u64,
}

/// A crawl under way.
pub(crate) struct Crawl<'a> {
    rules: &'a Rules,
    visitor: Arc<Visitor>,
    collector: &'a mut Collector,
    on_progress: OnProgress<'a>,
    urls: UrlTable,
    frontier: Frontier,
    pages: Vec<PageFacts>,
    page_by_url: HashMap<UrlId, usize>,
    done: BTreeMap<usize, (Entry, Visit)>,
    discovered: u64,
    fetched: u64,
    depth_reached: bool,
    percent: u8,
}

impl<'a> Crawl<'a> {
    pub(crate) fn new(
        rules: &'a Rules,
        exchange: Arc<Exchange>,
        checks: Arc<[&'static crate::check::Check]>,
        collector: &'a mut Collector,
        on_progress: OnProgress<'a>,
    ) -> Self {
        Self {
            visitor: Arc::new(Visitor::new(exchange, checks, rules.key.clone())),
            rules,
            collector,
            on_progress,
            urls: UrlTable::default(),
            frontier: Frontier::default(),
            pages: Vec::new(),
            page_by_url: HashMap::new(),
            done: BTreeMap::new(),
            discovered: 0,
            fetched: 0,
            depth_reached: false,
            percent: 0,
        }
    }

    /// Crawls from the start page, whose answer is there already, through everything that can be
    /// reached; then the URLs that only the sitemaps list.
    pub(crate) async fn run(
        mut self,
        requested: &Url,
        hops: &[(u16, Url)],
        start: Response,
        sitemap_urls: Vec<Url>,
    ) -> Crawled {
        let deadline = Instant::now() + self.rules.options.crawl_budget;
        self.note_landing(requested, hops, &start.url);
        let first = self.entry(start.url.clone(), Some(0), None);
        self.discovered += 1;
        self.frontier.push(first);
        let mut tasks: JoinSet<(usize, Entry, Visit)> = JoinSet::new();
        let mut answered = Some(start);
        let mut unlisted = Some(sitemap_urls);
        loop {
            let late = Instant::now() >= deadline;
            let room = if late { 0 } else { self.room() };
            while let Some((place, entry)) = self.frontier.dispatch(self.rules.ahead, room) {
                let visitor = Arc::clone(&self.visitor);
                let known = answered.take();
                tasks.spawn(async move {
                    let visit = visitor.visit(entry.url.clone(), known).await;
                    (place, entry, visit)
                });
            }
            if self.frontier.is_drained() {
                match unlisted.take() {
                    Some(listed) => self.add_listed(listed),
                    None => break,
                }
                continue;
            }
            if self.frontier.in_flight() == 0 {
                break;
            }
            match tasks.join_next().await {
                Some(Ok((place, entry, visit))) => {
                    self.done.insert(place, (entry, visit));
                }
                // A task that panicked never comes back; nothing behind it could be taken.
                Some(Err(_)) | None => break,
            }
            while let Some((entry, visit)) = self.done.remove(&self.frontier.next_commit()) {
                self.frontier.commit();
                self.take(&entry, visit);
            }
            self.report(Phase::Crawling);
        }
        self.finish(Instant::now() >= deadline)
    }

    fn room(&self) -> usize {
        let cap = usize::try_from(self.rules.options.max_pages)
            .unwrap_or(usize::MAX)
            .max(1);
        cap.saturating_sub(self.pages.len())
    }

    /// Remembers the redirects from the URL that was asked for to the start page.
    fn note_landing(&mut self, requested: &Url, hops: &[(u16, Url)], landed: &Url) {
        self.urls
            .intern(requested, self.rules.key.contains(requested));
        for (index, (status, url)) in hops.iter().enumerate() {
            let next = hops.get(index + 1).map_or(landed, |(_, url)| url);
            let id = self.urls.intern(url, self.rules.key.contains(url));
            let location = self.urls.intern(next, self.rules.key.contains(next));
            let media_type = Box::from("");
            let answer = Answer {
                status: *status,
                media_type,
                location: Some(location),
            };
            self.urls.set(id, UrlState::Answered(answer));
            let entry = Entry {
                id,
                url: url.clone(),
                depth: Some(0),
                parent: None,
            };
            // Requested already: a link to it must not request it again.
            self.frontier.mark_requested(&entry);
        }
    }

    fn entry(&mut self, url: Url, depth: Option<u32>, parent: Option<PageNumber>) -> Entry {
        let id = self.urls.intern(&url, true);
        Entry {
            id,
            url,
            depth,
            parent,
        }
    }

    fn add_listed(&mut self, mut listed: Vec<Url>) {
        listed.retain(|url| self.rules.key.contains(url));
        listed.sort();
        listed.dedup();
        for url in listed {
            let id = self.urls.intern(&url, true);
            self.urls.mark_in_sitemap(id);
            self.offer(id, url, None, None);
        }
    }

    /// Queues an internal URL, or notes why it is left out.
    fn offer(&mut self, id: UrlId, url: Url, depth: Option<u32>, parent: Option<PageNumber>) {
        if self.frontier.contains(id) {
            return;
        }
        match self.refusal(&url, depth) {
            None => {
                self.discovered += 1;
                self.frontier.push(Entry {
                    id,
                    url,
                    depth,
                    parent,
                });
            }
            Some(reason) => {
                self.depth_reached |= reason == SkipReason::Depth;
                if self
                    .urls
                    .get(id)
                    .is_some_and(|entry| entry.state == UrlState::Known)
                {
                    self.discovered += 1;
                }
                self.urls.set(id, UrlState::Skipped(reason));
            }
        }
    }

    fn refusal(&self, url: &Url, depth: Option<u32>) -> Option<SkipReason> {
        if gate_parsed_url(url, &self.rules.allow).is_err() {
            return Some(SkipReason::NotAllowed);
        }
        if url
            .path_segments()
            .is_some_and(|segments| segments.count() > MAX_PATH_DEPTH)
        {
            return Some(SkipReason::Trap);
        }
        if self.rules.options.respect_robots
            && !self
                .rules
                .robots
                .is_allowed(PRODUCT_TOKEN, &path_and_query(url))
        {
            return Some(SkipReason::RobotsDisallowed);
        }
        match (self.rules.options.max_depth, depth) {
            (Some(limit), Some(depth)) if depth > limit => Some(SkipReason::Depth),
            // A page that no click reaches is deeper than any limit.
            (Some(_), None) => Some(SkipReason::Depth),
            _ => None,
        }
    }

    fn take(&mut self, entry: &Entry, visit: Visit) {
        self.fetched += 1;
        match visit {
            Visit::Page(draft) => self.take_page(entry, *draft),
            Visit::Other {
                status,
                media_type,
                location,
            } => {
                let location = location.map(|target| {
                    let internal = self.rules.key.contains(&target);
                    let id = self.urls.intern(&target, internal);
                    if internal {
                        self.offer(id, target, entry.depth, entry.parent);
                    }
                    id
                });
                let media_type = media_type.into_boxed_str();
                let answer = Answer {
                    status,
                    media_type,
                    location,
                };
                self.urls.set(entry.id, UrlState::Answered(answer));
            }
            Visit::Failed(FetchError {
                kind: FetchErrorKind::NotAllowed,
                ..
            }) => {
                self.urls
                    .set(entry.id, UrlState::Skipped(SkipReason::NotAllowed));
            }
            Visit::Failed(error) => {
                let message = error.message.into_boxed_str();
                self.urls
                    .set(entry.id, UrlState::Failed(error.kind, message));
            }
        }
    }

    fn take_page(&mut self, entry: &Entry, draft: Draft) {
        let number = PageNumber::try_from(self.pages.len()).unwrap_or(PageNumber::MAX);
        let answer = Answer {
            status: draft.status,
            media_type: Box::from("text/html"),
            location: None,
        };
        self.urls.set(entry.id, UrlState::Answered(answer));
        let depth = entry.depth.map(|depth| depth.saturating_add(1));
        let mut links = Vec::with_capacity(draft.links.len());
        for link in draft.links {
            let target = self.urls.intern(&link.url, link.internal);
            links.push(LinkFact {
                target,
                href: self.urls.intern_href(&link.href),
                line: link.line,
                count: link.count,
                nofollow: link.nofollow || draft.nofollow,
            });
            if link.internal {
                let url = crate::address::without_fragment(&link.url);
                self.offer(target, url, depth, Some(number));
            }
        }
        let resources = draft
            .resources
            .into_iter()
            .map(|resource| ResourceUse {
                target: self.urls.intern(&resource.url, resource.internal),
                kind: resource.kind,
                line: resource.line,
                eager: resource.eager,
            })
            .collect();
        self.collector.record_page(draft.url.as_str(), draft.judged);
        self.page_by_url.insert(entry.id, self.pages.len());
        self.pages.push(PageFacts {
            number,
            id: entry.id,
            url: draft.url,
            depth: entry.depth,
            parent: entry.parent,
            status: draft.status,
            bytes: draft.bytes,
            wire_bytes: draft.wire_bytes,
            title: draft.title,
            description: draft.description,
            h1: draft.h1,
            lang: draft.lang,
            canonicals: draft.canonicals,
            alternates: draft.alternates,
            noindex: draft.noindex,
            indexable: draft.indexable,
            words: draft.words,
            text_hash: draft.text_hash,
            headers: draft.headers,
            links,
            resources,
            json_ld_types: draft.json_ld_types,
        });
    }

    fn report(&mut self, phase: Phase) {
        let audited = u64::try_from(self.pages.len()).unwrap_or(u64::MAX);
        let goal = self
            .discovered
            .min(u64::from(self.rules.options.max_pages))
            .max(1);
        // The crawl is the middle nine tenths; what is still unknown keeps it below its end.
        let share = self
            .fetched
            .min(goal)
            .saturating_mul(85)
            .checked_div(goal)
            .unwrap_or(0);
        self.percent = self
            .percent
            .max(u8::try_from(share).unwrap_or(85).saturating_add(5));
        (self.on_progress)(&Progress {
            phase,
            pages_discovered: self.discovered,
            pages_fetched: self.fetched,
            pages_audited: audited,
            percent: self.percent,
        });
    }

    fn finish(mut self, late: bool) -> Crawled {
        let rest = self.frontier.take_rest();
        let (reason, stopped_by) = if late {
            (SkipReason::Deadline, StoppedBy::Deadline)
        } else {
            (SkipReason::PageCap, StoppedBy::PageCap)
        };
        let stopped_by = match (rest.is_empty(), self.depth_reached) {
            (false, _) => Some(stopped_by),
            (true, true) => Some(StoppedBy::Depth),
            (true, false) => None,
        };
        for entry in rest {
            self.urls.set(entry.id, UrlState::Skipped(reason));
        }
        Crawled {
            urls: self.urls,
            pages: self.pages,
            page_by_url: self.page_by_url,
            stopped_by,
            discovered: self.discovered,
            fetched: self.fetched,
        }
    }
}
