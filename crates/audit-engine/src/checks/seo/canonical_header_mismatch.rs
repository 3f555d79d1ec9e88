//! Document and headers name the same canonical URL.

use crate::check::{Evidence, Outcome};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The canonical URL in the head is the one that a `Link` header with `rel="canonical"`
    /// names.
    ///
    /// ## Why it matters
    /// Two signals that contradict each other cancel out: search engines choose a URL themselves.
    ///
    /// ## How to fix it
    /// Keep one of the two. Where the header is set by a server or CDN rule that outlived its
    /// purpose, delete that rule.
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
    /// A page that names its canonical in one place only is not judged. Fragments are not
    /// compared.
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - RFC 8288, Web Linking
    /// - RFC 6596, The Canonical Link Relation
    CANONICAL_HEADER_MISMATCH {
        id: "canonical-header-mismatch",
        title: "The document and its headers name different canonical URLs",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers],
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
    Outcome::of(in_head == in_header, || {
        Evidence::node(link).message(format!(
            "The head names {in_head} as canonical, and the Link header names {in_header}."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::judge;

    fn outcome(header: &str, html: &str) -> Outcome {
        judge(
            &CANONICAL_HEADER_MISMATCH,
            &Page::builder().header("Link", header).html(html),
        )
    }

    #[test]
    fn the_same_url_passes_however_it_is_written() {
        assert_eq!(
            outcome("</a>; rel=\"canonical\"", "<link rel=canonical href=/a#x>"),
            Outcome::Passed
        );
    }

    #[test]
    fn different_urls_fail() {
        let judged = outcome("</a>; rel=canonical", "<link rel=canonical href=/a/>");
        assert!(matches!(judged, Outcome::Failed(_)));
    }

    #[test]
    fn one_of_them_alone_is_not_judged() {
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
