//! Where nodes are put (HTML Standard, section 13.2.6.1).

use html5ever::LocalName;

use super::super::node::{Namespace, Stored};
use super::super::tag::Tag;
use super::super::token::{Next, StartTag, TagAttribute};
use super::stack::Open;
use super::{Mode, NodeId, Step, TreeBuilder};

/// An "adjusted insertion location".
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Behind the last child.
    In(NodeId),
    /// Before a table, or, where that hangs nowhere, in the element that was opened before it.
    BeforeTable { table: NodeId, outer: NodeId },
}

impl TreeBuilder {
    /// "The appropriate place for inserting a node", into the current node or another one.
    fn place(&mut self, target: Option<Open>) -> Place {
        let Some(target) = target.or_else(|| self.open.last().copied()) else {
            return Place::In(NodeId::DOCUMENT);
        };
        if !(self.fostering && target.tag.fosters()) {
            return Place::In(self.inside(target));
        }
        self.look_through_open();
        for (at, open) in self.open.iter().enumerate().rev() {
            match open.tag {
                Tag::Template => return Place::In(self.inside(*open)),
                Tag::Table => {
                    let outer = at.checked_sub(1).and_then(|before| self.open.get(before));
                    return Place::BeforeTable {
                        table: open.id,
                        outer: outer.map_or(NodeId::DOCUMENT, |outer| outer.id),
                    };
                }
                _ => {}
            }
        }
        let root = self.open.first();
        Place::In(root.map_or(NodeId::DOCUMENT, |root| root.id))
    }

    /// What holds the children of an element.
    fn inside(&self, open: Open) -> NodeId {
        if open.tag != Tag::Template {
            return open.id;
        }
        match self.arena.node(open.id).map(|node| node.stored) {
            Some(Stored::Element(element)) => element.template_contents.unwrap_or(open.id),
            _ => open.id,
        }
    }

    fn put(&mut self, place: Place, child: NodeId) {
        match place {
            Place::In(parent) => self.append(parent, child),
            Place::BeforeTable { table, outer } => match self.parent_of(table) {
                Some(parent) => self.arena.insert(parent, child, Some(table)),
                None => self.append(outer, child),
            },
        }
    }

    fn parent_of(&self, id: NodeId) -> Option<NodeId> {
        self.arena.node(id)?.parent
    }

    /// Hangs a node behind the last child, or higher up where the tree would become too deep.
    pub(super) fn append(&mut self, parent: NodeId, child: NodeId) {
        let bounded = self.arena.bounded(parent);
        self.arena.insert(bounded, child, None);
    }

    /// Puts a node where the next one belongs, seen from the current node or another one.
    pub(super) fn put_appropriately(&mut self, child: NodeId, target: Option<Open>) {
        let place = self.place(target);
        self.put(place, child);
    }

    /// Puts a text where the next node belongs.
    pub(super) fn put_text(&mut self, text: &str) -> Step {
        let line = self.line;
        match self.place(None) {
            Place::In(parent) => {
                let bounded = self.arena.bounded(parent);
                self.arena.insert_text(bounded, text, None, line);
            }
            Place::BeforeTable { table, outer } => match self.parent_of(table) {
                Some(parent) => self.arena.insert_text(parent, text, Some(table), line),
                None => {
                    let bounded = self.arena.bounded(outer);
                    self.arena.insert_text(bounded, text, None, line);
                }
            },
        }
        Step::Done
    }

    /// Puts a comment where the next node belongs, or behind the last child of another one.
    pub(super) fn put_comment(&mut self, text: &str, parent: Option<NodeId>) -> Step {
        let span = self.arena.push_text(text);
        let comment = self.arena.add(Stored::Comment(span), self.line);
        match parent {
            Some(parent) => self.append(parent, comment),
            None => self.put_appropriately(comment, None),
        }
        Step::Done
    }

    /// Makes an element that hangs nowhere yet.
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

    /// Puts an element where the next node belongs, and opens it.
    pub(super) fn open_element(&mut self, element: Open) {
        self.put_appropriately(element.id, None);
        self.push(element);
    }

    /// Inserts the element of a start tag.
    pub(super) fn insert(&mut self, tag: &StartTag<'_, '_>) -> Open {
        let element = self.create_for(tag);
        self.open_element(element);
        element
    }

    /// Inserts the element of a start tag that has no contents.
    pub(super) fn insert_void(&mut self, tag: &StartTag<'_, '_>) -> Open {
        let element = self.create_for(tag);
        self.put_appropriately(element.id, None);
        element
    }

    /// Inserts an element for which there is no start tag.
    pub(super) fn insert_implied(&mut self, tag: Tag, local: &LocalName) -> Open {
        let element = self.create(local, tag, Namespace::Html, &[], false);
        self.open_element(element);
        element
    }

    /// Inserts the document's element.
    pub(super) fn insert_root(&mut self, attributes: &[TagAttribute<'_>]) {
        let local = html5ever::local_name!("html");
        let root = self.create(&local, Tag::Html, Namespace::Html, attributes, false);
        self.push(root);
        self.append(NodeId::DOCUMENT, root.id);
    }

    /// Inserts an element whose contents are no markup.
    pub(super) fn insert_raw(&mut self, tag: &StartTag<'_, '_>, next: Next) -> Step {
        self.insert(tag);
        self.original = self.mode;
        self.mode = Mode::Text;
        Step::Then(next)
    }
}
