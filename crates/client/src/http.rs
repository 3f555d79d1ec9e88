//! Calls over HTTP.

use std::fmt;
use std::time::Duration;

use api_types::problem::Problem;
use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Response, StatusCode, redirect};
use serde::de::DeserializeOwned;
use tokio::time::sleep;
use url::Url;

use crate::call::Call;
use crate::reports::DOCUMENT;
use crate::{ApiKey, Document, Error, Refusal, ServerUrl};

/// The connect timeout.
const CONNECT: Duration = Duration::from_secs(5);
/// The timeout of a whole request.
const CALL: Duration = Duration::from_secs(60);
/// The timeout between two chunks of a stream; the server sends one at least every 15 s.
const SILENCE: Duration = Duration::from_secs(45);
/// The default polling interval of a run.
const POLL: Duration = Duration::from_secs(2);
/// The maximum number of attempts of an idempotent request.
const TRIES: u32 = 3;
/// The retry delay without `Retry-After`.
const PAUSE: Duration = Duration::from_millis(500);
/// The maximum `Retry-After` that is waited for. A longer one is returned as an error.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A client of one server, with one key. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    server: ServerUrl,
    authorization: HeaderValue,
    /// The polling interval of a run.
    pub(crate) poll: Duration,
}

/// A response: its parsed value and its raw bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<T> {
    /// The parsed value.
    pub value: T,
    /// The raw bytes, which may contain fields unknown to this client.
    pub bytes: Bytes,
}

impl<T> Reply<T> {
    /// The same response with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Reply<U> {
        Reply {
            value: change(self.value),
            bytes: self.bytes,
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// A client for this server. It connects on first use.
    ///
    /// # Errors
    /// [`Error::Setup`] when the system has no certificates, for example.
    pub fn new(server: ServerUrl, key: &ApiKey) -> Result<Self, Error> {
        let http = connections()?;
        Self::over(http, server, key)
    }

    /// The same server with another key, over the same connections.
    ///
    /// # Errors
    /// [`Error::Key`] when the key cannot be sent.
    pub fn with_key(&self, key: &ApiKey) -> Result<Self, Error> {
        Self::over(self.http.clone(), self.server.clone(), key)
    }

    fn over(http: reqwest::Client, server: ServerUrl, key: &ApiKey) -> Result<Self, Error> {
        let mut authorization =
            HeaderValue::from_str(&key.authorization()).map_err(|_| Error::Key)?;
        authorization.set_sensitive(true);
        Ok(Self {
            http,
            server,
            authorization,
            poll: POLL,
        })
    }

    /// The same client with another polling interval, used if the server has no event stream.
    #[must_use]
    pub const fn polling_every(mut self, poll: Duration) -> Self {
        self.poll = poll;
        self
    }

    /// The server.
    #[must_use]
    pub const fn server(&self) -> &ServerUrl {
        &self.server
    }

    /// Sends a request and parses its response.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        call: Call<'_>,
    ) -> Result<Reply<T>, Error> {
        let bytes = self.bytes(&call).await?;
        let value = serde_json::from_slice(&bytes).map_err(|error| self.strange(error))?;
        Ok(Reply { value, bytes })
    }

    /// Sends a request whose response has no body.
    pub(crate) async fn send_only(&self, call: Call<'_>) -> Result<(), Error> {
        self.bytes(&call).await.map(drop)
    }

    /// Sends a request and reads the bytes of its response.
    pub(crate) async fn bytes(&self, call: &Call<'_>) -> Result<Bytes, Error> {
        let response = self.send(call, Some(CALL)).await?;
        response
            .bytes()
            .await
            .map_err(|error| self.unreachable(&error))
    }

