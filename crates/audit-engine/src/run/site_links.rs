//! The link targets and redirect chains of a site that a report lists.

use std::cmp::Reverse;

use domain::report::{
    KeptCount, LinkCounts, LinkTarget, LinkVerdict, RedirectChain, RedirectHop, SiteLinks,
};

use super::link_graph::{LinkGraph, LinkingPages};
use crate::bounds::{
    MAX_CHAIN_HOPS, MAX_LINK_TARGET_BYTES, MAX_LINK_TARGETS, MAX_REDIRECT_CHAIN_BYTES,
    MAX_REDIRECT_CHAINS,
};
use crate::common::links::redirects::is_loop;
use crate::common::links::status::{LinkStatus, link_status, was_requested};
use crate::gather::FetchErrorKind;
use crate::site::{Site, UrlEntry, UrlId, UrlState};

/// The link targets and redirect chains of a site, as many as are kept, and how many there are. `listed` is the number
/// of pages in the report's list.
pub(super) fn site_links(site: &Site, graph: &LinkGraph, listed: usize) -> SiteLinks {
    let mut counts = LinkCounts::default();
    let targets = kept_targets(site, graph, listed, &mut counts);
    let chains = kept_chains(site, graph, &mut counts.chains);
    SiteLinks {
        targets,
        chains,
        counts,
    }
}

/// The limits of a list.
struct Room {
    entries: usize,
    bytes: usize,
}

impl Room {
    /// Whether an entry fits. After the first that does not, none does, so that the list has no gaps.
    fn takes(&mut self, bytes: usize) -> bool {
        let left = self.bytes.checked_sub(bytes).filter(|_| self.entries > 0);
        match left {
            Some(left) => {
                self.entries -= 1;
                self.bytes = left;
            }
            None => self.entries = 0,
        }
        left.is_some()
    }
}

fn kept_targets(
    site: &Site,
    graph: &LinkGraph,
    listed: usize,
    counts: &mut LinkCounts,
) -> Vec<LinkTarget> {
    let linked = site.urls.iter().filter_map(|(id, entry)| {
        let pages = graph.linking(id)?;
        let status = link_status(site, id);
        let group = match status {
            LinkStatus::Broken(_) => 0_u8,
            _ if redirects(entry) => 1,
            _ if !entry.internal => 2,
            _ => 3,
        };
        Some(((group, Reverse(pages.count), &*entry.url), id, status))
    });
    let mut linked: Vec<_> = linked.collect();
    linked.sort_unstable_by_key(|(one, ..)| *one);
    let mut room = Room {
        entries: MAX_LINK_TARGETS,
        bytes: MAX_LINK_TARGET_BYTES,
    };
    let mut targets = Vec::new();
    for (_, id, status) in linked {
        let (Some(entry), Some(pages)) = (site.urls.get(id), graph.linking(id)) else {
            continue;
        };
        let target = target(site, (id, entry), status, pages, listed);
        let is_kept = room.takes(target.text_bytes());
        counts.add(&target, is_kept);
        if is_kept {
            targets.push(target);
        }
    }
    targets
}

fn target(
    site: &Site,
    (id, entry): (UrlId, &UrlEntry),
    status: LinkStatus,
    pages: &LinkingPages,
    listed: usize,
) -> LinkTarget {
    let redirects = redirects(entry);
    let landing = redirects.then(|| site.urls.landing(id)).flatten();
    let (verdict, reason) = verdict(site, entry, landing, status);
    let first_pages = pages.first.iter().copied();
    LinkTarget {
        url: entry.url.to_string(),
        internal: entry.internal,
        verdict,
        status: entry.status(),
        reason,
        redirects,
        leads_to: landing.map(|landing| site.urls.url(landing).to_owned()),
        linking_pages: pages.count.into(),
        first_pages: first_pages
            .filter(|page| usize::try_from(*page).is_ok_and(|page| page < listed))
            .collect(),
    }
}

