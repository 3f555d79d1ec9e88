//! First party or third party: whether two URLs share an owner, by the Public Suffix List.

use url::{Host, Url};

/// Whether the hosts share their registrable domain. IP addresses and names without a registrable domain
/// match only themselves.
pub(crate) fn same_party(a: &Url, b: &Url) -> bool {
    match (a.host(), b.host()) {
        (Some(Host::Domain(a)), Some(Host::Domain(b))) => {
            a == b || registrable(a).is_some_and(|domain| registrable(b) == Some(domain))
        }
        (a, b) => a.is_some() && a == b,
    }
}

/// The registrable domain of a name; none if it is a public suffix.
pub(super) fn registrable(name: &str) -> Option<&str> {
    psl::domain_str(name.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        same_party(&Url::parse(a).unwrap(), &Url::parse(b).unwrap())
    }

    #[test]
    fn subdomains_are_the_same_party() {
        assert!(same("https://www.example.com/", "https://cdn.example.com/"));
        assert!(same(
            "https://a.example.co.uk/",
            "http://example.co.uk:8080/"
        ));
    }

    #[test]
    fn domains_under_a_public_suffix_are_different_parties() {
        assert!(!same("https://a.github.io/", "https://b.github.io/"));
        assert!(!same("https://a.co.uk/", "https://b.co.uk/"));
    }

    #[test]
    fn ip_addresses_are_compared_exactly() {
        assert!(same("http://127.0.0.1:1/", "http://127.0.0.1:2/"));
        assert!(!same("http://127.0.0.1/", "http://127.0.0.2/"));
    }
}
