//! The page says where its main content is.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The page has exactly one `main` element or element with `role="main"`.
    ///
    /// ## Why it matters
    /// A screen reader jumps to the main content with one key. Without the landmark people listen
    /// to the header and the menu of every page.
    ///
    /// ## How to fix it
    /// Put what is particular to this page into one `main` element, and leave the header, the
    /// menu and the footer outside of it. If there are several, keep one or hide the others with `hidden`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><body><nav><a href="/">Home</a></nav><div id="content"><h1>Guide</h1></div></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><body><nav><a href="/">Home</a></nav><main id="content"><h1>Guide</h1></main></body></html>
    /// ```
    ///
    /// ## Limits
    /// WCAG does not demand the landmark; it is the most common way to let people skip what is
    /// repeated. A page that only frames make up has no main content of its own. A long page
    /// without `main` can also be reported by semantic-structure.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.1 Bypass Blocks (A), technique ARIA11
    /// - HTML Standard, section 4.4.14, the main element
    LANDMARK_MAIN {
        id: "landmark-main",
        title: "The page does not have exactly one main landmark",
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
    let has_content = page
        .body()
        .is_some_and(|body| body.children().any(|child| !tree.exposure(child).hidden));
    if !has_content {
        return Outcome::NotApplicable;
    }
    let mains: Vec<_> = page
        .elements_with(Traits::MAIN_PART.or(Traits::ROLE))
        .filter(|element| {
            (element.is("main") || element.has_attr("role"))
                && tree.has_role(*element, "main")
                && !tree.exposure(*element).hidden
        })
        .collect();
    match mains.as_slice() {
        [] => Outcome::failed(vec![Evidence::here().message(
            "The page has neither a main element nor an element with the role main.",
        )]),
        [_] => Outcome::Passed,
        [_, others @ ..] if others.iter().any(|main| tree.exposure(*main).uncertain) => {
            Outcome::CannotTell("A class may hide a main landmark; only a browser can tell.")
        }
        [_, others @ ..] => Outcome::Failed(
            others
                .iter()
                .map(|main| {
                    tree.evidence(*main).message(format!(
                        "The page has {} main landmarks; expected one.",
                        mains.len()
                    ))
                })
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn one_main_passes() {
        assert_passes(&LANDMARK_MAIN, "<main>x</main>");
        assert_passes(&LANDMARK_MAIN, "<div role=main>x</div>");
        assert_passes(&LANDMARK_MAIN, "<main>x</main><main hidden>y</main>");
    }

    #[test]
    fn none_or_two_fail() {
        assert_fails(&LANDMARK_MAIN, "<p>x", 1);
        assert_fails(&LANDMARK_MAIN, "<main role=region aria-label=y>x</main>", 1);
        assert_fails(&LANDMARK_MAIN, "<main>x</main><div role=main>y</div>", 1);
    }

    #[test]
    fn framesets_and_empty_pages_have_no_main_content() {
        assert_not_applicable(&LANDMARK_MAIN, "<frameset><frame src=a></frameset>");
        assert_not_applicable(&LANDMARK_MAIN, "<script>x</script>");
    }
}
