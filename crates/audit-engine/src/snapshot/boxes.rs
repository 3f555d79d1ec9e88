//! The layout of a snapshot.

use std::collections::HashMap;

use super::Snapshot;
use super::read::{DocumentSnapshot, TEXT};
use crate::algorithms::readable::is_text;
use crate::dom::{Dom, ElementRef, NodeId};
use crate::layout::{BoxKind, ComputedStyle, ImageTile, Layout, LayoutBuilder, Rect, TextRun};

/// The elements around a node of a snapshot that are searched for one that is in the tree: those of a control of the
/// browser are few.
const MAX_STEPS: usize = 32;

/// The boxes of a page. `ids` has the elements of the tree by their nodes. Empty for recordings without places.
pub(super) fn layout(
    snapshot: &Snapshot,
    document: &DocumentSnapshot,
    ids: &HashMap<usize, NodeId>,
    dom: &Dom,
) -> Layout {
    let boxes = &document.layout;
    let mut builder = LayoutBuilder::default();
    let reading = Reading { document, ids, dom };
    // The box of the document is as large as the window.
    if let (Some(0), Some(window)) = (boxes.node_index.first(), boxes.bounds.first()) {
        builder.set_window(Rect::new(*window));
    }
    let mut texts: HashMap<usize, (NodeId, u32, u32)> = HashMap::new();
    for (place, node) in boxes.node_index.iter().enumerate() {
        let (Some(bounds), Some(owner)) = (boxes.bounds.get(place), reading.owner(*node)) else {
            continue;
        };
        let styles = boxes.styles.get(place).map_or(&[][..], Vec::as_slice);
        let style = builder.style(styles, || {
            let value = |name: &str| snapshot.style(styles, name);
            ComputedStyle {
                image_tile: ImageTile::read(value, |url| snapshot.image_size(url)),
                ..ComputedStyle::read(value)
            }
        });
        let paint = boxes.paint_orders.get(place).copied().unwrap_or_default();
        let kind = reading.kind(*node, owner);
        builder.add(owner, kind, (Rect::new(*bounds), paint), style);
        if kind == BoxKind::Text {
            texts.insert(place, (owner, paint, style));
        }
    }
    add_fields(snapshot, &reading, &mut builder);
    let runs = &document.text_boxes;
    for (place, bounds) in runs.layout_index.iter().zip(&runs.bounds) {
        if let Some((owner, paint, style)) = texts.get(place) {
            let run = TextRun {
                rect: Rect::new(*bounds),
                paint: *paint,
                text: u32::try_from(*place).unwrap_or(u32::MAX),
                style: *style,
            };
            builder.add_run(*owner, run);
        }
    }
    builder.finish()
}

/// Adds the texts in fields, which are in a tree of the browser's own: the whole field counts as the line of its text.
fn add_fields(snapshot: &Snapshot, reading: &Reading<'_>, builder: &mut LayoutBuilder) {
    let values = &reading.document.nodes.input_value;
    let boxes = &reading.document.layout;
    if values.index.is_empty() {
        return;
    }
    // The last is the first box of a node.
    let places = boxes.node_index.iter().enumerate().rev();
    let first: HashMap<usize, usize> = places.map(|(place, node)| (*node, place)).collect();
    for (node, value) in values.index.iter().zip(&values.value) {
        let Some((owner, place)) = reading.field(*node).zip(first.get(node).copied()) else {
            continue;
        };
        let found = boxes.bounds.get(place).zip(boxes.styles.get(place));
        if let Some((bounds, styles)) = found
            && is_text(snapshot.string(*value))
        {
            let run = TextRun {
                rect: Rect::new(*bounds),
                paint: boxes.paint_orders.get(place).copied().unwrap_or_default(),
                text: u32::try_from(place).unwrap_or(u32::MAX),
                // Known since its box was added.
                style: builder.style(styles, ComputedStyle::default),
            };
            builder.add_run(owner, run);
        }
    }
}

struct Reading<'a> {
    document: &'a DocumentSnapshot,
    ids: &'a HashMap<usize, NodeId>,
    dom: &'a Dom,
}

impl Reading<'_> {
    /// The element of the tree that a node belongs to.
    fn owner(&self, node: usize) -> Option<NodeId> {
        let mut current = node;
        for _ in 0..MAX_STEPS {
            if let Some(id) = self.ids.get(&current) {
                return Some(*id);
            }
            let parent = self.document.nodes.parent_index.get(current)?;
            current = usize::try_from(*parent).ok()?;
        }
        None
    }

    /// The element of a field with a text in one line.
    fn field(&self, node: usize) -> Option<NodeId> {
        let owner = *self.ids.get(&node)?;
        let element = self.dom.element(owner)?;
        let kind = element.attr("type").unwrap_or("text").trim();
        let has_line = ["text", "email", "url", "tel", "search", "number"];
        let is_field = element.is("input")
            && has_line
                .iter()
                .any(|known| kind.eq_ignore_ascii_case(known));
        is_field.then_some(owner)
    }

    fn kind(&self, node: usize, owner: NodeId) -> BoxKind {
        let nodes = &self.document.nodes;
        if self.ids.contains_key(&node) {
            return match self.dom.element(owner) {
                Some(element) if is_replaced(element) => BoxKind::Replaced,
                _ => BoxKind::Element,
            };
        }
        let parent = nodes.parent_index.get(node);
        let parent = parent.and_then(|parent| usize::try_from(*parent).ok());
        let is_of_element = parent.is_some_and(|parent| self.ids.contains_key(&parent));
        match nodes.node_type.get(node) {
            // The texts of generated boxes and of the browser's own controls are not texts of the page.
            Some(&TEXT) if is_of_element => BoxKind::Text,
            _ => BoxKind::Generated,
        }
    }
}

/// Whether the content of an element comes from elsewhere, or is drawn.
fn is_replaced(element: ElementRef<'_>) -> bool {
    !element.is_html()
        || matches!(
            element.name(),
            "img" | "video" | "canvas" | "iframe" | "frame" | "object" | "embed"
        )
        || element.is("input") && element.attr_is("type", "image")
}
