//! Request metrics of audits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use audit_engine::gather::{FetchFuture, Fetcher, Request, TlsFuture};
use url::Url;

/// Receives the outcome of a request, its bytes on the wire, and its duration.
pub(super) type FetchCounter = Arc<dyn Fn(&'static str, u64, Duration) + Send + Sync>;

/// All outcome labels of requests.
pub(super) const OUTCOMES: [&str; 6] = ["2xx", "3xx", "4xx", "5xx", "other", "error"];

/// Counts the requests of a fetcher.
pub(super) struct Counted {
    pub(super) fetcher: Arc<dyn Fetcher>,
    pub(super) count: FetchCounter,
}

impl Fetcher for Counted {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        Box::pin(async move {
            let began = Instant::now();
            let answer = self.fetcher.fetch(request).await;
            let (outcome, bytes) = match &answer {
                Ok(answer) => (class(answer.status), answer.wire_bytes),
                Err(_) => ("error", 0),
            };
            (self.count)(outcome, bytes, began.elapsed());
            answer
        })
    }

    fn inspect_tls(&self, url: Url) -> TlsFuture<'_> {
        self.fetcher.inspect_tls(url)
    }
}

const fn class(status: u16) -> &'static str {
    match status {
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        500..=599 => "5xx",
        _ => "other",
    }
}
