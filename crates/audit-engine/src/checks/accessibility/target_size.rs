//! Finds targets that are too small or too close to each other for a finger.

use crate::aria::AccessTree;
use crate::aria::focus::{is_details_summary, is_focusable};
use crate::aria::input_type;
use crate::check::{Outcome, Verdict};
use crate::common::text::text_block::{TextBlocks, is_control};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::layout::{Border, BoxKind, Clip, Clips, Flow, Grid, Layout, Rect, uncovered};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Links, buttons and other controls are at least 24 × 24 CSS pixels large. Smaller ones have enough space around
    /// them: a circle with a diameter of 24 pixels around the center of the control touches no other control, and no
    /// such circle of another small control.
    ///
    /// ## Why it matters
    /// Users with a tremor or large fingers hit the neighbor of a small control. So do all users on a moving train.
    ///
    /// ## How to fix it
    /// Add padding to the control, or a margin between it and its neighbors, until the size or the distance in the
    /// message is reached. In a list of links, make each link a block with `padding-block: 4px`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Results</title><style>button { width: 20px; height: 20px; padding: 0; border: 0 }</style><button aria-label="Back">&lt;</button><button aria-label="Next">&gt;</button></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Results</title><style>button { width: 24px; height: 24px; padding: 0; border: 0 }</style><button aria-label="Back">&lt;</button><button aria-label="Next">&gt;</button></html>
    /// ```
    ///
    /// ## Limits
    /// The check needs a browser, and evaluates the page in one size of the window, as it is after loading. It evaluates
    /// controls that users reach with the Tab key. As WCAG does, it excuses links and controls in a line of text, and
    /// controls whose size is that of the browser: checkboxes, radio buttons, buttons and fields that no style sheet
    /// changes. The label of a form control counts as a part of it, because a click on the label activates the control.
    /// Two links to the same address are one target. Whether another control of sufficient size does the same, and
    /// whether the size is essential, only people can tell. Areas of image maps, parts of SVG images, and controls that
    /// are invisible, or hidden behind others, are not evaluated.
    ///
    /// ## Also known as
    /// - axe: `target-size`
    /// - Lighthouse: `target-size`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.5.8 Target Size (Minimum) (AA)
    TARGET_SIZE {
        id: "target-size",
        title: "Touch targets too small or too close together",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The smallest width and height of a target, and the diameter of the circle around a smaller one, in pixels.
const MIN_SIZE: f32 = 24.0;

/// Browsers place boxes in 64ths of a pixel.
const ROUNDING: f32 = 0.05;

/// Targets that are compared with others, on a page. With more of them the check cannot tell.
const MAX_COMPARISONS: usize = 2_000_000;

const NO_LAYOUT: &str = "The browser did not say where the parts of the page are.";
const TOO_MANY: &str = "The page has too many targets close to each other to compare them.";
const NOT_TABBABLE: &str =
    "The targets close to a small target are not reached with the Tab key, and may not be targets.";

fn evaluate(page: &Page) -> Outcome {
    let Some(layout) = page.layout() else {
        return Outcome::CannotTell(NO_LAYOUT);
    };
    let tree = page.access_tree();
    let mut targets = Targets::new(page, &tree, layout);
    let judged: Vec<usize> = (0..targets.all.len())
        .filter(|place| targets.all.get(*place).is_some_and(|one| one.is_judged))
        .collect();
    Outcome::for_each(judged, |place| match targets.size(place) {
        Size::Sufficient => Verdict::Pass,
        Size::Unknown(reason) => Verdict::CannotTell(reason),
        Size::TooSmall(found) => match targets.all.get(place) {
            Some(target) => tree.failure(target.element, found.message(&tree)),
            None => Verdict::Pass,
        },
    })
}

/// What pointers hit.
#[derive(Debug)]
struct Target<'a> {
    element: ElementRef<'a>,
    /// The rectangle around its boxes.
    rect: Rect,
    clip: Clip,
    paint: u32,
    is_tabbable: bool,
    /// Whether its size is judged.
    is_judged: bool,
    /// Whether a label makes it large enough.
    is_enlarged: bool,
}

/// The targets of a page, in document order.
struct Targets<'a> {
    layout: &'a Layout,
    all: Vec<Target<'a>>,
    grid: Grid,
    /// How many more targets are compared.
    left: usize,
}

