//! Requests the resources that the audited pages load, each once, whatever the number of pages.
//!
//! Requested are scripts, style sheets, images, media, plug-ins, preloaded fonts and icons that the
//! pages name; then what the style sheets import, three levels deep, and the fonts of their font
//! faces. Not requested are frames, which are pages; what scripts would load; and the images that
//! style sheets name, since only what is drawn is loaded. Of an image no more is read than of
//! anything else, 5 MiB, and nothing but its first bytes is kept.
//!
//! Bounds of one site: 2,000 resources, 500 of which are named by style sheets alone, 256 MiB over the wire, and the time that the caller gives.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use futures_util::StreamExt;
use tokio::time::Instant;
use url::Url;

use super::exchange::Exchange;
use super::follow::follow;
use crate::address::{SiteKey, without_fragment};
use crate::common::css_refs::{CssRef, references};
use crate::gather::{Headers, Request};
use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, UrlId, UrlTable};

/// Resources of one site that are requested.
const MAX_RESOURCES: usize = 2_000;
/// Those among them that only style sheets name: each may name a hundred, which name a hundred each.
const MAX_OF_SHEETS: usize = 500;
/// Bytes over the wire after which no further resource is requested.
const MAX_ALL_BYTES: u64 = 256 * 1024 * 1024;
/// Style sheets that import one another, at most.
const MAX_IMPORTS: usize = 3;
/// References of one style sheet that are followed.
const MAX_REFERENCES: usize = 100;
/// Decoded bytes read of one resource.
const MAX_RESOURCE_BYTES: u64 = 5 * 1024 * 1024;
/// Bytes kept of one script or style sheet, and of all of them together.
const KEPT_EACH: usize = 1024 * 1024;
const KEPT_ALL: usize = 64 * 1024 * 1024;
/// Bytes kept of any other resource: enough to tell what it is.
const KEPT_START: usize = 64;

struct Wanted {
    id: UrlId,
    url: Url,
    internal: bool,
    kind: ResourceKind,
    first_page: Url,
    pages: u64,
}

/// Requests the resources in the order in which the pages load them, those that `may_request` allows,
/// then those that style sheets name. What has not answered by `until` stays unknown.
pub(crate) async fn gather(
    exchange: &Exchange,
    pages: &[PageFacts],
    urls: &mut UrlTable,
    key: &SiteKey,
    ahead: usize,
    until: Instant,
    may_request: impl Fn(&Url) -> bool,
) -> Vec<ResourceFacts> {
    let mut round = wanted(pages, urls);
    let mut known: HashSet<UrlId> = round.iter().map(|wanted| wanted.id).collect();
    let mut facts: Vec<ResourceFacts> = Vec::new();
    let (mut kept, mut wire) = (0, 0_u64);
    let mut room_of_sheets = MAX_OF_SHEETS;
    for depth in 0..=MAX_IMPORTS {
        let begin = facts.len();
        round.retain(|wanted| may_request(&wanted.url));
        round.truncate(MAX_RESOURCES.saturating_sub(begin));
        if depth > 0 {
            round.truncate(room_of_sheets);
            room_of_sheets = room_of_sheets.saturating_sub(round.len());
        }
        if round.is_empty() {
            break;
        }
        let mut answers = futures_util::stream::iter(round)
            .map(|wanted| request(exchange, wanted, &may_request))
            .buffered(ahead.max(1));
        while wire < MAX_ALL_BYTES
            && let Ok(Some(mut resource)) = tokio::time::timeout_at(until, answers.next()).await
        {
            if kept + resource.body.len() > KEPT_ALL {
                resource.body.truncate(KEPT_START);
            }
            kept += resource.body.len();
            wire = wire.saturating_add(resource.wire_bytes);
            facts.push(resource);
        }
        drop(answers);
        round = named_by_sheets(
            facts.get(begin..).unwrap_or_default(),
            urls,
            key,
            &mut known,
        );
    }
    facts
}

/// What the style sheets name that nobody asked for yet. It counts as used where its sheet is.
fn named_by_sheets(
    facts: &[ResourceFacts],
    urls: &mut UrlTable,
    key: &SiteKey,
    known: &mut HashSet<UrlId>,
) -> Vec<Wanted> {
    let mut found = Vec::new();
    let sheets = facts
        .iter()
        .filter(|facts| facts.kind == ResourceKind::Stylesheet && facts.ok());
    for sheet in sheets {
        let css = String::from_utf8_lossy(&sheet.body);
        for reference in references(&css, MAX_REFERENCES) {
            let (kind, reference) = match reference {
                CssRef::Sheet(reference) => (ResourceKind::Stylesheet, reference),
                CssRef::Font(reference) => (ResourceKind::Font, reference),
            };
            let Ok(url) = sheet.url.join(reference) else {
                continue;
            };
            if !matches!(url.scheme(), "http" | "https") {
                continue;
            }
            let internal = key.contains(&url);
            let id = urls.intern(&url, internal);
            if known.insert(id) {
                found.push(Wanted {
                    id,
                    url: without_fragment(&url),
                    internal,
                    kind,
                    first_page: sheet.first_page.clone(),
                    pages: sheet.pages,
                });
            }
        }
    }
    found
}

fn wanted(pages: &[PageFacts], urls: &UrlTable) -> Vec<Wanted> {
    let mut places: HashMap<UrlId, usize> = HashMap::new();
    let mut found: Vec<Wanted> = Vec::new();
    for page in pages {
        for used in page
            .resources
            .iter()
            .filter(|used| used.kind != ResourceKind::Frame)
        {
            if let Some(known) = places
                .get(&used.target)
                .and_then(|place| found.get_mut(*place))
            {
                known.pages += 1;
                continue;
            }
            let Some(entry) = urls.get(used.target) else {
                continue;
            };
            let Ok(url) = Url::parse(&entry.url) else {
                continue;
            };
            places.insert(used.target, found.len());
            found.push(Wanted {
                id: used.target,
                url,
                internal: entry.internal,
                kind: used.kind,
                first_page: page.url.clone(),
                pages: 1,
            });
        }
    }
    found
}

async fn request(
    exchange: &Exchange,
    wanted: Wanted,
    may_request: impl Fn(&Url) -> bool,
) -> ResourceFacts {
    let request = Request::get(wanted.url.clone(), MAX_RESOURCE_BYTES);
    let followed = follow(exchange, request, 5, may_request).await;
    let mut facts = ResourceFacts {
        id: wanted.id,
        url: wanted.url,
        internal: wanted.internal,
        kind: wanted.kind,
        first_page: wanted.first_page,
        pages: wanted.pages,
        status: Ok(0),
        headers: Headers::new(),
        wire_bytes: 0,
        bytes: 0,
        body: Bytes::new(),
    };
    match followed.answer {
        Ok(response) => {
            let most = match facts.kind {
                ResourceKind::Script | ResourceKind::Stylesheet => KEPT_EACH,
                _ => KEPT_START,
            };
            facts.status = Ok(response.status);
            facts.wire_bytes = response.wire_bytes;
            facts.bytes = u64::try_from(response.body.len()).unwrap_or(u64::MAX);
            // A slice would keep the whole body alive.
            facts.body =
                Bytes::copy_from_slice(response.body.get(..most).unwrap_or(&response.body));
            facts.headers = response.headers;
        }
        Err(error) => facts.status = Err(error.kind),
    }
    facts
}
