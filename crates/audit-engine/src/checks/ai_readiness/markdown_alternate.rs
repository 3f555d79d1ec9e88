//! Alternate links to a Markdown version that have no usable URL.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// If a page declares a Markdown version of itself with
    /// `<link rel="alternate" type="text/markdown">`, the link has a URL other than that of the
    /// page. Pages without such a link are not checked.
    ///
    /// ## Why it matters
    /// AI assistants need far fewer tokens for Markdown than for HTML. A link without a URL, or
    /// with the URL of the HTML page, does not lead to the Markdown version.
    ///
    /// ## How to fix it
    /// Let `href` be the URL of the Markdown file, for example `<link rel="alternate" type="text/markdown"
    /// href="/ferries.md">`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><link rel="alternate" type="text/markdown" href=""><p>Our ferries.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><link rel="alternate" type="text/markdown" href="/index.md"><p>Our ferries.</p></html>
    /// ```
    ///
    /// ## Limits
    /// This check is never part of the score. It does not check that the URL responds with Markdown, nor that
    /// the server sends Markdown on request (content negotiation). In rendered mode, too, the check judges
    /// the response, because most assistants run no scripts.
    ///
    /// ## Also known as
    /// - None: specific to Markdown alternates; no common tool reports it
    ///
    /// ## References
    /// - HTML Living Standard, section 4.6.7.1 Link type "alternate"
    /// - RFC 7763, The text/markdown Media Type
    MARKDOWN_ALTERNATE {
        id: "markdown-alternate",
        title: "Invalid link to the Markdown alternate",
        dimension: AiReadiness,
        scope: Page,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let offered = page
        .link_elements("alternate")
        .filter(|link| is_markdown(*link));
    Outcome::for_each(offered, |link| {
        Verdict::pass_if(has_other_url(page, link), || {
            Evidence::node(link)
                .message("The link to the Markdown version has no valid http or https URL, or has the URL of this page; expected the URL of the Markdown file.")
        })
    })
}

fn is_markdown(link: ElementRef<'_>) -> bool {
    let kind = link.attr("type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("text/markdown")
}

fn has_other_url(page: &Page, link: ElementRef<'_>) -> bool {
    let target = link
        .attr("href")
        .filter(|href| !href.trim().is_empty())
        .and_then(|href| page.base().join(href.trim()).ok());
    target.is_some_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && crate::address::without_fragment(&url)
                != crate::address::without_fragment(page.url())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_page_without_markdown_is_not_applicable() {
        assert_not_applicable(
            &MARKDOWN_ALTERNATE,
            "<link rel=alternate hreflang=de href=/de>",
        );
    }

    #[test]
    fn a_different_url_passes() {
        assert_passes(
            &MARKDOWN_ALTERNATE,
            "<link rel=alternate type='text/markdown; charset=utf-8' href=/a.md>",
        );
    }

    #[test]
    fn a_missing_url_or_that_of_the_page_fails() {
        assert_fails(
            &MARKDOWN_ALTERNATE,
            "<link rel=alternate type=text/markdown>",
            1,
        );
        assert_fails(
            &MARKDOWN_ALTERNATE,
            "<link rel=alternate type=text/markdown href='/#a'>",
            1,
        );
        assert_fails(
            &MARKDOWN_ALTERNATE,
            "<link rel=alternate type=text/markdown href='https://['>",
            1,
        );
    }
}
