//! Finds and reads the site's sitemaps.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::time::Instant;
use url::Url;

use super::exchange::Exchange;
use super::follow::follow;
use crate::address::at_origin;
use crate::gather::Request;
use crate::gather::robots::RobotsState;
use crate::gather::sitemap::Sitemap;
use crate::site::SitemapFile;

/// Largest sitemap file, decoded (sitemaps.org, 50 MiB).
const MAX_SITEMAP_BYTES: u64 = 52_428_800;
/// Sitemap files of one site that are read.
const MAX_FILES: usize = 50;
/// Where sitemaps stand when robots.txt names none.
const USUAL_PLACES: [&str; 2] = ["/sitemap.xml", "/sitemap_index.xml"];

/// URLs of all sitemap files together that are kept.
const MAX_URLS: usize = 200_000;
/// Files that are asked for at once.
const AHEAD: usize = 8;
/// Time for all of them.
const BUDGET: Duration = Duration::from_secs(10);

/// Reads the sitemaps that robots.txt lists, else those at the usual places; of an index, the files
/// it lists, and no further. Files that `may_request` refuses, or that have not come in ten seconds,
/// are left out.
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
    let mut files = Files {
        wanted: HashSet::new(),
        read: Vec::new(),
        urls: 0,
    };
    if from_robots {
        let first = files.new_ones(listed, &may_request);
        files
            .read_all(exchange, first, true, until, &may_request)
            .await;
    } else {
        for path in USUAL_PLACES {
            let place = files.new_ones(vec![at_origin(start, path)], &may_request);
            files
                .read_all(exchange, place, false, until, &may_request)
                .await;
            if files.read.iter().any(|file| file.sitemap.is_some()) {
                break;
            }
        }
    }
    let nested: Vec<Url> = files
        .read
        .iter()
        .filter_map(|file| file.sitemap.as_ref().filter(|sitemap| sitemap.is_index()))
        .flat_map(|index| index.entries().iter().filter_map(|entry| entry.url.clone()))
        .take(MAX_FILES)
        .collect();
    let nested = files.new_ones(nested, &may_request);
    files
        .read_all(exchange, nested, from_robots, until, &may_request)
        .await;
    files.read
}

struct Files {
    wanted: HashSet<Url>,
    read: Vec<SitemapFile>,
    urls: usize,
}

impl Files {
    /// Those that were not asked for yet, as many as there may be.
    fn new_ones(&mut self, urls: Vec<Url>, may_request: impl Fn(&Url) -> bool) -> Vec<Url> {
        urls.into_iter()
            .filter(|url| {
                self.wanted.len() < MAX_FILES && may_request(url) && self.wanted.insert(url.clone())
            })
            .collect()
    }

    async fn read_all(
        &mut self,
        exchange: &Exchange,
        urls: Vec<Url>,
        listed_in_robots: bool,
        until: Instant,
        may_request: impl Fn(&Url) -> bool,
    ) {
        let mut reading = futures_util::stream::iter(urls)
            .map(|url| read(exchange, url, listed_in_robots, &may_request))
            .buffered(AHEAD);
        while let Ok(Some(mut file)) = tokio::time::timeout_at(until, reading.next()).await {
            if let Some(sitemap) = &mut file.sitemap {
                sitemap.entries.truncate(MAX_URLS.saturating_sub(self.urls));
                self.urls += sitemap.entries.len();
            }
            self.read.push(file);
        }
    }
}

async fn read(
    exchange: &Exchange,
    url: Url,
    listed_in_robots: bool,
    may_request: impl Fn(&Url) -> bool,
) -> SitemapFile {
    let request = Request::get(url.clone(), MAX_SITEMAP_BYTES);
    let followed = follow(exchange, request, 5, may_request).await;
    let (status, sitemap) = match followed.answer {
        Ok(response) if (200..300).contains(&response.status) => {
            let base = response.url.clone();
            let body = response.body;
            let parsed = tokio::task::spawn_blocking(move || Sitemap::parse(&body, &base));
            (Some(response.status), parsed.await.ok())
        }
        Ok(response) => (Some(response.status), None),
        Err(_) => (None, None),
    };
    SitemapFile {
        url,
        status,
        listed_in_robots,
        sitemap,
    }
}
