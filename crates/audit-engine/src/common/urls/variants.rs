//! URL variants: URLs that probably lead to the same page.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use url::Url;

/// Names of index documents.
const INDEXES: [&str; 2] = ["index", "default"];
const ENDINGS: [&str; 7] = ["html", "htm", "shtml", "php", "asp", "aspx", "jsp"];

/// A key that all variants of a URL on one origin share: the path in lower case without a trailing slash,
/// the name of an index document, or a session ID. The query is ignored.
pub(crate) fn shared_path(url: &Url) -> String {
    let path = url.path().to_ascii_lowercase();
    let path = path.split(';').next().unwrap_or_default();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if is_index(name) {
        folder.to_owned()
    } else {
        path.trim_end_matches('/').to_owned()
    }
}

/// Whether a path segment is the name of an index document.
fn is_index(name: &str) -> bool {
    name.split_once('.')
        .is_some_and(|(stem, ending)| INDEXES.contains(&stem) && ENDINGS.contains(&ending))
}

/// A hash that all variants of a URL share, including those with another scheme or with or without `www.`.
pub(crate) fn variant_hash(url: &Url) -> u64 {
    let mut hasher = DefaultHasher::new();
    (bare_host(url), url.port(), shared_path(url)).hash(&mut hasher);
    hasher.finish()
}

fn bare_host(url: &Url) -> Option<&str> {
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").unwrap_or(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variants(a: &str, b: &str) -> bool {
        variant_hash(&Url::parse(a).unwrap()) == variant_hash(&Url::parse(b).unwrap())
    }

    #[test]
    fn ways_to_write_one_address_are_variants() {
        let plain = "https://example.com/times";
        for other in [
            "https://example.com/times/",
            "http://www.example.com/Times?from=menu",
            "https://example.com/times/index.html",
            "https://example.com/times;jsessionid=1#a",
        ] {
            assert!(variants(plain, other), "{other}");
        }
        assert!(variants(
            "https://example.com",
            "https://example.com/index.php?a=b"
        ));
    }

    #[test]
    fn other_paths_hosts_and_ports_are_not() {
        let plain = "https://example.com/times";
        for other in [
            "https://example.com/times/2",
            "https://example.com/index.html",
            "https://docs.example.com/times",
            "https://example.com:8443/times",
            "https://example.com/times.html",
        ] {
            assert!(!variants(plain, other), "{other}");
        }
    }
}
