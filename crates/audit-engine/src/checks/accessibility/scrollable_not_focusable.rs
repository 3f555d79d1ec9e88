//! Finds regions that scroll and that the keyboard does not reach.

use std::collections::{HashMap, HashSet};

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::layout::{BoxKind, Clips, Layout, Rect};
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A region with scrollbars whose content is larger than the region is focusable, or contains something that users
    /// reach with the Tab key.
    ///
    /// ## Why it matters
    /// The arrow keys scroll the region that has the focus. Users who cannot use a pointer cannot read what is outside
    /// of a region that never has it, in browsers that do not make such regions focusable by themselves, such as Safari.
    ///
    /// ## How to fix it
    /// Add `tabindex="0"` to the region, with a role and a name (`role="region"` and `aria-label`). Or let the region
    /// grow with its content.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Ferry</title><div style="height: 3em; overflow: auto"><p>The ferry leaves at eight.</p><p>It returns at noon.</p><p>Dogs travel free.</p></div></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Ferry</title><div role="region" aria-label="Timetable" tabindex="0" style="height: 3em; overflow: auto"><p>The ferry leaves at eight.</p><p>It returns at noon.</p><p>Dogs travel free.</p></div></html>
    /// ```
    ///
    /// ## Limits
    /// The check needs a browser. It evaluates the page in one size of the window, as it is after loading. Content that
    /// exceeds its region by less than 14 pixels is ignored, as is content that exceeds it to the left or at the top.
    /// Regions that are hidden from assistive technology are not evaluated. The list of a combobox is scrolled from its text field and is not evaluated, nor is the page as a whole, which
    /// scrolls without focus. If text exceeds its region by less than a third, the check cannot tell: it may fit in a font
    /// that this machine does not have. Keys that scripts handle are not known.
    ///
    /// ## Also known as
    /// - axe: `scrollable-region-focusable`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.1.1 Keyboard (A)
    /// - W3C ACT rule 0ssw9k, Scrollable content can be reached with sequential focus navigation
    SCROLLABLE_NOT_FOCUSABLE {
        id: "scrollable-not-focusable",
        title: "Scrollable regions without keyboard access",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Content that exceeds its region by less than this many pixels is no reason to scroll.
const MIN_OVERFLOW: f32 = 14.0;

const FONT: &str =
    "Text exceeds its region by so little that it may fit in the fonts of another machine.";
const NO_LAYOUT: &str = "The browser did not say where the parts of the page are.";

fn evaluate(page: &Page) -> Outcome {
    let Some(layout) = page.layout() else {
        return Outcome::CannotTell(NO_LAYOUT);
    };
    let tree = page.access_tree();
    let clips = Clips::new(page.dom(), layout);
    let contents = contents(page, layout, &clips);
    let popups = Popups::new(&tree);
    let regions = page.elements().filter_map(|element| {
        let content = contents.get(&element.id())?;
        let exceeds = region(layout, element)?.exceeded_by(*content)?;
        let exposure = tree.exposure(element);
        let is_seen = exposure.is_exposed() && is_seen(layout, &clips, element);
        (is_seen && !popups.has(element)).then_some((element, exceeds))
    });
    let reached = reached(page, &tree);
    Outcome::for_each(regions, |(region, exceeds)| {
        if reached.contains(&region.id()) {
            return Verdict::Pass;
        }
        match exceeds.may_fit && exceeds.right <= 0.0 {
            true => Verdict::CannotTell(FONT),
            false => tree.failure(region, exceeds.message()),
        }
    })
}

/// A region that scrolls.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Region {
    rect: Rect,
    /// Whether it scrolls horizontally and vertically.
    scrolls: (bool, bool),
}

/// What a region holds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Content {
    rect: Rect,
    /// Whether a text in it takes several lines, so that its height depends on the width of letters.
    wraps: bool,
}

/// The height of a text in a font whose letters are narrower than those of the fonts of this machine. Times is a quarter
/// narrower than DejaVu.
const NARROW: f32 = 0.75;