    /// Sends a request and retries it after temporary errors if it is idempotent. Without a timeout, the
    /// response can continue as long as data arrives.
    pub(crate) async fn send(
        &self,
        call: &Call<'_>,
        limit: Option<Duration>,
    ) -> Result<Response, Error> {
        let mut tries = 1;
        loop {
            let outcome = self.send_once(call, limit).await;
            let Err(error) = outcome else {
                return outcome;
            };
            let pause = match &error {
                Error::Refused(refusal) => refusal.retry_after.unwrap_or(PAUSE),
                _ => PAUSE,
            };
            let again = error.is_passing() && call.is_repeatable() && pause <= LONGEST_PAUSE;
            if !again || tries == TRIES {
                return Err(error);
            }
            tries += 1;
            sleep(pause).await;
        }
    }

    pub(crate) async fn send_once(
        &self,
        call: &Call<'_>,
        limit: Option<Duration>,
    ) -> Result<Response, Error> {
        let mut url = self.server.join(&call.path)?;
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&call.query);
        }
        let mut request = self
            .http
            .request(call.method.clone(), url)
            .header(AUTHORIZATION, &self.authorization);
        if let Some(limit) = limit {
            request = request.timeout(limit).header(ACCEPT, JSON);
        }
        if let Some(key) = &call.once {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = &call.body {
            request = request.header(CONTENT_TYPE, JSON).body(body.clone());
        }
        let response = request
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refused(response).await)
    }

    /// Downloads a signed link of the server. The link has the server's public base URL; the client requests it
    /// at its own server URL and without the key, which is not needed.
    pub(crate) async fn linked(&self, link: &str) -> Result<Document, Error> {
        let link = Url::parse(link).map_err(|error| self.strange(error))?;
        let place = link.path().rsplit_once("/dl/").map(|(_, place)| place);
        let place = place.ok_or_else(|| self.strange("a link that is not below /dl"))?;
        let segments: Vec<&str> = ["dl"].into_iter().chain(place.split('/')).collect();
        let mut url = self.server.join(&segments)?;
        url.set_query(link.query());
        let request = self.http.get(url).timeout(DOCUMENT);
        let response = request
            .send()
            .await
            .map_err(|error| self.unreachable(&error))?;
        if response.status().is_success() {
            return self.document(response).await;
        }
        Err(self.refused(response).await)
    }

    async fn refused(&self, response: Response) -> Error {
        refused(&self.server, response).await
    }

    pub(crate) fn strange(&self, why: impl fmt::Display) -> Error {
        strange(&self.server, why)
    }

    pub(crate) fn unreachable(&self, error: &reqwest::Error) -> Error {
        unreachable(&self.server, error)
    }
}

/// The error that a response without success stands for.
pub(crate) async fn refused(server: &ServerUrl, response: Response) -> Error {
    let status = response.status();
    let retry_after = retry_after(&response);
    let body = response.bytes().await.unwrap_or_default();
    match serde_json::from_slice::<Problem>(&body) {
        Ok(problem) => Error::Refused(Box::new(Refusal {
            problem,
            retry_after,
        })),
        Err(_) if status.is_redirection() => {
            strange(server, "a redirect, which the client does not follow")
        }
        Err(_) if status == StatusCode::BAD_GATEWAY || status == StatusCode::GATEWAY_TIMEOUT => {
            Error::Unreachable {
                server: server.to_string(),
                why: format!("a proxy returned status {status}"),
            }
        }
        Err(_) => strange(
            server,
            format!("status {status} without a problem document"),
        ),
    }
}

fn strange(server: &ServerUrl, why: impl fmt::Display) -> Error {
    Error::Strange {
        server: server.to_string(),
        why: why.to_string(),
    }
}

pub(crate) fn unreachable(server: &ServerUrl, error: &reqwest::Error) -> Error {
    Error::Unreachable {
        server: server.to_string(),
        why: innermost(error),
    }
}

/// Connections to one server, shared by all keys.
pub(crate) fn connections() -> Result<reqwest::Client, Error> {
    // reqwest uses the crypto provider of the process. This fails if one is already installed, which is then used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .user_agent(concat!("assay-client/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .build()
        .map_err(|error| Error::Setup(innermost(&error)))
}

/// Only seconds, because the server sends no dates.
fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    text.parse().ok().map(Duration::from_secs)
}

/// The root cause, without the URL.
fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "the request timed out".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
