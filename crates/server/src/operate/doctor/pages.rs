//! Whether people can sign in to the web pages.

use domain::target::is_loopback_origin;
use url::Url;

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
        // Browsers accept the cookie there without TLS.
        Url::parse(&base_url).is_ok_and(|url| is_loopback_origin(&url)),
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
