//! Sends the requests of an audit: counts them, applies the rate limits of the host, and retries.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use url::Url;

use super::added_headers::AddedHeaders;
use super::retry_after::retry_after;
use crate::address::{SiteKey, at_origin};
use crate::egress::{Limiter, MAX_RATE_LIMITED, MAX_RETRY_AFTER, Permit};
use crate::gather::{
    CertificatePolicy, FetchError, FetchErrorKind, Fetcher, Request, Response, TlsFacts,
};

/// Retries after a 429 or 5xx.
const RETRIES: u32 = 2;
/// Consecutive refusals of a host after which there are no retries.
const MAX_CONSECUTIVE_REFUSALS: u32 = 5;
/// The longest pause before a retry.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// The longest pause of the audited site that is awaited. The audit has its own deadline.
const MAX_WAIT_AUDITED: Duration = Duration::from_secs(3_600);
/// The longest pause of another site, of which only links are checked, that is awaited.
const MAX_WAIT_OTHER: Duration = Duration::from_secs(2);

/// Sends requests. Every request of an audit passes through here, so only this type adds headers, and removes
/// their values where a site repeats them.
pub(crate) struct Exchange {
    fetcher: Arc<dyn Fetcher>,
    limiter: Arc<Limiter>,
    pause: Duration,
    added: AddedHeaders,
    requests: AtomicU64,
    /// The audited sites. Other sites are third parties.
    audited: RwLock<Vec<SiteKey>>,
    /// The origins of the audited site whose certificates are invalid, and the reasons. Only the origins of the
    /// start page and of the redirects to it can be among them.
    untrusted: RwLock<Vec<(Url, String)>>,
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
            untrusted: RwLock::default(),
        }
    }

    /// Accepts the certificate of the URL's origin although it failed for this reason, so that the site can be
    /// audited and the report can name the reason. Returns false, and changes nothing, if the run has headers
    /// for the origin: they would not be sent, and the audit would see another site without them.
    pub(crate) fn accept_certificate(&self, url: &Url, reason: &str) -> bool {
        if url.scheme() != "https" || self.added.applies_to(url) {
            return false;
        }
        let mut untrusted = self
            .untrusted
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        untrusted.push((at_origin(url, "/"), reason.to_owned()));
        true
    }

    /// Undoes [`Exchange::accept_certificate`], because the certificate was not the reason.
    pub(crate) fn reject_certificate(&self, url: &Url) {
        let mut untrusted = self
            .untrusted
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        untrusted.retain(|(known, _)| known.origin() != url.origin());
    }

    /// The origins whose certificates are invalid, and the reasons.
    pub(crate) fn untrusted(&self) -> Vec<(Url, String)> {
        let untrusted = self.untrusted.read();
        untrusted.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn certificate_policy(&self, url: &Url) -> CertificatePolicy {
        let untrusted = self
            .untrusted
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if untrusted
            .iter()
            .any(|(known, _)| known.origin() == url.origin())
        {
            CertificatePolicy::Any
        } else {
            CertificatePolicy::Trusted
        }
    }

    /// How many requests were sent, including retries.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Adds the site of the URL to the audited sites. Refusals of audited sites are waited out; refusals of
    /// other sites are not.
    pub(crate) fn adopt(&self, url: &Url) {
        if let Some(key) = SiteKey::from_url(url) {
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

    /// Sends a request. It is retried after a 5xx, a broken connection, or a 429 of the audited site. The last
    /// response counts. After a 429 or 503, no request of any audit goes to the host for a while.
    pub(crate) async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let Some(key) = SiteKey::from_url(&request.url) else {
            let message = "the URL has no host";
            return Err(FetchError::new(FetchErrorKind::NotAllowed, message));
        };
        let is_audited = self.is_audited(&key);
        let max_wait = if is_audited {
            MAX_WAIT_AUDITED
        } else {
            MAX_WAIT_OTHER
        };
        let (mut tries, mut last) = (0, None);
        loop {
            let Some((answer, hopeless)) = self.try_once(request.clone(), &key, max_wait).await
            else {
                return last.unwrap_or_else(|| Err(paused(&key)));
            };
            let again = match &answer {
                Ok(response) => {
                    !hopeless
                        && tries < RETRIES
                        && is_retryable(response.status)
                        && (is_audited || response.status != 429)
                }
                Err(error) => error.kind == FetchErrorKind::Protocol && tries < 1,
            };
            if !again {
                return answer;
            }
            // The limiter already delays all requests to a host that refuses.
            if !answer.as_ref().is_ok_and(refuses) {
                let pause = self.pause.saturating_mul(1 << tries.min(8));
                tokio::time::sleep(pause.min(MAX_PAUSE)).await;
            }
            last = Some(answer);
            tries += 1;
        }
    }

    /// What the TLS endpoint of the URL presents. No request is sent.
    pub(crate) async fn inspect_tls(&self, url: Url) -> Option<TlsFacts> {
        let key = SiteKey::from_url(&url)?;
        let _permit = self.limiter.acquire(key.as_str(), MAX_WAIT_AUDITED).await?;
        self.fetcher.inspect_tls(url).await
    }

    /// One exchange, and whether a retry is hopeless. None if the pause of the host is longer than `max_wait`.
    async fn try_once(
        &self,
        mut request: Request,
        key: &SiteKey,
        max_wait: Duration,
    ) -> Option<(Result<Response, FetchError>, bool)> {
        request.certificate = self.certificate_policy(&request.url);
        self.added.add_to(&mut request);
        let permit = self.limiter.acquire(key.as_str(), max_wait).await?;
        let mut answer = self.fetcher.fetch(request).await;
        if let Ok(response) = &mut answer {
            self.added.hide_in(response);
        }
        let sent = !matches!(&answer, Err(error) if error.kind == FetchErrorKind::NotAllowed);
        self.requests.fetch_add(u64::from(sent), Ordering::Relaxed);
        let hopeless = self.report_to_limiter(&permit, &answer);
        Some((answer, hopeless))
    }

    /// Reports the response to the limiter. Returns whether the host refuses so much that a retry is hopeless.
    fn report_to_limiter(&self, permit: &Permit, answer: &Result<Response, FetchError>) -> bool {
        match answer {
            Ok(response) if refuses(response) => {
                let asked = retry_after(&response.headers);
                let most = if response.status == 429 {
                    MAX_RATE_LIMITED
                } else {
                    MAX_RETRY_AFTER
                };
                let streak = permit.refused(self.pause, asked, most);
                streak >= MAX_CONSECUTIVE_REFUSALS || asked.is_some_and(|asked| asked > most)
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

fn paused(key: &SiteKey) -> FetchError {
    let message = format!("{key} refuses requests for a while (429 or 503)");
    FetchError::new(FetchErrorKind::Timeout, message)
}

/// Whether the host refuses because of too many requests (RFC 6585, section 4; RFC 9110, section 15.6.4).
const fn refuses(response: &Response) -> bool {
    matches!(response.status, 429 | 503)
}

/// Whether the status code is temporary by definition (RFC 6585, section 4; RFC 9110, section 15.6).
const fn is_retryable(status: u16) -> bool {
    matches!(status, 429 | 500 | 502 | 503 | 504)
}
