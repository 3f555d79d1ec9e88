//! A Markdown version that the page offers can be found.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Where a page names a Markdown version of itself with `<link rel="alternate"
    /// type="text/markdown">`, the link has an address of its own. Pages without one are not judged.
    ///
    /// ## Why it matters
    /// Assistants read Markdown with far fewer tokens than HTML. A link without an address, or one
    /// that leads back to the HTML, gives them nothing.
    ///
    /// ## How to fix it
    /// Set `href` to the address of the Markdown file, for example
    /// `<link rel="alternate" type="text/markdown" href="/ferries.md">`.
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
    /// Never part of the score. Whether the file answers and is Markdown, and whether the server
    /// sends Markdown on request, is not looked at.
    ///
    /// ## References
    /// - HTML Living Standard, section 4.6.7.1 Link type "alternate"
    /// - RFC 7763, The text/markdown Media Type
    MARKDOWN_ALTERNATE {
        id: "markdown-alternate",
        title: "Links to a Markdown version that lead nowhere",
        dimension: AiReadiness,
        scope: Page,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let offered = page
        .link_elements("alternate")
        .filter(|link| is_markdown(*link));
    Outcome::for_each(offered, |link| {
        Verdict::of(leads_elsewhere(page, link), || {
            Evidence::node(link)
                .message("The link to a Markdown version has no address of its own.")
        })
    })
}

fn is_markdown(link: ElementRef<'_>) -> bool {
    let kind = link.attr("type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("text/markdown")
}

fn leads_elsewhere(page: &Page, link: ElementRef<'_>) -> bool {
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
    fn an_address_of_its_own_passes() {
        assert_passes(
            &MARKDOWN_ALTERNATE,
            "<link rel=alternate type='text/markdown; charset=utf-8' href=/a.md>",
        );
    }

    #[test]
    fn no_address_or_the_pages_own_fails() {
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
