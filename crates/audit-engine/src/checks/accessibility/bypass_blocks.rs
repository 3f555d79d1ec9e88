//! Finds pages without a way to bypass repeated blocks of content.

use crate::aria::AccessTree;
use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::is_redirect_stub;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::{Page, script_shell};

declare_check! {
    /// ## What it checks
    /// A page with links has a heading, a landmark or a link to an element on the same page, so that users can
    /// skip its menus.
    ///
    /// ## Why it matters
    /// Keyboard and screen reader users otherwise go through the same menu on every page before they reach
    /// the new content.
    ///
    /// ## How to fix it
    /// Wrap the main content in a `main` element that starts with a heading. Add a skip link to it at the top of the
    /// page: `<a href="#content">Skip to content</a>`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><body><a href="/">Home</a> <a href="/a">Apples</a> <a href="/b">Pears</a> <a href="/c">Plums</a> <a href="/d">Contact</a><p>Pears ripen in autumn.</p></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><body><nav><a href="/">Home</a> <a href="/a">Apples</a> <a href="/b">Pears</a> <a href="/c">Plums</a> <a href="/d">Contact</a></nav><main><h1>Pears</h1><p>Pears ripen in autumn.</p></main></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the heading or landmark is at the right position, or whether other
    /// pages repeat the links. It does not evaluate pages that redirect their visitors, or whose content scripts
    /// write.
    ///
    /// ## Also known as
    /// - axe: `bypass`
    /// - Lighthouse: `bypass`
    /// - Common name: Skip navigation
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.1 Bypass Blocks (A)
    /// - W3C ACT rule cf77f2, Bypass Blocks of Repeated Content
    BYPASS_BLOCKS {
        id: "bypass-blocks",
        title: "No way to bypass repeated blocks of content",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let mut links = page
        .html("a")
        .filter(|link| link.has_attr("href") && tree.is_exposed(*link));
    if links.next().is_none() || is_redirect_stub(page) || script_shell::is_frameset(page) {
        return Outcome::NotApplicable;
    }
    if script_shell::mount_point(page).is_some() {
        return Outcome::CannotTell("A script writes the content of the page.");
    }
    let skippable = page.elements().any(|element| is_bypass(&tree, element));
    Outcome::pass_if(skippable, || {
        Evidence::here().message(
            "The page has links, but no heading, landmark or link to an element on the same page.",
        )
    })
}

/// Whether the element lets users skip content.
fn is_bypass<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    is_link_within_page(tree, element)
        || (tree
            .role(element)
            .is_some_and(|role| role.is("heading") || (role.is_landmark() && !role.is("form")))
            && tree.is_exposed(element))
}

fn is_link_within_page<'a>(tree: &AccessTree<'a>, link: ElementRef<'a>) -> bool {
    link.is("a")
        && link
            .attr("href")
            .and_then(|href| href.trim().strip_prefix('#'))
            .is_some_and(|id| tree.page().by_id(id).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    const LINKS: &str =
        "<a href=1>1</a><a href=2>2</a><a href=3>3</a><a href=4>4</a><a href=5>5</a>";

    #[test]
    fn a_heading_a_landmark_or_a_skip_link_passes() {
        for more in [
            "<h2>x</h2>",
            "<main>x</main>",
            "<div role=navigation>x</div>",
            "<a href=#c>Skip</a><div id=c>x</div>",
        ] {
            assert_passes(&BYPASS_BLOCKS, &format!("{LINKS}{more}"));
        }
    }

    #[test]
    fn links_alone_fail() {
        assert_fails(&BYPASS_BLOCKS, LINKS, 1);
        assert_fails(&BYPASS_BLOCKS, &format!("{LINKS}<h1 hidden>x</h1>"), 1);
        assert_fails(&BYPASS_BLOCKS, &format!("{LINKS}<a href=#nowhere>x</a>"), 1);
    }

    #[test]
    fn one_link_is_enough_to_need_a_bypass() {
        assert_fails(&BYPASS_BLOCKS, "<a href=1>1</a><p>x", 1);
        assert_fails(&BYPASS_BLOCKS, "<p>x<p><a href=1>1</a><a href=#>Up</a>", 1);
        assert_passes(&BYPASS_BLOCKS, "<a href=1>1</a><h1>x</h1>");
    }

    #[test]
    fn pages_without_links_or_content_of_their_own_are_not_applicable() {
        for html in [
            "<p>x",
            "<a name=x>x</a>",
            "<a href=1 hidden>1</a>",
            "<meta http-equiv=refresh content='0;url=/x'><a href=/x>Continue</a>",
        ] {
            assert_not_applicable(&BYPASS_BLOCKS, html);
        }
        let shell = "<a href=1>1</a><div id=root></div><script src=app.js></script>";
        assert!(matches!(
            outcome(&BYPASS_BLOCKS, shell),
            Outcome::CannotTell(_)
        ));
    }
}
