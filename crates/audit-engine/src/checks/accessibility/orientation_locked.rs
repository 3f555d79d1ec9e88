//! Finds pages that CSS locks to one screen orientation.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::style::Orientation;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No style sheet in the page rotates the page, or most of its text, by 90 degrees depending on the
    /// screen orientation.
    ///
    /// ## Why it matters
    /// Some users cannot rotate their screen, for example because it is mounted on a wheelchair. If the page
    /// is locked to one orientation, they have to read it sideways.
    ///
    /// ## How to fix it
    /// Remove the rotation from the `@media (orientation: …)` rule and make the layout work in both
    /// orientations.
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
    /// The check does not see locks by script or by the web app manifest, or rotations in media queries that
    /// depend only on the window size. Rotated elements with less than half of the text of the page are
    /// excluded.
    ///
    /// ## Also known as
    /// - axe: `css-orientation-lock`
    /// - WCAG: Failure F97
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.4 Orientation (AA)
    /// - W3C ACT rule b33eff, Orientation of the page is not restricted using CSS transforms
    ORIENTATION_LOCKED {
        id: "orientation-locked",
        title: "Display orientation locked with CSS",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// How far a rotation may differ from a quarter turn, in degrees.
const TOLERANCE: f64 = 1.0;

/// Most nested elements that are examined.
const MAX_DEPTH: usize = 10;

fn evaluate(page: &Page) -> Outcome {
    let styles = page.styles();
    if !styles.have_rotation_by_orientation() {
        return Outcome::NotApplicable;
    }
    let tree = page.access_tree();
    let outer = page.root().into_iter().chain(page.body());
    let candidates = outer.chain(page.body().into_iter().flat_map(parts_with_most_text));
    let rotated = candidates.filter_map(|element| {
        let portrait = styles.rotation(element, Orientation::Portrait);
        let landscape = styles.rotation(element, Orientation::Landscape);
        let may_rotate = [Orientation::Portrait, Orientation::Landscape]
            .into_iter()
            .any(|orientation| styles.may_rotate(element, orientation));
        may_rotate.then_some((element, portrait, landscape))
    });
    let visible = rotated.filter(|(element, ..)| is_visible_text(&tree, *element));
    Outcome::for_each(visible, |(element, portrait, landscape)| {
        match (portrait, landscape) {
        (Some(portrait), Some(landscape)) if is_quarter_turn(portrait - landscape) => tree.failure(
            element,
            format!(
                "A style sheet rotates the {} element by {portrait:.0} degrees in portrait and by \
                 {landscape:.0} degrees in landscape; expected the same rotation in both.",
                element.name()
            ),
        ),
        (Some(_), Some(_)) => Verdict::Pass,
        _ => Verdict::CannotTell("The rotation depends on conditions that cannot be determined in static mode."),
    }
    })
}

/// The elements in the body that contain most of its text, starting with the outermost.
fn parts_with_most_text<'a>(body: ElementRef<'a>) -> Vec<ElementRef<'a>> {
    let mut parts: Vec<ElementRef<'a>> = Vec::new();
    let mut outer = body;
    let all = text_bytes(body);
    while parts.len() < MAX_DEPTH {
        let Some(inner) = outer.children().find(|child| text_bytes(*child) * 2 > all) else {
            break;
        };
        parts.push(inner);
        outer = inner;
    }
    parts
}

/// Bytes of text inside the element, without scripts and style sheets.
fn text_bytes(element: ElementRef<'_>) -> usize {
    let dom = element.dom();
    let mut walk = dom.descendants(element.id());
    let mut text_bytes = 0;
    if matches!(element.name(), "script" | "style") {
        return 0;
    }
    while let Some(id) = walk.next() {
        match dom.data(id) {
            Some(NodeData::Text(run)) => text_bytes += run.trim().len(),
            Some(NodeData::Element(inner)) if matches!(inner.name(), "script" | "style") => {
                walk.skip_children(id);
            }
            _ => {}
        }
    }
    text_bytes
}

fn is_quarter_turn(degrees: f64) -> bool {
    let remainder = degrees.rem_euclid(180.0);
    (remainder - 90.0).abs() <= TOLERANCE
}

/// Whether the element shows text.
fn is_visible_text<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
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
    fn a_quarter_turn_by_orientation_fails() {
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
    fn other_rotations_pass() {
        for css in [
            "@media (orientation: landscape){body{transform:rotate(180deg)}}",
            "@media (orientation:portrait){body{transform:rotate(5deg)}}",
        ] {
            assert_passes(&ORIENTATION_LOCKED, &page(css));
        }
    }

    #[test]
    fn rotations_of_small_parts_or_without_orientation_are_not_applicable() {
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
    fn rotations_under_other_conditions_cannot_tell() {
        let css = "@media (orientation:portrait){body{rotate:90deg}}@media (hover:none){body{rotate:0deg}}";
        assert!(matches!(
            outcome(&ORIENTATION_LOCKED, &page(css)),
            Outcome::CannotTell(_)
        ));
    }
}
