//! URLs that scripts write in another way.

use url::Url;

use crate::address::path_and_query;

/// Whether two URLs that a page declares are those of one page, as [`page_key`] tells.
pub(crate) fn is_same_page(a: &Url, b: &Url, is_local: bool) -> bool {
    page_key(a, is_local) == page_key(b, is_local)
}

/// A key that is the same for URLs that differ at most in their fragments, a slash at the end, and the letter case of
/// percent-encodings. A copy of a public site on loopback (`is_local`) has URLs on the public host, and scripts may write
/// its own.
pub(crate) fn page_key(url: &Url, is_local: bool) -> String {
    if is_local {
        return path_key(url);
    }
    format!("{}{}", url.origin().ascii_serialization(), path_key(url))
}

/// Path and query, without a slash at the end of the path, and with percent-encodings in capitals (RFC 3986, section
/// 6.2.2.1).
fn path_key(url: &Url) -> String {
    let mut bare = url.clone();
    bare.set_path(url.path().trim_end_matches('/'));
    let written = path_and_query(&bare);
    let mut ahead = 0_u8;
    let normal = written.chars().map(|c| {
        ahead = if c == '%' { 3 } else { ahead.saturating_sub(1) };
        if ahead > 0 { c.to_ascii_uppercase() } else { c }
    });
    normal.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_may_be_written_in_several_ways() {
        let is_same = |a: &str, b: &str, is_local: bool| {
            is_same_page(&Url::parse(a).unwrap(), &Url::parse(b).unwrap(), is_local)
        };
        let plain = "https://a.example/b%C3%BC?c=%2f";
        for other in [
            "https://a.example/b%c3%bc/?c=%2F#d",
            "https://A.example:443/b\u{fc}?c=%2f",
        ] {
            assert!(is_same(plain, other, false), "{other}");
        }
        for other in [
            "http://a.example/b%C3%BC?c=%2f",
            "https://a.example/b%C3%BC",
            "https://a.example/B%C3%BC?c=%2f",
        ] {
            assert!(!is_same(plain, other, false), "{other}");
        }
        assert!(is_same(
            "https://a.example/b",
            "http://127.0.0.1:8080/b",
            true
        ));
        assert!(!is_same(
            "https://a.example/b",
            "http://127.0.0.1:8080/c",
            true
        ));
    }
}