/// By how much content exceeds its region, in pixels; 0 in a direction in which it does not scroll.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Exceeds {
    right: f32,
    below: f32,
    /// Whether the text may fit in the fonts of another machine.
    may_fit: bool,
}

impl Region {
    /// By how much this content exceeds it; `None` if there is nothing to scroll to.
    fn exceeded_by(self, content: Content) -> Option<Exceeds> {
        let Content {
            rect: content,
            wraps,
        } = content;
        let narrow = content.top + content.height() * NARROW;
        let over = |scrolls: bool, length: f32| match scrolls && length >= MIN_OVERFLOW {
            true => length,
            false => 0.0,
        };
        let found = Exceeds {
            right: over(self.scrolls.0, content.right - self.rect.right),
            below: over(self.scrolls.1, content.bottom - self.rect.bottom),
            may_fit: wraps && narrow <= self.rect.bottom,
        };
        (found.right > 0.0 || found.below > 0.0).then_some(found)
    }
}

impl Exceeds {
    fn message(self) -> String {
        let part = |length: f32, side: &str| {
            (length > 0.0).then(|| format!("{} pixels {side}", length.round()))
        };
        let parts: Vec<String> = [
            part(self.below, "below"),
            part(self.right, "to the right of"),
        ]
        .into_iter()
        .flatten()
        .collect();
        format!(
            "Content of this region is up to {} what is visible. Neither the region nor anything in it is reached with the Tab key.",
            parts.join(" and ")
        )
    }
}

/// The region of an element that scrolls.
fn region(layout: &Layout, element: ElementRef<'_>) -> Option<Region> {
    let found = layout.box_of(element.id())?;
    let style = layout.style_of(found)?;
    Some(Region {
        rect: found.rect,
        scrolls: style.scrolls,
    })
}

/// Whether a part of the element can be seen without scrolling anything but the page.
fn is_seen(layout: &Layout, clips: &Clips, element: ElementRef<'_>) -> bool {
    let found = layout.box_of(element.id());
    let seen = found.map(|found| found.rect.and(clips.of(element.id()).seen));
    seen.is_some_and(|seen| !seen.is_empty()) && !clips.is_unseen(element.id())
}

/// What each region that scrolls holds: texts, images and controls, with what is outside of its box.
fn contents(page: &Page, layout: &Layout, clips: &Clips) -> HashMap<NodeId, Content> {
    let mut found: HashMap<NodeId, Content> = HashMap::new();
    let mut add = |scroller: Option<NodeId>, rect: Rect, wraps: bool| {
        if let Some(scroller) = scroller.filter(|_| !rect.is_empty()) {
            let all = found.entry(scroller).or_insert(Content { rect, wraps });
            all.rect = all.rect.around(rect);
            all.wraps |= wraps;
        }
    };
    for element in page.elements() {
        let id = element.id();
        if clips.is_unseen(id) {
            continue;
        }
        let clip = clips.of_content(id);
        let wraps = layout.wraps(id);
        for run in layout.runs(id) {
            if layout
                .style_of_run(run)
                .is_some_and(|style| style.is_visible)
            {
                add(clip.scroller, run.rect.and(clip.within), wraps);
            }
        }
    }
    for found in layout.boxes() {
        let is_visible = layout.style_of(found).is_some_and(|style| style.is_visible);
        let is_control = || {
            let element = page.element(found.owner);
            element.is_some_and(|element| {
                matches!(
                    element.name(),
                    "input" | "select" | "textarea" | "meter" | "progress"
                )
            })
        };
        let is_content =
            found.kind == BoxKind::Replaced || found.kind == BoxKind::Element && is_control();
        if is_content && is_visible && !clips.is_unseen(found.owner) {
            let clip = clips.of(found.owner);
            add(clip.scroller, found.rect.and(clip.within), false);
        }
    }
    found
}

