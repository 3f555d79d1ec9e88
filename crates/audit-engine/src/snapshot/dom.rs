//! The tree of a snapshot as the engine's own.

use super::Snapshot;
use super::flat_tree::FlatTree;
use super::read::{CDATA, COMMENT, DOCTYPE, DocumentSnapshot, ELEMENT, TEXT};
use super::styles::{ComputedStyles, StylesBuilder};
use crate::dom::{Dom, Markup, NodeId, RenderedTree};

/// The tree of a page and the styles of its elements. `raw` is the tree of its source.
pub(crate) fn rendered(snapshot: &Snapshot, raw: &Dom) -> (Dom, ComputedStyles) {
    let document = &snapshot.document;
    let mut building = Building {
        snapshot,
        document,
        flat: FlatTree::new(snapshot, document),
        tree: RenderedTree::new(),
        styles: StylesBuilder::new(snapshot, document),
    };
    building.build();
    let dom = building.tree.finish(raw);
    let styles = building.styles.finish(&dom);
    (dom, styles)
}

struct Building<'a> {
    snapshot: &'a Snapshot,
    document: &'a DocumentSnapshot,
    flat: FlatTree,
    tree: RenderedTree,
    styles: StylesBuilder<'a>,
}

/// A node whose children are still to be added.
struct Open {
    node: usize,
    parent: NodeId,
    markup: Markup,
}

impl Building<'_> {
    /// Adds all nodes in document order, without recursion.
    fn build(&mut self) {
        let root = Open {
            node: 0,
            parent: NodeId::DOCUMENT,
            markup: Markup::Html,
        };
        let mut open = Vec::new();
        self.open_children(&root, &mut open);
        while let Some(next) = open.pop() {
            if self.tree.is_full() {
                return;
            }
            if let Some(added) = self.add(&next) {
                self.open_children(&added, &mut open);
            }
        }
    }

    fn open_children(&self, of: &Open, open: &mut Vec<Open>) {
        let children = self.flat.children(of.node).iter().rev();
        open.extend(children.map(|node| Open {
            node: *node,
            parent: of.parent,
            markup: of.markup,
        }));
    }

    /// Adds a node; returns an element as the parent of its children.
    fn add(&mut self, next: &Open) -> Option<Open> {
        let nodes = &self.document.nodes;
        let value = nodes.node_value.get(next.node);
        let value = value.map_or("", |value| self.snapshot.string(*value));
        match *nodes.node_type.get(next.node)? {
            ELEMENT => self.add_element(next),
            TEXT | CDATA => {
                self.tree.text(next.parent, value);
                None
            }
            COMMENT => {
                self.tree.comment(next.parent, value);
                None
            }
            DOCTYPE => {
                let name = nodes.node_name.get(next.node)?;
                self.tree.doctype(
                    self.snapshot.string(*name),
                    self.snapshot.string(self.document.public_id),
                    self.snapshot.string(self.document.system_id),
                );
                None
            }
            _ => None,
        }
    }

    fn add_element(&mut self, next: &Open) -> Option<Open> {
        let nodes = &self.document.nodes;
        let written = self.snapshot.string(*nodes.node_name.get(next.node)?);
        let (name, markup) = name_and_markup(written, next.markup);
        let pairs = nodes.attributes.get(next.node)?.as_chunks::<2>().0;
        let text = |place: &i64| self.snapshot.string(*place);
        let attributes = pairs.iter().map(|[name, value]| (text(name), text(value)));
        let scope = self.flat.scope(next.node);
        let id = self
            .tree
            .element(next.parent, &name, markup, attributes, scope)?;
        self.styles.add(next.node, id);
        // What stands in these is HTML again (HTML Standard, section 13.1.2).
        let of_children = match (markup, name.as_str()) {
            (Markup::Svg, "foreignObject" | "desc" | "title") => Markup::Html,
            (Markup::MathMl, "annotation-xml" | "mi" | "mo" | "mn" | "ms" | "mtext") => {
                Markup::Html
            }
            _ => markup,
        };
        Some(Open {
            node: next.node,
            parent: id,
            markup: of_children,
        })
    }
}

/// The name of an element and what it belongs to. A browser names HTML elements in capitals (DOM Standard, section
/// 4.9); all other elements keep their names.
fn name_and_markup(written: &str, around: Markup) -> (String, Markup) {
    let is_upper = !written.bytes().any(|byte| byte.is_ascii_lowercase());
    match (written, around) {
        ("svg", _) => (written.to_owned(), Markup::Svg),
        ("math", _) => (written.to_owned(), Markup::MathMl),
        _ if is_upper => (written.to_ascii_lowercase(), Markup::Html),
        (_, around) => (written.to_owned(), around),
    }
}
