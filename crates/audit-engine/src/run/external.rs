//! Asks for the external links of the audited pages.

use futures_util::StreamExt;
use tokio::time::Instant;
use url::Url;

use super::exchange::Exchange;
use crate::gather::{BodyPolicy, FetchError, Request, Response};
use crate::site::{Answer, SkipReason, UrlId, UrlState, UrlTable};

/// External URLs of one site that are asked for.
const MAX_EXTERNAL: usize = 1_000;
const MAX_HOPS: usize = 5;

/// Asks for every external URL of the table, in the order met, and writes down what it answered.
/// What has not answered by `until` stays unknown.
pub(crate) async fn gather(exchange: &Exchange, urls: &mut UrlTable, ahead: usize, until: Instant) {
    let linked: Vec<(UrlId, Url)> = urls
        .iter()
        .filter(|(_, entry)| !entry.internal && entry.state == UrlState::Known)
        .filter_map(|(id, entry)| Some((id, Url::parse(&entry.url).ok()?)))
        .collect();
    let (asked, rest) = linked.split_at(linked.len().min(MAX_EXTERNAL));
    for (id, _) in rest {
        urls.set(*id, UrlState::Skipped(SkipReason::Excluded));
    }
    let asked: Vec<Url> = asked.iter().map(|(_, url)| url.clone()).collect();
    let mut asking = futures_util::stream::iter(asked)
        .map(|url| ask_with_hops(exchange, url))
        .buffered(ahead.max(1));
    let mut answers = Vec::new();
    while let Ok(Some(chain)) = tokio::time::timeout_at(until, asking.next()).await {
        answers.extend(chain);
    }
    for (url, answer) in answers {
        let id = urls.intern(&url, false);
        let state = match answer {
            Ok(response) => {
                let location = response
                    .redirect_target()
                    .map(|target| urls.intern(&target, false));
                UrlState::Answered(Answer {
                    status: response.status,
                    media_type: response.media_type().into_boxed_str(),
                    location,
                })
            }
            Err(error) if super::start::never_sent(error.kind) => {
                UrlState::Skipped(SkipReason::NotAllowed)
            }
            Err(error) => UrlState::Failed(error.kind, error.message.into_boxed_str()),
        };
        urls.set(id, state);
    }
}

async fn ask_with_hops(exchange: &Exchange, url: Url) -> Vec<(Url, Result<Response, FetchError>)> {
    let mut asked: Vec<(Url, Result<Response, FetchError>)> = Vec::new();
    let mut current = url;
    loop {
        let answer = ask(exchange, &current).await;
        let next = answer.as_ref().ok().and_then(Response::redirect_target);
        asked.push((current, answer));
        match next {
            Some(next)
                if asked.len() <= MAX_HOPS && asked.iter().all(|(known, _)| *known != next) =>
            {
                current = next;
            }
            _ => return asked,
        }
    }
}

/// HEAD first, which costs the other site least; GET where that brings anything but a clear answer,
/// since many servers answer HEAD wrongly.
async fn ask(exchange: &Exchange, url: &Url) -> Result<Response, FetchError> {
    let head = exchange.send(Request::head(url.clone())).await;
    match &head {
        Ok(response) if response.status < 400 => head,
        Err(error) if super::start::never_sent(error.kind) => head,
        _ => {
            let mut request = Request::page(url.clone(), 0);
            request.body = BodyPolicy::Skip;
            exchange.send(request).await
        }
    }
}
