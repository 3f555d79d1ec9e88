//! Requests to sites, counted.

use std::sync::Arc;
use std::time::Instant;

use audit_engine::gather::{FetchFuture, Fetcher, Request, TlsFuture};
use url::Url;

use crate::metrics;

/// Counts what goes through a fetcher.
pub(super) struct Counted(pub(super) Arc<dyn Fetcher>);

impl Fetcher for Counted {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        Box::pin(async move {
            let began = Instant::now();
            let answer = self.0.fetch(request).await;
            let (outcome, bytes) = match &answer {
                Ok(answer) => (class(answer.status), answer.wire_bytes),
                Err(_) => ("error", 0),
            };
            metrics::fetched(outcome, bytes, began.elapsed());
            answer
        })
    }

    fn inspect_tls(&self, url: Url) -> TlsFuture<'_> {
        self.0.inspect_tls(url)
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
