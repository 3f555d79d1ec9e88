//! Where a browser painted the elements and texts of a page, and with which styles.
//!
//! The index is made from a snapshot and needs no browser. Sizes and places are in the units of the snapshot, from the
//! upper left corner of the document.

mod clips;
mod grid;
mod icons;
mod image_tile;
mod style;
mod uncovered;

use std::collections::HashMap;

use crate::dom::NodeId;
pub(crate) use clips::{Clip, Clips};
pub(crate) use grid::Grid;
pub(crate) use image_tile::ImageTile;
#[cfg(any(feature = "browser", test))]
pub(crate) use image_tile::single_url;
pub(crate) use style::{Border, ComputedStyle, Flow, Overflow, Position};
pub(crate) use uncovered::uncovered;

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Rect {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// Lengths below this are rounding: browsers place boxes in 64ths of a pixel.
const TOLERANCE: f32 = 1.0;

impl Rect {
    /// From left, top, width and height.
    pub(crate) fn new([left, top, width, height]: [f32; 4]) -> Self {
        Self {
            left,
            top,
            right: left + width.max(0.0),
            bottom: top + height.max(0.0),
        }
    }

    /// All places.
    pub(crate) const EVERYWHERE: Self = Self {
        left: f32::MIN,
        top: f32::MIN,
        right: f32::MAX,
        bottom: f32::MAX,
    };

    pub(crate) fn width(self) -> f32 {
        self.right - self.left
    }

    pub(crate) fn height(self) -> f32 {
        self.bottom - self.top
    }

    /// The smallest rectangle around both.
    pub(crate) fn around(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// What both have in common; empty if they have nothing in common.
    pub(crate) fn and(self, other: Self) -> Self {
        let (left, top) = (self.left.max(other.left), self.top.max(other.top));
        Self {
            left,
            top,
            right: self.right.min(other.right).max(left),
            bottom: self.bottom.min(other.bottom).max(top),
        }
    }

    /// Whether it is too small to see.
    pub(crate) fn is_empty(self) -> bool {
        self.right - self.left <= TOLERANCE || self.bottom - self.top <= TOLERANCE
    }

    /// Whether the other is in it.
    pub(crate) fn contains(self, other: Self) -> bool {
        self.left <= other.left + TOLERANCE
            && self.top <= other.top + TOLERANCE
            && self.right + TOLERANCE >= other.right
            && self.bottom + TOLERANCE >= other.bottom
    }
}

/// What a box shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoxKind {
    /// An element.
    Element,
    /// An element whose content is not of the page, such as an image or a frame.
    Replaced,
    /// What a style sheet generates before or after the content of an element.
    Generated,
    /// A text.
    Text,
}

/// A box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LayoutBox {
    /// The element that it belongs to.
    pub(crate) owner: NodeId,
    pub(crate) kind: BoxKind,
    pub(crate) rect: Rect,
    /// Boxes with a higher number are painted later. Those of one layer have the same: the backgrounds of blocks are
    /// painted in document order, and then the texts (CSS 2.2, appendix E).
    pub(crate) paint: u32,
    style: u32,
}

/// A line, or a part of one, of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TextRun {
    pub(crate) rect: Rect,
    /// As that of [`LayoutBox`].
    pub(crate) paint: u32,
    /// The number of its text: runs of one text have the same.
    pub(crate) text: u32,
    /// The number of its styles, from [`LayoutBuilder::style`].
    pub(crate) style: u32,
}

/// The layout of a page.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    boxes: Vec<LayoutBox>,
    /// The first box of an element, by its index.
    by_node: Vec<Option<u32>>,
    /// Each set of styles once: a page has tens to hundreds.
    styles: Vec<ComputedStyle>,
    runs: HashMap<NodeId, Vec<TextRun>>,
    grid: Grid,
    /// The window, as far as the page is not scrolled.
    window: Option<Rect>,
}

/// Collects boxes in document order.
#[derive(Debug, Default)]
pub(crate) struct LayoutBuilder {
    layout: Layout,
    known: HashMap<Vec<i64>, u32>,
}

impl LayoutBuilder {
    /// The number of a set of styles. `key` tells sets from each other; `read` reads a new one.
    pub(crate) fn style(&mut self, key: &[i64], read: impl FnOnce() -> ComputedStyle) -> u32 {
        if let Some(known) = self.known.get(key) {
            return *known;
        }
        let number = u32::try_from(self.layout.styles.len()).unwrap_or(u32::MAX);
        self.layout.styles.push(read());
        self.known.insert(key.to_vec(), number);
        number
    }

