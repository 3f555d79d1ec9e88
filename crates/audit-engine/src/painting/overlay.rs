//! Elements that may be painted over or behind texts that they do not contain.
//!
//! Such an element is out of the flow, or moved from its place. It may overlap what is inside of the box that it is
//! positioned in (CSS 2.2, section 10.1), and is painted before or after it in the order of layers (appendix E).

use std::collections::HashMap;

use crate::aria::AccessTree;
use crate::bounds::style::{MAX_LENGTH_ANCESTORS, MAX_OVERLAY_STEPS, MAX_OVERLAYS, MAX_PASSED};
use crate::dom::{ElementRef, NodeId};
use crate::style::{Appearance, Appearances, Backdrop, Kind, KindId, Movement, Width, Widths};

/// An element that may overlap others, or a pseudo-element of it.
#[derive(Debug)]
struct Overlay {
    node: NodeId,
    /// The window widths in which it may be there.
    widths: Widths,
    part: Part,
    /// Whether it may be as large as the box that it is positioned in.
    may_span: bool,
    /// Whether it hides everything behind it.
    is_opaque: bool,
}

/// What of an element overlaps others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The element with its content.
    Whole,
    /// A pseudo-element before its content.
    Before { may_be_below: bool },
    /// A pseudo-element behind its content.
    After { may_be_below: bool },
}

/// The elements of a page that may overlap others.
#[derive(Debug, Default)]
pub(super) struct Overlays {
    all: Vec<Overlay>,
    /// The overlays in `all` by the element that they may be inside of.
    zones: HashMap<NodeId, Vec<usize>>,
    /// Whether a node is in `zones`, by its index.
    is_zone: Vec<bool>,
    /// Whether there are more than are kept, so that each text may be overlapped.
    is_cut: bool,
    /// How many more comparisons are made.
    steps: usize,
}

/// The place in the order in which a page is painted: a layer, then the place in the document.
type Order = (i64, usize);

impl Overlays {
    /// Records that any text may be overlapped.
    pub(super) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Records an element that may overlap others. Elements are passed in document order.
    pub(super) fn add(
        &mut self,
        tree: &AccessTree<'_>,
        appearances: &Appearances<'_>,
        element: ElementRef<'_>,
        (id, kind): (KindId, &Kind),
    ) {
        let shown = tree.hidden_widths(element).not();
        let (mut moved, mut may_span) = (Widths::NONE, false);
        for width in Width::ALL {
            let Some((_, look)) = appearances.look(id, width) else {
                continue;
            };
            let is_moved = !matches!(look.movement, Movement::None | Movement::Floating);
            let is_line = look.is_thin && element.children().next().is_none();
            if is_moved && !is_line && !look.is_clipped && look.opacity != Some(0.0) {
                moved = moved.with(width);
                may_span |= look.may_span;
            }
        }
        let whole = Overlay {
            node: element.id(),
            widths: moved.and(shown),
            part: Part::Whole,
            may_span,
            is_opaque: false,
        };
        let generated = kind.generated.iter().map(|generated| {
            let may_be_below = generated.may_be_below;
            Overlay {
                node: element.id(),
                widths: generated.widths.and(shown),
                part: if generated.is_before {
                    Part::Before { may_be_below }
                } else {
                    Part::After { may_be_below }
                },
                may_span: generated.may_span,
                is_opaque: false,
            }
        });
        for overlay in std::iter::once(whole).chain(generated) {
            if overlay.widths.is_empty() {
                continue;
            }
            if self.all.len() >= MAX_OVERLAYS {
                self.is_cut = true;
                return;
            }
            self.all.push(overlay);
        }
    }

    /// Finds what the recorded elements paint, and where. Called once, after all elements.
    pub(super) fn finish(&mut self, tree: &AccessTree<'_>, appearances: &Appearances<'_>) {
        self.steps = MAX_OVERLAY_STEPS;
        let dom = tree.page().dom();
        for place in 0..self.all.len() {
            let Some(overlay) = self.all.get(place) else {
                continue;
            };
            let Some(element) = dom.element(overlay.node) else {
                continue;
            };
            let (paints, is_opaque) = match overlay.part {
                Part::Whole => painted_by(tree, appearances, element, &mut self.steps),
                Part::Before { .. } | Part::After { .. } => (true, false),
            };
            if !paints {
                continue;
            }
            let (widths, part) = (overlay.widths, overlay.part);
            for width in widths.iter() {
                let zone = zone(appearances, element, part, width);
                let known = self.zones.entry(zone).or_default();
                if !known.contains(&place) {
                    known.push(place);
                }
            }
            if let Some(overlay) = self.all.get_mut(place) {
                overlay.is_opaque = is_opaque;
            }
        }
        if self.steps == 0 {
            self.is_cut = true;
        }
        self.steps = MAX_OVERLAY_STEPS;
        if !self.zones.is_empty() {
            self.is_zone = vec![false; dom.len()];
            for zone in self.zones.keys() {
                if let Some(is_zone) = self.is_zone.get_mut(zone.index()) {
                    *is_zone = true;
                }
            }
        }
    }

