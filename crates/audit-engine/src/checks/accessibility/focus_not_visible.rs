//! Elements that look the same with the keyboard focus as without it.

use crate::check::{Evidence, Extent, Failures, Outcome};
use crate::declare_check;
use crate::gather::{FocusChange, FocusStop, FocusWalk, WalkEnd};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// When an element gets the focus by the Tab key, something in the window changes: an outline, a border, a color, or
    /// at least one pixel.
    ///
    /// ## Why it matters
    /// People who use the keyboard see nowhere else which link or field they have reached. Without a visible focus they
    /// do not know what the Enter key will do.
    ///
    /// ## How to fix it
    /// Remove `outline: none` from the style sheet, or give the focused element another look, such as
    /// `:focus-visible { outline: 2px solid }`. If the element is outside of the window, such as a link of a closed menu,
    /// close the menu with `visibility: hidden` or the `inert` attribute: the Tab key then skips it. Move a skip link
    /// into the window while it has the focus. An empty element has no place for an outline: give it a size.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><style>a { outline: none }</style><p><a href="/timetable">Timetable</a></p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><style>a:focus-visible { outline: 2px solid }</style><p><a href="/timetable">Timetable</a></p></html>
    /// ```
    ///
    /// ## Limits
    /// The Tab key is pressed on the first five pages of a crawl, at most 60 times and for 5 s on each, and until the
    /// focus has changed no style of eight elements. On a page with more elements, or where a script moves the focus, the
    /// check reports what it has seen, and cannot tell otherwise. It does not judge whether a change is large enough to be
    /// noticed. A text field with a text cursor passes. Frames, and elements that something else covers, are not judged.
    ///
    /// ## Also known as
    /// - Common name: Missing focus indicator
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.7 Focus Visible (AA)
    /// - W3C ACT rule oj04fd, Element in sequential focus order has visible focus
    FOCUS_NOT_VISIBLE {
        id: "focus-not-visible",
        title: "Keyboard focus is not visible",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Browser, TabKey],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const UNKNOWN: &str = "An element in a frame or behind another one has the focus.";

fn evaluate(page: &Page) -> Outcome {
    let Some(walk) = page.events().and_then(|events| events.focus.as_ref()) else {
        return Outcome::NotApplicable;
    };
    let failures: Failures = walk
        .stops
        .iter()
        .filter_map(|stop| evidence(stop, page))
        .collect();
    if !failures.is_none() {
        let visible = walk
            .stops
            .iter()
            .filter(|stop| stop.change == FocusChange::Visible);
        let judged = failures.total() + u64::try_from(visible.count()).unwrap_or(u64::MAX);
        return Outcome::Failed(failures.with_extent(Extent::OfItems { judged }));
    }
    if let Some(reason) = unknown(walk) {
        return Outcome::CannotTell(reason);
    }
    if walk.stops.is_empty() {
        Outcome::NotApplicable
    } else {
        Outcome::Passed
    }
}

fn unknown(walk: &FocusWalk) -> Option<&'static str> {
    let reason = match walk.ended_early {
        Some(WalkEnd::TooMany) => "More elements get the focus than are looked at.",
        Some(WalkEnd::Timeout) => "Not every element had the focus in the time that a page has.",
        Some(WalkEnd::MovedByScript) => "A script of the page moves the focus.",
        Some(WalkEnd::PageLost) => {
            "The page changed or did not respond when the Tab key was pressed."
        }
        None if walk
            .stops
            .iter()
            .any(|stop| stop.change == FocusChange::Unknown) =>
        {
            UNKNOWN
        }
        None => return None,
    };
    Some(reason)
}