/// What is known about a link target, and why it is not known to be fine.
fn verdict(
    site: &Site,
    entry: &UrlEntry,
    landing: Option<UrlId>,
    status: LinkStatus,
) -> (LinkVerdict, Option<String>) {
    let unverified = |why: String| (LinkVerdict::Unverified, Some(why));
    match status {
        LinkStatus::Fine => (LinkVerdict::Ok, None),
        LinkStatus::Broken(what) => (LinkVerdict::Broken, Some(what)),
        LinkStatus::Unknown => match (&entry.state, landing) {
            (UrlState::Known, _) => (LinkVerdict::NotRequested, None),
            (UrlState::Skipped(reason), _) => {
                (LinkVerdict::NotRequested, Some(reason.as_str().to_owned()))
            }
            (UrlState::Failed(kind, _), _) => unverified(failure(*kind).to_owned()),
            (UrlState::Responded(answer), None) if answer.location.is_some() => {
                unverified("redirects in a loop or too often".to_owned())
            }
            (UrlState::Responded(answer), None) => {
                unverified(format!("returns status {}", answer.status))
            }
            (UrlState::Responded(_), Some(end)) => {
                let end = site.urls.get(end);
                unverified(end.map_or_else(String::new, redirects_to))
            }
        },
    }
}

/// The predicate of a URL whose redirects end at this entry, of which nothing certain is known.
fn redirects_to(end: &UrlEntry) -> String {
    let what = match &end.state {
        UrlState::Known | UrlState::Skipped(_) => "was not requested".to_owned(),
        UrlState::Responded(answer) => format!("returns status {}", answer.status),
        UrlState::Failed(kind, _) => failure(*kind).to_owned(),
    };
    format!("redirects to {}, which {what}", end.url)
}

const fn failure(kind: FetchErrorKind) -> &'static str {
    match kind {
        FetchErrorKind::Dns => "has a host name that DNS does not resolve",
        FetchErrorKind::Connect => "does not accept connections",
        FetchErrorKind::Tls => "fails the TLS handshake",
        FetchErrorKind::Timeout => "does not respond in time",
        FetchErrorKind::Protocol => "sends an invalid response",
        FetchErrorKind::NotAllowed => "must not be requested",
    }
}

fn redirects(entry: &UrlEntry) -> bool {
    entry
        .answer()
        .is_some_and(|answer| answer.location.is_some())
}

/// The redirect chains that begin at a URL that a page links to, a sitemap lists or the run began at.
fn kept_chains(site: &Site, graph: &LinkGraph, count: &mut KeptCount) -> Vec<RedirectChain> {
    let requested = site.lookup(&site.requested).map(|(id, _)| id);
    let begin = site.urls.iter().filter_map(|(id, entry)| {
        let pages = graph.linking(id).map_or(0, |pages| pages.count);
        let is_entry = pages > 0 || entry.in_sitemap || requested == Some(id);
        let is_chain = is_entry && redirects(entry) && was_requested(entry);
        is_chain.then_some(((Reverse(pages), &*entry.url), id))
    });
    let mut begin: Vec<_> = begin.collect();
    begin.sort_unstable_by_key(|(one, _)| *one);
    let mut room = Room {
        entries: MAX_REDIRECT_CHAINS,
        bytes: MAX_REDIRECT_CHAIN_BYTES,
    };
    let mut chains = Vec::new();
    for ((Reverse(pages), _), id) in begin {
        let chain = chain(site, id, pages);
        let is_kept = room.takes(chain.text_bytes());
        count.add(is_kept);
        if is_kept {
            chains.push(chain);
        }
    }
    chains
}

fn chain(site: &Site, id: UrlId, linking_pages: u32) -> RedirectChain {
    let ids = site.urls.chain(id);
    let hops = ids.iter().filter_map(|id| site.urls.get(*id));
    RedirectChain {
        is_loop: is_loop(&ids),
        hops: hops
            .take(MAX_CHAIN_HOPS)
            .map(|entry| RedirectHop {
                url: entry.url.to_string(),
                status: entry.status(),
            })
            .collect(),
        linking_pages: linking_pages.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_no_gaps_where_its_bytes_end() {
        let mut room = Room {
            entries: 9,
            bytes: 10,
        };
        let fits = [4, 7, 1].map(|bytes| room.takes(bytes));
        assert_eq!(fits, [true, false, false]);
    }
}