/// The result for one target.
#[derive(Debug, PartialEq)]
enum Size<'a> {
    Sufficient,
    TooSmall(TooSmall<'a>),
    Unknown(&'static str),
}

/// A target that is too small, and the closest other one.
#[derive(Debug, PartialEq)]
struct TooSmall<'a> {
    width: f32,
    height: f32,
    is_covered: bool,
    neighbor: ElementRef<'a>,
    /// From the center of the target to the neighbor, or to the circle around it.
    distance: f32,
}

impl TooSmall<'_> {
    fn message(&self, tree: &AccessTree<'_>) -> String {
        let name = tree.page().element(self.neighbor.id());
        let name = name
            .map(|neighbor| tree.name(neighbor).text)
            .unwrap_or_default();
        let name: String = name.chars().take(40).collect();
        let name = match name.is_empty() {
            true => String::new(),
            false => format!(" “{name}”"),
        };
        let part = if self.is_covered {
            "The free part of this target"
        } else {
            "This target"
        };
        format!(
            "{part} is {} × {} pixels, and the free circle around its center has a diameter of {} pixels because of <{}>{name}. Expected are {MIN_SIZE} × {MIN_SIZE} pixels, or a free circle of {MIN_SIZE} pixels.",
            rounded(self.width),
            rounded(self.height),
            rounded(self.distance * 2.0),
            self.neighbor.name(),
        )
    }
}

/// With one decimal place.
fn rounded(length: f32) -> f32 {
    (length * 10.0).round() / 10.0
}

impl<'a> Targets<'a> {
    fn new(page: &'a Page, tree: &AccessTree<'a>, layout: &'a Layout) -> Self {
        let clips = Clips::new(page.dom(), layout);
        let texts = TextBlocks::new(tree, layout, &clips);
        let mut all: Vec<Target<'a>> = Vec::new();
        // The target that an element belongs to.
        let mut owners: Vec<Option<usize>> = vec![None; page.dom().len()];
        for element in page.elements() {
            let around = element.parent();
            let around = around.and_then(|parent| owners.get(parent.id().index()).copied()?);
            let outer = around.and_then(|place| all.get(place));
            let found = target(tree, layout, &clips, element, outer);
            let own = found.map_or(around, |target| {
                all.push(target);
                Some(all.len() - 1)
            });
            if let Some(owner) = owners.get_mut(element.id().index()) {
                *owner = own;
            }
        }
        add_boxes(page, layout, &clips, &owners, &mut all);
        let mut grid = Grid::default();
        for (place, target) in all.iter_mut().enumerate() {
            target.is_judged &= !target.rect.and(target.clip.within).is_empty()
                && !is_in_text(layout, &texts, target.element)
                && !is_of_browser(layout, target);
            target.is_enlarged = is_enlarged_by_label(tree, layout, &clips, target);
            grid.add(target.rect, u32::try_from(place).unwrap_or(u32::MAX));
        }
        Self {
            layout,
            all,
            grid,
            left: MAX_COMPARISONS,
        }
    }

