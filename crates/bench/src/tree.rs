//! A full tree of a page in an arena: every element with its attributes, every text, every comment.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::num::NonZeroU32;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ParseOpts, QualName, local_name, ns, parse_document};

/// The index of a node in its arena, from 1, so that an optional index takes four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle(NonZeroU32);

/// The first node of every arena.
const DOCUMENT: Handle = Handle(NonZeroU32::MIN);

impl Handle {
    fn index(self) -> usize {
        usize::try_from(self.0.get() - 1).unwrap_or(usize::MAX)
    }

    /// The last of this number of nodes. Pages with four billion nodes do not occur.
    fn last(nodes: usize) -> Self {
        let number = u32::try_from(nodes).ok().and_then(NonZeroU32::new);
        Self(number.unwrap_or(NonZeroU32::MAX))
    }
}

/// The kind of a node.
#[derive(Debug)]
pub(crate) enum Data {
    /// The root, or the contents of a template.
    Document,
    /// Its name and system identifier.
    Doctype(#[expect(dead_code, reason = "a full tree holds it")] StrTendril),
    /// A run of text.
    Text(StrTendril),
    /// A comment or a processing instruction.
    Comment(#[expect(dead_code, reason = "a full tree holds it")] StrTendril),
    /// An element.
    Element {
        name: QualName,
        attributes: Vec<Attribute>,
        template_contents: Option<Handle>,
        integration_point: bool,
    },
}

/// A node and its neighbours.
#[derive(Debug)]
struct Node {
    data: Data,
    parent: Option<Handle>,
    previous: Option<Handle>,
    next: Option<Handle>,
    first_child: Option<Handle>,
    last_child: Option<Handle>,
}

/// A parsed page.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The quirks mode of the document.
    #[expect(dead_code, reason = "a full tree holds it")]
    quirks: QuirksMode,
}

impl Tree {
    /// Parses a page.
    pub(crate) fn parse(html: &str) -> Self {
        parse_document(Sink::new(html.len()), ParseOpts::default())
            .one(StrTendril::from_slice(html))
    }

    /// The `href` of the first `base`, and those of all `a` elements in document order.
    pub(crate) fn links(&self) -> (Option<&str>, Vec<&str>) {
        let (mut base, mut links) = (None, Vec::new());
        for data in self.walk() {
            let Data::Element {
                name, attributes, ..
            } = data
            else {
                continue;
            };
            if name.ns != ns!(html) {
                continue;
            }
            if name.local == local_name!("a") {
                links.extend(href(attributes));
            } else if name.local == local_name!("base") && base.is_none() {
                base = href(attributes);
            }
        }
        (base, links)
    }

    /// Every node that is attached to the tree, in document order.
    fn walk(&self) -> impl Iterator<Item = &Data> {
        let mut at = self.nodes.first();
        std::iter::from_fn(move || {
            let node = at?;
            at = self.after(node);
            Some(&node.data)
        })
    }

    fn after<'a>(&'a self, node: &'a Node) -> Option<&'a Node> {
        let mut node = node;
        if let Some(child) = node.first_child {
            return self.nodes.get(child.index());
        }
        loop {
            if let Some(next) = node.next {
                return self.nodes.get(next.index());
            }
            node = self.nodes.get(node.parent?.index())?;
        }
    }
}

fn href(attributes: &[Attribute]) -> Option<&str> {
    let mut attributes = attributes.iter();
    let href = attributes.find(|attribute| {
        attribute.name.ns == ns!() && attribute.name.local == local_name!("href")
    })?;
    Some(&href.value)
}

#[derive(Debug)]
struct Sink {
    nodes: RefCell<Vec<Node>>,
    quirks: Cell<QuirksMode>,
}

const fn node(data: Data) -> Node {
    Node {
        data,
        parent: None,
        previous: None,
        next: None,
        first_child: None,
        last_child: None,
    }
}

/// Approximate bytes of markup per node.
const BYTES_PER_NODE: usize = 16;

impl Sink {
    fn new(bytes: usize) -> Self {
        let mut nodes = Vec::with_capacity(bytes / BYTES_PER_NODE + 8);
        nodes.push(node(Data::Document));
        Self {
            nodes: RefCell::new(nodes),
            quirks: Cell::new(QuirksMode::NoQuirks),
        }
    }

    fn add(&self, data: Data) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(node(data));
        Handle::last(nodes.len())
    }

    /// Adds a child to the end of a parent, or before one of its children.
    fn place(&self, parent: Handle, before: Option<Handle>, child: NodeOrText<Handle>) {
        let nodes = &mut *self.nodes.borrow_mut();
        let previous = match before {
            Some(before) => nodes.get(before.index()).and_then(|node| node.previous),
            None => nodes.get(parent.index()).and_then(|node| node.last_child),
        };
        let child = match child {
            NodeOrText::AppendNode(child) => child,
            NodeOrText::AppendText(text) => {
                if let Some(Node {
                    data: Data::Text(existing),
                    ..
                }) = previous.and_then(|previous| nodes.get_mut(previous.index()))
                {
                    existing.push_tendril(&text);
                    return;
                }
                nodes.push(node(Data::Text(text)));
                Handle::last(nodes.len())
            }
        };
        hang(nodes, parent, before, child);
    }
}

