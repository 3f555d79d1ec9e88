//! Where the links of a site lead, as a child writes it.

use domain::report::{
    KeptCount, LinkCounts, LinkTarget, LinkVerdict, RedirectChain, RedirectHop, SiteLinks,
};
use serde::{Deserialize, Serialize};

use super::result::{UnknownName, all};

#[derive(Serialize, Deserialize)]
pub(super) struct WireLinks {
    targets: Vec<WireTarget>,
    chains: Vec<WireChain>,
    /// How many there are and how many are kept: all, by kind, and the chains.
    counts: [(u64, u64); 6],
}

#[derive(Serialize, Deserialize)]
struct WireTarget {
    url: String,
    internal: bool,
    verdict: String,
    status: Option<u16>,
    reason: Option<String>,
    redirects: bool,
    leads_to: Option<String>,
    linking_pages: u64,
    first_pages: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct WireChain {
    hops: Vec<(String, Option<u16>)>,
    is_loop: bool,
    linking_pages: u64,
}

impl From<SiteLinks> for WireLinks {
    fn from(links: SiteLinks) -> Self {
        let counts = links.counts;
        let counts = [
            counts.all,
            counts.broken,
            counts.redirect,
            counts.external,
            counts.internal,
            counts.chains,
        ];
        Self {
            targets: links.targets.into_iter().map(Into::into).collect(),
            chains: links.chains.into_iter().map(Into::into).collect(),
            counts: counts.map(|count| (count.total, count.stored)),
        }
    }
}

impl TryFrom<WireLinks> for SiteLinks {
    type Error = UnknownName;

    fn try_from(links: WireLinks) -> Result<Self, UnknownName> {
        let [all_kinds, broken, redirect, external, internal, chains] = links
            .counts
            .map(|(total, stored)| KeptCount { total, stored });
        Ok(Self {
            targets: all(links.targets)?,
            chains: links.chains.into_iter().map(Into::into).collect(),
            counts: LinkCounts {
                all: all_kinds,
                broken,
                redirect,
                external,
                internal,
                chains,
            },
        })
    }
}

impl From<LinkTarget> for WireTarget {
    fn from(target: LinkTarget) -> Self {
        Self {
            url: target.url,
            internal: target.internal,
            verdict: target.verdict.as_str().to_owned(),
            status: target.status,
            reason: target.reason,
            redirects: target.redirects,
            leads_to: target.leads_to,
            linking_pages: target.linking_pages,
            first_pages: target.first_pages,
        }
    }
}

impl TryFrom<WireTarget> for LinkTarget {
    type Error = UnknownName;

    fn try_from(target: WireTarget) -> Result<Self, UnknownName> {
        Ok(Self {
            verdict: LinkVerdict::named(&target.verdict)
                .ok_or_else(|| UnknownName(target.verdict.clone()))?,
            url: target.url,
            internal: target.internal,
            status: target.status,
            reason: target.reason,
            redirects: target.redirects,
            leads_to: target.leads_to,
            linking_pages: target.linking_pages,
            first_pages: target.first_pages,
        })
    }
}

impl From<RedirectChain> for WireChain {
    fn from(chain: RedirectChain) -> Self {
        let hops = chain.hops.into_iter();
        Self {
            hops: hops.map(|hop| (hop.url, hop.status)).collect(),
            is_loop: chain.is_loop,
            linking_pages: chain.linking_pages,
        }
    }
}

impl From<WireChain> for RedirectChain {
    fn from(chain: WireChain) -> Self {
        let hops = chain.hops.into_iter();
        Self {
            hops: hops
                .map(|(url, status)| RedirectHop { url, status })
                .collect(),
            is_loop: chain.is_loop,
            linking_pages: chain.linking_pages,
        }
    }
}
