//! Canonical URLs are absolute.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::view::Page;
use url::{ParseError, Url};

declare_check! {
    /// ## What it checks
    /// The `href` of a `link rel="canonical"` in the head is an absolute URL, with scheme and
    /// host.
    ///
    /// ## Why it matters
    /// A relative canonical repeats the host and scheme the page happened to be fetched under. On
    /// a test host, or over plain http, every page then names itself there as the original.
    ///
    /// ## How to fix it
    /// Write the whole URL: `<link rel="canonical" href="https://example.com/times">`.
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
    /// Search engines do resolve relative canonicals, so the harm comes with a second host,
    /// scheme or `base` element. Canonicals in `Link` headers may be relative and are not judged.
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - Lighthouse audit canonical
    CANONICAL_RELATIVE {
        id: "canonical-relative",
        title: "The canonical URL is relative",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let written = canonical::in_head(page).filter_map(|link| {
        canonical::target(page, link)?;
        Some((link, link.attr("href")?.trim()))
    });
    Outcome::for_each(written, |(link, href)| {
        let relative = Url::parse(href) == Err(ParseError::RelativeUrlWithoutBase);
        Verdict::of(!relative, || {
            Evidence::node(link).message(format!(
                "The canonical URL `{href}` has no scheme and host."
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
    fn a_path_or_a_url_without_scheme_fails() {
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
    fn one_that_does_not_parse_is_another_checks_question() {
        assert_not_applicable(&CANONICAL_RELATIVE, "<link rel=canonical href='https://['>");
        assert_not_applicable(&CANONICAL_RELATIVE, "<link rel=canonical href=''>");
    }

    #[test]
    fn none_is_not_judged() {
        assert_not_applicable(&CANONICAL_RELATIVE, "<body><link rel=canonical href=/a>");
    }
}