    /// The text and the elements that it is inside of, from the root on. `None` if no element overlaps any of them.
    pub(super) fn around<'d>(&self, text: ElementRef<'d>) -> Option<Vec<ElementRef<'d>>> {
        let chain = || std::iter::once(text).chain(text.ancestors());
        let is_zone = |one: ElementRef<'_>| self.is_zone.get(one.id().index()) == Some(&true);
        (self.is_cut || chain().any(is_zone)).then(|| {
            let mut chain: Vec<_> = chain().collect();
            chain.reverse();
            chain
        })
    }

    /// Whether an element may be painted over the text at the end of a chain of [`Self::around`], or between it and the
    /// background that covers all behind it: that of the ancestor this many elements above, or the canvas.
    pub(super) fn are_between(
        &mut self,
        appearances: &Appearances<'_>,
        chain: &[ElementRef<'_>],
        covered_by: Option<usize>,
        width: Width,
    ) -> bool {
        if self.is_cut {
            return true;
        }
        let cover = covered_by
            .and_then(|steps| chain.iter().rev().nth(steps))
            .map(|element| element.id());
        let is_zone = |one: &&ElementRef<'_>| self.is_zone.get(one.id().index()) == Some(&true);
        for zone in chain.iter().filter(is_zone) {
            let Some(places) = self.zones.get(&zone.id()) else {
                continue;
            };
            for overlay in places.iter().filter_map(|place| self.all.get(*place)) {
                if !overlay.widths.has(width) {
                    continue;
                }
                let Some(left) = self.steps.checked_sub(1) else {
                    self.is_cut = true;
                    return true;
                };
                self.steps = left;
                if overlay.disturbs(appearances, chain, cover, width) {
                    return true;
                }
            }
        }
        false
    }
}

impl Overlay {
    /// `chain` leads from the root to the text, `cover` is the element in it whose background covers all behind it.
    fn disturbs(
        &self,
        appearances: &Appearances<'_>,
        chain: &[ElementRef<'_>],
        cover: Option<NodeId>,
        width: Width,
    ) -> bool {
        let Some(text) = chain.last() else {
            return false;
        };
        let Some(element) = text.dom().element(self.node) else {
            return false;
        };
        let is_inside = chain.iter().any(|one| one.id() == self.node);
        if is_inside && self.part == Part::Whole {
            return false;
        }
        let mut path: Vec<ElementRef<'_>> = std::iter::once(element)
            .chain(element.ancestors())
            .collect();
        path.reverse();
        // The elements up to the last common one order both alike.
        let common = chain.iter().zip(&path);
        let common = common
            .take_while(|(one, other)| one.id() == other.id())
            .count();
        let own_path = path.get(common..).unwrap_or_default();
        let text_path = chain.get(common..).unwrap_or_default();
        let own = match self.part {
            Part::Whole => order(appearances, own_path, width),
            Part::Before { may_be_below } | Part::After { may_be_below } => {
                // It is above the boxes in the flow of its element, unless it is behind the element itself.
                let outer = order(appearances, own_path, width).filter(|(layer, _)| *layer != 0);
                let is_before = matches!(self.part, Part::Before { .. });
                let place = if is_before && is_inside {
                    element.id().index()
                } else if is_inside {
                    usize::MAX
                } else {
                    element.id().index()
                };
                match outer {
                    Some(outer) => Some(outer),
                    None if may_be_below => Some((-1, place)),
                    None => Some((1, place)),
                }
            }
        };
        let Some(own) = own else {
            return true;
        };
        let cover_at = cover.and_then(|id| text_path.iter().position(|one| one.id() == id));
        let covering = cover_at.and_then(|at| order(appearances, text_path.get(..=at)?, width));
        if covering.is_some_and(|covering| covering > own) {
            return false;
        }
        // Text in the flow is above all boxes in the flow.
        let text_order = order(appearances, text_path, width).map(|(layer, place)| match layer {
            0 => (0, usize::MAX),
            _ => (layer, place),
        });
        let Some(text_order) = text_order else {
            return true;
        };
        own <= text_order || (!self.is_opaque && self.may_span)
    }
}

/// The order of an element among the layers of a common ancestor, by the elements from below that ancestor to it.
/// `None` if it is unknown.
fn order(appearances: &Appearances<'_>, path: &[ElementRef<'_>], width: Width) -> Option<Order> {
    let mut found = (0, path.last().map_or(0, |element| element.id().index()));
    for element in path {
        let look = look(appearances, *element, width)?;
        if let Some(order) = look.order {
            let order = i64::from(order);
            let layer = if order < 0 { order } else { order + 1 };
            return Some((layer, element.id().index()));
        }
        if look.is_positioned && found.0 == 0 {
            found = (1, element.id().index());
        }
    }
    Some(found)
}

