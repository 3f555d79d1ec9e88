//! Node insertion (HTML Standard, section 13.2.6.1).

use html5ever::LocalName;

use super::super::node::{Namespace, Stored};
use super::super::tag::Tag;
use super::super::token::{Next, StartTag, TagAttribute};
use super::stack::Open;
use super::{Mode, NodeId, Step, TreeBuilder};

/// An "adjusted insertion location".
#[derive(Debug, Clone, Copy)]
enum InsertionLocation {
    /// After the last child.
    In(NodeId),
    /// Before a table, or, if the table is detached, inside the element opened before it.
    BeforeTable { table: NodeId, outer: NodeId },
}

impl TreeBuilder {
    /// "The appropriate place for inserting a node", for the current node or another target.
    fn place(&mut self, target: Option<Open>) -> InsertionLocation {
        let Some(target) = target.or_else(|| self.open.last().copied()) else {
            return InsertionLocation::In(NodeId::DOCUMENT);
        };
        if !(self.fostering && target.tag.fosters()) {
            return InsertionLocation::In(self.inside(target));
        }
        self.look_through_open();
        for (at, open) in self.open.iter().enumerate().rev() {
            match open.tag {
                Tag::Template => return InsertionLocation::In(self.inside(*open)),
                Tag::Table => {
                    let outer = at.checked_sub(1).and_then(|before| self.open.get(before));
                    return InsertionLocation::BeforeTable {
                        table: open.id,
                        outer: outer.map_or(NodeId::DOCUMENT, |outer| outer.id),
                    };
                }
                _ => {}
            }
        }
        let root = self.open.first();
        InsertionLocation::In(root.map_or(NodeId::DOCUMENT, |root| root.id))
    }

    /// The node that contains an element's children.
    fn inside(&self, open: Open) -> NodeId {
        if open.tag != Tag::Template {
            return open.id;
        }
        match self.arena.node(open.id).map(|node| node.stored) {
            Some(Stored::Element(element)) => element.template_contents.unwrap_or(open.id),
            _ => open.id,
        }
    }

    fn put(&mut self, place: InsertionLocation, child: NodeId) {
        match place {
            InsertionLocation::In(parent) => self.append(parent, child),
            InsertionLocation::BeforeTable { table, outer } => match self.parent_of(table) {
                Some(parent) => self.arena.insert(parent, child, Some(table)),
                None => self.append(outer, child),
            },
        }
    }

    fn parent_of(&self, id: NodeId) -> Option<NodeId> {
        self.arena.node(id)?.parent
    }

    /// Appends a node, or attaches it higher up if the tree would become too deep.
    pub(super) fn append(&mut self, parent: NodeId, child: NodeId) {
        let bounded = self.arena.bounded(parent);
        self.arena.insert(bounded, child, None);
    }

    /// Inserts a node at the appropriate place, for the current node or another target.
    pub(super) fn put_appropriately(&mut self, child: NodeId, target: Option<Open>) {
        let place = self.place(target);
        self.put(place, child);
    }

    /// Inserts a text at the appropriate place.
    pub(super) fn put_text(&mut self, text: &str) -> Step {
        let line = self.line;
        match self.place(None) {
            InsertionLocation::In(parent) => {
                let bounded = self.arena.bounded(parent);
                self.arena.insert_text(bounded, text, None, line);
            }
            InsertionLocation::BeforeTable { table, outer } => match self.parent_of(table) {
                Some(parent) => self.arena.insert_text(parent, text, Some(table), line),
                None => {
                    let bounded = self.arena.bounded(outer);
                    self.arena.insert_text(bounded, text, None, line);
                }
            },
        }
        Step::Done
    }

    /// Inserts a comment at the appropriate place, or appends it to `parent`.
    pub(super) fn put_comment(&mut self, text: &str, parent: Option<NodeId>) -> Step {
        let span = self.arena.push_text(text);
        let comment = self.arena.add(Stored::Comment(span), self.line);
        match parent {
            Some(parent) => self.append(parent, comment),
            None => self.put_appropriately(comment, None),
        }
        Step::Done
    }

    /// Creates a detached element.
    pub(super) fn create(
        &mut self,
        local: &LocalName,
        tag: Tag,
        namespace: Namespace,
        attributes: &[TagAttribute<'_>],
        repeats: bool,
    ) -> Open {
        let contents = (tag == Tag::Template).then(|| self.arena.add(Stored::Document, self.line));
        let (id, name) = self
            .arena
            .add_element(local, namespace, attributes, contents, self.line);
        if repeats {
            self.duplicate_attributes.push(id);
        }
        Open { id, tag, name }
    }

    fn create_for(&mut self, tag: &StartTag<'_, '_>) -> Open {
        let name = &tag.name;
        let namespace = Namespace::Html;
        self.create(
            &name.local,
            name.tag,
            namespace,
            tag.attributes,
            tag.repeats,
        )
    }

    /// Inserts an element at the appropriate place and pushes it onto the stack.
    pub(super) fn open_element(&mut self, element: Open) {
        self.put_appropriately(element.id, None);
        self.push(element);
    }

    /// Inserts an element for a start tag.
    pub(super) fn insert(&mut self, tag: &StartTag<'_, '_>) -> Open {
        let element = self.create_for(tag);
        self.open_element(element);
        element
    }

    /// Inserts a void element for a start tag.
    pub(super) fn insert_void(&mut self, tag: &StartTag<'_, '_>) -> Open {
        let element = self.create_for(tag);
        self.put_appropriately(element.id, None);
        element
    }

    /// Inserts an element without a start tag.
    pub(super) fn insert_implied(&mut self, tag: Tag, local: &LocalName) -> Open {
        let element = self.create(local, tag, Namespace::Html, &[], false);
        self.open_element(element);
        element
    }

    /// Inserts the root element.
    pub(super) fn insert_root(&mut self, attributes: &[TagAttribute<'_>]) {
        let local = html5ever::local_name!("html");
        let root = self.create(&local, Tag::Html, Namespace::Html, attributes, false);
        self.push(root);
        self.append(NodeId::DOCUMENT, root.id);
    }

    /// Inserts a raw text element.
    pub(super) fn insert_raw(&mut self, tag: &StartTag<'_, '_>, next: Next) -> Step {
        self.insert(tag);
        self.original = self.mode;
        self.mode = Mode::Text;
        Step::Then(next)
    }
}
