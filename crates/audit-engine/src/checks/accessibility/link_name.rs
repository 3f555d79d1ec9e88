//! Finds links without an accessible name.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::common::links::nested_links;
use crate::common::text::described::picture_in;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every link has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader announces "link" and spells the URL, and its list of links contains an empty entry.
    /// Users of speech control have no name to activate the link by.
    ///
    /// ## How to fix it
    /// Fill the link with text that names its target. If it shows only an image or an icon, describe the target in
    /// `alt` or `aria-label`: `<a href="/" aria-label="Home">`. Remove links that are empty by mistake. If one link
    /// starts inside another, remove one of the two.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><a href="/"><img src="logo.png" alt=""></a></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><a href="/"><img src="logo.png" alt="Home"></a></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the name describes the target. It does not see content
    /// that style sheets add to an empty link. It cannot tell for an empty link with a class to a
    /// fragment of the same page, such as the anchor next to a heading, if the page has an external
    /// style sheet. `area-alt` evaluates image map areas.
    ///
    /// ## Also known as
    /// - axe: `link-name`
    /// - axe: `aria-command-name`
    /// - Lighthouse: `link-name`
    /// - WAVE: Empty link
    /// - WCAG: Failure F89
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 2.4.4 Link Purpose (In Context) (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule c487ae, Link has non-empty accessible name
    LINK_NAME {
        id: "link-name",
        title: "Links without discernible text",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let links = page
        .elements_with(Traits::ANCHOR.or(Traits::ROLE))
        .filter(|element| is_link(&tree, *element) && tree.is_exposed(*element));
    let nested = OnceCell::new();
    Outcome::for_each(links, |link| {
        let verdict = tree.named(link, || match link.attr("href") {
            Some(href) if link.is("a") && nested.get_or_init(|| outer_links(page)).contains(&(link.line(), href.to_owned())) => {
                format!("The link to \"{href}\" has no text, because another link starts inside it and browsers end the first link there.")
            }
            Some(href) => {
                format!("The link to \"{href}\" has no text and no other accessible name.{}", picture_in(link))
            }
            None => format!("This link has no text and no other accessible name.{}", picture_in(link)),
        });
        match verdict {
            Verdict::Fail(_) if may_be_heading_anchor(page, link) => Verdict::CannotTell(
                "A style sheet may add text to this empty link to a fragment of the same page.",
            ),
            verdict => verdict,
        }
    })
}

/// Whether the link may be the anchor next to a heading, such as "§". Style sheets add its text, which
/// then is the name of the link.
fn may_be_heading_anchor(page: &Page, link: ElementRef<'_>) -> bool {
    let is_fragment = link
        .attr("href")
        .is_some_and(|href| href.trim().starts_with('#'));
    is_fragment
        && link.has_attr("class")
        && link.children().next().is_none()
        && !page.styles().are_computed()
        && !page.styles().is_all_in_page()
}

/// Line and target of each link inside which another link starts.
fn outer_links(page: &Page) -> HashSet<(u32, String)> {
    let nested = nested_links::find_all(page).into_iter();
    nested
        .filter_map(|link| Some((link.outer_line, link.outer_href?)))
        .collect()
}

fn is_link<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    tree.role(element).is_some_and(|role| role.is_link())
        && !element.is("area")
        && !element.is("input")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn text_images_and_titles_name_a_link() {
        for html in [
            "<a href=x>Home</a>",
            "<a href=x><img src=y alt=Home></a>",
            "<a href=x title=Home><img src=y alt=''></a>",
            "<a href=x><svg aria-label=Home></svg></a>",
            "<button role=link>Home</button>",
            "<a href=x role=doc-biblioref>1</a>",
            "<a href=#x class=headerlink>¶</a>",
            "<svg><a href=x><text>Home</text></a></svg>",
        ] {
            assert_passes(&LINK_NAME, html);
        }
    }

    #[test]
    fn a_link_without_text_fails() {
        for html in [
            "<a href=x></a>",
            "<a href=x><img src=y></a>",
            "<a href=x><i class=fa></i></a>",
            "<a href=#x class=anchor aria-label=' '></a>",
            "<span role=link></span>",
        ] {
            assert_fails(&LINK_NAME, html, 1);
        }
    }

    #[test]
    fn a_heading_anchor_that_a_style_sheet_may_fill_cannot_tell() {
        let html = "<h2>x<a class=anchor href='#x'></a></h2>";
        let linked = format!("<link rel=stylesheet href=x>{html}");
        assert!(matches!(
            outcome(&LINK_NAME, &linked),
            Outcome::CannotTell(_)
        ));
        assert_fails(&LINK_NAME, html, 1);
        assert_fails(&LINK_NAME, &linked.replace("'#x'", "x"), 1);
    }

    #[test]
    fn the_message_reports_a_nested_link() {
        let html = "<p><a href=x><a href=y>b</a></a><p><a href=x></a>";
        let Outcome::Failed(evidence) = outcome(&LINK_NAME, html) else {
            panic!("passed");
        };
        let nested = evidence.iter().map(|e| e.message.contains("starts inside"));
        // Links with the same line and target cannot be told apart, so both count as nested.
        assert_eq!(nested.collect::<Vec<_>>(), [true, true]);
        let Outcome::Failed(evidence) = outcome(
            &LINK_NAME,
            &html.replace("<p><a href=x></a>", "\n<a href=x></a>"),
        ) else {
            panic!("passed");
        };
        let nested = evidence.iter().map(|e| e.message.contains("starts inside"));
        assert_eq!(nested.collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn anchors_and_hidden_links_are_not_applicable() {
        for html in [
            "<a name=top></a>",
            "<a id=top />",
            "<a href=x aria-hidden=true></a>",
            "<a href=x style='display: none;'></a>",
            "<a href=x role=button></a>",
            "<map name=m><area href=x></map>",
        ] {
            assert_not_applicable(&LINK_NAME, html);
        }
    }
}
