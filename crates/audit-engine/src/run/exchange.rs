//! Requests as the audit sends them: counted, within the host's limits, retried with patience.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use url::Url;

use super::added_headers::AddedHeaders;
use crate::address::SiteKey;
use crate::egress::Limiter;
use crate::gather::{FetchError, FetchErrorKind, Fetcher, Request, Response};

/// Further tries after an answer of 429 or 5xx.
const RETRIES: u32 = 2;
/// The longest pause before another try.
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// Sends requests. Every request of an audit passes through here, so here alone headers are added,
/// and hidden where a site repeats them.
pub(crate) struct Exchange {
    fetcher: Arc<dyn Fetcher>,
    limiter: Arc<Limiter>,
    pause: Duration,
    added: AddedHeaders,
    requests: AtomicU64,
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exchange")
            .field("requests", &self.requests)
            .finish_non_exhaustive()
    }
}

impl Exchange {
    pub(crate) fn new(
        fetcher: Arc<dyn Fetcher>,
        limiter: Arc<Limiter>,
        pause: Duration,
        added: AddedHeaders,
    ) -> Self {
        Self {
            fetcher,
            limiter,
            pause,
            added,
            requests: AtomicU64::new(0),
        }
    }

    /// How many requests were sent, repeated ones included.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Sends a request; answers 429 and 5xx, and connections that broke, are tried again.
    pub(crate) async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let mut tries = 0;
        loop {
            let answer = self.once(request.clone()).await;
            let again = match &answer {
                Ok(response) => worth_another_try(response.status) && tries < RETRIES,
                Err(error) => error.kind == FetchErrorKind::Protocol && tries < 1,
            };
            if !again {
                return answer;
            }
            let pause = self.pause.saturating_mul(1 << tries.min(8));
            let asked = answer
                .as_ref()
                .ok()
                .and_then(retry_after)
                .unwrap_or_default();
            tokio::time::sleep(pause.max(asked).min(MAX_PAUSE)).await;
            tries += 1;
        }
    }

    async fn once(&self, mut request: Request) -> Result<Response, FetchError> {
        self.added.add_to(&mut request);
        let _permit = self.limiter.acquire(&host_key(&request.url)).await;
        let mut answer = self.fetcher.fetch(request).await;
        if let Ok(response) = &mut answer {
            self.added.hide_in(response);
        }
        let sent = !matches!(&answer, Err(error) if error.kind == FetchErrorKind::NotAllowed);
        self.requests.fetch_add(u64::from(sent), Ordering::Relaxed);
        answer
    }
}

/// Temporary by their definition (RFC 6585, section 4; RFC 9110, section 15.6).
const fn worth_another_try(status: u16) -> bool {
    matches!(status, 429 | 500 | 502 | 503 | 504)
}

/// `Retry-After` in seconds; a date is not worth a clock here.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers.get("retry-after")?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// What limits are kept by: the site, so that http and https, with and without `www.`, share them.
pub(crate) fn host_key(url: &Url) -> String {
    SiteKey::of(url)
        .map(|key| key.to_string())
        .unwrap_or_default()
}