fn look<'a>(
    appearances: &'a Appearances<'_>,
    element: ElementRef<'_>,
    width: Width,
) -> Option<&'a Appearance> {
    let (_, look) = appearances.look(appearances.known(element)?, width)?;
    Some(look)
}

/// The element whose content the overlay may overlap.
fn zone(
    appearances: &Appearances<'_>,
    element: ElementRef<'_>,
    part: Part,
    width: Width,
) -> NodeId {
    let root = || {
        let last = element.ancestors().last();
        last.unwrap_or(element).id()
    };
    let is_container =
        |one: &ElementRef<'_>| look(appearances, *one, width).is_none_or(|look| look.is_container);
    if part != Part::Whole {
        let mut around = std::iter::once(element).chain(element.ancestors());
        return around.find(is_container).map_or_else(root, ElementRef::id);
    }
    match look(appearances, element, width).map(|look| look.movement) {
        Some(Movement::Absolute) => {
            let mut around = element.ancestors();
            around.find(is_container).map_or_else(root, ElementRef::id)
        }
        Some(Movement::Moved) => {
            // It may be moved over what is before it.
            let mut current = element;
            for _ in 0..MAX_LENGTH_ANCESTORS {
                match (current.parent(), is_first(current)) {
                    (Some(parent), Some(true)) => current = parent,
                    (Some(parent), Some(false)) => return parent.id(),
                    _ => break,
                }
            }
            root()
        }
        _ => root(),
    }
}

/// Whether the element or something inside it paints anything but text, and whether that hides all behind it.
fn painted_by(
    tree: &AccessTree<'_>,
    appearances: &Appearances<'_>,
    element: ElementRef<'_>,
    steps: &mut usize,
) -> (bool, bool) {
    let paints = |one: ElementRef<'_>| {
        let is_picture = matches!(
            one.name(),
            "img"
                | "video"
                | "canvas"
                | "svg"
                | "iframe"
                | "object"
                | "embed"
                | "input"
                | "button"
                | "select"
                | "textarea"
                | "picture"
                | "meter"
                | "progress"
        );
        is_picture
            || appearances
                .known(one)
                .is_none_or(|id| appearances.paints(id))
    };
    let hides_all = Width::ALL.into_iter().all(|width| {
        look(appearances, element, width).is_some_and(|look| {
            let is_opaque = match &look.backdrop {
                Backdrop::Colors(colors) => colors.iter().all(|color| color.alpha() >= 1.0),
                _ => false,
            };
            is_opaque && look.opacity.is_some_and(|opacity| opacity >= 1.0) && !look.has_effect
        })
    });
    if hides_all {
        return (true, true);
    }
    if paints(element) {
        return (true, false);
    }
    for inner in element.descendants() {
        let Some(left) = steps.checked_sub(1) else {
            return (true, false);
        };
        *steps = left;
        if !tree.exposure(inner).hidden && paints(inner) {
            return (true, false);
        }
    }
    (false, false)
}
/// Whether this is the first element of its parent; `None` if more than [`MAX_PASSED`] texts and comments precede it.
fn is_first(element: ElementRef<'_>) -> Option<bool> {
    let dom = element.dom();
    let mut before = dom.previous_sibling(element.id());
    for _ in 0..MAX_PASSED {
        match before {
            None => return Some(true),
            Some(id) if dom.element(id).is_some() => return Some(false),
            Some(id) => before = dom.previous_sibling(id),
        }
    }
    None
}
