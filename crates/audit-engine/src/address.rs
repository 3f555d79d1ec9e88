//! How the engine compares URLs.

use std::fmt;

use url::Url;

/// The host that identifies a site: without a leading `www.`, with the port unless it is the
/// default one.
///
/// The scheme is ignored: `http://www.example.com/` and `https://example.com/` are one site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteKey(String);

impl SiteKey {
    /// The site of a URL; `None` if the URL has no host.
    #[must_use]
    pub fn from_url(url: &Url) -> Option<Self> {
        let host = url.host_str()?.trim_end_matches('.');
        let host = host.strip_prefix("www.").unwrap_or(host);
        Some(Self(match url.port() {
            Some(port) if !is_default_port(port) => format!("{host}:{port}"),
            _ => host.to_owned(),
        }))
    }

    /// Whether the URL belongs to this site.
    #[must_use]
    pub fn contains(&self, url: &Url) -> bool {
        // Called for each link of each page, so it allocates nothing.
        let Some(host) = url
            .host_str()
            .filter(|_| matches!(url.scheme(), "http" | "https"))
        else {
            return false;
        };
        let host = host.trim_end_matches('.');
        let host = host.strip_prefix("www.").unwrap_or(host);
        let Some(port) = self.0.strip_prefix(host) else {
            return false;
        };
        match url.port().filter(|port| !is_default_port(*port)) {
            None => port.is_empty(),
            Some(wanted) => port
                .strip_prefix(':')
                .is_some_and(|port| port.parse() == Ok(wanted)),
        }
    }

    /// The key as text, for example `example.com` or `127.0.0.1:8080`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const fn is_default_port(port: u16) -> bool {
    matches!(port, 80 | 443)
}

/// The URL without its fragment, as it is requested.
#[must_use]
pub fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

/// Whether two URLs differ only in their fragments.
#[must_use]
pub fn is_same_document(a: &Url, b: &Url) -> bool {
    let beginning = |url: &'_ Url| url.fragment().map_or(0, |fragment| fragment.len() + 1);
    let (a_kept, b_kept) = (
        a.as_str().len().saturating_sub(beginning(a)),
        b.as_str().len().saturating_sub(beginning(b)),
    );
    a_kept == b_kept && a.as_str().get(..a_kept) == b.as_str().get(..b_kept)
}

/// Path and query, as robots.txt rules and patterns match them.
#[must_use]
pub fn path_and_query(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// The URL of a path on the same origin.
#[must_use]
pub fn at_origin(url: &Url, path: &str) -> Url {
    let mut url = url.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(url: &str) -> String {
        SiteKey::from_url(&Url::parse(url).unwrap())
            .unwrap()
            .to_string()
    }

    #[test]
    fn urls_that_differ_only_in_fragments_are_one_document() {
        let same = |a, b| is_same_document(&Url::parse(a).unwrap(), &Url::parse(b).unwrap());
        assert!(same("https://a.example/b?c#d", "https://a.example/b?c#"));
        assert!(same("https://a.example/b", "https://a.example/b#d"));
        assert!(!same("https://a.example/b", "https://a.example/c"));
        assert!(!same("https://a.example/b?c", "https://a.example/b#c"));
    }

    #[test]
    fn scheme_www_and_default_ports_do_not_make_another_site() {
        assert_eq!(key("http://www.example.com/a"), "example.com");
        assert_eq!(key("https://example.com:443/"), "example.com");
        assert_eq!(key("http://example.com:443/"), "example.com");
    }

    #[test]
    fn another_port_or_subdomain_is_another_site() {
        assert_eq!(key("http://example.com:8080/"), "example.com:8080");
        assert_ne!(
            key("https://docs.example.com/"),
            key("https://example.com/")
        );
    }
}
