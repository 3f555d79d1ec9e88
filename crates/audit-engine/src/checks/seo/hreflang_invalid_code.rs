//! hreflang values are valid codes.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::hreflang::hreflang_fault;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `hreflang` of every `link rel="alternate"` is `x-default` or a language code, optionally
    /// followed by a script and a region after hyphens: `de`, `en-GB`, `zh-Hant-TW`. Registered
    /// variants and extensions may follow, in the order of RFC 5646 and without repetitions.
    ///
    /// ## Why it matters
    /// Search engines ignore alternates with an unknown code, so they send readers of that language
    /// to another version.
    ///
    /// ## How to fix it
    /// Write the language as an ISO 639-1 code and the region as an ISO 3166-1 code: `en-GB`
    /// instead of `en-UK`, `ja` instead of `jp`, `pt-BR` instead of `pt_BR`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="alternate" hreflang="en-UK" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="alternate" hreflang="en-GB" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check accepts codes of three letters without validation. It does not evaluate alternates in `Link`
    /// headers and sitemaps. In rendered mode, too, the check judges the response, in which search engines
    /// find alternates before they render the page.
    ///
    /// ## Also known as
    /// - Lighthouse: `hreflang`
    /// - Screaming Frog: Hreflang: Incorrect Language & Region Codes
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    /// - RFC 5646, Tags for Identifying Languages
    /// - Lighthouse audit hreflang
    HREFLANG_INVALID_CODE {
        id: "hreflang-invalid-code",
        title: "Invalid hreflang code",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Indexable, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let alternates = page
        .link_elements("alternate")
        .filter_map(|link| Some((link, link.attr("hreflang")?)));
    Outcome::for_each(alternates, |(link, code)| match hreflang_fault(code) {
        None => Verdict::Pass,
        Some(problem) => Verdict::Fail(
            Evidence::node(link)
                .message(format!("The hreflang value `{code}` {problem}."))
                .cause(
                    code.trim().to_ascii_lowercase(),
                    format!("Invalid hreflang value `{}`", code.trim()),
                ),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn valid_codes_pass() {
        assert_passes(
            &HREFLANG_INVALID_CODE,
            "<link rel=alternate hreflang=en-gb href=/a><link rel=alternate hreflang=X-Default href=/>",
        );
    }

    #[test]
    fn every_invalid_code_fails() {
        assert_fails(
            &HREFLANG_INVALID_CODE,
            "<link rel=alternate hreflang=en-UK href=/a><link rel=alternate hreflang='' href=/>",
            2,
        );
    }

    #[test]
    fn feeds_and_other_alternates_are_not_applicable() {
        assert_not_applicable(
            &HREFLANG_INVALID_CODE,
            "<link rel=alternate type=application/rss+xml href=/feed><a hreflang=xx href=/>a</a>",
        );
    }
}