    /// The size of a target and its distance to others.
    fn size(&mut self, place: usize) -> Size<'a> {
        let Some(target) = self.all.get(place) else {
            return Size::Sufficient;
        };
        // Only a target over it could take a part of this one, and it would leave enough.
        if target.is_enlarged || is_large(target.rect, MIN_SIZE * 10.0) {
            return Size::Sufficient;
        }
        let (rect, center_of) = (target.rect, center);
        let near = Rect {
            left: rect.left - MIN_SIZE,
            top: rect.top - MIN_SIZE,
            right: rect.right + MIN_SIZE,
            bottom: rect.bottom + MIN_SIZE,
        };
        if self.left == 0 {
            return Size::Unknown(TOO_MANY);
        }
        let places = self.grid.around(near);
        self.left = self.left.saturating_sub(places.len());
        let neighbors = places.into_iter().filter_map(|other| {
            let other = usize::try_from(other).ok()?;
            let neighbor = self.all.get(other)?;
            let is_other = other != place && is_separate(target, neighbor);
            is_other.then_some((other, neighbor))
        });
        let neighbors: Vec<(usize, &Target<'a>, Rect)> = neighbors
            .filter_map(|(other, neighbor)| {
                Some((other, neighbor, place_beside(target, neighbor)?))
            })
            .collect();
        let is_over =
            |other: usize, neighbor: &Target<'_>| (neighbor.paint, other) > (target.paint, place);
        let over: Vec<(&Target<'a>, Rect)> = neighbors
            .iter()
            .filter(|(other, neighbor, _)| is_over(*other, neighbor))
            .map(|(_, neighbor, rect)| (*neighbor, *rect))
            .collect();
        if over.iter().any(|(_, cover)| cover.contains(rect)) {
            return Size::Sufficient;
        }
        let Some(free) = uncovered(rect, over.iter().map(|(_, cover)| *cover)) else {
            return Size::Unknown(TOO_MANY);
        };
        if free.is_empty() || free.iter().any(|part| is_large(*part, MIN_SIZE)) {
            return Size::Sufficient;
        }
        let around_free = free.iter().copied().reduce(Rect::around).unwrap_or(rect);
        let point = center_of(around_free);
        let mut closest: Option<(&Target<'a>, f32)> = None;
        let mut has_other = false;
        for (other, neighbor, its_rect) in &neighbors {
            // A target over its neighbor takes a part of it.
            let cover = (!is_over(*other, neighbor)).then_some(around_free);
            let Some(distance) = distance(point, *its_rect, cover) else {
                continue;
            };
            if distance + ROUNDING >= MIN_SIZE / 2.0 {
                continue;
            }
            if !neighbor.is_tabbable {
                has_other = true;
            } else if closest.is_none_or(|(_, least)| distance < least) {
                closest = Some((neighbor, distance));
            }
        }
        let Some((neighbor, distance)) = closest else {
            return match has_other {
                true => Size::Unknown(NOT_TABBABLE),
                false => Size::Sufficient,
            };
        };
        if self.is_hidden_behind(target) {
            return Size::Sufficient;
        }
        let largest = free.iter().copied().max_by(|one, two| {
            (one.width() * one.height()).total_cmp(&(two.width() * two.height()))
        });
        let largest = largest.unwrap_or(rect);
        Size::TooSmall(TooSmall {
            width: largest.width(),
            height: largest.height(),
            is_covered: largest != rect,
            neighbor: neighbor.element,
            distance,
        })
    }

    /// Whether something that is painted later covers the whole target, so that pointers do not hit it.
    fn is_hidden_behind(&self, target: &Target<'_>) -> bool {
        let dom = target.element.dom();
        let own = target.element.id();
        self.layout.painted_in(target.rect).any(|found| {
            found.paint > target.paint
                && found.rect.contains(target.rect)
                && self
                    .layout
                    .style_of(found)
                    .is_some_and(|style| style.takes_pointer)
                && found.owner != own
                && !dom.ancestors(found.owner).any(|up| up == own)
                && !dom.ancestors(own).any(|up| up == found.owner)
        })
    }
}

/// The element as a target; none if it is not one. `outer` is the target around it.
fn target<'a>(
    tree: &AccessTree<'a>,
    layout: &Layout,
    clips: &Clips,
    element: ElementRef<'a>,
    outer: Option<&Target<'_>>,
) -> Option<Target<'a>> {
    let is_target = is_control(tree, element) || is_details_summary(element);
    if !element.is_html() || element.is("area") || !is_target {
        return None;
    }
    let exposure = tree.exposure(element);
    if exposure.hidden || exposure.inert || !is_focusable(element) {
        return None;
    }
    let is_tabbable = tree.is_tabbable(element);
    // A part of a control that is not a stop of its own.
    if !is_tabbable && outer.is_some_and(|outer| outer.is_tabbable) {
        return None;
    }
    let found = layout.box_of(element.id())?;
    let style = layout.style_of(found)?;
    if !style.is_visible || !style.takes_pointer || clips.is_unseen(element.id()) {
        return None;
    }
    let clip = clips.of(element.id());
    if found.rect.and(clip.within).is_empty()
        && found.rect.width() > 1.0
        && found.rect.height() > 1.0
    {
        return None;
    }
    Some(Target {
        element,
        rect: found.rect,
        clip,
        paint: found.paint,
        is_tabbable,
        is_judged: is_tabbable && exposure.is_exposed(),
        is_enlarged: false,
    })
}

