//! Links have a valid URL.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::LinkTarget;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `href` of every link is a valid URL and not empty.
    ///
    /// ## Why it matters
    /// A link without a valid URL does nothing or reloads the current page. Crawlers discard it.
    ///
    /// ## How to fix it
    /// Set `href` to the URL of the page that the link text describes. If the URL comes from a template, look for the
    /// empty variable. Mark up a sample URL, such as `http://<server>/`, as `code` and not as a link.
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
    /// valid URL: the top of the page. The check accepts an empty URL on the link to the current
    /// page, marked with `aria-current`, and on an element with a `role` attribute.
    /// `link-not-crawlable` reports `javascript:` and `file:` URLs.
    ///
    /// ## Also known as
    /// - Common name: Malformed link
    /// - Common name: Empty href
    ///
    /// ## References
    /// - HTML Standard, links created by a and area elements
    /// - URL Standard
    LINK_INVALID_HREF {
        id: "link-invalid-href",
        title: "Links with an empty or invalid href",
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
                Evidence::node(element).message(format!("The link URL `{href}` is not valid.")),
            );
        }
        let is_intended = || element.has_attr("aria-current") || element.has_attr("role");
        Verdict::pass_if(!href.is_empty() || is_intended(), || {
            let effect = if opens_elsewhere(page, element) {
                "opens this page again in another window"
            } else {
                "reloads the page"
            };
            Evidence::node(element).message(format!("The link URL is empty, so the link {effect}."))
        })
    })
}

/// Whether a link opens in another window, tab or frame by its own target, or by that of the first `base` element with
/// one (HTML Standard, get an element's target).
fn opens_elsewhere(page: &Page, link: ElementRef<'_>) -> bool {
    let of_base = || page.html("base").find_map(|base| base.attr("target"));
    let target = link.attr("target").or_else(of_base).unwrap_or_default();
    let here = ["", "_self", "_parent", "_top"];
    !here.iter().any(|name| target.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, message};

    #[test]
    fn valid_urls_of_all_schemes_pass() {
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
    fn a_url_that_does_not_parse_fails() {
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
    fn an_empty_href_fails() {
        assert_fails(&LINK_INVALID_HREF, "<a href>a</a><a href=' '>b</a>", 2);
    }

    #[test]
    fn what_an_empty_href_does_depends_on_the_target() {
        for (html, effect) in [
            ("<a href>", "reloads the page"),
            ("<a href target=''>", "reloads the page"),
            ("<a href target=_SELF>", "reloads the page"),
            ("<a href target=_blank>", "another window"),
            ("<a href target=help>", "another window"),
            ("<base target=_blank><a href>", "another window"),
            (
                "<base target=_blank><a href target=_self>",
                "reloads the page",
            ),
        ] {
            let message = message(&LINK_INVALID_HREF, html);
            assert!(message.contains(effect), "{html}: {message}");
        }
    }

    #[test]
    fn the_link_to_the_current_page_may_be_empty() {
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
