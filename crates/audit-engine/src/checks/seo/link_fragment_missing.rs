//! Links within a page lead to a place on it.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::fragments::{Targets, is_skip_link};
use crate::common::script_shell::mount_point;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::{Link, Page};

declare_check! {
    /// ## What it checks
    /// Every link to a place on its own page (`#times`) names an element that is there, by its `id` or
    /// as the `name` of an `a` element.
    ///
    /// ## Why it matters
    /// People who follow such a link stay where they are and do not know why. Entries of a table of
    /// contents that lead nowhere make a long page hard to use, and search engines cannot lead to
    /// its parts.
    ///
    /// ## How to fix it
    /// Give the element the `id` that the link names, or correct the link. Upper and lower case make
    /// a difference.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><a href="#prices">Prices</a><h2 id="price">Prices</h2></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><a href="#prices">Prices</a><h2 id="prices">Prices</h2></html>
    /// ```
    ///
    /// ## Limits
    /// Links to places on other pages are not judged. Nor are those that a script is likely to handle:
    /// links that are buttons or tabs by role, that say what they control or open, and fragments that
    /// look like routes or settings (`#/times`, `#!times`, `#view=map`). Directives such as
    /// `:~:text=` are left out of the fragment. Skip links are judged by skip-link-broken. Elements that
    /// scripts add are not seen.
    ///
    /// ## References
    /// - HTML Standard, Scrolling to a fragment
    LINK_FRAGMENT_MISSING {
        id: "link-fragment-missing",
        title: "Links to places that are not on the page",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let own = page.url().as_str();
    let own = own.split('#').next().unwrap_or(own);
    let links = page
        .links()
        .iter()
        .filter(|link| link.href.contains('#'))
        .filter_map(|link| Some((link, fragment(link, own)?)))
        .filter_map(|(link, fragment)| Some((page.element(link.node)?, fragment)))
        .filter(|(link, _)| !is_handled(*link));
    let mut targets = None;
    let outcome = Outcome::for_each(links, |(link, fragment)| {
        let targets = targets.get_or_insert_with(|| Targets::of(page));
        if targets.find(fragment).is_some() || is_skip_link(&link.text()) {
            return Verdict::Pass;
        }
        Verdict::Fail(
            Evidence::node(link)
                .message(format!(
                    "The link leads to “#{fragment}”; no element of the page has that id."
                ))
                .cause(
                    fragment,
                    format!("Links lead to “#{fragment}”, which is not on their page"),
                ),
        )
    });
    let is_cut = || page.document().truncated || page.dom().truncated();
    match outcome {
        Outcome::Failed(_) if is_cut() => {
            Outcome::CannotTell("Not all of the page was read, so that the place may be missing.")
        }
        Outcome::Failed(_) if mount_point(page).is_some() => {
            Outcome::CannotTell("A script fills the page, and may add the place.")
        }
        outcome => outcome,
    }
}

/// What a link to the page itself says behind the number sign; none where it names no place.
fn fragment<'a>(link: &'a Link, own: &str) -> Option<&'a str> {
    let (page, fragment) = link.url()?.as_str().split_once('#')?;
    let name = fragment.split(":~:").next().unwrap_or_default();
    let is_setting = name.starts_with(['/', '!', '?']) || name.contains(['=', '&', '/']);
    (page == own && !name.is_empty() && !is_setting).then_some(name)
}

/// Whether a script is likely to do what the link says.
fn is_handled(link: ElementRef<'_>) -> bool {
    const SIGNS: [&str; 8] = [
        "role",
        "onclick",
        "aria-controls",
        "aria-expanded",
        "aria-haspopup",
        "aria-selected",
        "aria-pressed",
        "download",
    ];
    link.attrs().any(|attribute| {
        let name = attribute.name;
        SIGNS.contains(&name)
            || ["data-", "@", "v-", "x-", "ng-", "(", "hx-"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{
        assert_fails, assert_not_applicable, assert_passes, judge, outcome,
    };

    #[test]
    fn places_that_are_there_pass() {
        assert_passes(
            &LINK_FRAGMENT_MISSING,
            "<a href=#a>a</a><a href=/#b>b</a><a href=#top>up</a><a href='#c:~:text=x'>c</a><p id=a><a name=b></a><p id=c>",
        );
    }

    #[test]
    fn places_that_are_missing_fail_each_with_its_cause() {
        assert_fails(
            &LINK_FRAGMENT_MISSING,
            "<a href=#a>a</a><a href=#a>again</a><a href=https://example.com/#B>b</a><p id=b>",
            3,
        );
    }

    #[test]
    fn what_a_script_is_likely_to_handle_is_not_judged() {
        for html in [
            "<a href=#>x</a>",
            "<a href='#/times'>x</a>",
            "<a href='#view=map'>x</a>",
            "<a href=#menu role=button>x</a>",
            "<a href=#menu data-toggle=collapse>x</a>",
            "<a href=#menu aria-controls=m>x</a>",
            "<a href='#:~:text=x'>x</a>",
        ] {
            assert_not_applicable(&LINK_FRAGMENT_MISSING, html);
        }
    }

    #[test]
    fn other_pages_are_not_judged_and_a_base_makes_one() {
        assert_not_applicable(&LINK_FRAGMENT_MISSING, "<a href=/other#a>x</a>");
        assert_not_applicable(&LINK_FRAGMENT_MISSING, "<base href=/other><a href=#a>x</a>");
    }

    #[test]
    fn the_query_makes_another_page() {
        let page = Page::builder()
            .url("/list?page=2")
            .html("<a href=#a>a</a><a href=/list#b>b</a>");
        assert!(matches!(
            judge(&LINK_FRAGMENT_MISSING, &page),
            Outcome::Failed(evidence) if evidence.len() == 1
        ));
    }

    #[test]
    fn skip_links_are_another_checks_matter() {
        assert_passes(&LINK_FRAGMENT_MISSING, "<a href=#gone>Skip to content</a>");
    }

    #[test]
    fn a_page_that_waits_for_its_script_cannot_be_judged() {
        let html = "<a href=#a>a</a><div id=root></div><script src=app.js></script>";
        assert!(matches!(
            outcome(&LINK_FRAGMENT_MISSING, html),
            Outcome::CannotTell(_)
        ));
    }
}
