//! Skip links lead somewhere.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;
use crate::view::fragments::{Targets, is_skip_link};

declare_check! {
    /// ## What it checks
    /// Every link before the first link to another page, which says that it skips something or
    /// leads to the content, points at an element that exists and is shown.
    ///
    /// ## Why it matters
    /// A skip link that leads nowhere takes away the only short way past the menu, and people who
    /// use the keyboard notice only after they have pressed it.
    ///
    /// ## How to fix it
    /// Give the element that holds the main content the id that the link names:
    /// `<a href="#content">Skip to content</a> … <main id="content">`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><body><a href="#content">Skip to content</a><nav><a href="/">Home</a></nav><main id="main"><h1>Guide</h1></main></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><body><a href="#main">Skip to content</a><nav><a href="/">Home</a></nav><main id="main"><h1>Guide</h1></main></body></html>
    /// ```
    ///
    /// ## Limits
    /// Skip links are told by their place and by words of frequent languages. A target that a
    /// script adds is seen in rendered mode only.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.1 Bypass Blocks (A), technique G1
    SKIP_LINK_BROKEN {
        id: "skip-link-broken",
        title: "Skip links that lead nowhere",
        dimension: Accessibility,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let targets = Targets::of(page);
    let links = page
        .html("a")
        .filter_map(|link| Some((link, link.attr("href")?.trim())))
        .map_while(|(link, href)| Some((link, href.strip_prefix('#')?)))
        .filter(|(link, id)| !id.is_empty() && tree.is_exposed(*link) && skips(&tree, *link));
    Outcome::for_each(links, |(link, fragment)| match targets.find(fragment) {
        Some(target) if tree.exposure(target).hidden => tree.failure(
            link,
            format!("This skip link leads to \"#{fragment}\", which is hidden."),
        ),
        Some(_) => Verdict::Pass,
        None => tree.failure(
            link,
            format!("This skip link leads to \"#{fragment}\", which is not on the page."),
        ),
    })
}

fn skips<'a>(tree: &AccessTree<'a>, link: ElementRef<'a>) -> bool {
    is_skip_link(&tree.name(link).text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_target_on_the_page_passes() {
        for html in [
            "<a href=#c>Skip to content</a><main id=c>x</main>",
            "<a href='#c'>Zum Inhalt</a><a name=c></a>",
            "<a href='#%C3%BC'>Skip</a><main id=ü>x</main>",
            "<a href=#top>Skip to top</a>",
        ] {
            assert_passes(&SKIP_LINK_BROKEN, html);
        }
    }

    #[test]
    fn no_target_or_a_hidden_one_fails() {
        assert_fails(
            &SKIP_LINK_BROKEN,
            "<a href=#c>Skip to content</a><a href=/>x</a>",
            1,
        );
        assert_fails(
            &SKIP_LINK_BROKEN,
            "<a href=#c>Skip</a><main id=c hidden>x</main>",
            1,
        );
        assert_fails(
            &SKIP_LINK_BROKEN,
            "<a href=#c>Skip to nav</a><a href=#d>Skip to content</a>",
            2,
        );
    }

    #[test]
    fn other_links_within_the_page_are_not_skip_links() {
        for html in [
            "<a href=#c>Chapter 1</a>",
            "<a href=/>Home</a><a href=#c>Skip to content</a>",
            "<a href=#>Skip</a>",
            "<a name=c>Skip</a>",
        ] {
            assert_not_applicable(&SKIP_LINK_BROKEN, html);
        }
    }
}
