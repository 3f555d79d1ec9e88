//! The page is not turned against the way the screen is held.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::style::Orientation;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No style sheet in the page turns the page, or most of its text, by a quarter when the screen is held upright
    /// or across.
    ///
    /// ## Why it matters
    /// Some people cannot turn their screen, for example because it is fixed to a wheelchair. Where the page
    /// turns with the screen, they have to read it from the side.
    ///
    /// ## How to fix it
    /// Remove the rotation from the `@media (orientation: …)` rule and lay the page out for both ways.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Game</title><style>@media (orientation: portrait) { body { transform: rotate(90deg); } }</style><body><p>Hold your phone across.</p></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Game</title><style>@media (orientation: portrait) { body { transform: rotate(0deg); } }</style><body><p>Hold your phone as you like.</p></body></html>
    /// ```
    ///
    /// ## Limits
    /// Locks by script or by the manifest, and rules for small windows alone, are not seen. Elements that are turned
    /// and hold less than half of the page's text are left out.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.4 Orientation (AA)
    /// - W3C ACT rule b33eff, Orientation of the page is not restricted using CSS transforms
    ORIENTATION_LOCKED {
        id: "orientation-locked",
        title: "The page is turned against the way the screen is held",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// How far from a quarter a turn may be, in degrees.
const TOLERANCE: f64 = 1.0;

/// Elements within each other that are looked at.
const DEEPEST: usize = 10;

fn evaluate(page: &Page) -> Outcome {
    let styles = page.styles();
    if !styles.have_rotation_by_orientation() {
        return Outcome::NotApplicable;
    }
    let tree = page.access_tree();
    let frame = page.root().into_iter().chain(page.body());
    let frame = frame.chain(page.body().into_iter().flat_map(parts_with_most_text));
    let turned = frame.filter_map(|element| {
        let upright = styles.rotation(element, Orientation::Portrait);
        let across = styles.rotation(element, Orientation::Landscape);
        let is_meant = [Orientation::Portrait, Orientation::Landscape]
            .into_iter()
            .any(|held| styles.may_rotate(element, held));
        is_meant.then_some((element, upright, across))
    });
    let seen = turned.filter(|(element, ..)| is_seen(&tree, *element));
    Outcome::for_each(seen, |(element, upright, across)| {
        match (upright, across) {
        (Some(upright), Some(across)) if is_quarter(upright - across) => tree.failure(
            element,
            format!(
                "A style sheet turns the {} by {upright:.0} degrees when the screen is upright and by {across:.0} when it is across.",
                element.name()
            ),
        ),
        (Some(_), Some(_)) => Verdict::Pass,
        _ => Verdict::CannotTell("How far the page is turned depends on more than its source."),
    }
    })
}

/// The elements in the body that hold most of its text, from the outermost on.
fn parts_with_most_text<'a>(body: ElementRef<'a>) -> Vec<ElementRef<'a>> {
    let mut parts: Vec<ElementRef<'a>> = Vec::new();
    let mut outer = body;
    let all = letters(body);
    while parts.len() < DEEPEST {
        let Some(inner) = outer.children().find(|child| letters(*child) * 2 > all) else {
            break;
        };
        parts.push(inner);
        outer = inner;
    }
    parts
}

/// Bytes of text below the element, scripts and style sheets left out.
fn letters(element: ElementRef<'_>) -> usize {
    let dom = element.dom();
    let mut walk = dom.descendants(element.id());
    let mut letters = 0;
    if matches!(element.name(), "script" | "style") {
        return 0;
    }
    while let Some(id) = walk.next() {
        match dom.data(id) {
            Some(NodeData::Text(run)) => letters += run.trim().len(),
            Some(NodeData::Element(inner)) if matches!(inner.name(), "script" | "style") => {
                walk.skip_children(id);
            }
            _ => {}
        }
    }
    letters
}

fn is_quarter(degrees: f64) -> bool {
    let turned = degrees.rem_euclid(180.0);
    (turned - 90.0).abs() <= TOLERANCE
}

/// Whether the element shows text.
fn is_seen<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    let page = tree.page();
    let shown = page.body().is_some_and(|body| !tree.exposure(body).hidden);
    shown && !tree.exposure(element).hidden && !page.text().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    fn page(css: &str) -> String {
        format!("<body><style>{css}</style><i>Top</i><main><p id=deep>Our museum.</main></body>")
    }

    #[test]
    fn a_quarter_with_the_screen_fails() {
        for css in [
            "@media (orientation: landscape){body{transform:rotate(-90deg)}}",
            "@media (orientation:portrait){html{rotate:1.5708rad}}",
            "@media screen and (orientation:portrait){#deep{rotate:90deg}}",
            "@media screen and (orientation:portrait){main{transform:translate(1px) rotateZ(270deg)}}",
            "body{rotate:10deg}@media (orientation:portrait){body{rotate:100deg}}",
        ] {
            assert_fails(&ORIENTATION_LOCKED, &page(css), 1);
        }
    }

    #[test]
    fn other_turns_pass() {
        for css in [
            "@media (orientation: landscape){body{transform:rotate(180deg)}}",
            "@media (orientation:portrait){body{transform:rotate(5deg)}}",
        ] {
            assert_passes(&ORIENTATION_LOCKED, &page(css));
        }
    }

    #[test]
    fn turns_of_small_parts_or_without_the_screen_are_not_judged() {
        for css in [
            "body{transform:rotate(90deg)}",
            "@media (orientation:portrait){i{transform:rotate(90deg)}}",
            "@media (orientation:portrait){body{color:red}}",
            "@media (orientation:upright){body{transform:rotate(90deg)}}",
            "body{display:none}@media (orientation:portrait){body{transform:rotate(90deg)}}",
        ] {
            assert_not_applicable(&ORIENTATION_LOCKED, &page(css));
        }
    }

    #[test]
    fn turns_of_some_screens_only_are_not_guessed_at() {
        let css = "@media (orientation:portrait){body{rotate:90deg}}@media (hover:none){body{rotate:0deg}}";
        assert!(matches!(
            outcome(&ORIENTATION_LOCKED, &page(css)),
            Outcome::CannotTell(_)
        ));
    }
}
