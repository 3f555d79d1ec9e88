//! Requests the canonical URLs of pages that the crawl has not discovered.
//!
//! They are the URLs that search engines show instead of the pages, but are declared only in heads and headers.
//! Each is requested once, with GET, and no redirect is followed. Only what canonical checks need is kept: the
//! response, and the noindex directive and canonical URL of a page. They are not pages of the audit: no other
//! check reads them, and their links are not followed, so that the plain http twin of a site is not crawled as
//! well.
//!
//! The limits: URLs of the site itself that robots.txt of their origin allows, and at most
//! [`MAX_CANONICALS_REQUESTED`].

use std::collections::HashSet;

use futures_util::StreamExt;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::start::never_sent;
use crate::address::SiteKey;
use crate::bounds::crawl::{MAX_CANONICALS_REQUESTED, MAX_PROBE_BYTES};
use crate::crawl::{is_page, noindex, page};
use crate::fetch::exchange::Exchange;
use crate::fetch::origins::Origins;
use crate::gather::{FetchError, Request, Response};
use crate::site::{CanonicalTarget, Site, UrlId, UrlResponse, UrlState, sole_canonical};

/// Targets that are requested at the same time. Each has a tree of at most [`MAX_PROBE_BYTES`] of markup.
const MAX_AHEAD: usize = 4;

/// Requests the canonical URLs of the site's pages, in page order. A URL that has not responded by `until` stays
/// unknown.
pub(crate) async fn gather(
    exchange: &Exchange,
    origins: &Origins,
    site: &mut Site,
    ahead: usize,
    until: Instant,
) {
    let wanted = wanted(site);
    let mut requested: Vec<(usize, Url, Answer)> = Vec::new();
    {
        let key = &site.key;
        let mut requests = futures_util::stream::iter(wanted.into_iter().enumerate())
            .map(|(place, url)| async move {
                let answer = request(exchange, origins, key, &url).await;
                (place, url, answer)
            })
            .buffer_unordered(ahead.clamp(1, MAX_AHEAD));
        while let Ok(Some((place, url, answer))) = timeout_at(until, requests.next()).await {
            requested.extend(answer.map(|answer| (place, url, answer)));
        }
    }
    // The order of the table does not depend on which response came first.
    requested.sort_by_key(|(place, _, _)| *place);
    for (_, url, answer) in requested {
        record(site, &url, answer);
    }
}

/// The canonical URLs on the site that the crawl has not discovered, each once.
fn wanted(site: &Site) -> Vec<Url> {
    let mut seen = HashSet::new();
    site.pages
        .iter()
        .filter_map(|page| sole_canonical(&page.canonicals))
        .filter(|url| site.key.contains(url) && site.urls.find(url).is_none())
        .filter(|url| seen.insert(url.clone()))
        .take(MAX_CANONICALS_REQUESTED)
        .collect()
}

/// The response to the request for a target.
enum Answer {
    Responded {
        status: u16,
        media_type: String,
        location: Option<Url>,
        page: Option<CanonicalTarget>,
    },
    Failed(FetchError),
}

/// Requests the URL; none if robots.txt of its origin disallows it or does not respond.
async fn request(
    exchange: &Exchange,
    origins: &Origins,
    key: &SiteKey,
    url: &Url,
) -> Option<Answer> {
    if origins.forbid(url) || !origins.allow(exchange, url).await.unwrap_or(false) {
        return None;
    }
    match exchange
        .send(Request::page(url.clone(), MAX_PROBE_BYTES))
        .await
    {
        Err(error) if never_sent(error.kind) => None,
        Err(error) => Some(Answer::Failed(error)),
        Ok(response) => Some(Answer::Responded {
            status: response.status,
            media_type: response.media_type(),
            location: response.redirect_target(),
            page: read(response, key.clone()).await,
        }),
    }
}

