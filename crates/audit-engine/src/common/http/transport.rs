//! Whether what travels between page and server can be read on the way.

use domain::target::is_loopback_origin;
use url::Url;

use crate::policy::csp::Policy;

/// Whether the URL is fetched in plain text over a network. Loopback never leaves the machine
/// (Secure Contexts §3.1, "potentially trustworthy").
pub(crate) fn is_plain(url: &Url) -> bool {
    url.scheme() == "http" && !is_loopback_origin(url)
}

/// Whether a policy makes browsers ask for https wherever the page says http.
pub(crate) fn upgrades_requests(policies: &[Policy]) -> bool {
    policies
        .iter()
        .any(|policy| policy.directive("upgrade-insecure-requests").is_some())
}
