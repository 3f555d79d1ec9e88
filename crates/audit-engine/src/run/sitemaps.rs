//! Finds and reads the site's sitemaps.

use std::collections::HashSet;

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

/// Reads the sitemaps that robots.txt lists, else those at the usual places; of an index, the files
/// it lists, and no further.
pub(crate) async fn gather(
    exchange: &Exchange,
    start: &Url,
    robots: &RobotsState,
) -> Vec<SitemapFile> {
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
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    let from_robots = !listed.is_empty();
    let first = if from_robots {
        listed
    } else {
        USUAL_PLACES
            .iter()
            .map(|path| at_origin(start, path))
            .collect()
    };
    let mut nested = Vec::new();
    for url in first {
        if files.len() >= MAX_FILES || !seen.insert(url.clone()) {
            continue;
        }
        let file = read(exchange, url, from_robots).await;
        let found = file.sitemap.is_some();
        if let Some(index) = file.sitemap.as_ref().filter(|sitemap| sitemap.is_index()) {
            nested.extend(index.entries().iter().filter_map(|entry| entry.url.clone()));
        }
        files.push(file);
        if found && !from_robots {
            break;
        }
    }
    for url in nested {
        if files.len() < MAX_FILES && seen.insert(url.clone()) {
            files.push(read(exchange, url, from_robots).await);
        }
    }
    files
}

async fn read(exchange: &Exchange, url: Url, listed_in_robots: bool) -> SitemapFile {
    let request = Request::get(url.clone(), MAX_SITEMAP_BYTES);
    let followed = follow(exchange, request, 5, |_| true).await;
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
