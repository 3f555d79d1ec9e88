//! The HTML and the `Link` header declare the same canonical URL.

use crate::check::{Evidence, Outcome};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The canonical URL in the head is the same as the canonical URL in a `Link` header with
    /// `rel="canonical"`.
    ///
    /// ## Why it matters
    /// Two contradicting canonical signals cancel each other out, and search engines choose a URL
    /// themselves.
    ///
    /// ## How to fix it
    /// Keep only one of the two declarations. If an outdated server or CDN rule sets the header,
    /// delete that rule.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Link: <https://example.com/times>; rel="canonical"
    ///
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Link: <https://example.com/>; rel="canonical"
    ///
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check skips pages that declare a canonical URL in only one of the two places. It ignores fragments
    /// when it compares the URLs. In rendered mode, too, the check judges the response, in which search
    /// engines find the canonical URL before they render the page.
    ///
    /// ## Also known as
    /// - Screaming Frog: Canonicals: Multiple Conflicting
    /// - Common name: Conflicting canonical tags
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - RFC 8288, Web Linking
    /// - RFC 6596, The Canonical Link Relation
    CANONICAL_HEADER_MISMATCH {
        id: "canonical-header-mismatch",
        title: "Conflicting canonical URLs in HTML and HTTP header",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let element =
        canonical::in_head(page).find_map(|link| Some((link, canonical::target(page, link)?)));
    let header = canonical::from_headers(page).into_iter().next();
    let (Some((link, in_head)), Some(in_header)) = (element, header) else {
        return Outcome::NotApplicable;
    };
    Outcome::pass_if(in_head == in_header, || {
        Evidence::node(link).message(format!(
            "The canonical URL in the head is {in_head}, but the Link header declares {in_header}; expected the same URL."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::outcome_of;

    fn outcome(header: &str, html: &str) -> Outcome {
        outcome_of(
            &CANONICAL_HEADER_MISMATCH,
            &Page::builder().header("Link", header).html(html),
        )
    }

    #[test]
    fn the_same_url_in_different_notations_passes() {
        assert_eq!(
            outcome("</a>; rel=\"canonical\"", "<link rel=canonical href=/a#x>"),
            Outcome::Passed
        );
    }

    #[test]
    fn different_urls_fail() {
        let outcome = outcome("</a>; rel=canonical", "<link rel=canonical href=/a/>");
        assert!(matches!(outcome, Outcome::Failed(_)));
    }

    #[test]
    fn a_single_declaration_is_not_applicable() {
        assert_eq!(
            outcome("</a>; rel=canonical", "<p>x"),
            Outcome::NotApplicable
        );
        assert_eq!(
            outcome("</a>; rel=preload", "<link rel=canonical href=/b>"),
            Outcome::NotApplicable
        );
    }
}
