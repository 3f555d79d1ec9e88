//! The address that a person types for a local audit.

use std::borrow::Cow;

use url::Url;

use super::address::guarded;
use super::allow::AllowTarget;
use super::gate::with_scheme;

/// The URL that a person meant who typed `text`: a missing scheme is `https`, or `http` for `localhost` and for
/// addresses, which rarely have a certificate. A text that already has a scheme, or is no address of a site, is
/// returned unchanged, so that [`gate_url`](super::gate_url) says what is wrong with it.
///
/// ```
/// use domain::target::complete_url;
///
/// assert_eq!(complete_url("example.com/shop"), "https://example.com/shop");
/// assert_eq!(complete_url("localhost:3000"), "http://localhost:3000/");
/// assert_eq!(complete_url("ftp://example.com/"), "ftp://example.com/");
/// ```
#[must_use]
pub fn complete_url(text: &str) -> Cow<'_, str> {
    match Url::parse(text) {
        // `example.com:8443/x` parses as a URL with the scheme `example.com`.
        Ok(url) if matches!(url.scheme(), "http" | "https") => Cow::Borrowed(text),
        _ => with_scheme(text).map_or(Cow::Borrowed(text), Cow::Owned),
    }
}

/// The exception for the host and port of a URL that a person typed on their own machine: they may audit what they
/// can reach. Redirects and links to other hosts or ports are still refused, and a public host is still crawled
/// with the limits for sites of others ([`AllowTargets::owns_host`](super::AllowTargets::owns_host)). `None` for link-local and metadata
/// addresses, which only `--allow-target` allows, and for texts that are not the URL of a host.
#[must_use]
pub fn allow_typed(text: &str) -> Option<AllowTarget> {
    let url = Url::parse(text).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let target = AllowTarget::from_typed(&url.host()?, url.port_or_known_default()?)?;
    target
        .net()
        .is_none_or(|net| guarded(net.addr()).is_none())
        .then_some(target)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::target::{AllowTargets, gate_url};

    #[rstest]
    #[case("http://localhost:3000/", "localhost:3000")]
    #[case("http://127.0.0.1/", "127.0.0.1:80")]
    #[case("https://0x7f.1:8443/", "127.0.0.1:8443")]
    #[case("http://[::1]:8080/", "[::1]:8080")]
    #[case("http://[::ffff:10.0.0.1]/", "10.0.0.1:80")]
    #[case("http://Printer.local./", "printer.local:80")]
    #[case("https://example.com/", "example.com:443")]
    fn the_typed_host_and_port_are_allowed(#[case] text: &str, #[case] allowed: &str) {
        let target = allow_typed(text).unwrap();
        assert_eq!(target.to_string(), allowed);
        let listed = AllowTargets::from_iter([target]);
        assert!(gate_url(text, &listed).is_ok(), "{text}");
        assert!(gate_url("http://127.0.0.1:9/", &listed).is_err(), "{text}");
        assert!(gate_url("http://10.0.0.2/", &listed).is_err(), "{text}");
    }

    #[rstest]
    #[case("http://localhost:3000/", true)]
    #[case("http://10.1.2.3/", true)]
    #[case("http://build.internal:8000/", true)]
    #[case("https://example.com/", false)]
    #[case("http://example.com:3000/", false)]
    #[case("http://8.8.8.8/", false)]
    fn only_what_nobody_else_can_reach_is_crawled_without_limits(
        #[case] text: &str,
        #[case] expected: bool,
    ) {
        let url = Url::parse(text).unwrap();
        let (host, port) = (url.host().unwrap(), url.port_or_known_default().unwrap());
        let typed = AllowTargets::from_iter(allow_typed(text));
        assert!(typed.lists_host(&host, port), "{text}");
        assert_eq!(typed.owns_host(&host, port), expected, "{text}");
        let listed = allow_typed(text).unwrap().to_string();
        let listed = AllowTargets::from_iter([listed.parse().unwrap()]);
        assert!(listed.owns_host(&host, port), "{text}");
    }

    #[rstest]
    #[case("http://169.254.169.254/latest/meta-data/")]
    #[case("http://[fe80::1]/")]
    #[case("http://[64:ff9b::a9fe:a9fe]/")]
    #[case("http://100.100.100.200/")]
    #[case("ftp://localhost/")]
    #[case("localhost:3000")]
    #[case("http://")]
    fn other_texts_allow_nothing(#[case] text: &str) {
        assert_eq!(allow_typed(text), None, "{text}");
    }
}
