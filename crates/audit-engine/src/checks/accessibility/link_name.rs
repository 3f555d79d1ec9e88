//! Links have a name.

use std::cell::OnceCell;
use std::collections::HashSet;

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::common::links::nested_links;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every link has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader says "link" and spells the address, and in a list of links there is an
    /// empty line. People who speak commands have no word to call it by.
    ///
    /// ## How to fix it
    /// Put text into the link. Where it shows only an image or an icon, say in `alt` or in
    /// `aria-label` where it leads: `<a href="/" aria-label="Home">`. Remove links that are empty by
    /// mistake. Where one link starts inside another, remove one of the two.
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
    /// Whether the name describes the target is not judged. What style sheets draw into an empty link is not seen:
    /// of a link with a class that leads to a place of the page itself, such as the sign beside a heading, the check
    /// cannot tell where the page links a style sheet. Image map areas are another check's business.
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 2.4.4 Link Purpose (In Context) (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule c487ae, Link has non-empty accessible name
    LINK_NAME {
        id: "link-name",
        title: "Links without a name",
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
            Some(href) if link.is("a") && nested.get_or_init(|| outer(page)).contains(&(link.line(), href.to_owned())) => {
                format!("The link to \"{href}\" has no text because another link starts inside it, and browsers end it there.")
            }
            Some(href) => {
                format!("The link to \"{href}\" has no text and no other accessible name.")
            }
            None => "This link has no text and no other accessible name.".to_owned(),
        });
        match verdict {
            Verdict::Fail(_) if is_sign_of_place(page, link) => Verdict::CannotTell(
                "A style sheet may show a sign in a link to a place of the page.",
            ),
            verdict => verdict,
        }
    })
}

/// Whether the link may be the sign beside a heading, such as "§", that leads to the heading itself.
/// Style sheets draw it, and what they draw is the link's name.
fn is_sign_of_place(page: &Page, link: ElementRef<'_>) -> bool {
    let leads_within = link
        .attr("href")
        .is_some_and(|href| href.trim().starts_with('#'));
    leads_within
        && link.has_attr("class")
        && link.children().next().is_none()
        && !page.styles().is_all_in_page()
}

/// Line and target of each link that another link starts in.
fn outer(page: &Page) -> HashSet<(u32, String)> {
    let nested = nested_links::of(page).into_iter();
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
    fn a_sign_that_a_style_sheet_may_draw_is_not_guessed_at() {
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
    fn a_link_that_another_link_ends_says_so() {
        let html = "<p><a href=x><a href=y>b</a></a><p><a href=x></a>";
        let Outcome::Failed(evidence) = outcome(&LINK_NAME, html) else {
            panic!("passed");
        };
        let nested = evidence.iter().map(|e| e.message.contains("starts inside"));
        // One line, one target: both are taken for the nested one.
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
    fn anchors_and_hidden_links_are_no_links() {
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
