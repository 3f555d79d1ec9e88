//! Requests as the audit sends them: counted, within the host's limits, retried with patience.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use url::Url;

use super::added_headers::AddedHeaders;
use super::retry_after::retry_after;
use crate::address::SiteKey;
use crate::egress::{Limiter, MAX_RATE_LIMITED, MAX_RETRY_AFTER, Permit};
use crate::gather::{FetchError, FetchErrorKind, Fetcher, Request, Response, TlsFacts};

/// Further tries after an answer of 429 or 5xx.
const RETRIES: u32 = 2;
/// Refusals of a host one after the other, after which nothing is tried again.
const GIVE_UP: u32 = 5;
/// The longest pause before another try.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// How long the audited site may want to be left alone. Its audit has a deadline of its own.
const PATIENT: Duration = Duration::from_secs(3_600);
/// How long another site, of which only links are checked, may want to be left alone.
const IMPATIENT: Duration = Duration::from_secs(2);

/// Sends requests. Every request of an audit passes through here, so here alone headers are added,
/// and hidden where a site repeats them.
pub(crate) struct Exchange {
    fetcher: Arc<dyn Fetcher>,
    limiter: Arc<Limiter>,
    pause: Duration,
    added: AddedHeaders,
    requests: AtomicU64,
    /// The sites that the audit is of. Others are strangers to whom it only looks.
    audited: RwLock<Vec<SiteKey>>,
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
            audited: RwLock::default(),
        }
    }

    /// How many requests were sent, repeated ones included.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Counts the site of the URL among those that the audit is of. They are waited for when they
    /// refuse; other sites are not.
    pub(crate) fn adopt(&self, url: &Url) {
        if let Some(key) = SiteKey::of(url) {
            let mut audited = self.audited.write().unwrap_or_else(PoisonError::into_inner);
            if !audited.contains(&key) {
                audited.push(key);
            }
        }
    }

    fn is_audited(&self, key: &SiteKey) -> bool {
        let audited = self.audited.read().unwrap_or_else(PoisonError::into_inner);
        audited.contains(key)
    }

    /// Sends a request. Answers of 5xx are tried again, and so are connections that broke, and 429 of
    /// the audited site; the last answer counts. An answer of 429 or 503 makes everybody leave the
    /// host alone for a while.
    pub(crate) async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let Some(key) = SiteKey::of(&request.url) else {
            let message = "the URL has no host";
            return Err(FetchError::new(FetchErrorKind::NotAllowed, message));
        };
        let is_audited = self.is_audited(&key);
        let patience = if is_audited { PATIENT } else { IMPATIENT };
        let (mut tries, mut last) = (0, None);
        loop {
            let Some((answer, hopeless)) = self.once(request.clone(), &key, patience).await else {
                return last.unwrap_or_else(|| Err(left_alone(&key)));
            };
            let again = match &answer {
                Ok(response) => {
                    !hopeless
                        && tries < RETRIES
                        && worth_another_try(response.status)
                        && (is_audited || response.status != 429)
                }
                Err(error) => error.kind == FetchErrorKind::Protocol && tries < 1,
            };
            if !again {
                return answer;
            }
            // A host that refuses is waited for by everybody, before the next request to it.
            if !answer.as_ref().is_ok_and(refuses) {
                let pause = self.pause.saturating_mul(1 << tries.min(8));
                tokio::time::sleep(pause.min(MAX_PAUSE)).await;
            }
            last = Some(answer);
            tries += 1;
        }
    }

    /// What the TLS endpoint behind the URL shows of itself. No request is sent.
    pub(crate) async fn inspect_tls(&self, url: Url) -> Option<TlsFacts> {
        let key = SiteKey::of(&url)?;
        let _permit = self.limiter.acquire(key.as_str(), PATIENT).await?;
        self.fetcher.inspect_tls(url).await
    }

    /// One exchange, and whether another try is hopeless; none where the host wants to be left
    /// alone for longer than `patience`.
    async fn once(
        &self,
        mut request: Request,
        key: &SiteKey,
        patience: Duration,
    ) -> Option<(Result<Response, FetchError>, bool)> {
        self.added.add_to(&mut request);
        let permit = self.limiter.acquire(key.as_str(), patience).await?;
        let mut answer = self.fetcher.fetch(request).await;
        if let Ok(response) = &mut answer {
            self.added.hide_in(response);
        }
        let sent = !matches!(&answer, Err(error) if error.kind == FetchErrorKind::NotAllowed);
        self.requests.fetch_add(u64::from(sent), Ordering::Relaxed);
        let hopeless = self.learn(&permit, &answer);
        Some((answer, hopeless))
    }

    /// Tells the limiter how the host answers; whether it refuses so much that another try is hopeless.
    fn learn(&self, permit: &Permit, answer: &Result<Response, FetchError>) -> bool {
        match answer {
            Ok(response) if refuses(response) => {
                let asked = retry_after(&response.headers);
                let most = if response.status == 429 {
                    MAX_RATE_LIMITED
                } else {
                    MAX_RETRY_AFTER
                };
                let streak = permit.refused(self.pause, asked, most);
                streak >= GIVE_UP || asked.is_some_and(|asked| asked > most)
            }
            Ok(response) => {
                permit.answered(response.time_to_first_byte);
                false
            }
            Err(error) => {
                if error.kind == FetchErrorKind::Timeout {
                    permit.timed_out();
                }
                false
            }
        }
    }
}

fn left_alone(key: &SiteKey) -> FetchError {
    let message = format!("{key} asked to be left alone for a while");
    FetchError::new(FetchErrorKind::Timeout, message)
}

/// Whether the host asks not to be asked so much (RFC 6585, section 4; RFC 9110, section 15.6.4).
const fn refuses(response: &Response) -> bool {
    matches!(response.status, 429 | 503)
}

/// Temporary by their definition (RFC 6585, section 4; RFC 9110, section 15.6).
const fn worth_another_try(status: u16) -> bool {
    matches!(status, 429 | 500 | 502 | 503 | 504)
}
