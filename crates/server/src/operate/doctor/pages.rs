//! Whether people can sign in to the web pages.

use url::{Host, Url};

use super::Finding;
use crate::config::Service;

const CHECK: &str = "dashboard.sign_in";

pub(super) fn sign_in(service: &Service) -> Finding {
    let base_url = service.base_url_at(service.listen);
    let pages = &service.dashboard;
    if !pages.enabled {
        return Finding::fine(CHECK, "the pages are disabled");
    }
    match (
        base_url.starts_with("https://"),
        is_loopback(&base_url),
        pages.allow_plain_http,
    ) {
        (true, _, _) => Finding::fine(CHECK, format!("over https at {base_url}")),
        (false, true, _) => Finding::fine(CHECK, format!("on this machine at {base_url}")),
        (false, false, true) => Finding::warning(
            CHECK,
            format!("passwords and sessions are sent unencrypted to {base_url}"),
            "put TLS in front, set server.base_url to the https URL and remove dashboard.allow_plain_http",
        ),
        (false, false, false) => Finding::warning(
            CHECK,
            format!("nobody can sign in at {base_url}: session cookies need https"),
            "put TLS in front and set server.base_url to the https URL; in a network that you trust, set \
             dashboard.allow_plain_http",
        ),
    }
}

/// Whether a URL is on this machine, where browsers accept the cookie without TLS.
fn is_loopback(url: &str) -> bool {
    let url = Url::parse(url).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_by_name_and_address() {
        for url in [
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://[::1]:8080",
        ] {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "http://assay.example",
            "http://10.0.0.1:8080",
            "http://localhost.example",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
