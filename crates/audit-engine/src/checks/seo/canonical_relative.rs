//! Canonical URLs are absolute.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::view::Page;
use url::{ParseError, Url};

declare_check! {
    /// ## What it checks
    /// The `href` of a `link rel="canonical"` in the head is an absolute URL with a scheme and a
    /// host.
    ///
    /// ## Why it matters
    /// Browsers and crawlers resolve a relative canonical URL against the host and scheme of the
    /// request. On a test host or over plain http, every page then declares that copy as canonical.
    ///
    /// ## How to fix it
    /// Replace the path with the absolute URL: `<link rel="canonical" href="https://example.com/times">`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// Search engines do resolve relative canonical URLs. They cause harm only if the site is also available
    /// under a second host or scheme, or if the page has a `base` element. The check skips canonical URLs in
    /// `Link` headers, which may be relative. In rendered mode, too, the check judges the response, in which
    /// search engines find the canonical URL before they render the page.
    ///
    /// ## Also known as
    /// - Lighthouse: `canonical`
    /// - Screaming Frog: Canonicals: Canonical Is Relative
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - Lighthouse audit canonical
    CANONICAL_RELATIVE {
        id: "canonical-relative",
        title: "Relative canonical URL",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let written = canonical::in_head(page).filter_map(|link| {
        let url = canonical::target(page, link)?;
        Some((link, link.attr("href")?.trim(), url))
    });
    Outcome::for_each(written, |(link, href, url)| {
        let relative = Url::parse(href) == Err(ParseError::RelativeUrlWithoutBase);
        Verdict::pass_if(!relative, || {
            Evidence::node(link).message(format!(
                "The canonical URL `{href}` is relative; expected the absolute URL {url}."
            ))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn an_absolute_url_passes() {
        assert_passes(
            &CANONICAL_RELATIVE,
            "<link rel=canonical href=' https://example.com/a '>",
        );
    }

    #[test]
    fn a_path_or_a_url_without_a_scheme_fails() {
        for href in [
            "/a",
            "a.html",
            "//example.com/a",
            "www.example.com/a",
            "?x=1",
        ] {
            assert_fails(
                &CANONICAL_RELATIVE,
                &format!("<link rel=canonical href='{href}'>"),
                1,
            );
        }
    }

    #[test]
    fn an_invalid_or_empty_url_is_not_applicable() {
        assert_not_applicable(&CANONICAL_RELATIVE, "<link rel=canonical href='https://['>");
        assert_not_applicable(&CANONICAL_RELATIVE, "<link rel=canonical href=''>");
    }

    #[test]
    fn a_canonical_in_the_body_is_not_applicable() {
        assert_not_applicable(&CANONICAL_RELATIVE, "<body><link rel=canonical href=/a>");
    }
}
