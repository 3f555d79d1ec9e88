//! Links have an address.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::page::LinkTarget;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `href` of every link is a valid URL and is not empty.
    ///
    /// ## Why it matters
    /// A link without a valid address does nothing when people follow it, or loads the page they
    /// are on again. Crawlers discard it.
    ///
    /// ## How to fix it
    /// Write the URL of the page that the link text promises. Where the address comes from a
    /// template, look for the variable that is empty. An address that is only an example, such as
    /// `http://<server>/`, is better written as `code` than as a link.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="https://">Times</a></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/times">Times</a></html>
    /// ```
    ///
    /// ## Limits
    /// An `a` element without `href` is an anchor or a placeholder, not a link. `#` alone is a
    /// valid address: the top of the page. An empty address on the entry of the current page,
    /// marked with `aria-current`, and on an element with a role of its own is accepted. Scripts
    /// and local files as addresses are left to link-not-crawlable.
    ///
    /// ## References
    /// - HTML Standard, links created by a and area elements
    /// - URL Standard
    LINK_INVALID_HREF {
        id: "link-invalid-href",
        title: "Links with an empty or invalid address",
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
    Outcome::for_each(page.links(), |link| {
        let Some(element) = page.element(link.node) else {
            return Verdict::Pass;
        };
        let href = page.href(link).trim();
        if link.target == LinkTarget::Invalid {
            return Verdict::Fail(
                Evidence::node(element)
                    .message(format!("The address `{href}` is not a valid URL.")),
            );
        }
        let meant = || element.has_attr("aria-current") || element.has_attr("role");
        Verdict::of(!href.is_empty() || meant(), || {
            Evidence::node(element).message("The address is empty, so the link reloads the page.")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn addresses_of_all_kinds_pass() {
        for href in [
            "/a",
            "a b.html",
            "?x",
            "#",
            "#top",
            "mailto:a@example.com",
            "tel:+49",
            "data:text/plain,x",
            "javascript:void(0)",
            "https://example.org",
            "irc://example.org/x",
            "ä.html",
        ] {
            assert_passes(&LINK_INVALID_HREF, &format!("<a href='{href}'>a</a>"));
        }
    }

    #[test]
    fn what_does_not_parse_fails() {
        for href in [
            "https://",
            "http://a b/",
            "https://[::1",
            "http://example.com:99999/",
        ] {
            assert_fails(&LINK_INVALID_HREF, &format!("<a href='{href}'>a</a>"), 1);
        }
    }

    #[test]
    fn an_empty_address_fails() {
        assert_fails(&LINK_INVALID_HREF, "<a href>a</a><a href=' '>b</a>", 2);
    }

    #[test]
    fn the_entry_of_the_current_page_may_be_empty() {
        assert_passes(
            &LINK_INVALID_HREF,
            "<a href='' aria-current=page>a</a><a href='' role=button>b</a>",
        );
    }

    #[test]
    fn anchors_are_not_links() {
        assert_not_applicable(&LINK_INVALID_HREF, "<a name=x></a><a id=y>z</a>");
    }
}
