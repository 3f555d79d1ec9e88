//! A fetcher that responds from a recording.

use std::sync::{Arc, Mutex, PoisonError};

use audit_engine::gather::{
    FetchFuture, Fetcher, Method, Recording, RecordingError, Request, TlsFuture,
};
use url::Url;

/// A logged request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requested {
    /// The method.
    pub method: Method,
    /// The URL.
    pub url: Url,
    /// The `Accept` header.
    pub accept: &'static str,
    /// Further request headers.
    pub headers: Vec<(String, String)>,
}

/// Responds from a [`Recording`] and logs the requests in order.
///
/// Clones share the log, so a test can keep one while the engine owns another.
///
/// ```
/// use testkit::ReplayFetcher;
///
/// let fetcher = ReplayFetcher::parse("=== /\n<!doctype html><title>Home</title>\n")?;
/// assert_eq!(fetcher.count(), 0);
/// # Ok::<(), audit_engine::gather::RecordingError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReplayFetcher {
    recording: Arc<Recording>,
    log: Arc<Mutex<Vec<Requested>>>,
}

impl ReplayFetcher {
    /// A fetcher that responds from the recording.
    #[must_use]
    pub fn new(recording: Recording) -> Self {
        Self {
            recording: Arc::new(recording),
            log: Arc::default(),
        }
    }

    /// A fetcher that responds from the text form of a recording.
    ///
    /// # Errors
    /// If the text is not a valid recording.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        Ok(Self::new(Recording::parse(text)?))
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Requested> {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Every request so far as `GET https://example.com/`, in order.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.requests()
            .iter()
            .map(|request| format!("{} {}", request.method.as_str(), request.url))
            .collect()
    }

    /// The number of requests.
    #[must_use]
    pub fn count(&self) -> usize {
        self.requests().len()
    }

    /// The number of requests for the URL, with any method.
    #[must_use]
    pub fn hits(&self, url: &str) -> usize {
        self.requests()
            .iter()
            .filter(|request| request.url.as_str() == url)
            .count()
    }
}

impl Fetcher for ReplayFetcher {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Requested {
                method: request.method,
                url: request.url.clone(),
                accept: request.accept,
                headers: request.headers.clone(),
            });
        self.recording.fetch(request)
    }

    fn inspect_tls(&self, url: Url) -> TlsFuture<'_> {
        self.recording.inspect_tls(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_recording_responds_and_requests_are_logged_in_order() {
        let fetcher = ReplayFetcher::parse("=== /\n<title>Home</title>\n").unwrap();
        let kept = fetcher.clone();
        let home: Url = "https://example.com/".parse().unwrap();
        let about = home.join("/about").unwrap();
        let answer = fetcher.fetch(Request::get(home, 1_000)).await.unwrap();
        assert_eq!(
            (answer.status, &answer.body[..]),
            (200, &b"<title>Home</title>"[..])
        );
        let answer = fetcher.fetch(Request::head(about)).await.unwrap();
        assert_eq!(answer.status, 404);
        assert_eq!(
            kept.log(),
            ["GET https://example.com/", "HEAD https://example.com/about"]
        );
        assert_eq!(kept.hits("https://example.com/about"), 1);
    }
}
