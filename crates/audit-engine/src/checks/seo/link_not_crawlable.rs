//! Crawlers can follow all links.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No link has a `javascript:` or `file:` URL, and no `a` element without `href` relies on
    /// `onclick` alone.
    ///
    /// ## Why it matters
    /// Search engines discover pages through the URL in `href`. They do not find a page that is
    /// reachable only through a script or that is a file on a local disk.
    ///
    /// ## How to fix it
    /// Put the URL into `href` and let the script enhance the link:
    /// `<a href="/times" onclick="…">`. If the element opens no URL, use a `button`.
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
    /// The check skips elements with a role other than `link`, such as `role="button"`, because
    /// they are controls. It also skips an `a` element without `href` and `onclick`, which may be
    /// an anchor, a placeholder or a menu that a script controls.
    ///
    /// ## Also known as
    /// - Lighthouse: `crawlable-anchors`
    /// - Common name: JavaScript link
    ///
    /// ## References
    /// - Google Search Central, Link best practices for Google
    /// - Lighthouse audit crawlable-anchors
    LINK_NOT_CRAWLABLE {
        id: "link-not-crawlable",
        title: "Links are not crawlable",
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
    Outcome::for_each(anchors, |anchor| match problem(anchor) {
        None => Verdict::Pass,
        Some(message) => Verdict::Fail(Evidence::node(anchor).message(message)),
    })
}

/// Whether the anchor is a link that works only through `onclick`. An anchor with a name or an id is a
/// link target, such as a heading.
fn is_script_link(anchor: ElementRef<'_>) -> bool {
    anchor.has_attr("onclick") && !anchor.has_attr("name") && !anchor.has_attr("id")
}

fn problem(anchor: ElementRef<'_>) -> Option<&'static str> {
    let Some(href) = anchor.attr("href") else {
        return Some("The link has no href and works only through onclick.");
    };
    if has_scheme(href, "javascript") {
        return Some("The link has a javascript: URL; expected an http or https URL.");
    }
    has_scheme(href, "file").then_some("The link has a file: URL; expected an http or https URL.")
}

/// Whether the URL parser finds the scheme in the URL. `scheme` must be in lower case.
fn has_scheme(href: &str, scheme: &str) -> bool {
    // The first letter rules out most URLs.
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
    fn links_with_a_url_pass() {
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
    fn javascript_and_file_urls_fail() {
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
    fn onclick_without_href_fails() {
        assert_fails(&LINK_NOT_CRAWLABLE, "<a onclick='go()'>Times</a>", 1);
    }

    #[test]
    fn a_control_is_not_applicable() {
        assert_not_applicable(
            &LINK_NOT_CRAWLABLE,
            "<a href='javascript:x()' role=button>Menu</a>",
        );
    }

    #[test]
    fn anchors_and_placeholders_are_not_applicable() {
        assert_not_applicable(
            &LINK_NOT_CRAWLABLE,
            "<a name=x></a><a id=y onclick='x()'></a><a class=toggle>Menu</a>",
        );
    }
}
