use api_types::report as wire;
use domain::ports::{LinkPage, RedirectPage};
use domain::report::{
    LinkCursor, LinkKind, LinkTarget, LinkVerdict, RedirectChain, RedirectCursor, RedirectHop,
};

use super::same_variants::{ToWire as _, same_variants};

same_variants! { LinkKind, wire::LinkKind: Broken, Redirect, External, Internal }
same_variants! { LinkVerdict, wire::LinkVerdict: Ok, Broken, Unverified, NotRequested }

/// A page of the list of a report's links.
pub(crate) fn links(page: &LinkPage) -> wire::LinkList {
    let links = page.links.iter();
    wire::LinkList {
        links: links.map(|(target, pages)| link(target, pages)).collect(),
        links_total: page.count.map(|count| count.total),
        links_stored: page.count.map_or(0, |count| count.stored),
        next_cursor: page.next.map(LinkCursor::encode),
    }
}

fn link(target: &LinkTarget, pages: &[String]) -> wire::Link {
    wire::Link {
        url: target.url.clone(),
        internal: target.internal,
        verdict: target.verdict.to_wire(),
        status: target.status,
        reason: target.reason.clone(),
        redirects: target.redirects,
        redirects_to: target.leads_to.clone(),
        linking_pages: target.linking_pages,
        pages: pages.to_vec(),
    }
}

/// A page of the list of a report's redirect chains.
pub(crate) fn redirects(page: &RedirectPage) -> wire::RedirectList {
    wire::RedirectList {
        redirects: page.chains.iter().map(chain).collect(),
        redirects_total: page.count.map(|count| count.total),
        redirects_stored: page.count.map_or(0, |count| count.stored),
        next_cursor: page.next.map(RedirectCursor::encode),
    }
}

fn chain(chain: &RedirectChain) -> wire::RedirectChain {
    wire::RedirectChain {
        hops: chain.hops.iter().map(hop).collect(),
        is_loop: chain.is_loop,
        linking_pages: chain.linking_pages,
    }
}

fn hop(hop: &RedirectHop) -> wire::RedirectHop {
    wire::RedirectHop {
        url: hop.url.clone(),
        status: hop.status,
    }
}
