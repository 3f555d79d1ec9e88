//! Canonical links have a valid http or https URL.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `link rel="canonical"` in the head has an `href` with a valid http or https URL.
    ///
    /// ## Why it matters
    /// Search engines ignore an invalid canonical URL and choose a URL for the page themselves.
    ///
    /// ## How to fix it
    /// Write the absolute URL of the page into the canonical link, for example `<link rel="canonical"
    /// href="https://example.com/times">`. An empty value often comes from an unset template variable.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check evaluates only the syntax of the URL, not the response of the server.
    /// `canonical-outside-head` reports canonical links outside the head. In rendered mode, too, the check
    /// judges the response, in which search engines find the canonical URL before they render the page.
    ///
    /// ## Also known as
    /// - Lighthouse: `canonical`
    /// - Common name: Malformed canonical URL
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - Lighthouse audit canonical
    CANONICAL_INVALID {
        id: "canonical-invalid",
        title: "Invalid canonical URL",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    Outcome::for_each(canonical::in_head(page), |link| {
        Verdict::pass_if(canonical::target(page, link).is_some(), || {
            let href = link.attr("href").map(str::trim).unwrap_or_default();
            Evidence::node(link).message(if href.is_empty() {
                "The canonical link has no URL; expected an http or https URL.".to_owned()
            } else {
                format!("The canonical URL `{href}` is not a valid http or https URL.")
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn absolute_and_relative_urls_pass() {
        assert_passes(
            &CANONICAL_INVALID,
            "<link rel=canonical href=https://example.com/a>",
        );
        assert_passes(&CANONICAL_INVALID, "<link rel=canonical href=/a>");
    }

    #[test]
    fn an_invalid_url_or_another_scheme_fails() {
        for href in [
            "https://",
            "https://[/",
            "mailto:a@example.com",
            " ",
            "https://a b/",
        ] {
            assert_fails(
                &CANONICAL_INVALID,
                &format!("<link rel=canonical href='{href}'>"),
                1,
            );
        }
        assert_fails(&CANONICAL_INVALID, "<link rel=canonical>", 1);
    }

    #[test]
    fn a_page_without_a_canonical_is_not_applicable() {
        assert_not_applicable(&CANONICAL_INVALID, "<p>x");
    }
}
