//! Language versions are named by valid codes.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::hreflang::hreflang_fault;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `hreflang` of every `link rel="alternate"` is `x-default` or a language code, with a
    /// script and a region behind hyphens if needed: `de`, `en-GB`, `zh-Hant-TW`.
    ///
    /// ## Why it matters
    /// Search engines ignore an alternate whose code they do not know, so readers of that
    /// language are sent to another version.
    ///
    /// ## How to fix it
    /// Write the language as ISO 639-1 and the region as ISO 3166-1: `en-GB` instead of `en-UK`,
    /// `ja` instead of `jp`, `pt-BR` instead of `pt_BR`.
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
    /// Codes of three letters are accepted without looking them up. Alternates in `Link` headers
    /// and sitemaps are not judged.
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    /// - RFC 5646, Tags for Identifying Languages
    /// - Lighthouse audit hreflang
    HREFLANG_INVALID_CODE {
        id: "hreflang-invalid-code",
        title: "Language versions are named by invalid codes",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let alternates = page
        .link_elements("alternate")
        .filter_map(|link| Some((link, link.attr("hreflang")?)));
    Outcome::for_each(alternates, |(link, code)| match hreflang_fault(code) {
        None => Verdict::Pass,
        Some(fault) => Verdict::Fail(
            Evidence::node(link)
                .message(format!("The hreflang value `{code}` {fault}."))
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
    fn every_invalid_code_is_a_finding() {
        assert_fails(
            &HREFLANG_INVALID_CODE,
            "<link rel=alternate hreflang=en-UK href=/a><link rel=alternate hreflang='' href=/>",
            2,
        );
    }

    #[test]
    fn feeds_and_other_alternates_are_not_judged() {
        assert_not_applicable(
            &HREFLANG_INVALID_CODE,
            "<link rel=alternate type=application/rss+xml href=/feed><a hreflang=xx href=/>a</a>",
        );
    }
}
