//! Requests the external links of the audited pages.
//!
//! Each URL is requested once, with HEAD, which is cheapest for the other site, and again with GET if the
//! response to HEAD is inconclusive. No body is read. Redirects are followed in rounds, so that a page that
//! many links lead to is also requested once. A link only counts as `broken` if that is certain: see
//! `common::links::status` and the check `link-broken-external`.

use std::collections::{HashMap, HashSet};

use futures_util::StreamExt;
use tokio::time::Instant;
use url::Url;

use super::start::never_sent;
use crate::address::SiteKey;
use crate::bounds::crawl::{MAX_EXTERNAL_HOPS, MAX_EXTERNAL_LINKS, MAX_EXTERNAL_OF_A_HOST};
use crate::fetch::exchange::Exchange;
use crate::gather::{BodyPolicy, FetchError, FetchErrorKind, Request, Response};
use crate::site::{PageFacts, SkipReason, UrlId, UrlResponse, UrlState, UrlTable};

/// The external URLs of the table that were not requested, in order of discovery, without those that pages only
/// load, which are requested as resources.
///
/// Call this before resources are gathered: references in style sheets are not links.
pub(crate) fn linked(pages: &[PageFacts], urls: &UrlTable) -> Vec<UrlId> {
    let only_loaded = only_loaded(pages);
    urls.iter()
        .filter(|(id, entry)| {
            !entry.internal && entry.state == UrlState::Known && !only_loaded.contains(id)
        })
        .map(|(id, _)| id)
        .collect()
}

/// Requests the URLs from [`linked`], in their order, and records the responses. A redirect back into the site
/// `key` is followed if the crawl has not seen its target and `may_request` allows it.
///
/// URLs beyond the limit, and those that have not responded by `until`, are skipped with
/// [`SkipReason::Budget`].
pub(crate) async fn gather(
    exchange: &Exchange,
    linked: Vec<UrlId>,
    urls: &mut UrlTable,
    key: &SiteKey,
    ahead: usize,
    until: Instant,
    may_request: impl Fn(&Url) -> bool,
) {
    let mut budget = Budget::default();
    let mut round = linked;
    // The targets of redirects are after the earlier entries.
    let mut behind = urls.len();
    for _ in 0..=MAX_EXTERNAL_HOPS {
        let met: Vec<(UrlId, Url)> = round
            .iter()
            .filter_map(|id| Some((*id, Url::parse(urls.url(*id)).ok()?)))
            .filter(|(_, url)| may_request(url))
            .collect();
        let (asked, rest): (Vec<_>, Vec<_>) =
            met.into_iter().partition(|(_, url)| budget.allows(url));
        for (id, _) in rest {
            urls.set(id, UrlState::Skipped(SkipReason::Budget));
        }
        if asked.is_empty() {
            return;
        }
        request_all(exchange, urls, key, asked, ahead, until).await;
        round = urls
            .iter()
            .skip(behind)
            .filter(|(_, entry)| entry.state == UrlState::Known)
            .map(|(id, _)| id)
            .collect();
        behind = urls.len();
    }
    // The end of longer redirect chains is unknown.
    for id in round {
        if urls.get(id).is_some_and(|entry| !entry.internal) {
            urls.set(id, UrlState::Skipped(SkipReason::Budget));
        }
    }
}

/// URLs that pages load and no page links to.
fn only_loaded(pages: &[PageFacts]) -> HashSet<UrlId> {
    let mut loaded: HashSet<UrlId> = pages
        .iter()
        .flat_map(|page| page.resources.iter().map(|used| used.target))
        .collect();
    for link in pages.iter().flat_map(|page| &page.links) {
        loaded.remove(&link.target);
    }
    loaded
}

#[derive(Default)]
struct Budget {
    asked: usize,
    by_host: HashMap<String, usize>,
}

impl Budget {
    fn allows(&mut self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let of_host = self.by_host.get(host).copied().unwrap_or(0);
        if self.asked >= MAX_EXTERNAL_LINKS || of_host >= MAX_EXTERNAL_OF_A_HOST {
            return false;
        }
        self.asked += 1;
        *self.by_host.entry(host.to_owned()).or_default() += 1;
        true
    }
}

/// A slow host does not delay the others. The responses are recorded in the order of the URLs.
pub(super) async fn request_all(
    exchange: &Exchange,
    urls: &mut UrlTable,
    key: &SiteKey,
    asked: Vec<(UrlId, Url)>,
    ahead: usize,
    until: Instant,
) {
    let (ids, asked): (Vec<UrlId>, Vec<Url>) = asked.into_iter().unzip();
    let mut answers: Vec<Option<Result<Response, FetchError>>> = Vec::new();
    answers.resize_with(asked.len(), || None);
    {
        let mut asking = futures_util::stream::iter(asked.into_iter().enumerate())
            .map(|(place, url)| async move { (place, request_once(exchange, &url).await) })
            .buffer_unordered(ahead.max(1));
        while let Ok(Some((place, answer))) = tokio::time::timeout_at(until, asking.next()).await {
            if let Some(slot) = answers.get_mut(place) {
                *slot = Some(answer);
            }
        }
    }
    for (id, answer) in ids.into_iter().zip(answers) {
        let state = match answer {
            None => UrlState::Skipped(SkipReason::Budget),
            Some(Ok(response)) => {
                let location = response
                    .redirect_target()
                    .map(|target| urls.intern(&target, key.contains(&target)));
                UrlState::Responded(UrlResponse {
                    status: response.status,
                    media_type: response.media_type().into_boxed_str(),
                    location,
                })
            }
            Some(Err(error)) if never_sent(error.kind) => UrlState::Skipped(SkipReason::NotAllowed),
            Some(Err(error)) => UrlState::Failed(error.kind, error.message.into_boxed_str()),
        };
        urls.set(id, state);
    }
}

/// HEAD first, then GET if the server may handle HEAD wrongly: it returned an error or did not respond.
async fn request_once(exchange: &Exchange, url: &Url) -> Result<Response, FetchError> {
    let head = exchange.send(Request::head(url.clone())).await;
    if is_clear(&head) {
        return head;
    }
    let mut request = Request::page(url.clone(), 0);
    request.body = BodyPolicy::Skip;
    exchange.send(request).await
}

/// Whether another method could give no better result. URLs with a 429 or 503, a missing page or a failed
/// connection are not requested again.
fn is_clear(head: &Result<Response, FetchError>) -> bool {
    match head {
        Ok(response) => response.status < 400 || matches!(response.status, 429 | 502..=504),
        Err(error) => {
            never_sent(error.kind)
                || matches!(error.kind, FetchErrorKind::Connect | FetchErrorKind::Tls)
        }
    }
}
