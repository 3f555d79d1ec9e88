//! Requests well-known URLs. Each is one request on the site's own origin, unless stated otherwise, and each
//! counts in `coverage`:
//!
//! - `/robots.txt` (requested before anything else)
//! - `/sitemap.xml` and `/sitemap_index.xml`, if robots.txt lists no sitemap (see `sitemaps`)
//! - `/assay-probe-` and sixteen hexadecimal digits, which cannot exist. If it returns a success, another URL
//!   with other digits is requested, because one response may be a coincidence
//! - `/llms.txt`
//! - `/.well-known/security.txt`
//! - the start page over plain http, if the site is on https
//! - the start page with or without `www.`, whichever its host does not use, over its own scheme and over http,
//!   if the host is a registrable domain. The robots.txt of these origins comes first
//! - pages that look like error pages, and a URL beside each (see `soft_404_probes`)
//! - the start page over https, with HEAD, if the site is on plain http
//! - the start page with an `Origin` header
//! - the start page four times, to measure its time to first byte
//!
//! In addition, at most four TLS handshakes show the site's certificates and the old versions that it accepts.
//! No request is sent with them.

use std::time::Duration;

use data_encoding::HEXLOWER;
use domain::target::is_loopback_origin;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::address::{SiteKey, at_origin};
use crate::bounds::crawl::MAX_PROBE_BYTES;
use crate::fetch::exchange::Exchange;
use crate::fetch::follow::follow;
use crate::fetch::follow::probe_of;
use crate::fetch::origins::Origins;
use crate::gather::{BodyPolicy, FetchError, FetchErrorKind, Request, TlsFacts};
use crate::site::{Probe, Probes};

const FIRST_BYTE_SAMPLES: usize = 3;
const SLOW: Duration = Duration::from_secs(5);
/// A host name that cannot exist (RFC 6761, section 6.4).
const FOREIGN_ORIGIN: &str = "https://assay-probe.invalid";

/// Requests each URL that robots.txt does not disallow.
pub(crate) async fn gather(place: &Places<'_>, robots_txt: Probe) -> Probes {
    let start = place.start;
    let missing_page = place.missing(0).await;
    let exists = missing_page.as_ref().and_then(Probe::success).is_some();
    let https_twin = place.https_twin().await;
    Probes {
        robots_txt: Some(robots_txt),
        missing_page_again: if exists { place.missing(8).await } else { None },
        missing_page,
        llms_txt: place
            .request(at_origin(start, "/llms.txt"), Vec::new())
            .await,
        security_txt: place
            .request(at_origin(start, "/.well-known/security.txt"), Vec::new())
            .await,
        plain_http: place.plain_http().await,
        other_hosts: place.other_hosts().await,
        error_pages: Vec::new(),
        tls: place.tls(https_twin.as_ref()).await,
        https_twin,
        foreign_origin: place
            .request(
                start.clone(),
                vec![("origin".to_owned(), FOREIGN_ORIGIN.to_owned())],
            )
            .await,
        first_byte: place.first_byte().await,
    }
}

/// The same digits on every run, so that two audits of a site send the same requests.
fn digits(key: &SiteKey, from: usize) -> String {
    let digest = Sha256::digest(key.as_str().as_bytes());
    HEXLOWER.encode(digest.get(from..from + 8).unwrap_or_default())
}

/// The URL with `www.` if its host is a registrable domain, and without `www.` if it is one with it.
fn other_host(url: &Url) -> Option<Url> {
    if is_loopback_origin(url) {
        return None;
    }
    let host = url.domain().filter(|_| url.port().is_none())?;
    let name = match host.strip_prefix("www.") {
        Some(bare) if psl::domain_str(bare) == Some(bare) => bare.to_owned(),
        None if psl::domain_str(host) == Some(host) => format!("www.{host}"),
        _ => return None,
    };
    let mut other = url.clone();
    other.set_host(Some(&name)).ok()?;
    Some(other)
}

/// The site whose well-known URLs are requested.
pub(crate) struct Places<'a> {
    pub(crate) exchange: &'a Exchange,
    pub(crate) start: &'a Url,
    pub(crate) key: &'a SiteKey,
    pub(crate) origins: &'a Origins,
    /// A URL that has not responded by then counts as timed out.
    pub(crate) until: Instant,
}

