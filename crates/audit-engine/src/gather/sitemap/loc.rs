//! The `loc` of an entry.

use url::{ParseError, Url};

use super::SitemapProblemKind;

/// The kept bytes of a `loc`. The protocol requires fewer than 2,048 characters, and the URL gate allows no
/// longer URL.
pub const MAX_LOC_BYTES: usize = 2_200;

/// Parses a `loc` without surrounding white space: the URL to request, and its problem.
pub(super) fn read(loc: &str, base: &Url) -> (Option<Url>, Option<SitemapProblemKind>) {
    match Url::parse(loc) {
        Ok(url) if is_http(&url) => (Some(url), None),
        Ok(_) => (None, Some(SitemapProblemKind::InvalidLoc)),
        Err(ParseError::RelativeUrlWithoutBase) => {
            // `www.example.com/a` is probably not meant as a path, so only values that start with a slash are
            // resolved: no URL is requested that the site does not list.
            let url = if loc.starts_with('/') {
                base.join(loc).ok().filter(is_http)
            } else {
                None
            };
            (url, Some(SitemapProblemKind::RelativeLoc))
        }
        Err(_) => (None, Some(SitemapProblemKind::InvalidLoc)),
    }
}

fn is_http(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// A text that is collected in pieces and does not grow beyond [`MAX_LOC_BYTES`].
#[derive(Debug, Default)]
pub(super) struct Bounded {
    text: String,
    is_full: bool,
}

impl Bounded {
    pub(super) fn push(&mut self, piece: &str) {
        for c in piece.chars() {
            if self.text.len().saturating_add(c.len_utf8()) > MAX_LOC_BYTES {
                self.is_full = true;
                return;
            }
            // Leading white space is never needed, and there may be a lot of it.
            if !(self.text.is_empty() && c.is_whitespace()) {
                self.text.push(c);
            }
        }
    }

    /// Whether something did not fit.
    pub(super) const fn is_full(&self) -> bool {
        self.is_full
    }

    pub(super) fn trimmed(&self) -> &str {
        self.text.trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("https://example.com/a", Some("https://example.com/a"), None)]
    #[case("HTTP://Example.com", Some("http://example.com/"), None)]
    #[case("https://example.com/ü", Some("https://example.com/%C3%BC"), None)]
    #[case(
        "/a",
        Some("https://example.com/a"),
        Some(SitemapProblemKind::RelativeLoc)
    )]
    #[case(
        "//cdn.example/a",
        Some("https://cdn.example/a"),
        Some(SitemapProblemKind::RelativeLoc)
    )]
    #[case("www.example.com/a", None, Some(SitemapProblemKind::RelativeLoc))]
    #[case("a.html", None, Some(SitemapProblemKind::RelativeLoc))]
    #[case("?a", None, Some(SitemapProblemKind::RelativeLoc))]
    #[case("ftp://example.com/a", None, Some(SitemapProblemKind::InvalidLoc))]
    #[case("javascript:alert(1)", None, Some(SitemapProblemKind::InvalidLoc))]
    #[case("https://", None, Some(SitemapProblemKind::InvalidLoc))]
    #[case("http://exa mple.com/", None, Some(SitemapProblemKind::InvalidLoc))]
    fn a_loc_is_an_absolute_http_url(
        #[case] loc: &str,
        #[case] url: Option<&str>,
        #[case] problem: Option<SitemapProblemKind>,
    ) {
        let base = Url::parse("https://example.com/maps/sitemap.xml").unwrap();
        let (read_url, read_problem) = read(loc, &base);
        assert_eq!(read_url.as_ref().map(Url::as_str), url);
        assert_eq!(read_problem, problem);
    }

    #[test]
    fn a_bounded_text_does_not_exceed_its_limit() {
        let mut text = Bounded::default();
        text.push(&" \n".repeat(10_000));
        text.push(" https://example.com/");
        assert!(!text.is_full());
        assert_eq!(text.trimmed(), "https://example.com/");
        text.push(&"ü".repeat(10_000));
        assert!(text.is_full());
        assert!(text.trimmed().len() <= MAX_LOC_BYTES);
    }
}
