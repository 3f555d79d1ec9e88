//! What works as a link is one.

use std::collections::HashSet;

use url::Url;

use crate::address::without_fragment;
use crate::bounds::page::MAX_NODES_OF_A_BLOCK;
use crate::check::{Evidence, Outcome, Verdict};
use crate::common::rendering::wording::quoted;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element without `href` works as a link through a script: an element with `role="link"`, or one with the target
    /// in an attribute that scripts read (`routerlink`, `data-href`), that reacts to clicks.
    ///
    /// ## Why it matters
    /// Crawlers click nothing, not even those that render pages, as Google does: they find pages only through `href`.
    /// Visitors cannot open such a link in a new tab or copy its URL, and with a keyboard often not at all.
    ///
    /// ## How to fix it
    /// Use an `a` element with the URL in `href`: `<a href="/times">`. The script may still handle its click. Put a link
    /// into the first cell of a table row instead of making the row clickable.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1><div role="link" tabindex="0" id="times">Times</div><script>document.getElementById("times").addEventListener("click", () => { location.href = "/times"; })</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1><a href="/times" id="times">Times</a><script>document.getElementById("times").addEventListener("click", () => { console.log("times"); })</script></html>
    /// ```
    ///
    /// ## Limits
    /// An element that only reacts to clicks is not reported, because it may be a control. The check ignores elements
    /// in a link or around one, and targets on other sites or that another link of the page has.
    /// `link-not-crawlable` reports `a` elements with `onclick` and without `href`.
    ///
    /// ## Also known as
    /// - Lighthouse: `crawlable-anchors`
    /// - Common name: Div used as a link
    ///
    /// ## References
    /// - Google Search Central, Link best practices for Google
    /// - WAI-ARIA 1.2, link role
    LINKS_WITHOUT_HREF {
        id: "links-without-href",
        title: "Links without href that a script opens",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Attributes from which scripts read the target of a click.
const TARGETS: [&str; 3] = ["routerlink", "ng-reflect-router-link", "data-href"];

fn evaluate(page: &Page) -> Outcome {
    if !page.is_rendered() {
        return Outcome::NotApplicable;
    }
    let linked: HashSet<&Url> = page.links().iter().filter_map(|link| link.url()).collect();
    let tree = page.access_tree();
    let items = page.elements().filter_map(|element| {
        let is_link = matches!(element.name(), "a" | "area") && element.has_attr("href");
        if is_link {
            return Some(Verdict::Pass);
        }
        let message = problem(page, element, &linked)?;
        let is_seen = !tree.exposure(element).hidden && is_alone(element);
        is_seen.then(|| Verdict::Fail(Evidence::node(element).message(message)))
    });
    Outcome::for_each(items, |verdict| verdict)
}

/// What is wrong with an element that works as a link; none if it does not.
fn problem(page: &Page, element: ElementRef<'_>, linked: &HashSet<&Url>) -> Option<String> {
    let is_script_link = element.is("a") && element.has_attr("onclick");
    let role = element.attr("role").map(str::trim);
    if !element.is_html() || is_script_link || element.attr_is("aria-disabled", "true") {
        return None;
    }
    if let Some(target) = target(element, role) {
        let url = page.base().join(target).ok()?;
        let is_new = page.site().contains(&url) && !linked.contains(&without_fragment(&url));
        return (is_new && page.is_clickable(element)).then(|| {
            format!(
                "The element opens {} on a click but has no href; expected an a element with this href.",
                quoted(target)
            )
        });
    }
    (role == Some("link") && page.is_clickable(element)).then(|| {
        "The element has the role link and reacts to clicks but has no href; expected an a element with href."
            .to_owned()
    })
}

/// The target that a script reads from an attribute. In `data-href` of a control it may be anything.
fn target<'a>(element: ElementRef<'a>, role: Option<&str>) -> Option<&'a str> {
    let is_control = matches!(element.name(), "button" | "input" | "select" | "option")
        || role.is_some_and(|role| role != "link");
    let names = TARGETS
        .iter()
        .filter(|name| !(is_control && **name == "data-href"));
    let mut values = names.filter_map(|name| element.attr(name)).map(str::trim);
    values.find(|value| value.starts_with(['/', '.']) || value.starts_with("http"))
}

