//! Requests the resources that the audited pages load, each once.

use std::collections::HashMap;

use bytes::Bytes;
use futures_util::StreamExt;
use tokio::time::Instant;
use url::Url;

use super::exchange::Exchange;
use super::follow::follow;
use crate::gather::{Headers, Request};
use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, UrlId, UrlTable};

/// Resources of one site that are requested.
const MAX_RESOURCES: usize = 2_000;
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

/// Requests the resources in the order in which the pages load them, those that `may_request` allows.
/// What has not answered by `until` stays unknown. Frames
/// are pages, not resources.
pub(crate) async fn gather(
    exchange: &Exchange,
    pages: &[PageFacts],
    urls: &UrlTable,
    ahead: usize,
    until: Instant,
    may_request: impl Fn(&Url) -> bool,
) -> Vec<ResourceFacts> {
    let wanted: Vec<Wanted> = wanted(pages, urls)
        .into_iter()
        .filter(|wanted| may_request(&wanted.url))
        .take(MAX_RESOURCES)
        .collect();
    let mut answers = futures_util::stream::iter(wanted)
        .map(|wanted| request(exchange, wanted, &may_request))
        .buffered(ahead.max(1));
    let mut facts = Vec::new();
    let mut kept = 0;
    while let Ok(Some(mut resource)) = tokio::time::timeout_at(until, answers.next()).await {
        if kept + resource.body.len() > KEPT_ALL {
            resource.body.truncate(KEPT_START);
        }
        kept += resource.body.len();
        facts.push(resource);
    }
    facts
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
