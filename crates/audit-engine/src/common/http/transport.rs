//! Whether requests are sent unencrypted.

use domain::target::is_loopback_origin;
use url::Url;

use crate::policy::csp::Policy;

/// Whether the URL is fetched over plain HTTP on a network. Loopback traffic never leaves the machine
/// (Secure Contexts §3.1, "potentially trustworthy").
pub(crate) fn is_plain(url: &Url) -> bool {
    url.scheme() == "http" && !is_loopback_origin(url)
}

/// Whether a policy makes browsers request HTTPS instead of every `http:` URL of the page.
pub(crate) fn upgrades_requests(policies: &[Policy]) -> bool {
    policies
        .iter()
        .any(|policy| policy.directive("upgrade-insecure-requests").is_some())
}