/// Adds the boxes of what is in each target to its rectangle.
fn add_boxes(
    page: &Page,
    layout: &Layout,
    clips: &Clips,
    owners: &[Option<usize>],
    all: &mut [Target<'_>],
) {
    for found in layout.boxes() {
        let owner = owners.get(found.owner.index()).copied().flatten();
        let Some(target) = owner.and_then(|owner| all.get_mut(owner)) else {
            continue;
        };
        let is_own = target.element.id() == found.owner;
        if is_own && found.kind == BoxKind::Generated && draws_itself(page, found.owner) {
            continue;
        }
        let hits = layout
            .style_of(found)
            .is_some_and(|style| style.is_visible && style.takes_pointer);
        let clip = if is_own {
            clips.of_content(found.owner)
        } else {
            clips.of(found.owner)
        };
        if !hits || clips.is_unseen(found.owner) {
            continue;
        }
        let rect = match clip.scroller == target.clip.scroller {
            true => found.rect.and(clip.within),
            // It is scrolled within the target.
            false => continue,
        };
        if !rect.is_empty() {
            target.rect = match target.rect.is_empty() {
                true => rect,
                false => target.rect.around(rect),
            };
        }
    }
}

/// Whether the boxes in an element are those of a control of the browser.
fn draws_itself(page: &Page, id: NodeId) -> bool {
    let element = page.element(id);
    element.is_some_and(|element| {
        matches!(
            element.name(),
            "input" | "select" | "textarea" | "progress" | "meter"
        )
    })
}

/// Whether a target is another one than the first: links to the same address are one.
fn is_separate(target: &Target<'_>, other: &Target<'_>) -> bool {
    match (address(target.element), address(other.element)) {
        (Some(one), Some(two)) => one != two,
        _ => true,
    }
}

/// Where a neighbor is for pointers that aim at the target; `None` if it is not there.
fn place_beside(target: &Target<'_>, neighbor: &Target<'_>) -> Option<Rect> {
    // What is fixed to the window is over a target only until the page is scrolled.
    if target.clip.is_fixed != neighbor.clip.is_fixed {
        return None;
    }
    let is_scrolled_with = target.clip.scroller == neighbor.clip.scroller;
    // When it has been scrolled to, other targets are beside it than those at its place now.
    let is_out_of_sight =
        target.clip.scroller.is_some() && target.rect.and(target.clip.seen).is_empty();
    if !is_scrolled_with && is_out_of_sight {
        return None;
    }
    let clip = match is_scrolled_with {
        true => neighbor.clip.within,
        false => neighbor.clip.seen,
    };
    let seen = neighbor.rect.and(clip);
    (!seen.is_empty()).then_some(seen)
}

/// Whether a target of this size fits.
fn is_large(rect: Rect, size: f32) -> bool {
    rect.width() + ROUNDING >= size && rect.height() + ROUNDING >= size
}

fn center(rect: Rect) -> (f32, f32) {
    (
        f32::midpoint(rect.left, rect.right),
        f32::midpoint(rect.top, rect.bottom),
    )
}

fn between((x, y): (f32, f32), (other_x, other_y): (f32, f32)) -> f32 {
    (x - other_x).hypot(y - other_y)
}

/// The distance from a center to a neighbor, and to the circle around it if it is small. `cover` is what the target takes
/// of the neighbor. `None` if nothing is left of the neighbor.
fn distance(point: (f32, f32), neighbor: Rect, cover: Option<Rect>) -> Option<f32> {
    let parts = uncovered(neighbor, cover.into_iter())?;
    let to_part = |part: &Rect| {
        let nearest = (
            point.0.clamp(part.left, part.right),
            point.1.clamp(part.top, part.bottom),
        );
        between(point, nearest)
    };
    let nearest = parts.iter().map(to_part).reduce(f32::min)?;
    if parts.iter().any(|part| is_large(*part, MIN_SIZE)) {
        return Some(nearest);
    }
    let around = parts.iter().copied().reduce(Rect::around)?;
    let to_circle = between(point, center(around)) - MIN_SIZE / 2.0;
    Some(nearest.min(to_circle).max(0.0))
}

/// Whether the target stands in a line of text, whose height limits its size (WCAG 2.5.8, exception "Inline").
fn is_in_text(layout: &Layout, texts: &TextBlocks, element: ElementRef<'_>) -> bool {
    let flow = layout.style(element.id()).map(|style| style.flow);
    flow.is_some_and(|flow| flow != Flow::Block) && texts.around(element).text.signs() > 0
}

/// The size of text in a control that no style sheet changes, in pixels.
const FONT_SIZE_OF_BROWSER: f64 = 13.3333;

/// Whether the browser determines the size of a control (WCAG 2.5.8, exception "User Agent Control").
fn is_of_browser(layout: &Layout, target: &Target<'_>) -> bool {
    let element = target.element;
    let Some(style) = layout.style(element.id()) else {
        return false;
    };
    let (width, height) = (target.rect.width(), target.rect.height());
    let is = |length: f32, expected: f32| (length - expected).abs() < 0.6;
    let has_own_text = style
        .font_size
        .is_some_and(|size| (size - FONT_SIZE_OF_BROWSER).abs() < 0.01);
    match element.name() {
        "input" => match input_type(element) {
            "checkbox" | "radio" => is(width, 13.0) && is(height, 13.0),
            "range" => is(width, 129.0) && is(height, 16.0),
            "file" => has_own_text && height < 23.0 && height > 19.0,
            _ => has_own_text && style.border_below == Border::OfBrowser,
        },
        "button" | "textarea" => has_own_text && style.border_below == Border::OfBrowser,
        "select" => has_own_text && (is(height, 19.0) || is(height, 20.0)),
        _ => false,
    }
}

/// Whether a label makes the target of a form control large enough: a click on the label activates the control (HTML
/// Standard, section 4.10.4).
fn is_enlarged_by_label(
    tree: &AccessTree<'_>,
    layout: &Layout,
    clips: &Clips,
    target: &Target<'_>,
) -> bool {
    if !matches!(
        target.element.name(),
        "input" | "select" | "textarea" | "button"
    ) {
        return false;
    }
    let Some(control) = tree.page().element(target.element.id()) else {
        return false;
    };
    let labels = tree.labels_of(control).filter_map(|label| {
        let rect = layout
            .box_of(label.id())?
            .rect
            .and(clips.of(label.id()).within);
        (!rect.is_empty() && !clips.is_unseen(label.id())).then_some(rect)
    });
    let labels = labels.reduce(Rect::around);
    labels.is_some_and(|labels| is_large(labels.around(target.rect), MIN_SIZE))
}

/// The address that a link leads to; none if it leads nowhere, because a script then makes each such link do something of
/// its own.
fn address<'a>(element: ElementRef<'a>) -> Option<&'a str> {
    let href = element.attr("href").filter(|_| element.is("a"))?.trim();
    let leads_nowhere = matches!(href, "" | "#" | "#!") || href.starts_with("javascript:");
    (!leads_nowhere).then_some(href)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::assert_marked_fail;

    /// A page that Chromium showed.
    fn targets() -> Page {
        Page::recorded(
            include_str!("../../snapshot/recorded/targets.html"),
            include_str!("../../snapshot/recorded/targets.json"),
        )
    }

    #[test]
    fn targets_that_are_small_and_close_to_others_fail() {
        assert_marked_fail(&TARGET_SIZE, &targets());
    }

    #[test]
    fn the_message_has_the_size_and_the_distance() {
        let Some(Outcome::Failed(found)) = TARGET_SIZE.evaluate_page(&targets()) else {
            panic!("no failures");
        };
        let message = &found.iter().next().unwrap().message;
        assert_eq!(
            message,
            "This target is 20 × 20 pixels, and the free circle around its center has a diameter of 16 pixels because of <button> “Next”. Expected are 24 × 24 pixels, or a free circle of 24 pixels."
        );
    }

    #[rstest]
    #[case::large_neighbor([14.0, -50.0, 100.0, 100.0], 14.0)]
    #[case::small_neighbor([20.0, -5.0, 10.0, 10.0], 13.0)]
    #[case::around_it([-50.0, -50.0, 100.0, 100.0], 0.0)]
    fn the_distance_to_a_small_neighbor_is_that_to_its_circle(
        #[case] neighbor: [f32; 4],
        #[case] expected: f32,
    ) {
        assert_eq!(
            distance((0.0, 0.0), Rect::new(neighbor), None),
            Some(expected)
        );
    }

    #[test]
    fn links_that_lead_nowhere_have_no_address_in_common() {
        let html = "<a href=' /menu '></a><a href></a><a href='#'></a><a href='javascript:;'></a><a href='#top'></a>";
        let page = Page::builder().html(html);
        let addresses: Vec<_> = page.html("a").map(address).collect();
        assert_eq!(addresses, [Some("/menu"), None, None, None, Some("#top")]);
    }

    #[test]
    fn a_page_of_very_many_targets_at_one_place_is_cut() {
        let page = targets();
        let tree = page.access_tree();
        let mut found = Targets::new(&page, &tree, page.layout().unwrap());
        let place = (found.all.iter())
            .position(|target| target.element.has_attr("data-fails"))
            .unwrap();
        found.left = 1;
        assert!(matches!(found.size(place), Size::TooSmall(_)));
        assert_eq!(found.size(place), Size::Unknown(TOO_MANY));
    }
}