    /// Adds a box.
    pub(crate) fn add(
        &mut self,
        owner: NodeId,
        kind: BoxKind,
        (rect, paint): (Rect, u32),
        style: u32,
    ) {
        let place = u32::try_from(self.layout.boxes.len()).unwrap_or(u32::MAX);
        let paints = self
            .layout
            .styles
            .get(usize::try_from(style).unwrap_or(usize::MAX));
        let paints = paints.is_some_and(|style| style.is_visible && style.paints_behind());
        if paints && kind != BoxKind::Text || kind == BoxKind::Replaced {
            self.layout.grid.add(rect, place);
        }
        if matches!(kind, BoxKind::Element | BoxKind::Replaced) {
            let by_node = &mut self.layout.by_node;
            if by_node.len() <= owner.index() {
                by_node.resize(owner.index() + 1, None);
            }
            if let Some(first) = by_node.get_mut(owner.index()) {
                first.get_or_insert(place);
            }
        }
        self.layout.boxes.push(LayoutBox {
            owner,
            kind,
            rect,
            paint,
            style,
        });
    }

    /// Notes the size of the window.
    pub(crate) const fn set_window(&mut self, window: Rect) {
        self.layout.window = Some(window);
    }

    /// Adds a run of a text of this element.
    pub(crate) fn add_run(&mut self, owner: NodeId, run: TextRun) {
        self.layout.runs.entry(owner).or_default().push(run);
    }

    pub(crate) fn finish(self) -> Layout {
        self.layout
    }
}

impl Layout {
    /// Whether nothing is known: the snapshot has no boxes.
    pub(crate) fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// The window before the page is scrolled, if it is known.
    pub(crate) const fn window(&self) -> Option<Rect> {
        self.window
    }

    /// All boxes, in document order.
    pub(crate) fn boxes(&self) -> &[LayoutBox] {
        &self.boxes
    }

    /// The first box of an element; none if it has none of its own.
    pub(crate) fn box_of(&self, node: NodeId) -> Option<&LayoutBox> {
        let place = self.by_node.get(node.index()).copied().flatten()?;
        self.boxes.get(usize::try_from(place).ok()?)
    }

    /// The styles of a box.
    pub(crate) fn style_of(&self, found: &LayoutBox) -> Option<&ComputedStyle> {
        self.styles.get(usize::try_from(found.style).ok()?)
    }

    /// The styles of a text: those of its element, also if that has no box of its own.
    pub(crate) fn style_of_run(&self, run: &TextRun) -> Option<&ComputedStyle> {
        self.styles.get(usize::try_from(run.style).ok()?)
    }

    /// The styles of an element; none if it has no box of its own.
    pub(crate) fn style(&self, node: NodeId) -> Option<&ComputedStyle> {
        self.style_of(self.box_of(node)?)
    }

    /// The runs of the texts that are children of an element.
    pub(crate) fn runs(&self, node: NodeId) -> &[TextRun] {
        self.runs.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether a text that is a child of the element takes more than one line.
    pub(crate) fn wraps(&self, node: NodeId) -> bool {
        let runs = self.runs(node);
        runs.iter().zip(runs.iter().skip(1)).any(|(one, next)| {
            one.text == next.text && next.rect.top + TOLERANCE >= one.rect.bottom
        })
    }

    /// The boxes that paint something in the rectangle, in no order, each once.
    pub(crate) fn painted_in(&self, rect: Rect) -> impl Iterator<Item = &LayoutBox> {
        let places = self.grid.around(rect).into_iter();
        let boxes = places.filter_map(|place| self.boxes.get(usize::try_from(place).ok()?));
        boxes.filter(move |found| !found.rect.and(rect).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(all: [f32; 4]) -> Rect {
        Rect::new(all)
    }

    #[test]
    fn rectangles_are_compared_up_to_rounding() {
        let outer = rect([0.0, 0.0, 100.0, 100.0]);
        assert!(outer.contains(rect([-0.5, 0.0, 100.5, 100.0])));
        assert!(!outer.contains(rect([-2.0, 0.0, 50.0, 50.0])));
        assert!(outer.and(rect([99.5, 0.0, 50.0, 50.0])).is_empty());
        assert!(!outer.and(rect([90.0, 0.0, 50.0, 50.0])).is_empty());
        assert!(outer.and(rect([200.0, 0.0, 50.0, 50.0])).is_empty());
    }

    #[test]
    fn a_text_wraps_if_it_has_runs_below_each_other() {
        let run = |text, left: f32, top: f32| TextRun {
            rect: rect([left, top, 50.0, 20.0]),
            paint: 0,
            text,
            style: 0,
        };
        let wraps = |runs: &[TextRun]| {
            let mut builder = LayoutBuilder::default();
            for run in runs {
                builder.add_run(NodeId::DOCUMENT, *run);
            }
            builder.finish().wraps(NodeId::DOCUMENT)
        };
        assert!(wraps(&[run(1, 0.0, 0.0), run(1, 0.0, 20.0)]));
        assert!(!wraps(&[run(1, 0.0, 0.0), run(1, 50.0, 0.0)]));
        // A line break is between texts.
        assert!(!wraps(&[run(1, 0.0, 0.0), run(2, 0.0, 20.0)]));
    }
}
