//! The crawl: breadth-first over the links of one origin.

use std::collections::{HashSet, VecDeque};
use std::io::Read;
use std::num::NonZeroUsize;

use anyhow::Context;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, LOCATION};
use tokio::task::JoinSet;
use url::{Origin, Url};

use crate::tree::Tree;

/// The number of connections of an audit to the operator's own server.
pub(crate) const CONNECTIONS: NonZeroUsize = NonZeroUsize::new(32).unwrap();

/// The parameters of a crawl.
#[derive(Debug)]
pub(crate) struct Options {
    /// The start URL.
    pub(crate) start: Url,
    /// The most pages that are fetched.
    pub(crate) max_pages: u32,
    /// The most requests in flight.
    pub(crate) connections: NonZeroUsize,
}

/// The result of a crawl.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Crawled {
    /// HTML documents with a 2xx status code.
    pub(crate) pages: u32,
    /// All requests.
    pub(crate) requests: u32,
    /// Requests without a response.
    pub(crate) failed: u32,
}

/// The result of a request.
enum Fetched {
    /// A page, and its links to its own origin.
    Page(Vec<Url>),
    /// A redirect target, if it is on the same origin.
    Redirect(Option<Url>),
    /// An error, or a response that is not a page.
    Other,
}

/// Crawls. The number of pages is exact: no request is sent that could exceed it.
///
/// # Errors
/// If the HTTP client cannot be created. Requests without a response are counted.
pub(crate) async fn crawl(options: Options) -> anyhow::Result<Crawled> {
    // reqwest uses the provider of the process.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(options.connections.get())
        .build()
        .context("no HTTP client")?;
    let origin = options.start.origin();
    let mut start = options.start;
    start.set_fragment(None);
    let mut seen = HashSet::from([start.as_str().to_owned()]);
    let mut queue = VecDeque::from([start]);
    let mut under_way = JoinSet::new();
    let mut crawled = Crawled::default();
    loop {
        while under_way.len() < options.connections.get()
            && usize::try_from(options.max_pages.saturating_sub(crawled.pages))? > under_way.len()
        {
            let Some(url) = queue.pop_front() else { break };
            crawled.requests += 1;
            under_way.spawn(fetch(client.clone(), url, origin.clone()));
        }
        let Some(answer) = under_way.join_next().await else {
            break;
        };
        let links = match answer? {
            Ok(Fetched::Page(links)) => {
                crawled.pages += 1;
                links
            }
            Ok(Fetched::Redirect(target)) => target.into_iter().collect(),
            Ok(Fetched::Other) => Vec::new(),
            Err(_) => {
                crawled.failed += 1;
                Vec::new()
            }
        };
        for link in links {
            if !seen.contains(link.as_str()) {
                seen.insert(link.as_str().to_owned());
                queue.push_back(link);
            }
        }
    }
    Ok(crawled)
}

async fn fetch(client: reqwest::Client, url: Url, origin: Origin) -> anyhow::Result<Fetched> {
    let request = client.get(url.clone()).header(ACCEPT_ENCODING, "gzip");
    let answer = request.send().await?;
    let header = |name| {
        let value = answer.headers().get(name)?;
        value.to_str().ok()
    };
    if answer.status().is_redirection() {
        let target = header(LOCATION).and_then(|location| within(&url, location, &origin));
        return Ok(Fetched::Redirect(target));
    }
    let html = header(CONTENT_TYPE).is_some_and(is_html);
    if !answer.status().is_success() || !html {
        return Ok(Fetched::Other);
    }
    let gzip = header(CONTENT_ENCODING) == Some("gzip");
    let body = answer.bytes().await?;
    Ok(Fetched::Page(links(&decoded(&body, gzip)?, &url, &origin)))
}

fn is_html(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("text/html")
        || essence.eq_ignore_ascii_case("application/xhtml+xml")
}

fn decoded(body: &Bytes, gzip: bool) -> anyhow::Result<Vec<u8>> {
    let mut html = Vec::new();
    if gzip {
        // The typical compression ratio of documentation pages.
        html.reserve(body.len().saturating_mul(6));
        MultiGzDecoder::new(body.as_ref()).read_to_end(&mut html)?;
    } else {
        html.extend_from_slice(body);
    }
    Ok(html)
}

/// The links of a page to its own origin, each once.
fn links(body: &[u8], url: &Url, origin: &Origin) -> Vec<Url> {
    let tree = Tree::parse(&String::from_utf8_lossy(body));
    let (base, links) = tree.links();
    let base = base.and_then(|base| url.join(base).ok());
    let base = base.as_ref().unwrap_or(url);
    // Most links of a page differ only in their fragment, or are repeated in its menu and footer.
    let mut known = HashSet::new();
    links
        .into_iter()
        .map(|href| href.split('#').next().unwrap_or_default())
        .filter(|href| known.insert(*href))
        .filter_map(|href| within(base, href, origin))
        .collect()
}

fn within(base: &Url, href: &str, origin: &Origin) -> Option<Url> {
    let mut target = base.join(href).ok()?;
    target.set_fragment(None);
    (target.origin() == *origin).then_some(target)
}

#[cfg(test)]
mod tests {
    use testkit::{LoopbackServer, TestResponse};

    use super::*;

    async fn crawled(site: &LoopbackServer, max_pages: u32) -> Crawled {
        let options = Options {
            start: Url::parse(site.url("/").as_str()).unwrap(),
            max_pages,
            connections: NonZeroUsize::new(4).unwrap(),
        };
        crawl(options).await.unwrap()
    }

    fn site() -> LoopbackServer {
        LoopbackServer::start(|request| match request.path() {
            "/" => TestResponse::html(
                "<a href=/a#x>a</a><a href=a#y>a</a><a href=/b>b</a><a href=/moved>m</a>\
                 <a href=/gone>g</a><a href=http://name.invalid/>out</a><img src=/image>",
            ),
            "/a" => TestResponse::html("<a href=/c>c</a>"),
            "/b" | "/c" => TestResponse::html("<a href=/>home</a>"),
            "/moved" => TestResponse::redirect(301, "/c"),
            _ => TestResponse::not_found(),
        })
        .unwrap()
    }

    #[tokio::test]
    async fn every_page_of_a_site_is_fetched_once() {
        let site = site();
        let crawled = crawled(&site, u32::MAX).await;
        assert_eq!((crawled.pages, crawled.failed), (4, 0));
        for path in ["/", "/a", "/b", "/c", "/moved", "/gone"] {
            assert_eq!(site.hits(path), 1, "{path}");
        }
        assert_eq!(site.hits("/image"), 0);
    }

    #[tokio::test]
    async fn the_page_cap_is_exact() {
        assert_eq!(crawled(&site(), 3).await.pages, 3);
    }

    #[test]
    fn a_link_of_another_scheme_or_host_is_not_followed() {
        let page = Url::parse("http://127.0.0.1:1/d/p.html?q=1").unwrap();
        let html =
            b"<a href=mailto:x@y.z>m<a href=//127.0.0.1:2/>p<a href=../e?r=2#f>e<a href=''>self";
        let links = links(html, &page, &page.origin());
        let found: Vec<&str> = links.iter().map(Url::as_str).collect();
        assert_eq!(
            found,
            [
                "http://127.0.0.1:1/e?r=2",
                "http://127.0.0.1:1/d/p.html?q=1"
            ]
        );
    }
}