/// The elements that are tabbable, and those around them.
fn reached<'a>(page: &'a Page, tree: &AccessTree<'a>) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    for element in page.elements().filter(|element| tree.is_tabbable(*element)) {
        let up = std::iter::once(element).chain(element.ancestors());
        for one in up {
            // What is around a known element is known.
            if !found.insert(one.id()) {
                break;
            }
        }
    }
    found
}

/// The lists of comboboxes, whose keys scroll them (ARIA Authoring Practices Guide, combobox pattern).
struct Popups<'a> {
    tree: &'a AccessTree<'a>,
    /// The ids that comboboxes refer to.
    ids: HashSet<&'a str>,
}

impl<'a> Popups<'a> {
    fn new(tree: &'a AccessTree<'a>) -> Self {
        let comboboxes = tree.page().elements_with(Traits::ARIA);
        let comboboxes = comboboxes.filter(|element| tree.has_role(*element, "combobox"));
        let ids = |element: ElementRef<'a>| {
            ["aria-controls", "aria-owns"]
                .into_iter()
                .filter_map(move |name| element.attr(name))
                .flat_map(str::split_ascii_whitespace)
        };
        Self {
            tree,
            ids: comboboxes.flat_map(ids).collect(),
        }
    }

    fn has(&self, element: ElementRef<'_>) -> bool {
        const POPUPS: [&str; 5] = ["listbox", "menu", "tree", "grid", "dialog"];
        let role = self.tree.role(element);
        let is_in_combobox = || {
            let mut around = element.ancestors();
            around.any(|up| self.tree.has_role(up, "combobox"))
        };
        role.is_some_and(|role| role.is_any(&POPUPS))
            && (element.attr("id").is_some_and(|id| self.ids.contains(id)) || is_in_combobox())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::assert_marked_fail;

    /// A page that Chromium showed.
    fn scrollers() -> Page {
        Page::recorded(
            include_str!("../../snapshot/recorded/scrollers.html"),
            include_str!("../../snapshot/recorded/scrollers.json"),
        )
    }

    #[test]
    fn regions_that_the_keyboard_does_not_reach_fail() {
        assert_marked_fail(&SCROLLABLE_NOT_FOCUSABLE, &scrollers());
    }

    #[rstest]
    #[case::below((false, true), [0.0, 0.0, 50.0, 64.0], Some((0.0, 14.0)))]
    #[case::a_little_below((false, true), [0.0, 0.0, 50.0, 63.0], None)]
    #[case::to_the_right((true, true), [0.0, 0.0, 80.0, 20.0], Some((30.0, 0.0)))]
    #[case::where_it_does_not_scroll((false, true), [0.0, 0.0, 80.0, 20.0], None)]
    #[case::above((true, true), [-500.0, -500.0, 500.0, 500.0], None)]
    fn content_exceeds_a_region_where_it_scrolls(
        #[case] scrolls: (bool, bool),
        #[case] content: [f32; 4],
        #[case] expected: Option<(f32, f32)>,
    ) {
        let region = Region {
            rect: Rect::new([0.0, 0.0, 50.0, 50.0]),
            scrolls,
        };
        let content = Content {
            rect: Rect::new(content),
            wraps: false,
        };
        let found = region.exceeded_by(content);
        assert_eq!(found.map(|found| (found.right, found.below)), expected);
    }

    #[test]
    fn text_that_fits_in_narrower_letters_may_fit() {
        let region = Region {
            rect: Rect::new([0.0, 0.0, 50.0, 75.0]),
            scrolls: (true, true),
        };
        for (height, wraps, expected) in [
            (100.0, true, true),
            (101.0, true, false),
            (100.0, false, false),
        ] {
            let rect = Rect::new([0.0, 0.0, 50.0, height]);
            let found = region.exceeded_by(Content { rect, wraps }).unwrap();
            assert_eq!(found.may_fit, expected, "{height} {wraps}");
        }
    }
}
