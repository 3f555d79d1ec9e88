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

/// Most files are smaller than this. Larger ones are read one after the other, so that at most one of the
/// largest is in memory.
const SMALL_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// Sitemap locations if robots.txt lists none.
const DEFAULT_LOCATIONS: [&str; 2] = ["/sitemap.xml", "/sitemap_index.xml"];

/// The most files that are requested at the same time.
const AHEAD: usize = 8;
/// The time limit for all files.
const BUDGET: Duration = Duration::from_secs(10);

/// Reads the sitemaps that robots.txt lists, else those at the default locations. For a sitemap index it reads
/// the files that it lists, and no further level. Returns them in the order in which they are listed. Files
/// that `may_request` refuses, or that have not arrived in ten seconds, have a reason.
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
        let first = files.not_yet_requested(listed, &reader);
        files.read_all(&reader, first, true).await;
    } else {
        for path in DEFAULT_LOCATIONS {
            let place = files.not_yet_requested(vec![at_origin(start, path)], &reader);
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
    let nested = files.not_yet_requested(nested, &reader);
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
    let feeds = files.not_yet_requested(feeds, &reader);
    files.read_all(&reader, feeds, false).await;
    let read = files.read.into_iter().filter_map(|file| file.sitemap);
    read.filter(|feed| !feed.is_index()).collect()
}

/// A file to read, or the reason why it is not read.
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
            key: SiteKey::from_url(start),
            wanted: HashSet::new(),
            asked: 0,
            refused: 0,
            read: Vec::new(),
        }
    }

    /// The URLs that were not requested yet, up to the limit.
    fn not_yet_requested<F: Fn(&Url) -> bool>(
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

    /// Reads the files. One that hangs does not delay the others.
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

    /// Keeps URLs up to the limit, those of the first listed files. So the kept URLs do not depend on the order
    /// of responses.
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
    /// Held by the one file that is large, or about to be decompressed.
    large: Semaphore,
    until: Instant,
}

impl<F: Fn(&Url) -> bool> Reader<'_, F> {
    async fn read(&self, url: Url, listed_in_robots: bool) -> SitemapFile {
        let mut answer = self.fetch_file(&url, SMALL_FILE_BYTES).await;
        // The semaphore is never closed.
        let mut held = None;
        if answer.as_ref().is_some_and(is_cut) {
            drop(answer);
            held = self.large.acquire().await.ok();
            answer = self.fetch_file(&url, MAX_SITEMAP_BYTES).await;
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

    async fn fetch_file(&self, url: &Url, most: u64) -> Option<Response> {
        let request = Request::get(url.clone(), most);
        follow(self.exchange, request, 5, &self.may_request)
            .await
            .answer
            .ok()
    }
}

/// Whether the response is longer than usual, and not only incomplete.
fn is_cut(response: &Response) -> bool {
    response.truncated
        && u64::try_from(response.body.len()).is_ok_and(|len| len >= SMALL_FILE_BYTES)
}
