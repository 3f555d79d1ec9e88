//! Queues discovered URLs, or records why they are not queued.

use domain::target::{MAX_URL_BYTES, gate_parsed_url};
use url::Url;

use super::left_out::LeftOut;
use super::page_links::{DraftTarget, TooLong};
use super::{Crawl, Entry};
use crate::address::without_fragment;
use crate::bounds::crawl::MAX_ROUTES;
use crate::site::{MAX_REDIRECTS, PageNumber, SkipReason, TrapKind, UrlId, UrlState};

/// Where and how the crawl discovered a URL.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discovery<'a> {
    /// The page that links to it or the URL that redirects to it; none for a URL from a sitemap or a feed.
    pub(super) on: Option<&'a Url>,
    /// Clicks from the start page; none if no link leads to it.
    pub(super) depth: Option<u32>,
    pub(super) parent: Option<PageNumber>,
    /// The number of consecutive redirects that led to it.
    pub(super) hops: usize,
    /// Whether it was discovered on one of many identical pages.
    pub(super) on_copy: bool,
}

impl Discovery<'_> {
    /// The discovery of a URL in a sitemap or a feed.
    pub(super) const LISTED: Self = Self {
        on: None,
        depth: None,
        parent: None,
        hops: 0,
        on_copy: false,
    };
}

/// A URL that a sitemap or a feed lists.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub(crate) url: Url,
    /// Whether a sitemap lists it. Otherwise a feed lists it that a page links to.
    pub(crate) in_sitemap: bool,
}

/// Whether another discovery of the URL, with a smaller depth or by another path, may lift the refusal.
const fn depends_on_discovery(reason: SkipReason) -> bool {
    matches!(
        reason,
        SkipReason::Depth | SkipReason::Trap | SkipReason::PageCap | SkipReason::Excluded
    )
}

/// Why a URL is not requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    For(SkipReason),
    Trap(TrapKind),
}

impl Refusal {
    const fn reason(self) -> SkipReason {
        match self {
            Self::For(reason) => reason,
            Self::Trap(_) => SkipReason::Trap,
        }
    }
}