fn hang(nodes: &mut [Node], parent: Handle, before: Option<Handle>, child: Handle) {
    detach(nodes, child);
    let previous = match before {
        Some(before) => nodes.get(before.index()).and_then(|node| node.previous),
        None => nodes.get(parent.index()).and_then(|node| node.last_child),
    };
    if let Some(node) = nodes.get_mut(child.index()) {
        node.parent = Some(parent);
        node.previous = previous;
        node.next = before;
    }
    match previous.and_then(|previous| nodes.get_mut(previous.index())) {
        Some(previous) => previous.next = Some(child),
        None => {
            if let Some(parent) = nodes.get_mut(parent.index()) {
                parent.first_child = Some(child);
            }
        }
    }
    match before.and_then(|before| nodes.get_mut(before.index())) {
        Some(before) => before.previous = Some(child),
        None => {
            if let Some(parent) = nodes.get_mut(parent.index()) {
                parent.last_child = Some(child);
            }
        }
    }
}

fn detach(nodes: &mut [Node], child: Handle) {
    let Some(node) = nodes.get_mut(child.index()) else {
        return;
    };
    let Some(parent) = node.parent.take() else {
        return;
    };
    let (previous, next) = (node.previous.take(), node.next.take());
    match previous.and_then(|previous| nodes.get_mut(previous.index())) {
        Some(previous) => previous.next = next,
        None => {
            if let Some(parent) = nodes.get_mut(parent.index()) {
                parent.first_child = next;
            }
        }
    }
    match next.and_then(|next| nodes.get_mut(next.index())) {
        Some(next) => next.previous = previous,
        None => {
            if let Some(parent) = nodes.get_mut(parent.index()) {
                parent.last_child = previous;
            }
        }
    }
}

/// The name of nodes that are not elements. The tree builder does not request it.
static NO_NAME: std::sync::LazyLock<QualName> =
    std::sync::LazyLock::new(|| QualName::new(None, ns!(), local_name!("")));

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Tree {
        Tree {
            nodes: self.nodes.into_inner(),
            quirks: self.quirks.get(),
        }
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Ref<'a, QualName> {
        Ref::map(self.nodes.borrow(), |nodes| {
            match nodes.get(target.index()) {
                Some(Node {
                    data: Data::Element { name, .. },
                    ..
                }) => name,
                _ => &NO_NAME,
            }
        })
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        let template_contents = flags.template.then(|| self.add(Data::Document));
        self.add(Data::Element {
            name,
            attributes,
            template_contents,
            integration_point: flags.mathml_annotation_xml_integration_point,
        })
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.add(Data::Comment(text))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> Handle {
        self.add(Data::Comment(data))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.place(*parent, None, child);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self
            .nodes
            .borrow()
            .get(sibling.index())
            .and_then(|node| node.parent);
        if let Some(parent) = parent {
            self.place(parent, Some(*sibling), child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let hangs = self
            .nodes
            .borrow()
            .get(element.index())
            .is_some_and(|node| node.parent.is_some());
        if hangs {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        _public_id: StrTendril,
        _system_id: StrTendril,
    ) {
        let doctype = self.add(Data::Doctype(name));
        self.append(&DOCUMENT, NodeOrText::AppendNode(doctype));
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match self.nodes.borrow().get(target.index()) {
            Some(Node {
                data:
                    Data::Element {
                        template_contents: Some(contents),
                        ..
                    },
                ..
            }) => *contents,
            _ => *target,
        }
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn add_attrs_if_missing(&self, target: &Handle, missing: Vec<Attribute>) {
        if let Some(Node {
            data: Data::Element { attributes, .. },
            ..
        }) = self.nodes.borrow_mut().get_mut(target.index())
        {
            for attribute in missing {
                if attributes.iter().all(|known| known.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        detach(&mut self.nodes.borrow_mut(), *target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let nodes = &mut *self.nodes.borrow_mut();
        while let Some(child) = nodes.get(node.index()).and_then(|node| node.first_child) {
            hang(nodes, *new_parent, None, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        matches!(
            self.nodes.borrow().get(target.index()),
            Some(Node {
                data: Data::Element {
                    integration_point: true,
                    ..
                },
                ..
            })
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_those_of_the_repaired_tree_in_order() {
        let tree = Tree::parse(
            "<!doctype html><base href=/b/><table><a href=2>x</a><tr><td><a href=3>y</a></table>\
             <b><p><a name=no>n</a><a href=4>z</b></p><!-- <a href=5> --><svg><a href=6></svg>",
        );
        let (base, mut links) = tree.links();
        assert_eq!(base, Some("/b/"));
        links.dedup();
        assert_eq!(links, ["2", "3", "4"]);
    }

    #[test]
    fn texts_and_attributes_are_kept() {
        let tree = Tree::parse("<p title='a &amp; b'>one <i>two</i> three");
        let texts: String = tree
            .walk()
            .filter_map(|data| match data {
                Data::Text(text) => Some(&**text),
                _ => None,
            })
            .collect();
        assert_eq!(texts, "one two three");
        let title = tree.walk().find_map(|data| match data {
            Data::Element { attributes, .. } => attributes.first(),
            _ => None,
        });
        assert_eq!(title.map(|attribute| &*attribute.value), Some("a & b"));
    }
}
