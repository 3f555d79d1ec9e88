//! The breadth-first crawl.

mod cpu_pool;
mod done;
mod enqueue;
mod frontier;
mod kept_pages;
mod left_out;
pub(crate) mod progress;
mod refusals;
mod sessions;
mod traps;
mod visit;
mod visited_page;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use domain::report::StoppedBy;
use domain::target::AllowTargets;
use tokio::task::{self, JoinSet};
use tokio::time::Instant;
use url::Url;

use crate::address::SiteKey;
use crate::dom::Limit;
use crate::evaluation::collector::Collector;
use crate::fetch::exchange::Exchange;
use crate::fetch::origins::Origins;
use crate::fetch::sheets::Sheets;
use crate::gather::{FetchError, FetchErrorKind, Response};
use crate::options::AuditOptions;
use crate::site::{
    Answer, LinkFact, PageFacts, PageNumber, ResourceUse, SkipReason, Trap, TrapKind, UrlId,
    UrlState, UrlTable,
};
use done::Done;
use enqueue::Discovery;
pub(crate) use enqueue::Listed;
use frontier::{Entry, Frontier};
use kept_pages::KeptPages;
use left_out::LeftOut;
use progress::{OnProgress, Phase, Progress};
use refusals::{Refusals, Suspicion};
use traps::Traps;
use visit::{Visit, Visitor};
pub(crate) use visit::{is_page, page};
use visited_page::VisitedPage;

/// What the crawl goes by.
pub(crate) struct Rules {
    pub(crate) key: SiteKey,
    pub(crate) origins: Arc<Origins>,
    /// The style sheets that pages are judged with.
    pub(crate) sheets: Arc<Sheets>,
    pub(crate) allow: AllowTargets,
    pub(crate) options: AuditOptions,
    pub(crate) ahead: usize,
    /// When the crawl ends, whatever is left of the site.
    pub(crate) until: Instant,
    /// How long the start page may then take to say whether the site turns the crawl away.
    pub(crate) closing: Duration,
    /// A page that the start page leads to without a link.
    pub(crate) refresh: Option<Url>,
}

/// An address that was asked for as a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) id: UrlId,
    /// Clicks from the start page; none when only a sitemap led here.
    pub(crate) depth: Option<u32>,
}

/// What the crawl brought home.
pub(crate) struct Crawled {
    pub(crate) urls: UrlTable,
    pub(crate) pages: Vec<PageFacts>,
    /// Pages of which no details are remembered, for want of room.
    pub(crate) pages_without_details: u64,
    /// On how many pages each bound was reached.
    pub(crate) limits_reached: BTreeMap<Limit, u64>,
    pub(crate) page_by_url: HashMap<UrlId, usize>,
    /// What was asked for and is no page, in the order in which the answers were taken.
    pub(crate) others: Vec<Asked>,
    pub(crate) stopped_by: Option<StoppedBy>,
    /// The evidence, when the site turned the crawl away.
    pub(crate) blocked: Option<String>,
    /// Whether pages may be missing though nothing stopped the crawl: patterns left them out, an
    /// endless space did, or a page said more than is read of one.
    pub(crate) has_gaps: bool,
    /// URLs of the site that were met. Each was fetched or skipped for one reason.
    pub(crate) discovered: u64,
    pub(crate) fetched: u64,
    /// URLs that were skipped and are not in the table, by reason.
    pub(crate) left_out: BTreeMap<SkipReason, u64>,
    /// Endless spaces, the largest first.
    pub(crate) traps: Vec<Trap>,
}

/// What ended a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// There is nothing left, or no room for more.
    Done,
    /// Its time was up.
    Late,
    /// Somebody asked it to stop.
    Stopped,
}