/// What is wrong at a stop; none if nothing is, or it is not known.
fn evidence(stop: &FocusStop, page: &Page) -> Option<Evidence> {
    let is_outside = match stop.change {
        FocusChange::Nothing => false,
        FocusChange::Outside => true,
        FocusChange::Visible | FocusChange::Unknown => return None,
    };
    let element = stop.node.and_then(|number| page.marked(number));
    let evidence = element.map_or_else(Evidence::here, Evidence::node);
    let name = match element.map_or("", |element| element.name()) {
        "a" | "area" => "link",
        "button" => "button",
        "input" | "select" | "textarea" => "field",
        _ => "element",
    };
    Some(if is_outside {
        evidence
            .message(format!(
                "This {name} gets the keyboard focus outside of the window, where nobody sees it; \
                 expected to find it in the window, or that the Tab key skips it."
            ))
            .cause(
                "outside",
                "Elements outside of the window get the keyboard focus",
            )
    } else {
        evidence.message(format!(
            "With the keyboard focus this {name} looks the same as without it: no pixel of the window changes; \
             expected a visible change."
        ))
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::outcome_of;
    use crate::gather::PageEvents;
    use crate::snapshot::Snapshot;

    fn judged(changes: &[FocusChange], ended_early: Option<WalkEnd>) -> Outcome {
        let stop = |change: &FocusChange| FocusStop {
            node: None,
            change: *change,
        };
        let walk = FocusWalk {
            stops: changes.iter().map(stop).collect(),
            ended_early,
        };
        outcome_of(
            &FOCUS_NOT_VISIBLE,
            &Page::builder()
                .html("<a href=x>x</a>")
                .with_events(events(walk)),
        )
    }

    fn events(walk: FocusWalk) -> PageEvents {
        PageEvents {
            focus: Some(walk),
            ..PageEvents::default()
        }
    }

    use FocusChange::{Nothing, Outside, Unknown, Visible};

    #[test]
    fn a_page_whose_elements_change_passes() {
        assert_eq!(judged(&[Visible, Visible], None), Outcome::Passed);
    }

    #[test]
    fn a_page_without_a_walk_or_without_elements_is_not_applicable() {
        assert_eq!(judged(&[], None), Outcome::NotApplicable);
        let page = Page::builder()
            .html("<p>")
            .with_events(PageEvents::default());
        assert_eq!(
            outcome_of(&FOCUS_NOT_VISIBLE, &page),
            Outcome::NotApplicable
        );
    }

    #[rstest]
    #[case(&[Visible, Nothing], None)]
    #[case(&[Nothing, Unknown], None)]
    #[case(&[Visible, Outside], None)]
    #[case(&[Nothing], Some(WalkEnd::TooMany))]
    fn an_element_that_stays_the_same_fails(
        #[case] changes: &[FocusChange],
        #[case] end: Option<WalkEnd>,
    ) {
        let Outcome::Failed(failures) = judged(changes, end) else {
            panic!("it must fail");
        };
        assert_eq!(failures.total(), 1);
    }

    #[test]
    fn an_element_outside_of_the_window_is_a_cause_of_its_own() {
        let Outcome::Failed(failures) = judged(&[Nothing, Outside], None) else {
            panic!("it must fail");
        };
        assert!(
            failures[0].message.contains("no pixel"),
            "{}",
            failures[0].message
        );
        assert!(
            failures[1].message.contains("outside of the window"),
            "{}",
            failures[1].message
        );
        assert_ne!(failures[0].cause, failures[1].cause);
    }

    #[rstest]
    #[case(&[Visible, Unknown], None)]
    #[case(&[Visible], Some(WalkEnd::TooMany))]
    #[case(&[], Some(WalkEnd::Timeout))]
    #[case(&[Visible], Some(WalkEnd::MovedByScript))]
    #[case(&[Visible], Some(WalkEnd::PageLost))]
    fn a_walk_that_did_not_see_everything_cannot_tell(
        #[case] changes: &[FocusChange],
        #[case] end: Option<WalkEnd>,
    ) {
        assert!(matches!(judged(changes, end), Outcome::CannotTell(_)));
    }

    #[test]
    fn the_evidence_names_the_element() {
        let json = r##"{"documents": [{"nodes": {"parentIndex": [-1, 0, 1, 2], "nodeType": [9, 1, 1, 1],
            "nodeName": [0, 1, 2, 3], "nodeValue": [-1, -1, -1, -1], "attributes": [[], [], [], [4, 5]],
            "backendNodeId": [1, 2, 3, 9]}, "layout": {"nodeIndex": [], "styles": [], "text": []}}],
            "strings": ["#document", "HTML", "BODY", "A", "href", "/next"]}"##;
        let snapshot = Snapshot::read(json).unwrap().with_marked(vec![9]);
        let stop = FocusStop {
            node: Some(9),
            change: Nothing,
        };
        let walk = FocusWalk {
            stops: vec![stop],
            ended_early: None,
        };
        let page = Page::builder()
            .html("<a href=/next>")
            .rendered(&snapshot)
            .with_events(events(walk));
        let Outcome::Failed(failures) = outcome_of(&FOCUS_NOT_VISIBLE, &page) else {
            panic!("it must fail");
        };
        assert_eq!(failures[0].selector.as_deref(), Some("html > body > a"));
    }
}
