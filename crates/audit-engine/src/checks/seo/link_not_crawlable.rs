//! Crawlers can follow the links.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No link has a script (`javascript:`) or a local file (`file:`) as its address, and no `a`
    /// element without `href` works by `onclick` alone.
    ///
    /// ## Why it matters
    /// Search engines find pages by the address in `href`. A page that is only reached by a
    /// script or lies on somebody’s disk is not found this way.
    ///
    /// ## How to fix it
    /// Put the URL into `href` and let the script improve on it: `<a href="/times" onclick="…">`.
    /// Where nothing is opened, use a `button`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="javascript:void(0)" onclick="openTimes()">Times</a></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/times" onclick="openTimes()">Times</a></html>
    /// ```
    ///
    /// ## Limits
    /// Elements with a role other than `link`, such as `role="button"`, are controls and not
    /// judged. An `a` element without `href` and `onclick` may be an anchor, a placeholder or a
    /// menu that a script serves; it is not judged either.
    ///
    /// ## References
    /// - Google Search Central, Link best practices for Google
    /// - Lighthouse audit crawlable-anchors
    LINK_NOT_CRAWLABLE {
        id: "link-not-crawlable",
        title: "Links that crawlers cannot follow",
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
    let anchors = page
        .html("a")
        .chain(page.html("area"))
        .filter(|anchor| anchor.has_attr("href") || is_script_link(*anchor))
        .filter(|anchor| anchor.attr("role").is_none_or(|role| role.trim() == "link"));
    Outcome::for_each(anchors, |anchor| match fault(anchor) {
        None => Verdict::Pass,
        Some(message) => Verdict::Fail(Evidence::node(anchor).message(message)),
    })
}

/// Anchors and headings carry a name or an id; a handler there is an addition.
fn is_script_link(anchor: ElementRef<'_>) -> bool {
    anchor.has_attr("onclick") && !anchor.has_attr("name") && !anchor.has_attr("id")
}

fn fault(anchor: ElementRef<'_>) -> Option<&'static str> {
    let Some(href) = anchor.attr("href") else {
        return Some("The link has no address and works by onclick alone.");
    };
    if has_scheme(href, "javascript") {
        return Some("The address of the link is a script.");
    }
    has_scheme(href, "file")
        .then_some("The address of the link is a file on the reader’s own machine.")
}

/// Whether the address begins with the scheme, which stands in lower case, as the URL parser sees it.
fn has_scheme(href: &str, scheme: &str) -> bool {
    // Most addresses show it by their first letter.
    let first = href.bytes().next().filter(u8::is_ascii_graphic);
    if first.is_some_and(|first| !scheme.as_bytes().starts_with(&[first.to_ascii_lowercase()])) {
        return false;
    }
    let mut letters = href
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .skip_while(|c| *c <= ' ')
        .take_while(|c| *c != ':')
        .map(|c| c.to_ascii_lowercase());
    scheme.chars().all(|c| letters.next() == Some(c)) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn links_with_an_address_pass() {
        for href in [
            "/a",
            "#",
            "",
            "mailto:a@example.com",
            "files/file.html",
            "javascript.html",
        ] {
            assert_passes(
                &LINK_NOT_CRAWLABLE,
                &format!("<a href='{href}' onclick='x()'>a</a>"),
            );
        }
    }

    #[test]
    fn scripts_and_local_files_fail() {
        for href in [
            "javascript:void(0)",
            " JavaScript:;",
            "java\nscript:x()",
            "file:///C:/a.html",
        ] {
            assert_fails(&LINK_NOT_CRAWLABLE, &format!("<a href='{href}'>a</a>"), 1);
        }
    }

    #[test]
    fn a_handler_without_an_address_fails() {
        assert_fails(&LINK_NOT_CRAWLABLE, "<a onclick='go()'>Times</a>", 1);
    }

    #[test]
    fn a_control_is_not_a_link() {
        assert_not_applicable(
            &LINK_NOT_CRAWLABLE,
            "<a href='javascript:x()' role=button>Menu</a>",
        );
    }

    #[test]
    fn anchors_and_placeholders_are_not_links() {
        assert_not_applicable(
            &LINK_NOT_CRAWLABLE,
            "<a name=x></a><a id=y onclick='x()'></a><a class=toggle>Menu</a>",
        );
    }
}