/// A crawl under way.
pub(crate) struct Crawl<'a> {
    rules: &'a Rules,
    visitor: Arc<Visitor>,
    /// Visits pages that patterns leave out: they are read for their links and not judged.
    link_only_visitor: Arc<Visitor>,
    collector: &'a mut Collector,
    on_progress: OnProgress<'a>,
    urls: UrlTable,
    frontier: Frontier,
    pages: KeptPages,
    page_by_url: HashMap<UrlId, usize>,
    others: Vec<Asked>,
    done: Done,
    discovered: u64,
    fetched: u64,
    /// What is under way, by its task: the place in the queue, and the URL.
    awaited: HashMap<task::Id, (usize, Entry)>,
    traps: Traps,
    trapped: HashMap<UrlId, TrapKind>,
    left_out: LeftOut,
    /// What patterns leave out and is requested all the same, for its links.
    through: HashSet<UrlId>,
    refusals: Refusals,
    blocked: Option<String>,
    depth_reached: bool,
    cap_reached: bool,
    excluded: bool,
    /// Whether a page had more links than are taken from one, or was not read to its end.
    links_cut: bool,
    /// On how many pages each bound was reached.
    limits_reached: BTreeMap<Limit, u64>,
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
        let origins = Arc::clone(&rules.origins);
        let sheets = Arc::clone(&rules.sheets);
        let visitor = Visitor::new(exchange, checks, rules.key.clone(), origins, sheets);
        Self {
            link_only_visitor: Arc::new(visitor.without_checks()),
            visitor: Arc::new(visitor),
            rules,
            collector,
            on_progress,
            urls: UrlTable::default(),
            frontier: Frontier::default(),
            pages: KeptPages::default(),
            page_by_url: HashMap::new(),
            others: Vec::new(),
            done: Done::default(),
            discovered: 0,
            fetched: 0,
            awaited: HashMap::new(),
            traps: Traps::default(),
            trapped: HashMap::new(),
            left_out: LeftOut::default(),
            through: HashSet::new(),
            refusals: Refusals::new(),
            blocked: None,
            depth_reached: false,
            cap_reached: false,
            excluded: false,
            links_cut: false,
            limits_reached: BTreeMap::new(),
            percent: 0,
        }
    }

    /// Crawls from the start page, whose answer is there already, through everything that can be
    /// reached; then the URLs that only sitemaps and feeds list.
    ///
    /// A page that patterns leave out is requested as well, since what they want may be reached
    /// through it alone. It is read for its links, and neither judged nor counted towards the cap.
    pub(crate) async fn run(
        mut self,
        requested: &Url,
        hops: &[(u16, Url)],
        start: Response,
        listed: impl Iterator<Item = Listed> + Send,
    ) -> Crawled {
        let start_url = start.url.clone();
        let deadline = self.rules.until;
        self.note_landing(requested, hops, &start.url);
        let id = self.urls.intern(&start.url, true);
        self.discovered += 1;
        self.frontier.push(Entry {
            id,
            depth: Some(0),
            parent: None,
            hops: 0,
        });
        let mut tasks: JoinSet<Visit> = JoinSet::new();
        let mut answered = Some(start);
        let mut listed = Some(listed);
        let stop = self.rules.options.stop.clone();
        let end = loop {
            self.dispatch(&mut tasks, &mut answered);
            if self.frontier.is_drained() {
                let Some(listed) = listed.take() else {
                    break End::Done;
                };
                let listed = self.intern_listed(listed);
                self.add_listed(&listed);
                continue;
            }
            if self.frontier.in_flight() == 0 {
                break End::Done;
            }
            let next = tokio::time::timeout_at(deadline, tasks.join_next_with_id());
            let next = tokio::select! {
                biased;
                () = stop.asked() => break End::Stopped,
                next = next => next,
            };
            let (task, visit) = match next {
                Ok(Some(Ok((task, visit)))) => (task, visit),
                Ok(Some(Err(error))) => (error.id(), broken()),
                Ok(None) => break End::Done,
                // What is still under way is dropped with the tasks.
                Err(_) => break End::Late,
            };
            if let Some((place, entry)) = self.awaited.remove(&task) {
                self.done.insert(place, entry, visit);
            }
            while let Some((entry, visit)) = self.done.take(self.frontier.next_commit()) {
                self.frontier.commit();
                self.take(&entry, visit);
                self.watch(&start_url, deadline).await;
                if self.blocked.is_some() {
                    break;
                }
            }
            if self.blocked.is_some() {
                break End::Done;
            }
            self.report(Phase::Crawling);
        };
        if end != End::Stopped {
            self.ask_at_the_end(&start_url).await;
        }
        self.finish(end, listed)
    }

    /// Requests as many of the URLs that wait as may be requested ahead.
    fn dispatch(&mut self, tasks: &mut JoinSet<Visit>, answered: &mut Option<Response>) {
        let room = self.room();
        while self.done.has_room(self.awaited.len())
            && let Some((place, entry)) = self.frontier.dispatch(self.rules.ahead, room)
        {
            let visitor = Arc::clone(if self.through.contains(&entry.id) {
                &self.link_only_visitor
            } else {
                &self.visitor
            });
            let known = answered.take();
            let url = Url::parse(self.urls.url(entry.id));
            let task = tasks.spawn(async move {
                match url {
                    Ok(url) => visitor.visit(url, known).await,
                    Err(error) => {
                        Visit::Failed(FetchError::new(FetchErrorKind::Protocol, error.to_string()))
                    }
                }
            });
            self.awaited.insert(task.id(), (place, entry));
        }
    }

    /// How many further pages are wanted. None once far more URLs were requested than pages may be
    /// audited: a site of links that lead nowhere must come to an end, too.
    fn room(&self) -> usize {
        let cap = self.page_cap();
        if self.frontier.requested() >= cap.saturating_mul(4).saturating_add(1_000) {
            return 0;
        }
        cap.saturating_sub(self.pages.len())
    }

    fn page_cap(&self) -> usize {
        usize::try_from(self.rules.options.max_pages)
            .unwrap_or(usize::MAX)
            .max(1)
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
            let depth = Some(0);
            self.others.push(Asked { id, depth });
            // Requested already: a link to it must not request it again.
            self.frontier.mark_requested(id);
        }
    }

    /// Looks whether the site has begun to turn the crawl away.
    async fn watch(&mut self, start: &Url, until: Instant) {
        self.blocked = match self.refusals.suspicion() {
            Suspicion::None => None,
            Suspicion::Blocked(evidence) => Some(evidence),
            Suspicion::AskAgain => {
                let refusal = self.visitor.ask_again(start.clone(), until).await;
                self.refusals.asked_again(start, refusal.as_ref())
            }
        };
    }

    /// Looks whether the site turned most of the crawl away. A start page that answers speaks against
    /// refusals that may be meant for everybody.
    async fn ask_at_the_end(&mut self, start: &Url) {
        if self.blocked.is_some() {
            return;
        }
        self.blocked = match self.refusals.at_the_end() {
            Suspicion::None => None,
            Suspicion::Blocked(evidence) => Some(evidence),
            Suspicion::AskAgain => {
                let until = Instant::now() + self.rules.closing;
                let refusal = self.visitor.ask_again(start.clone(), until).await;
                self.refusals.asked_at_the_end(start, refusal.as_ref())
            }
        };
    }

    fn take(&mut self, entry: &Entry, visit: Visit) {
        let passed = self.through.remove(&entry.id);
        let (state, is_other) = match visit {
            Visit::Page(visited) if passed => {
                self.refusals.page();
                return self.take_links(entry, &visited);
            }
            Visit::Page(visited) => {
                self.refusals.page();
                self.fetched += 1;
                return self.take_page(entry, *visited);
            }
            Visit::Other {
                status,
                media_type,
                location,
            } => {
                let answer = Answer {
                    status,
                    media_type: media_type.into_boxed_str(),
                    location: location.map(|target| self.take_redirect(entry, &target)),
                };
                (UrlState::Answered(answer), true)
            }
            Visit::Refused {
                refusal,
                media_type,
            } => {
                let answer = Answer {
                    status: refusal.status,
                    media_type: media_type.into_boxed_str(),
                    location: None,
                };
                if let Ok(url) = Url::parse(self.urls.url(entry.id)) {
                    self.refusals.refused(url, refusal);
                }
                (UrlState::Answered(answer), true)
            }
            Visit::Forbidden => (UrlState::Skipped(SkipReason::RobotsDisallowed), false),
            Visit::Failed(FetchError {
                kind: FetchErrorKind::NotAllowed,
                ..
            }) => (UrlState::Skipped(SkipReason::NotAllowed), false),
            Visit::Failed(error) => {
                let message = error.message.into_boxed_str();
                (UrlState::Failed(error.kind, message), true)
            }
        };
        // What patterns leave out stays left out, whatever it answers.
        if passed {
            return;
        }
        self.urls.set(entry.id, state);
        if is_other {
            self.fetched += 1;
            self.others.push(Asked {
                id: entry.id,
                depth: entry.depth,
            });
        }
    }

    fn take_redirect(&mut self, entry: &Entry, target: &Url) -> UrlId {
        let internal = self.rules.key.contains(target);
        let id = self.urls.intern(target, internal);
        if internal {
            let from = Url::parse(self.urls.url(entry.id)).ok();
            let met = Discovery {
                on: from.as_ref(),
                depth: entry.depth,
                parent: entry.parent,
                hops: entry.hops + 1,
                on_copy: false,
            };
            self.offer(id, target, met);
        }
        id
    }

    /// Whether the page says and links the same as many before it.
    fn is_copy(&mut self, visited: &VisitedPage) -> bool {
        let hrefs = visited.links.iter().map(|link| visited.href(link));
        self.traps
            .repeats(visited.title.as_deref(), visited.text_hash, hrefs)
    }

    /// Takes the links of a page that patterns leave out.
    fn take_links(&mut self, entry: &Entry, visited: &VisitedPage) {
        let met = Discovery {
            on: Some(&visited.url),
            depth: entry.depth.map(|depth| depth.saturating_add(1)),
            parent: None,
            hops: 0,
            on_copy: self.is_copy(visited),
        };
        self.count_too_long(&visited.too_long);
        for target in visited.targets.iter().filter(|target| target.internal) {
            self.meet(&target.url, true, met);
        }
        self.count_cut(visited);
    }

    /// Notes that links of a page are not followed, and counts those that lead to nothing known.
    fn count_cut(&mut self, visited: &VisitedPage) {
        self.links_cut |= visited.links_cut;
        for url in &visited.surplus {
            if self.urls.find(url).is_none() {
                let new = self.left_out.count(url, SkipReason::Budget);
                self.discovered += u64::from(new);
            }
        }
    }

    fn take_page(&mut self, entry: &Entry, visited: VisitedPage) {
        let number = PageNumber::try_from(self.pages.len()).unwrap_or(PageNumber::MAX);
        let answer = Answer {
            status: visited.status,
            media_type: Box::from("text/html"),
            location: None,
        };
        self.urls.set(entry.id, UrlState::Answered(answer));
        let met = Discovery {
            on: Some(&visited.url),
            depth: entry.depth.map(|depth| depth.saturating_add(1)),
            parent: Some(number),
            hops: 0,
            on_copy: self.is_copy(&visited),
        };
        self.count_too_long(&visited.too_long);
        // A site of endless links is cut short before it fills the memory.
        let targets: Vec<Option<UrlId>> = (visited.targets.iter())
            .map(|target| self.meet(&target.url, target.internal, met))
            .collect();
        let mut links = Vec::with_capacity(visited.links.len());
        for link in &visited.links {
            let Some(target) = targets.get(link.target).copied().flatten() else {
                continue;
            };
            links.push(LinkFact {
                target,
                href: self.urls.intern_href(visited.href(link)),
                line: link.line,
                count: link.count,
                nofollow: link.nofollow || visited.nofollow,
                place: link.place,
            });
        }
        self.count_cut(&visited);
        if let (0, Some(refresh)) = (number, &self.rules.refresh) {
            self.meet(refresh, true, met);
        }
        let resources = visited
            .resources
            .into_iter()
            .filter_map(|resource| {
                Some(ResourceUse {
                    target: self.intern_resource(&resource.url, resource.internal)?,
                    kind: resource.kind,
                    line: resource.line,
                    eager: resource.eager,
                })
            })
            .collect();
        self.collector
            .record_page(visited.url.as_str(), visited.judged);
        for limit in visited.limits {
            *self.limits_reached.entry(limit).or_default() += 1;
        }
        self.page_by_url.insert(entry.id, self.pages.len());
        let headers = self.pages.share(visited.headers);
        self.pages.push(PageFacts {
            number,
            id: entry.id,
            url: visited.url,
            depth: entry.depth,
            parent: entry.parent,
            status: visited.status,
            bytes: visited.bytes,
            wire_bytes: visited.wire_bytes,
            title: visited.title,
            description: visited.description,
            h1: visited.h1,
            lang: visited.lang,
            canonicals: visited.canonicals,
            alternates: visited.alternates,
            alternates_cut: visited.alternates_cut,
            noindex: visited.noindex,
            indexable: visited.indexable,
            words: visited.words,
            text_hash: visited.text_hash,
            hashed_words: visited.hashed_words,
            sketch: visited.sketch,
            headers,
            links,
            resources,
            places: visited.places,
            json_ld_types: visited.json_ld_types,
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

    fn finish(mut self, end: End, never_offered: Option<impl Iterator<Item = Listed>>) -> Crawled {
        let rest: Vec<UrlId> = self
            .frontier
            .take_rest()
            .into_iter()
            .map(|entry| entry.id)
            .collect();
        let cut = !rest.is_empty() || !self.awaited.is_empty() || self.cap_reached;
        let (reason, stopped_by) = match end {
            End::Done => (SkipReason::PageCap, StoppedBy::PageCap),
            End::Late => (SkipReason::Deadline, StoppedBy::Deadline),
            End::Stopped => (SkipReason::Cancelled, StoppedBy::Cancelled),
        };
        let stopped_by = match (cut, self.depth_reached) {
            (true, _) => Some(stopped_by),
            (false, true) => Some(StoppedBy::Depth),
            (false, false) => None,
        };
        let unfinished = self.done.entries().map(|entry| entry.id);
        let left: Vec<UrlId> = rest
            .into_iter()
            .chain(unfinished)
            .chain(self.awaited.values().map(|(_, entry)| entry.id))
            .filter(|id| !self.through.contains(id))
            .collect();
        for id in left {
            self.urls.set(id, UrlState::Skipped(reason));
        }
        let never_offered = never_offered
            .map(|listed| self.intern_listed(listed))
            .unwrap_or_default();
        for id in never_offered {
            if self
                .urls
                .get(id)
                .is_some_and(|entry| entry.state == UrlState::Known)
            {
                self.discovered += 1;
                self.urls.set(id, UrlState::Skipped(reason));
            }
        }
        let left_out = self.left_out.counts();
        let trapped = !self.trapped.is_empty() || left_out.contains_key(&SkipReason::Trap);
        let pages_without_details = self.pages.without_details();
        Crawled {
            traps: self.traps_met(),
            left_out,
            urls: self.urls,
            has_gaps: self.excluded || self.links_cut || trapped || pages_without_details > 0,
            pages_without_details,
            pages: self.pages.into_pages(),
            page_by_url: self.page_by_url,
            others: self.others,
            stopped_by,
            blocked: self.blocked,
            limits_reached: self.limits_reached,
            discovered: self.discovered,
            fetched: self.fetched,
        }
    }
}

/// What comes of a URL whose visit broke off by a fault of the program.
fn broken() -> Visit {
    let message = "the page could not be visited";
    Visit::Failed(FetchError::new(FetchErrorKind::Protocol, message))
}
