//! Requests the language versions that pages declare and the crawl has not discovered.
//!
//! They are URLs of the site, like links, but are declared only in heads and headers. Those on the site are
//! requested here: as many as there are pages, at most five hundred, and fifty if there are fewer pages. They
//! are requested like external links: with HEAD first, and without following redirects. Those on other sites
//! are added to the external links and requested with them.

use tokio::time::Instant;
use url::Url;

use super::external::request_all;
use crate::address::without_fragment;
use crate::bounds::crawl::MAX_ALTERNATES_REQUESTED;
use crate::fetch::exchange::Exchange;
use crate::site::{Site, SkipReason, UrlState};

/// Language versions that are requested of a site with fewer pages.
const FEW_ALTERNATES: usize = 50;

/// Adds the language versions of the site's indexable pages, and requests those on the site that `may_request`
/// allows. A URL that has not responded by `until` stays unknown.
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
        .filter(|page| page.is_indexable())
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
        // Other origins of the site have their own robots.txt, which was not requested.
        if internal && url.origin() == site.start.origin() && may_request(url) {
            asked.push((id, without_fragment(url)));
        }
    }
    let ids: Vec<_> = asked.iter().map(|(id, _)| *id).collect();
    request_all(exchange, &mut site.urls, &site.key, asked, ahead, until).await;
    // They are not part of the crawl, so they do not count towards its budget.
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

    /// How many requests the audit of a page with this number of language versions sends.
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
    fn a_site_with_few_pages_gets_few_requests_for_versions() {
        let none = requests(0, "");
        // Each returns 404 to HEAD, and is requested again with GET.
        assert_eq!(requests(10, "") - none, 20);
        assert_eq!(requests(400, "") - none, 100);
    }

    #[test]
    fn versions_that_robots_txt_disallows_are_not_requested() {
        let rules = "User-agent: *\nDisallow: /de/";
        assert_eq!(requests(10, rules), requests(0, rules));
    }
}
