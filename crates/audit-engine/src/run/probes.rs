//! Asks for well-known places. Each is one request on the site's own origin, and every one counts
//! in `coverage`:
//!
//! - `/robots.txt` (asked for before anything else)
//! - `/sitemap.xml` and `/sitemap_index.xml`, where robots.txt names no sitemap (see `sitemaps`)
//! - `/assay-probe-` and sixteen hexadecimal digits, which cannot exist; where it answers with
//!   success, another one with other digits, since one answer may be chance
//! - `/llms.txt`
//! - `/.well-known/security.txt`
//! - the start page over plain http, when the site is on https
//! - the start page over https, by HEAD, when the site is on plain http
//! - the start page with an `Origin` header
//! - the start page four times, to measure its first byte
//!
//! Besides, four TLS handshakes at most show the site's certificates and which old versions it accepts.
//! No request is sent with them.

use std::time::Duration;

use domain::target::is_loopback_origin;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::exchange::Exchange;
use super::follow::follow;
use super::start::probe_of;
use crate::address::{SiteKey, at_origin};
use crate::gather::robots::RobotsRules;
use crate::gather::{BodyPolicy, FetchError, FetchErrorKind, Request, TlsFacts};
use crate::site::{Probe, Probes};

const MAX_PROBE_BYTES: u64 = 512 * 1024;
const FIRST_BYTE_SAMPLES: usize = 3;
const SLOW: Duration = Duration::from_secs(5);
/// Names a site that cannot exist (RFC 6761, section 6.4).
const FOREIGN_ORIGIN: &str = "https://assay-probe.invalid";

/// Asks for each place that robots.txt does not forbid. What has not answered by `until` counts as
/// having timed out.
pub(crate) async fn gather(
    exchange: &Exchange,
    start: &Url,
    key: &SiteKey,
    robots: &RobotsRules,
    robots_txt: Probe,
    until: Instant,
) -> Probes {
    let place = Places {
        exchange,
        start,
        key,
        robots,
        until,
    };
    let missing_page = place.missing(0).await;
    let exists = missing_page.as_ref().and_then(Probe::success).is_some();
    let https_twin = place.https_twin().await;
    Probes {
        robots_txt: Some(robots_txt),
        missing_page_again: if exists { place.missing(8).await } else { None },
        missing_page,
        llms_txt: place.ask(at_origin(start, "/llms.txt"), Vec::new()).await,
        security_txt: place
            .ask(at_origin(start, "/.well-known/security.txt"), Vec::new())
            .await,
        plain_http: place.plain_http().await,
        tls: place.tls(https_twin.as_ref()).await,
        https_twin,
        foreign_origin: place
            .ask(
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
    digest
        .iter()
        .skip(from)
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

struct Places<'a> {
    exchange: &'a Exchange,
    start: &'a Url,
    key: &'a SiteKey,
    robots: &'a RobotsRules,
    until: Instant,
}

impl Places<'_> {
    fn may_ask(&self, url: &Url) -> bool {
        self.robots.allows_url(url)
    }

    async fn ask(&self, url: Url, headers: Vec<(String, String)>) -> Option<Probe> {
        if !self.may_ask(&url) {
            return None;
        }
        let mut request = Request::get(url.clone(), MAX_PROBE_BYTES);
        request.headers = headers;
        Some(self.follow(&url, request, 5).await)
    }

    /// Sends the request for the URL and follows at most `most` redirects within the site.
    async fn follow(&self, url: &Url, request: Request, most: usize) -> Probe {
        let following = follow(self.exchange, request, most, |url| self.key.contains(url));
        match timeout_at(self.until, following).await {
            Ok(followed) => probe_of(url, followed.hops, followed.answer),
            Err(_) => {
                let message = "there was no time left for the answer";
                let error = FetchError::new(FetchErrorKind::Timeout, message);
                probe_of(url, Vec::new(), Err(error))
            }
        }
    }

    /// Asks for a place that cannot exist; another one for other bytes of the site's hash.
    async fn missing(&self, from: usize) -> Option<Probe> {
        let path = format!("/assay-probe-{}", digits(self.key, from));
        self.ask(at_origin(self.start, &path), Vec::new()).await
    }

    async fn plain_http(&self) -> Option<Probe> {
        // A site on a port of its own has no plain twin that anybody could guess.
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

    /// The start page's address on https, where it has none and others could guess it.
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

    /// The endpoint of the site itself, or of its twin where something speaks TLS there.
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
        // The first request opens the connection that the others find idle.
        for index in 0..=FIRST_BYTE_SAMPLES {
            let request = Request::page(self.start.clone(), MAX_PROBE_BYTES);
            let begun = Instant::now();
            match timeout_at(self.until, self.exchange.send(request)).await {
                Ok(Ok(response)) if index > 0 => samples.push(response.time_to_first_byte),
                Ok(Ok(_)) => {}
                Ok(Err(_)) => return Vec::new(),
                // What was measured until then holds.
                Err(_) => break,
            }
            // A body that drips is not worth waiting for again.
            if begun.elapsed() > SLOW {
                break;
            }
        }
        samples
    }
}
