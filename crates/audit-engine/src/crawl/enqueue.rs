//! Which URLs are queued, and why the others are not.

use domain::target::{MAX_URL_BYTES, gate_parsed_url};
use url::Url;

use super::visited_page::TooLong;
use super::{Crawl, Entry};
use crate::address::without_fragment;
use crate::site::{MAX_REDIRECTS, PageNumber, SkipReason, TrapKind, UrlId, UrlState};

/// Where and how the crawl came across a URL.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discovery<'a> {
    /// The page that links to it or the URL that redirects to it; none for what a list names.
    pub(super) on: Option<&'a Url>,
    /// Clicks from the start page; none where none leads here.
    pub(super) depth: Option<u32>,
    pub(super) parent: Option<PageNumber>,
    /// Redirects that led here one after the other.
    pub(super) hops: usize,
    /// Whether it was met on one of many pages that are the same.
    pub(super) on_copy: bool,
}

impl Discovery<'_> {
    /// By a list, a sitemap's or a feed's.
    pub(super) const LISTED: Self = Self {
        on: None,
        depth: None,
        parent: None,
        hops: 0,
        on_copy: false,
    };
}

/// A URL that a list names.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub(crate) url: Url,
    /// Whether the list is a sitemap, and no feed that a page links.
    pub(crate) in_sitemap: bool,
}

/// Whether another way to the URL, shorter or from elsewhere, may lift the refusal.
const fn depends_on_the_way(reason: SkipReason) -> bool {
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
    /// Takes a link of a page: queues its URL, or notes why not. None where the URL is only counted,
    /// which happens to sites that have more of them than can be kept.
    pub(super) fn meet(&mut self, url: &Url, internal: bool, met: Discovery<'_>) -> Option<UrlId> {
        if self.is_crowded() && self.urls.find(url).is_none() && !self.keeps(url, internal, met) {
            return None;
        }
        let id = self.urls.intern(url, internal);
        if internal {
            self.offer(id, url, met);
        }
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

    /// The id of what a page loads; none where there is no room for it.
    pub(super) fn intern_resource(&mut self, url: &Url, internal: bool) -> Option<UrlId> {
        if self.urls.is_full() {
            return self.urls.find(url);
        }
        Some(self.urls.intern(url, internal))
    }

    /// Whether so much is kept already that not everything can be.
    fn is_crowded(&self) -> bool {
        self.urls.is_full() || self.traps.is_full() || self.is_queue_full()
    }

    /// Whether what is queued can never be requested under the page cap.
    fn is_queue_full(&self) -> bool {
        self.frontier.waiting() > self.page_cap().saturating_mul(10).saturating_add(10_000)
    }

    /// Whether a URL that nobody met before is kept on a crowded site. Otherwise it was counted.
    fn keeps(&mut self, url: &Url, internal: bool, met: Discovery<'_>) -> bool {
        let full = self.urls.is_full();
        let reason = match (internal, full) {
            (false, false) => return true,
            (false, true) => SkipReason::Budget,
            (true, _) => match self.refusal(url, met) {
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

    /// Takes in the URLs of the site that lists name, each once, in URL order.
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

    /// Queues the URLs of the site that a list names, those that nobody queued yet.
    pub(super) fn add_listed(&mut self, listed: &[UrlId]) {
        for id in listed {
            let Ok(url) = Url::parse(self.urls.url(*id)) else {
                continue;
            };
            self.offer(*id, &url, Discovery::LISTED);
        }
    }

    /// Queues an internal URL, or notes why it is left out.
    pub(super) fn offer(&mut self, id: UrlId, url: &Url, met: Discovery<'_>) {
        if self.frontier.contains(id) {
            return;
        }
        let (new, skipped) = match self.urls.get(id).map(|entry| &entry.state) {
            Some(UrlState::Known) => (!self.skipped.uncount(url), false),
            Some(UrlState::Skipped(reason)) if depends_on_the_way(*reason) => (false, true),
            // Robots and gates say the same however often they are asked.
            Some(UrlState::Skipped(_)) => return,
            _ => (false, false),
        };
        let refusal = self.refusal(url, met);
        self.progress.record_discovery(new);
        // A list that names what the patterns want need not be searched for more of it.
        let excluded = self.rules.options.leaves_out(url);
        let refusal = refusal
            .or((excluded && met.depth.is_none()).then_some(Refusal::For(SkipReason::Excluded)));
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
            self.traps.follow(url, met.on);
            self.frontier.push(Entry {
                id,
                depth: met.depth,
                parent: met.parent,
                hops: met.hops,
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

    fn refusal(&self, url: &Url, met: Discovery<'_>) -> Option<Refusal> {
        // Fragments are not sent, so none makes a URL too long.
        let bare = (url.as_str().len() > MAX_URL_BYTES).then(|| without_fragment(url));
        let url = bare.as_ref().unwrap_or(url);
        if url.as_str().len() > MAX_URL_BYTES {
            return Some(Refusal::For(SkipReason::TooLong));
        }
        if gate_parsed_url(url, &self.rules.allow).is_err() {
            return Some(Refusal::For(SkipReason::NotAllowed));
        }
        // Other origins of the site have rules of their own, which the visitor asks for.
        if self.rules.origins.forbid(url) {
            return Some(Refusal::For(SkipReason::RobotsDisallowed));
        }
        if met.hops > MAX_REDIRECTS {
            return Some(Refusal::Trap(TrapKind::Redirects));
        }
        if let Some(kind) = self.traps.judge(url, met.on) {
            return Some(Refusal::Trap(kind));
        }
        if met.on_copy {
            return Some(Refusal::Trap(TrapKind::SamePages));
        }
        if self.is_queue_full() {
            return Some(Refusal::For(SkipReason::PageCap));
        }
        match (self.rules.options.max_depth, met.depth) {
            (Some(limit), Some(depth)) if depth > limit => Some(Refusal::For(SkipReason::Depth)),
            // A page that no click reaches is deeper than any limit.
            (Some(_), None) => Some(Refusal::For(SkipReason::Depth)),
            _ => None,
        }
    }
}
