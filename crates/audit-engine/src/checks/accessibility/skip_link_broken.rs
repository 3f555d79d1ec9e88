//! Finds broken skip links.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;
use crate::view::fragments::{Targets, is_skip_link};

declare_check! {
    /// ## What it checks
    /// Every skip link refers to an element that exists and is not hidden. A skip link is a link before the
    /// first link to another page whose text says that it skips something or goes to the content.
    ///
    /// ## Why it matters
    /// A broken skip link removes the only quick way past the menu. Keyboard users notice this only after
    /// they activate it.
    ///
    /// ## How to fix it
    /// Add the id from the link to the element with the main content: `<a href="#content">Skip to content</a> … <main
    /// id="content">`. If the element has the id already, make it visible.
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
    /// The check recognizes skip links by their position and by words in common languages. In
    /// static mode, it does not see a target that a script adds.
    ///
    /// ## Also known as
    /// - axe: `skip-link`
    /// - Lighthouse: `skip-link`
    /// - WAVE: Broken skip link
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.1 Bypass Blocks (A), technique G1
    SKIP_LINK_BROKEN {
        id: "skip-link-broken",
        title: "Broken skip links",
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
    let targets = Targets::new(page);
    let links = page
        .html("a")
        .filter_map(|link| Some((link, link.attr("href")?.trim())))
        .map_while(|(link, href)| Some((link, href.strip_prefix('#')?)))
        .filter(|(link, id)| {
            !id.is_empty() && tree.is_exposed(*link) && has_skip_name(&tree, *link)
        });
    Outcome::for_each(links, |(link, fragment)| match targets.find(fragment) {
        Some(target) if tree.exposure(target).hidden => tree.failure(
            link,
            format!("This skip link refers to \"#{fragment}\", which is hidden."),
        ),
        Some(_) => Verdict::Pass,
        None => tree.failure(
            link,
            format!("This skip link refers to \"#{fragment}\", which is not on the page."),
        ),
    })
}

fn has_skip_name<'a>(tree: &AccessTree<'a>, link: ElementRef<'a>) -> bool {
    is_skip_link(&tree.name(link).text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn an_existing_target_passes() {
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
    fn a_missing_or_hidden_target_fails() {
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
