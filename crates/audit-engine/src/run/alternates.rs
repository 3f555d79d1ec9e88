//! Asks for the language versions that pages name and nobody has met.
//!
//! They are addresses that the site gives, like links, but stand in heads and headers only. Those on the
//! site are asked for here, as many as there are pages, but five hundred at most and fifty where there
//! are fewer pages, in the way of external links: with HEAD first, and without following redirects. Those elsewhere are put where external links are, and asked for with them.

use tokio::time::Instant;
use url::Url;

use super::external::ask_all;
use crate::address::without_fragment;
use crate::bounds::crawl::MAX_ALTERNATES_REQUESTED;
use crate::fetch::exchange::Exchange;
use crate::site::{Site, SkipReason, UrlState};

/// Language versions that are requested of a site with fewer pages.
const FEW_ALTERNATES: usize = 50;

/// Takes in the language versions of the site's indexable pages, and asks for those on the site that
/// `may_request` allows. What has not answered by `until` stays unknown.
pub(crate) async fn gather(
    exchange: &Exchange,
    site: &mut Site,
    ahead: usize,
    until: Instant,
    may_request: impl Fn(&Url) -> bool,
) {
    let mut asked = Vec::new();
    let room = site
        .pages
        .len()
        .clamp(FEW_ALTERNATES, MAX_ALTERNATES_REQUESTED);
    let most = site.urls.len() + room;
    for (_, url) in site
        .pages
        .iter()
        .filter(|page| page.indexable)
        .flat_map(|page| &page.alternates)
    {
        if site.urls.len() >= most {
            break;
        }
        if !matches!(url.scheme(), "http" | "https") || site.urls.find(url).is_some() {
            continue;
        }
        let internal = site.key.contains(url);
        let id = site.urls.intern(url, internal);
        // Other origins of the site have a robots.txt of their own, which nobody has asked for.
        if internal && url.origin() == site.start.origin() && may_request(url) {
            asked.push((id, without_fragment(url)));
        }
    }
    let ids: Vec<_> = asked.iter().map(|(id, _)| *id).collect();
    ask_all(exchange, &mut site.urls, &site.key, asked, ahead, until).await;
    // They were no part of the crawl, whose budget it would be.
    for id in ids {
        let skipped = UrlState::Skipped(SkipReason::Budget);
        if site
            .urls
            .get(id)
            .is_some_and(|entry| entry.state == skipped)
        {
            site.urls.set(id, UrlState::Known);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use crate::gather::Recording;
    use crate::{AuditOptions, Auditor};

    /// How many requests the audit of a page with so many language versions sends.
    fn requests(versions: usize, robots: &str) -> u64 {
        let mut site =
            format!("=== /robots.txt\nHTTP/1.1 200 OK\n\n{robots}\n=== /\n<title>x</title>");
        for number in 0..versions {
            let _ = write!(site, "<link rel=alternate hreflang=de href=/de/{number}>");
        }
        let recording = Recording::parse(&site).unwrap();
        let options = AuditOptions {
            max_rate: Some(1e6),
            ..AuditOptions::default()
        };
        let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let audit = runtime.block_on(auditor.audit("https://example.com/"));
        audit.unwrap().result.coverage.requests
    }

    #[test]
    fn a_site_of_few_pages_is_asked_for_few_versions() {
        let none = requests(0, "");
        // Each answers 404 to HEAD, and is asked for with GET.
        assert_eq!(requests(10, "") - none, 20);
        assert_eq!(requests(400, "") - none, 100);
    }

    #[test]
    fn versions_that_robots_txt_forbids_are_not_asked_for() {
        let rules = "User-agent: *\nDisallow: /de/";
        assert_eq!(requests(10, rules), requests(0, rules));
    }
}