/// Reads the page in the response on a blocking thread; none if the response is not a page.
async fn read(response: Response, key: SiteKey) -> Option<CanonicalTarget> {
    if !is_page(&response) {
        return None;
    }
    let read = tokio::task::spawn_blocking(move || {
        let page = page(response, key);
        CanonicalTarget::new(page.url(), page.canonicals(), noindex(&page))
    });
    read.await.ok()
}

fn record(site: &mut Site, url: &Url, answer: Answer) {
    let id = site.urls.intern(url, true);
    let state = match answer {
        Answer::Failed(error) => UrlState::Failed(error.kind, error.message.into_boxed_str()),
        Answer::Responded {
            status,
            media_type,
            location,
            page,
        } => {
            let location: Option<UrlId> = location.map(|target| {
                let internal = site.key.contains(&target);
                site.urls.intern(&target, internal)
            });
            if let Some(page) = page {
                site.canonical_targets.insert(id, page);
            }
            UrlState::Responded(UrlResponse {
                status,
                media_type: media_type.into_boxed_str(),
                location,
            })
        }
    };
    site.urls.set(id, state);
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;

    use super::*;
    use crate::gather::Recording;
    use crate::{Audit, AuditOptions, Auditor};

    fn audit(site: &str) -> Audit {
        let recording = Recording::parse(site).unwrap();
        let options = AuditOptions {
            max_rate: Some(1e6),
            only: Some(Vec::new()),
            ..AuditOptions::default()
        };
        let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let audit = runtime.block_on(auditor.audit("https://example.com/"));
        audit.unwrap()
    }

    /// A start page that links to this number of pages, each with a canonical URL that nothing links to.
    fn pages(number: usize, robots: &str) -> String {
        let mut site = format!("=== /robots.txt\nHTTP/1.1 200 OK\n\n{robots}\n=== /\n");
        for page in 0..number {
            let _ = write!(site, "<a href=/p/{page}>{page}</a>");
        }
        for page in 0..number {
            let _ = write!(
                site,
                "\n=== /p/{page}\n<link rel=canonical href=/c/{page}>x"
            );
        }
        site
    }

    fn requests(number: usize, robots: &str) -> u64 {
        audit(&pages(number, robots)).result.coverage.requests
    }

    #[test]
    fn each_target_is_requested_once() {
        let one = "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\n<link rel=canonical href=/c>x\n=== /b\n<link rel=canonical href='/c#top'>x";
        let none = one.replace("rel=canonical", "rel=x");
        let with = audit(one).result.coverage.requests;
        assert_eq!(with - audit(&none).result.coverage.requests, 1);
    }

    #[test]
    fn targets_beyond_the_limit_are_not_requested() {
        let robots = "User-agent: *\nDisallow: /c/";
        let number = MAX_CANONICALS_REQUESTED + 20;
        let of_targets = requests(number, "") - requests(number, robots);
        assert_eq!(of_targets, u64::try_from(MAX_CANONICALS_REQUESTED).unwrap());
    }

    #[test]
    fn targets_that_robots_txt_disallows_are_not_requested() {
        let robots = "User-agent: *\nDisallow: /c/";
        let site = audit(&pages(3, robots)).site;
        let target = Url::parse("https://example.com/c/1").unwrap();
        assert!(site.lookup(&target).is_none());
    }

    #[test]
    fn robots_txt_of_the_plain_http_origin_applies_to_it() {
        let twin = "=== /\n<link rel=canonical href=http://example.com/a>x\n=== http://example.com/robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /a\n=== http://example.com/a\nx";
        let target = Url::parse("http://example.com/a").unwrap();
        assert!(audit(twin).site.lookup(&target).is_none());
        let allowed = twin.replace("Disallow: /a", "Disallow: /b");
        assert!(audit(&allowed).site.lookup(&target).is_some());
    }

    #[test]
    fn a_target_is_not_a_page_of_the_audit() {
        let site = audit("=== /\n<link rel=canonical href=/c>x\n=== /c\n<a href=/d>d</a>").site;
        assert_eq!(site.pages.len(), 1);
        let behind = Url::parse("https://example.com/d").unwrap();
        assert!(site.lookup(&behind).is_none());
    }
}
