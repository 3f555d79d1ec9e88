//! Requests the resources that the audited pages load, each once, regardless of the number of pages.
//!
//! These are scripts, style sheets, images, media, plug-ins, preloaded fonts and icons that the pages
//! reference, and the preview images of shared pages. Then follow the imports of style sheets, three levels
//! deep, and the fonts of their font faces. Not requested are frames, which are pages; resources that scripts
//! would load; and images in style sheets that are not certainly the background of an element, because browsers
//! only load those that are painted. At most 5 MiB of
//! an image are read, as of any other resource, and only its first bytes are kept.
//!
//! The limits of one site: 2,000 resources, of which 500 are referenced only by style sheets and 100 are only
//! preview images, 256 MiB over the wire, and the time that the caller gives.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::target::MAX_URL_BYTES;
use futures_util::StreamExt;
use tokio::time::Instant;
use url::Url;

use crate::address::{SiteKey, without_fragment};
use crate::bounds::MAX_RESOURCE_BODY_BYTES;
use crate::bounds::crawl::{
    MAX_ALL_RESOURCE_BYTES, MAX_PREVIEWS, MAX_RESOURCE_IMPORTS, MAX_RESOURCE_REFERENCES,
    MAX_RESOURCES, MAX_RESOURCES_OF_SHEETS,
};
use crate::fetch::file::{KEPT_START, fetch, start_of};
use crate::fetch::sheets::Sheets;
use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, SkipReason, UrlId, UrlState, UrlTable};
use crate::style::css_refs::{CssRef, references};

/// A response, and its state while style sheets are followed.
struct Fetched {
    facts: ResourceFacts,
    /// The URL that responded.
    base: Url,
    /// Whether the body was not read completely.
    is_cut: bool,
}

struct Wanted {
    id: UrlId,
    url: Url,
    internal: bool,
    kind: ResourceKind,
    first_page: Url,
    pages: u64,
}

/// Requests the resources in the order in which the pages load them, if `may_request` allows them, then those
/// that style sheets reference. `sheets` were requested before, when pages were evaluated. The responses are in
/// that order, regardless of which arrived first.
///
/// Resources beyond the limits, and those that have not responded by `until`, are skipped with
/// [`SkipReason::Budget`].
pub(crate) async fn gather(
    sheets: &Sheets,
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
    let mut room_of_sheets = MAX_RESOURCES_OF_SHEETS;
    for depth in 0..=MAX_RESOURCE_IMPORTS {
        let begin = facts.len();
        round.retain(|wanted| may_request(&wanted.url));
        let mut unread: HashSet<UrlId> = round.iter().map(|wanted| wanted.id).collect();
        round.truncate(MAX_RESOURCES.saturating_sub(begin));
        if depth > 0 {
            round.truncate(room_of_sheets);
            room_of_sheets = room_of_sheets.saturating_sub(round.len());
        }
        let may_request = &may_request;
        // A host that hangs does not delay the others.
        let mut answers =
            futures_util::stream::iter(std::mem::take(&mut round).into_iter().enumerate())
                .map(|(place, wanted)| async move {
                    (place, request(sheets, wanted, may_request).await)
                })
                .buffer_unordered(ahead.max(1));
        let mut read: Vec<(usize, Fetched)> = Vec::new();
        while wire < MAX_ALL_RESOURCE_BYTES
            && let Ok(Some((place, mut fetched))) =
                tokio::time::timeout_at(until, answers.next()).await
        {
            let resource = &mut fetched.facts;
            if kept + resource.body.len() > MAX_RESOURCE_BODY_BYTES {
                resource.body = start_of(&resource.body, KEPT_START);
            }
            kept += resource.body.len();
            wire = wire.saturating_add(resource.wire_bytes);
            unread.remove(&resource.id);
            read.push((place, fetched));
        }
        drop(answers);
        read.sort_by_key(|(place, _)| *place);
        skip(urls, unread);
        // The imports of the last level are too deep.
        if depth < MAX_RESOURCE_IMPORTS {
            round = named_by_sheets(&read, urls, key, &mut known);
        }
        facts.extend(read.into_iter().map(|(_, fetched)| fetched.facts));
        if round.is_empty() {
            break;
        }
    }
    facts
}

/// Marks URLs that were not requested or did not respond as skipped.
fn skip(urls: &mut UrlTable, unread: HashSet<UrlId>) {
    for id in unread {
        if urls
            .get(id)
            .is_some_and(|entry| entry.state == UrlState::Known)
        {
            urls.set(id, UrlState::Skipped(SkipReason::Budget));
        }
    }
}

/// The URLs in the style sheets that were not requested yet. They count as used by the pages of their sheet.
fn named_by_sheets(
    read: &[(usize, Fetched)],
    urls: &mut UrlTable,
    key: &SiteKey,
    known: &mut HashSet<UrlId>,
) -> Vec<Wanted> {
    let mut found = Vec::new();
    let sheets = read
        .iter()
        .map(|(_, fetched)| (&fetched.base, &fetched.facts, fetched.is_cut))
        .filter(|(_, facts, _)| facts.kind == ResourceKind::Stylesheet && facts.ok());
    for (base, sheet, is_cut) in sheets {
        // The kept part of a sheet may be incomplete as well.
        let is_cut = is_cut || u64::try_from(sheet.body.len()).is_ok_and(|kept| kept < sheet.bytes);
        let css = String::from_utf8_lossy(&sheet.body);
        for reference in references(&css, MAX_RESOURCE_REFERENCES, is_cut) {
            let (kind, reference) = match reference {
                CssRef::Sheet(reference) => (ResourceKind::Stylesheet, reference),
                CssRef::Font(reference) => (ResourceKind::Font, reference),
            };
            let Ok(url) = base.join(reference) else {
                continue;
            };
            if !matches!(url.scheme(), "http" | "https") || url.as_str().len() > MAX_URL_BYTES {
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
                match (known.kind.is_preview(), used.kind.is_preview()) {
                    (false, false) | (true, true) => known.pages += 1,
                    (false, true) => {}
                    // A preview image that pages load as well is treated as a loaded image.
                    (true, false) => {
                        known.kind = used.kind;
                        known.first_page = page.url.clone();
                        known.pages = 1;
                    }
                }
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
    // Preview images must not displace the resources that pages load.
    let (mut previews, mut found): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|wanted| wanted.kind.is_preview());
    previews.truncate(MAX_PREVIEWS);
    let place = found.len().min(MAX_RESOURCES - MAX_PREVIEWS);
    found.splice(place..place, previews);
    found
}

async fn request(sheets: &Sheets, wanted: Wanted, may_request: impl Fn(&Url) -> bool) -> Fetched {
    let known = if matches!(wanted.kind, ResourceKind::Stylesheet | ResourceKind::Script) {
        // A dropped body is requested again, because there may be memory for it among the resources.
        sheets.file(&wanted.url).filter(|file| !file.is_dropped())
    } else {
        None
    };
    let file = match known {
        Some(file) => file,
        None => Arc::new(fetch(sheets.exchange(), &wanted.url, wanted.kind, may_request).await),
    };
    Fetched {
        facts: ResourceFacts {
            id: wanted.id,
            url: wanted.url,
            internal: wanted.internal,
            kind: wanted.kind,
            first_page: wanted.first_page,
            pages: wanted.pages,
            status: file.status,
            headers: file.headers.clone(),
            wire_bytes: file.wire_bytes,
            bytes: file.bytes,
            pixels: file.pixels,
            waste: file.waste,
            body: file.body.clone(),
        },
        base: file.base.clone(),
        is_cut: file.is_cut,
    }
}