/// Whether there is no link around the element and none in it.
fn is_alone(element: ElementRef<'_>) -> bool {
    let is_link = |other: ElementRef<'_>| other.is("a") && other.has_attr("href");
    let mut inner = element.descendants().take(MAX_NODES_OF_A_BLOCK);
    !element.ancestors().any(is_link) && !inner.any(is_link)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome, outcome_shown};

    fn outcome_after(after: &str) -> Outcome {
        let after = format!("<a href=/known>x</a>{after}");
        outcome_shown(&LINKS_WITHOUT_HREF, "", &after)
    }

    #[rstest]
    #[case(
        "<div role=link onclick=x()>Times</div>",
        "The element has the role link and reacts to clicks but has no href; expected an a element with href."
    )]
    #[case(
        "<tr role=row><td routerlink=/times onclick=x()>Times",
        "The element opens \"/times\" on a click but has no href; expected an a element with this href."
    )]
    #[case(
        "<div data-href=/times onclick=x()>Times</div>",
        "The element opens \"/times\" on a click but has no href; expected an a element with this href."
    )]
    #[case(
        "<button routerlink=/times onclick=x()>Times</button>",
        "The element opens \"/times\" on a click but has no href; expected an a element with this href."
    )]
    fn elements_that_work_as_links_fail(#[case] after: &str, #[case] expected: &str) {
        let after = format!("<table>{after}</table>");
        assert_eq!(message_shown(&LINKS_WITHOUT_HREF, "", &after), expected);
    }

    #[rstest]
    #[case::no_listener("<div role=link>Times</div><div data-href=/times>Times</div>")]
    #[case::control("<div onclick=x()>Menu</div><a id=b class=toggle onclick=x()>Menu</a>")]
    #[case::button(
        "<div role=button data-href=/api onclick=x()>Save</div><button data-href=/api onclick=x()>Save</button>"
    )]
    #[case::disabled("<div role=link aria-disabled=true onclick=x()>Here</div>")]
    #[case::around_a_link("<div data-href=/times onclick=x()><a href=/times>Times</a></div>")]
    #[case::in_a_link("<a href=/a><span role=link onclick=x()>Times</span></a>")]
    #[case::known_target("<div data-href=/known onclick=x()>Times</div>")]
    #[case::known_part("<div data-href=/known#a onclick=x()>Times</div>")]
    #[case::other_site("<div data-href=https://a.example/ onclick=x()>Times</div>")]
    #[case::no_address(
        "<div data-href='#menu' onclick=x()>Menu</div><div data-href=42 onclick=x()>x</div>"
    )]
    fn other_elements_pass(#[case] after: &str) {
        assert_eq!(outcome_after(after), Outcome::Passed);
    }

    #[test]
    fn links_inside_are_looked_for_in_a_limited_number_of_nodes() {
        let outcome_after = |before: usize| {
            let before = "<br>".repeat(before);
            self::outcome_after(&format!(
                "<div role=link onclick=x()>{before}<a href=/a>x</a></div>"
            ))
        };
        assert_eq!(outcome_after(MAX_NODES_OF_A_BLOCK - 1), Outcome::Passed);
        assert!(matches!(
            outcome_after(MAX_NODES_OF_A_BLOCK),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn pages_without_links_or_without_a_browser_are_not_applicable() {
        assert_eq!(
            outcome_shown(&LINKS_WITHOUT_HREF, "", "<p>x"),
            Outcome::NotApplicable
        );
        let html = "<div role=link onclick=x()>Times</div>";
        assert_eq!(outcome(&LINKS_WITHOUT_HREF, html), Outcome::NotApplicable);
    }
}
