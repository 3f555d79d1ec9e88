//! Finds and reads the site's sitemaps.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use url::Url;

use crate::address::{SiteKey, at_origin};
use crate::bounds::MAX_LISTED_BYTES;
use crate::bounds::crawl::{MAX_SITEMAP_BYTES, MAX_SITEMAP_URLS, MAX_SITEMAPS};
use crate::fetch::exchange::Exchange;
use crate::fetch::follow::follow;
use crate::gather::robots::RobotsState;
use crate::gather::sitemap::Sitemap;
use crate::gather::{Request, Response};
use crate::site::{SitemapFile, SitemapUnread};

/// What most files are smaller than. Those that are larger are read one after the other, so that
/// there is never more than one of the largest in memory.
const USUAL_BYTES: u64 = 4 * 1024 * 1024;
/// Where sitemaps stand when robots.txt names none.
const USUAL_PLACES: [&str; 2] = ["/sitemap.xml", "/sitemap_index.xml"];

/// Files that are asked for at once.
const AHEAD: usize = 8;
/// Time for all of them.
const BUDGET: Duration = Duration::from_secs(10);

/// Reads the sitemaps that robots.txt lists, else those at the usual places; of an index, the files
/// it lists, and no further. In the order in which they are named; those that `may_request` refuses, or
/// that have not come in ten seconds, with the reason.
pub(crate) async fn gather(
    exchange: &Exchange,
    start: &Url,
    robots: &RobotsState,
    may_request: impl Fn(&Url) -> bool,
) -> Vec<SitemapFile> {
    let until = Instant::now() + BUDGET;
    let listed: Vec<Url> = robots
        .robots()
        .map(|robots| {
            robots
                .sitemaps()
                .iter()
                .filter_map(|line| line.url.clone())
                .collect()
        })
        .unwrap_or_default();
    let from_robots = !listed.is_empty();
    let reader = Reader {
        exchange,
        may_request,
        large: Semaphore::new(1),
        until,
    };
    let mut files = Files::new(start);
    if from_robots {
        let first = files.new_ones(listed, &reader);
        files.read_all(&reader, first, true).await;
    } else {
        for path in USUAL_PLACES {
            let place = files.new_ones(vec![at_origin(start, path)], &reader);
            files.read_all(&reader, place, false).await;
            if files.read.iter().any(|file| file.sitemap.is_some()) {
                break;
            }
        }
    }
    let nested: Vec<Url> = files
        .read
        .iter()
        .filter_map(|file| file.sitemap.as_ref().filter(|sitemap| sitemap.is_index()))
        .flat_map(|index| index.entries().filter_map(|entry| entry.url()))
        .take(MAX_SITEMAPS)
        .collect();
    let nested = files.new_ones(nested, &reader);
    files.read_all(&reader, nested, from_robots).await;
    files.read
}

/// Reads the feeds at these URLs, in their order.
pub(crate) async fn read_feeds(
    exchange: &Exchange,
    start: &Url,
    feeds: Vec<Url>,
    may_request: impl Fn(&Url) -> bool,
) -> Vec<Sitemap> {
    let reader = Reader {
        exchange,
        may_request,
        large: Semaphore::new(1),
        until: Instant::now() + BUDGET,
    };
    let mut files = Files::new(start);
    let feeds = files.new_ones(feeds, &reader);
    files.read_all(&reader, feeds, false).await;
    let read = files.read.into_iter().filter_map(|file| file.sitemap);
    read.filter(|feed| !feed.is_index()).collect()
}

/// A file that is to be read, or the reason why it is not.
type Wanted = (Url, Option<SitemapUnread>);

struct Files {
    key: Option<SiteKey>,
    wanted: HashSet<Url>,
    asked: usize,
    refused: usize,
    read: Vec<SitemapFile>,
}

impl Files {
    fn new(start: &Url) -> Self {
        Self {
            key: SiteKey::of(start),
            wanted: HashSet::new(),
            asked: 0,
            refused: 0,
            read: Vec::new(),
        }
    }

    /// Those that were not asked for yet, as many as there may be.
    fn new_ones<F: Fn(&Url) -> bool>(
        &mut self,
        urls: Vec<Url>,
        reader: &Reader<'_, F>,
    ) -> Vec<Wanted> {
        urls.into_iter()
            .filter_map(|url| {
                let refusal = self.refusal(&url, reader);
                let count = match refusal {
                    None => &mut self.asked,
                    Some(_) => &mut self.refused,
                };
                if *count >= MAX_SITEMAPS || !self.wanted.insert(url.clone()) {
                    return None;
                }
                *count += 1;
                Some((url, refusal))
            })
            .collect()
    }