impl Places<'_> {
    fn may_ask(&self, url: &Url) -> bool {
        self.origins.rules().allows_url(url)
    }

    /// Eight bytes of the site's hash.
    pub(crate) fn digits(&self, from: usize) -> String {
        digits(self.key, from)
    }

    /// Requests a URL, unless robots.txt disallows it.
    pub(crate) async fn request(&self, url: Url, headers: Vec<(String, String)>) -> Option<Probe> {
        if !self.may_ask(&url) {
            return None;
        }
        // Other origins of the site have their own robots.txt.
        let others = timeout_at(self.until, self.origins.allow(self.exchange, &url)).await;
        if !matches!(others, Ok(Ok(true))) {
            return None;
        }
        let mut request = Request::get(url.clone(), MAX_PROBE_BYTES);
        request.headers = headers;
        Some(self.follow(&url, request, 5).await)
    }

    /// Sends the request for the URL and follows at most `most` redirects within the site.
    async fn follow(&self, url: &Url, request: Request, most: usize) -> Probe {
        let within = |url: &Url| self.key.contains(url);
        self.follow_where(url, request, most, within).await
    }

    /// Sends the request and follows redirects within the site, but not to the start page's own host, whose
    /// response is known.
    async fn follow_variant(&self, url: &Url, request: Request) -> Probe {
        let beside = |url: &Url| self.key.contains(url) && url.host_str() != self.start.host_str();
        self.follow_where(url, request, 5, beside).await
    }

    async fn follow_where(
        &self,
        url: &Url,
        request: Request,
        most: usize,
        may_follow: impl Fn(&Url) -> bool,
    ) -> Probe {
        let following = follow(self.exchange, request, most, may_follow);
        match timeout_at(self.until, following).await {
            Ok(followed) => probe_of(url, followed.hops, followed.answer),
            Err(_) => {
                let message = "the response did not arrive in time";
                let error = FetchError::new(FetchErrorKind::Timeout, message);
                probe_of(url, Vec::new(), Err(error))
            }
        }
    }

    /// Requests a URL that cannot exist. `from` selects the digits of the site's hash.
    async fn missing(&self, from: usize) -> Option<Probe> {
        let path = format!("/assay-probe-{}", self.digits(from));
        self.request(at_origin(self.start, &path), Vec::new()).await
    }

    async fn plain_http(&self) -> Option<Probe> {
        // A site on a nondefault port has no plain http counterpart at a known port.
        if self.start.scheme() != "https" || self.start.port().is_some() {
            return None;
        }
        let mut url = self.start.clone();
        url.set_scheme("http").ok()?;
        if !self.may_ask(&url) {
            return None;
        }
        let mut request = Request::get(url.clone(), MAX_PROBE_BYTES);
        request.body = BodyPolicy::Skip;
        Some(self.follow(&url, request, 10).await)
    }

    /// The start page at the other variant of its host name. It is not requested if that host's robots.txt
    /// disallows it or does not respond.
    async fn other_hosts(&self) -> Vec<Probe> {
        let Some(other) = other_host(self.start) else {
            return Vec::new();
        };
        let mut plain = other.clone();
        // This only fails for URLs whose scheme cannot be changed, and those are not http(s).
        let _ = plain.set_scheme("http");
        let mut urls = vec![other];
        if !urls.contains(&plain) {
            urls.push(plain);
        }
        let mut probes = Vec::new();
        for url in urls {
            let allowed = timeout_at(self.until, self.origins.allow(self.exchange, &url)).await;
            match allowed {
                Ok(Ok(true)) => {
                    let request = Request::get(url.clone(), MAX_PROBE_BYTES);
                    probes.push(self.follow_variant(&url, request).await);
                }
                Ok(Ok(false)) => {}
                // If a name does not resolve, already the request for robots.txt fails.
                Ok(Err(error)) => probes.push(probe_of(&url, Vec::new(), Err(error))),
                Err(_) => break,
            }
        }
        probes
    }

    /// The start page's URL on https, if the site is on http and uses the default port.
    fn https_address(&self) -> Option<Url> {
        if self.start.scheme() != "http"
            || self.start.port().is_some()
            || is_loopback_origin(self.start)
        {
            return None;
        }
        let mut url = self.start.clone();
        url.set_scheme("https").ok()?;
        Some(url)
    }

    async fn https_twin(&self) -> Option<Probe> {
        let url = self.https_address().filter(|url| self.may_ask(url))?;
        Some(self.follow(&url, Request::head(url.clone()), 5).await)
    }

    /// The endpoint of the site itself, or of its https counterpart if a TLS server responds there.
    async fn tls(&self, twin: Option<&Probe>) -> Option<TlsFacts> {
        let url = if self.start.scheme() == "https" && !is_loopback_origin(self.start) {
            self.start.clone()
        } else {
            let speaks_tls =
                |probe: &&Probe| matches!(&probe.result, Ok(_) | Err((FetchErrorKind::Tls, _)));
            twin.filter(speaks_tls)?.requested.clone()
        };
        let inspecting = self.exchange.inspect_tls(url);
        timeout_at(self.until, inspecting).await.ok().flatten()
    }

    async fn first_byte(&self) -> Vec<Duration> {
        let mut samples = Vec::new();
        // The first request opens the connection that the others reuse.
        for index in 0..=FIRST_BYTE_SAMPLES {
            let request = Request::page(self.start.clone(), MAX_PROBE_BYTES);
            let begun = Instant::now();
            match timeout_at(self.until, self.exchange.send(request)).await {
                Ok(Ok(response)) if index > 0 => samples.push(response.time_to_first_byte),
                Ok(Ok(_)) => {}
                Ok(Err(_)) => return Vec::new(),
                // The measurements so far remain valid.
                Err(_) => break,
            }
            // A slow body is not awaited again.
            if begun.elapsed() > SLOW {
                break;
            }
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_registrable_domains_have_another_host_variant() {
        let other = |url: &str| other_host(&Url::parse(url).unwrap()).map(String::from);
        assert_eq!(
            other("https://example.com/a").as_deref(),
            Some("https://www.example.com/a")
        );
        assert_eq!(
            other("http://www.example.co.uk/").as_deref(),
            Some("http://example.co.uk/")
        );
        for url in [
            "https://docs.example.com/",
            "https://www.docs.example.com/",
            "https://example.com:8443/",
            "https://co.uk/",
            "http://127.0.0.1/",
            "http://localhost/",
        ] {
            assert_eq!(other(url), None, "{url}");
        }
    }
}
