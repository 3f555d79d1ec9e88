//! Sends POST requests: webhook deliveries.

use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT};
use url::Url;

use super::client::GuardedFetcher;
use crate::address::without_fragment;
use crate::gather::{FetchError, FetchErrorKind};

/// How much of a response body is read, so that the connection can be reused. The rest is not awaited.
const READ_AT_MOST: usize = 16 * 1024;
const READ_AT_MOST_FOR: Duration = Duration::from_secs(1);

/// A JSON body to send to a URL. Redirects are not followed.
#[derive(Clone)]
pub struct Post {
    /// The target. Its fragment is not sent.
    pub url: String,
    /// Further headers, with lower-case names.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Bytes,
    /// The timeout for the whole exchange, including the DNS lookup.
    pub patience: Duration,
}

/// The response. Its body is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posted {
    /// The status code.
    pub status: u16,
    /// The `Retry-After` header, if its value is text.
    pub retry_after: Option<String>,
    /// How long it took.
    pub took: Duration,
}

impl GuardedFetcher {
    /// Sends JSON to a target that passes both gates, with the same steps as a fetch: the name is resolved and
    /// all of its addresses are checked first, the connection goes to one of these, and its peer is checked
    /// again.
    ///
    /// # Errors
    /// If the target is not allowed or not reachable, or there is no response in time.
    pub async fn post(&self, post: Post) -> Result<Posted, FetchError> {
        let Ok(url) = Url::parse(&post.url) else {
            let text = "the address is not a URL";
            return Err(FetchError::new(FetchErrorKind::NotAllowed, text));
        };
        let host = url.host_str().unwrap_or_default().to_owned();
        let patience = post.patience;
        let sending = tokio::time::timeout(patience, self.send_post(url, post)).await;
        let (posted, answer) = sending.unwrap_or_else(|_| {
            let text = format!("{host} did not respond within {} s", patience.as_secs());
            Err(FetchError::new(FetchErrorKind::Timeout, text))
        })?;
        // The status is known. A slow body does not change it.
        let _ = tokio::time::timeout(READ_AT_MOST_FOR, finish(answer)).await;
        Ok(posted)
    }

    async fn send_post(
        &self,
        url: Url,
        post: Post,
    ) -> Result<(Posted, reqwest::Response), FetchError> {
        let begun = Instant::now();
        let target = self.gate(&url).await?;
        let host = target.host;
        let sending = self
            .client
            .post(without_fragment(&url))
            .headers(self.headers_of_post(&post.headers))
            .body(post.body)
            .send();
        let answer = match target.pin {
            Some(pin) => pin.hold(sending).await,
            None => sending.await,
        }
        .map_err(|error| self.classify(&error, &host))?;
        self.check_peer(&answer, &url)?;
        let retry_after = answer.headers().get(RETRY_AFTER);
        let posted = Posted {
            status: answer.status().as_u16(),
            retry_after: retry_after.and_then(|value| value.to_str().ok().map(str::to_owned)),
            took: begun.elapsed(),
        };
        Ok((posted, answer))
    }

    fn headers_of_post(&self, further: &[(&'static str, String)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in further {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        headers
    }
}

/// Reads the beginning of the response body.
async fn finish(mut answer: reqwest::Response) {
    let mut read = 0;
    while read < READ_AT_MOST {
        match answer.chunk().await {
            Ok(Some(piece)) => read += piece.len(),
            Ok(None) | Err(_) => return,
        }
    }
}
