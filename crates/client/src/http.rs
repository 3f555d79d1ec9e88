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

/// For the connection.
const CONNECT: Duration = Duration::from_secs(5);
/// For a whole call.
const CALL: Duration = Duration::from_secs(60);
/// For the next piece of a stream; the server sends one every 15 s at least.
const SILENCE: Duration = Duration::from_secs(45);
/// Between two looks at a run, unless said otherwise.
const POLL: Duration = Duration::from_secs(2);
/// How often a call is sent at most, where that is safe.
const TRIES: u32 = 3;
/// What is waited before another try where the server does not say.
const PAUSE: Duration = Duration::from_millis(500);
/// What is waited at most because the server says so. Beyond it the caller is told.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A client of one server, with one key. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    server: ServerUrl,
    authorization: HeaderValue,
    /// Between two looks at a run.
    pub(crate) poll: Duration,
}

/// An answer: what it says, and its bytes as they came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<T> {
    /// What it says.
    pub value: T,
    /// The bytes, which may say more than this client knows.
    pub bytes: Bytes,
}

impl<T> Reply<T> {
    /// The same answer, of which another value is made.
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
    /// A client of this server. It connects when it is first used.
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

    /// The same client with another time between two looks at a run, where the server has no events for it.
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

    /// Sends a call and reads its answer.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        call: Call<'_>,
    ) -> Result<Reply<T>, Error> {
        let bytes = self.bytes(&call).await?;
        let value = serde_json::from_slice(&bytes).map_err(|error| self.strange(error))?;
        Ok(Reply { value, bytes })
    }

    /// Sends a call whose answer has no body.
    pub(crate) async fn tell(&self, call: Call<'_>) -> Result<(), Error> {
        self.bytes(&call).await.map(drop)
    }

    /// Sends a call and reads the bytes of its answer.
    pub(crate) async fn bytes(&self, call: &Call<'_>) -> Result<Bytes, Error> {
        let response = self.send(call, Some(CALL)).await?;
        response
            .bytes()
            .await
            .map_err(|error| self.unreachable(&error))
    }

    /// Sends a call, again where it may go well the next time, until it is answered with success. Without a
    /// time limit the answer may go on for as long as something comes.
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

    /// What a signed link of the server leads to. The link names the server as others know it; it is asked for
    /// where this client knows the server to be, and without the key, which it does not need.
    pub(crate) async fn linked(&self, link: &str) -> Result<Document, Error> {
        let link = Url::parse(link).map_err(|error| self.strange(error))?;
        let place = link.path().rsplit_once("/dl/").map(|(_, place)| place);
        let place = place.ok_or_else(|| self.strange("a link that is none below /dl"))?;
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
        let status = response.status();
        let retry_after = retry_after(&response);
        let body = response.bytes().await.unwrap_or_default();
        match serde_json::from_slice::<Problem>(&body) {
            Ok(problem) => Error::Refused(Box::new(Refusal {
                problem,
                retry_after,
            })),
            Err(_) if status.is_redirection() => {
                self.strange("a redirect, which is not followed with a key")
            }
            Err(_)
                if status == StatusCode::BAD_GATEWAY || status == StatusCode::GATEWAY_TIMEOUT =>
            {
                Error::Unreachable {
                    server: self.server.to_string(),
                    why: format!("something on the way answered {status}"),
                }
            }
            Err(_) => self.strange(format!("status {status} without a problem document")),
        }
    }

    pub(crate) fn strange(&self, why: impl fmt::Display) -> Error {
        Error::Strange {
            server: self.server.to_string(),
            why: why.to_string(),
        }
    }

    pub(crate) fn unreachable(&self, error: &reqwest::Error) -> Error {
        Error::Unreachable {
            server: self.server.to_string(),
            why: innermost(error),
        }
    }
}

/// Connections to one server, whichever key is used on them.
fn connections() -> Result<reqwest::Client, Error> {
    // reqwest uses the provider of the process. Fails if one is installed, which is then used.
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

/// Seconds alone: that is what the server sends.
fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    text.parse().ok().map(Duration::from_secs)
}

/// The cause of all others, without the address.
fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it did not answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