    fn refusal<F: Fn(&Url) -> bool>(
        &self,
        url: &Url,
        reader: &Reader<'_, F>,
    ) -> Option<SitemapUnread> {
        let is_own = self.key.as_ref().is_some_and(|key| key.contains(url));
        match ((reader.may_request)(url), is_own) {
            (true, _) => None,
            (false, true) => Some(SitemapUnread::Disallowed),
            (false, false) => Some(SitemapUnread::External),
        }
    }

    /// Reads them. One that hangs keeps none of the others waiting.
    async fn read_all<F: Fn(&Url) -> bool>(
        &mut self,
        reader: &Reader<'_, F>,
        wanted: Vec<Wanted>,
        listed_in_robots: bool,
    ) {
        let mut asked = Vec::new();
        for (url, refusal) in wanted {
            if refusal.is_none() {
                asked.push((self.read.len(), url.clone()));
            }
            self.read.push(SitemapFile {
                url,
                status: None,
                listed_in_robots,
                sitemap: None,
                unread: refusal.or(Some(SitemapUnread::Late)),
            });
        }
        let mut reading = futures_util::stream::iter(asked)
            .map(|(place, url)| async move { (place, reader.read(url, listed_in_robots).await) })
            .buffer_unordered(AHEAD);
        while let Ok(Some((place, file))) =
            tokio::time::timeout_at(reader.until, reading.next()).await
        {
            if let Some(slot) = self.read.get_mut(place) {
                *slot = file;
            }
            self.cut_urls();
        }
    }

    /// Keeps as many URLs as there may be, those of the files that are named first. So it does not
    /// depend on which came first what is kept.
    fn cut_urls(&mut self) {
        let (mut room, mut bytes) = (MAX_SITEMAP_URLS, MAX_LISTED_BYTES);
        for file in &mut self.read {
            let Some(sitemap) = &mut file.sitemap else {
                continue;
            };
            if sitemap.entries.len() > room {
                sitemap.entries.truncate(room);
                file.unread = Some(SitemapUnread::TooMany);
            }
            if sitemap.entries.text_bytes() > bytes {
                sitemap.entries.truncate_bytes(bytes);
                file.unread = Some(SitemapUnread::TooMany);
            }
            room -= sitemap.entries.len();
            bytes -= sitemap.entries.text_bytes();
        }
    }
}

struct Reader<'a, F> {
    exchange: &'a Exchange,
    may_request: F,
    /// Held by the one file that is large, or about to be inflated.
    large: Semaphore,
    until: Instant,
}

impl<F: Fn(&Url) -> bool> Reader<'_, F> {
    async fn read(&self, url: Url, listed_in_robots: bool) -> SitemapFile {
        let mut answer = self.ask(&url, USUAL_BYTES).await;
        // The semaphore is never closed.
        let mut held = None;
        if answer.as_ref().is_some_and(is_cut) {
            drop(answer);
            held = self.large.acquire().await.ok();
            answer = self.ask(&url, MAX_SITEMAP_BYTES).await;
        }
        let status = answer.as_ref().map(|response| response.status);
        let sitemap = match answer {
            Some(response) if (200..300).contains(&response.status) => {
                if held.is_none() {
                    held = self.large.acquire().await.ok();
                }
                let (base, body) = (response.url, response.body);
                let parsed = tokio::task::spawn_blocking(move || Sitemap::parse(&body, &base));
                parsed.await.ok()
            }
            _ => None,
        };
        drop(held);
        SitemapFile {
            url,
            status,
            listed_in_robots,
            sitemap,
            unread: status.is_none().then_some(SitemapUnread::NoAnswer),
        }
    }

    async fn ask(&self, url: &Url, most: u64) -> Option<Response> {
        let request = Request::get(url.clone(), most);
        follow(self.exchange, request, 5, &self.may_request)
            .await
            .answer
            .ok()
    }
}

/// Whether the answer is longer than usual, and not merely broken off.
fn is_cut(response: &Response) -> bool {
    response.truncated && u64::try_from(response.body.len()).is_ok_and(|len| len >= USUAL_BYTES)
}
