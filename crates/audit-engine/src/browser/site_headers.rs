//! The request headers of a run in the browser.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use domain::run::RequestHeaders;
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::cdp::commands::{ContinueRequest, EnableFetch, HeaderEntry, RequestPattern};
use super::cdp::events::Event;
use super::cdp::{CdpError, Session};
use crate::fetch::added_headers::AddedHeaders;
use crate::gather::{Headers, PageEvents};
use crate::lab::TimedRequest;

/// Headers that a browser sends to the site's own origin and to no other, by the rules of
/// [`AuditOptions::headers`](crate::AuditOptions). The requests of frames from other sites and of workers do not have
/// them. Their debug form shows no value.
#[derive(Clone, Default)]
pub struct SiteHeaders(Arc<AddedHeaders>);

/// A request that waits until the engine lets it go on.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paused {
    request_id: String,
    request: PausedRequest,
}

#[derive(Deserialize)]
struct PausedRequest {
    url: String,
    #[serde(default)]
    headers: BTreeMap<String, Value>,
}

impl SiteHeaders {
    /// The headers of an audit that begins at `start`.
    #[must_use]
    pub fn new(headers: RequestHeaders, start: &Url) -> Self {
        Self(Arc::new(AddedHeaders::new(headers, None, start)))
    }

    /// Lets the requests to the own origin wait for [`Self::resume`]. Without headers no request waits.
    pub(super) async fn begin(&self, tab: &Session) -> Result<(), CdpError> {
        let patterns: Vec<RequestPattern> = (self.0.origins())
            .map(|origin| RequestPattern {
                url_pattern: format!("{}/*", origin.ascii_serialization()),
            })
            .collect();
        if !patterns.is_empty() {
            tab.call(&EnableFetch { patterns }).await?;
        }
        Ok(())
    }

    /// Lets a waiting request go on, with the headers if it goes to the own origin. A redirect of it waits again: the
    /// browser does not pass on headers that were added.
    pub(super) async fn resume(&self, tab: &Session, event: &Event) {
        let Some(Paused {
            request_id,
            request,
        }) = event.read()
        else {
            return;
        };
        let headers = self.with_own(&request);
        let go_on = ContinueRequest {
            request_id: &request_id,
            headers,
        };
        // The page may have ended the request.
        if let Err(error) = tab.call(&go_on).await {
            tracing::debug!(%error, "a request of a page did not go on");
        }
    }

    /// The headers of a request with those of the run; none if it gets no further ones.
    fn with_own(&self, request: &PausedRequest) -> Option<Vec<HeaderEntry>> {
        let url = Url::parse(&request.url).ok()?;
        let own: Vec<(&str, &str)> = self.0.for_url(&url).collect();
        if own.is_empty() {
            return None;
        }
        let is_own = |name: &str| own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        let others = request.headers.iter().filter(|(name, _)| !is_own(name));
        let mut headers: Vec<HeaderEntry> = others
            .map(|(name, value)| entry(name, value.as_str().unwrap_or_default()))
            .collect();
        headers.extend(own.iter().map(|(name, value)| entry(name, value)));
        Some(headers)
    }

    /// The text of a JSON document without the secret values that a page repeats.
    pub(super) fn hide_in_json<'j>(&self, json: &'j str) -> Cow<'j, str> {
        self.0.hidden().hide_in_json(json)
    }

    /// Removes the secret values from the messages and the URLs of a page.
    pub(super) fn hide_in_events(&self, events: &mut PageEvents) {
        let messages = events.messages.iter_mut();
        let texts = messages.flat_map(|message| [&mut message.text, &mut message.url]);
        let urls = events.requests.iter_mut().map(|request| &mut request.url);
        for text in texts.chain(urls) {
            self.0.hidden().hide_in_text(text);
        }
    }

    /// Removes the secret values from the URLs of a request.
    pub(super) fn hide_in_request(&self, request: &mut TimedRequest) {
        let others = (request.named_by.iter_mut()).chain(&mut request.landed_at);
        let urls = std::iter::once(&mut request.url).chain(others);
        for url in urls {
            self.0.hidden().hide_in_text(url);
        }
    }

    /// The response headers without the secret values that a site repeats.
    pub(super) fn hide_in_headers(&self, headers: Headers) -> Headers {
        self.0.hidden().hide_in_headers(headers)
    }
}

fn entry(name: &str, value: &str) -> HeaderEntry {
    HeaderEntry {
        name: name.to_owned(),
        value: value.to_owned(),
    }
}

impl fmt::Debug for SiteHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SiteHeaders").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn headers() -> SiteHeaders {
        let pair = ("authorization".to_owned(), "Basic c2VjcmV0\"x".to_owned());
        let headers = RequestHeaders::parse([pair].into_iter().collect()).unwrap();
        SiteHeaders::new(headers, &Url::parse("https://example.com/a").unwrap())
    }

    fn sent(url: &str) -> Option<Vec<HeaderEntry>> {
        let request =
            json!({ "url": url, "headers": { "Accept": "*/*", "Authorization": "Bearer own" } });
        headers().with_own(&serde_json::from_value(request).unwrap())
    }

    #[test]
    fn requests_to_the_own_origin_have_the_headers() {
        let expected = [
            entry("Accept", "*/*"),
            entry("authorization", "Basic c2VjcmV0\"x"),
        ];
        assert_eq!(sent("https://example.com/b?c").unwrap(), expected);
    }

    #[test]
    fn other_origins_get_none() {
        for url in [
            "https://other.example/",
            "http://example.com/",
            "https://example.com:8443/",
            "data:,x",
        ] {
            assert_eq!(sent(url), None, "{url}");
        }
    }

    #[test]
    fn what_a_page_repeats_is_hidden_and_the_document_stays_json() {
        let json = json!({ "strings": ["Basic c2VjcmV0\"x", "c2VjcmV0\"x!"] }).to_string();
        let hidden = headers().hide_in_json(&json).into_owned();
        let read: Value = serde_json::from_str(&hidden).unwrap();
        assert_eq!(read, json!({ "strings": ["***", "***!"] }));
        assert!(!format!("{:?}", headers()).contains("c2V"));
    }
}