impl Crawl<'_> {
    /// Processes a link of a page: queues its URL, or records why not. Returns none if the URL is only counted,
    /// because the site has more URLs than can be kept.
    pub(super) fn discover(
        &mut self,
        url: &Url,
        internal: bool,
        discovery: Discovery<'_>,
    ) -> Option<UrlId> {
        if self.is_crowded()
            && self.urls.find(url).is_none()
            && !self.keeps(url, internal, discovery)
        {
            return None;
        }
        let id = self.urls.intern(url, internal);
        if internal {
            self.enqueue(id, url, discovery);
        }
        Some(id)
    }

    /// Processes the target of links of a page, as [`Crawl::discover`] does. Of the routes that scripts read from
    /// fragments the first [`MAX_ROUTES`] of the site are pages.
    pub(super) fn discover_target(
        &mut self,
        target: &DraftTarget,
        discovery: Discovery<'_>,
    ) -> Option<UrlId> {
        if !target.is_route() {
            return self.discover(&target.url, target.internal, discovery);
        }
        if let Some(known) = self.urls.find_route(&target.url) {
            return Some(known);
        }
        if self.urls.is_full() || self.urls.route_count() >= MAX_ROUTES {
            let hash = LeftOut::hash_of_route(&target.url);
            let new = self.skipped.count_hash(hash, SkipReason::Budget);
            self.progress.record_discovery(new);
            return None;
        }
        let id = self.urls.intern_route(&target.url);
        self.enqueue(id, &target.url, discovery);
        Some(id)
    }

    /// Counts links that are too long to be kept.
    pub(super) fn count_too_long(&mut self, links: &[TooLong]) {
        for link in links {
            let reason = match (link.internal, self.rules.options.external) {
                (true, _) => SkipReason::TooLong,
                (false, true) => SkipReason::Budget,
                (false, false) => SkipReason::External,
            };
            let new = self.skipped.count_hash(link.hash, reason);
            self.progress.record_discovery(new && link.internal);
        }
    }

    /// The id of a resource of a page; none if the table of URLs is full.
    pub(super) fn intern_resource(&mut self, url: &Url, internal: bool) -> Option<UrlId> {
        if self.urls.is_full() {
            return self.urls.find(url);
        }
        Some(self.urls.intern(url, internal))
    }

    /// Whether a limit is reached, so that only some of the further URLs are kept.
    fn is_crowded(&self) -> bool {
        self.urls.is_full() || self.traps.is_full() || self.is_queue_full()
    }

    /// Whether the queue is longer than the number of URLs that the page cap permits.
    fn is_queue_full(&self) -> bool {
        self.frontier.waiting() > self.page_cap().saturating_mul(10).saturating_add(10_000)
    }

    /// Whether to keep a new URL on a crowded site. Otherwise it is only counted.
    fn keeps(&mut self, url: &Url, internal: bool, discovery: Discovery<'_>) -> bool {
        let full = self.urls.is_full();
        let reason = match (internal, full) {
            (false, false) => return true,
            (false, true) => SkipReason::Budget,
            (true, _) => match self.refusal(url, discovery) {
                Some(Refusal::Trap(_)) if full || self.traps.is_full() => SkipReason::Trap,
                Some(Refusal::For(SkipReason::PageCap)) => SkipReason::PageCap,
                Some(refusal) if full => refusal.reason(),
                None if full => SkipReason::PageCap,
                _ => return true,
            },
        };
        let new = self.skipped.count(url, reason);
        self.progress.record_discovery(new && internal);
        false
    }

    /// Adds the listed URLs of the site to the table. Returns each of them once, in URL order.
    pub(super) fn intern_listed(&mut self, listed: impl Iterator<Item = Listed>) -> Vec<UrlId> {
        let mut ids = Vec::new();
        for Listed { url, in_sitemap } in listed {
            if !self.rules.key.contains(&url) {
                continue;
            }
            if self.urls.is_full() && self.urls.find(&url).is_none() {
                let new = self.skipped.count(&url, SkipReason::PageCap);
                self.progress.record_discovery(new);
                continue;
            }
            let id = self.urls.intern(&url, true);
            if in_sitemap {
                self.urls.mark_in_sitemap(id);
            }
            ids.push(id);
        }
        ids.sort_unstable();
        ids.dedup();
        ids.sort_by(|a, b| self.urls.url(*a).cmp(self.urls.url(*b)));
        ids
    }

    /// Queues those listed URLs of the site that are not queued yet.
    pub(super) fn enqueue_listed(&mut self, listed: &[UrlId]) {
        for id in listed {
            let Ok(url) = Url::parse(self.urls.url(*id)) else {
                continue;
            };
            self.enqueue(*id, &url, Discovery::LISTED);
        }
    }

    /// Queues an internal URL, or records why it is skipped.
    pub(super) fn enqueue(&mut self, id: UrlId, url: &Url, discovery: Discovery<'_>) {
        if self.frontier.contains(id) {
            return;
        }
        let (new, skipped) = match self.urls.get(id).map(|entry| &entry.state) {
            Some(UrlState::Known) => (!self.skipped.uncount(url), false),
            Some(UrlState::Skipped(reason)) if depends_on_discovery(*reason) => (false, true),
            // The decisions of robots.txt and the gates do not depend on the discovery.
            Some(UrlState::Skipped(_)) => return,
            _ => (false, false),
        };
        let refusal = self.refusal(url, discovery);
        self.progress.record_discovery(new);
        // A listed page that patterns exclude is not requested for its links.
        let excluded = self.rules.options.leaves_out(url);
        let refusal = refusal
            .or((excluded && discovery.depth.is_none())
                .then_some(Refusal::For(SkipReason::Excluded)));
        if excluded && refusal.is_none_or(|r| r.reason() == SkipReason::Excluded) {
            self.skipped.record_excluded();
        }
        let Some(refusal) = refusal else {
            if skipped {
                self.traps.release(id);
                self.urls.set(id, UrlState::Known);
            }
            if excluded {
                self.urls.set(id, UrlState::Skipped(SkipReason::Excluded));
            }
            self.traps.follow(url, discovery.on);
            self.frontier.push(Entry {
                id,
                depth: discovery.depth,
                parent: discovery.parent,
                hops: discovery.hops,
                link_only: excluded,
            });
            return;
        };
        if skipped {
            return;
        }
        let reason = refusal.reason();
        self.skipped.record(url, reason);
        if let Refusal::Trap(kind) = refusal {
            self.traps.skip(id, kind);
        }
        self.urls.set(id, UrlState::Skipped(reason));
    }

    fn refusal(&self, url: &Url, discovery: Discovery<'_>) -> Option<Refusal> {
        // Fragments are not sent, so they do not count towards the length of a URL.
        let bare = (url.as_str().len() > MAX_URL_BYTES).then(|| without_fragment(url));
        let url = bare.as_ref().unwrap_or(url);
        if url.as_str().len() > MAX_URL_BYTES {
            return Some(Refusal::For(SkipReason::TooLong));
        }
        if gate_parsed_url(url, &self.rules.allow).is_err() {
            return Some(Refusal::For(SkipReason::NotAllowed));
        }
        // Other origins of the site have their own rules, which the visitor requests.
        if self.rules.origins.forbid(url) {
            return Some(Refusal::For(SkipReason::RobotsDisallowed));
        }
        if discovery.hops > MAX_REDIRECTS {
            return Some(Refusal::Trap(TrapKind::Redirects));
        }
        if let Some(kind) = self.traps.detect(url, discovery.on) {
            return Some(Refusal::Trap(kind));
        }
        if discovery.on_copy {
            return Some(Refusal::Trap(TrapKind::SamePages));
        }
        if self.is_queue_full() {
            return Some(Refusal::For(SkipReason::PageCap));
        }
        match (self.rules.options.max_depth, discovery.depth) {
            (Some(limit), Some(depth)) if depth > limit => Some(Refusal::For(SkipReason::Depth)),
            // A page that is not reachable by clicks exceeds every depth limit.
            (Some(_), None) => Some(Refusal::For(SkipReason::Depth)),
            _ => None,
        }
    }
}
