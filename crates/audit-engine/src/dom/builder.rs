//! html5ever's tree sink over the arena.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::fmt;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{LocalName, ParseOpts, QualName, ns, parse_document};

use super::node::{Namespace, Node};
use super::{Attribute, Doctype, Dom, ElementData, NodeData, NodeId, ParseError, Quirks};

/// Elements nested deeper than this become siblings at this depth, as in browsers.
pub const MAX_DEPTH: u32 = 512;

/// Documents are cut after this many nodes.
pub const MAX_NODES: usize = 500_000;

const MAX_ERRORS: usize = 200;
/// The tree builder walks its stack of open elements for most start tags, so a document that keeps
/// opening elements costs time quadratic in its depth. It is cut once the stack is this deep.
const MAX_OPEN: u32 = 2_048;
/// Attributes of one tag; the largest found on real pages have some dozens.
const MAX_ATTRIBUTES: usize = 2_000;
const CHUNK_BYTES: usize = 8 * 1024;

pub(super) fn parse(html: &str) -> Dom {
    let opts = ParseOpts {
        // As in a browser that runs scripts: the contents of `noscript` are text nobody sees.
        tree_builder: TreeBuilderOpts {
            scripting_enabled: true,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(Sink::default(), opts);
    let mut rest = html;
    if let Some(end) = attribute_bomb(html) {
        rest = html.split_at(end).0;
        parser.tokenizer.sink.sink.truncated.set(true);
    }
    while !rest.is_empty() {
        let (chunk, tail) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES));
        parser.process(StrTendril::from_slice(chunk));
        rest = tail;
        if parser.tokenizer.sink.sink.is_full() {
            parser.tokenizer.sink.sink.truncated.set(true);
            break;
        }
    }
    parser.finish()
}

/// Where a tag with more than [`MAX_ATTRIBUTES`] attributes begins, if there is one. The tokenizer
/// compares each attribute with all before it, so such a tag would cost time quadratic in its length;
/// the document is cut before it.
///
/// Attributes are counted by the white space outside of quotes that stands before them. Comments and
/// the contents of scripts and style sheets are passed over.
fn attribute_bomb(html: &str) -> Option<usize> {
    let bytes = html.as_bytes();
    let mut at = 0;
    while let Some(tag) = next_tag(bytes, at) {
        let (end, attributes) = tag_end(bytes, tag);
        if attributes > MAX_ATTRIBUTES {
            return Some(tag);
        }
        at = match raw_text_end(bytes, tag) {
            Some(close) => after(bytes, end, close).unwrap_or(bytes.len()),
            None => end,
        };
    }
    None
}

/// The next `<` before a letter, comments skipped.
fn next_tag(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == b'<')?;
        let rest = bytes.get(at + 1..)?;
        if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            return Some(at);
        }
        at = if rest.starts_with(b"!--") {
            after(bytes, at + 4, b"-->")?
        } else {
            at + 1
        };
    }
}

/// The end of the tag, and how many attributes it has at most.
fn tag_end(bytes: &[u8], tag: usize) -> (usize, usize) {
    let (mut quote, mut space, mut attributes) = (None, false, 0);
    let mut previous = b'<';
    for (offset, byte) in bytes.iter().enumerate().skip(tag + 1) {
        match (quote, *byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return (offset + 1, attributes),
            (None, b'"' | b'\'') if previous == b'=' => quote = Some(*byte),
            (None, byte) if byte.is_ascii_whitespace() || byte == b'/' => space = true,
            (None, _) => {
                attributes += usize::from(space);
                space = false;
            }
        }
        if !byte.is_ascii_whitespace() {
            previous = *byte;
        }
        // A quote that ends may be followed by the next attribute at once.
        space |= quote.is_none() && matches!(*byte, b'"' | b'\'');
    }
    (bytes.len(), attributes)
}

/// What ends the contents of an element that holds text alone.
fn raw_text_end(bytes: &[u8], tag: usize) -> Option<&'static [u8]> {
    let name = bytes.get(tag + 1..)?;
    let is = |wanted: &[u8]| {
        name.get(..wanted.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(wanted))
            && name
                .get(wanted.len())
                .is_some_and(|next| !next.is_ascii_alphanumeric())
    };
    if is(b"script") {
        Some(b"</script")
    } else if is(b"style") {
        Some(b"</style")
    } else if is(b"textarea") {
        Some(b"</textarea")
    } else {
        None
    }
}

/// The place behind the next occurrence, without regard to ASCII case.
fn after(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = rest
        .windows(wanted.len())
        .position(|seen| seen.eq_ignore_ascii_case(wanted))?;
    Some(from + found + wanted.len())
}

struct Sink {
    nodes: RefCell<Vec<Node>>,
    names: RefCell<Vec<QualName>>,
    errors: RefCell<Vec<ParseError>>,
    error_count: Cell<u64>,
    duplicate_attributes: RefCell<Vec<NodeId>>,
    doctype: RefCell<Option<Doctype>>,
    quirks: Cell<Quirks>,
    line: Cell<u32>,
    too_deep: Cell<bool>,
    truncated: Cell<bool>,
}

impl Default for Sink {
    fn default() -> Self {
        Self {
            nodes: RefCell::new(vec![Node::new(NodeData::Document, 1)]),
            names: RefCell::new(vec![no_name()]),
            errors: RefCell::default(),
            error_count: Cell::new(0),
            duplicate_attributes: RefCell::default(),
            doctype: RefCell::new(None),
            quirks: Cell::new(Quirks::None),
            line: Cell::new(1),
            too_deep: Cell::new(false),
            truncated: Cell::new(false),
        }
    }
}

fn no_name() -> QualName {
    QualName::new(None, ns!(), LocalName::from(""))
}

impl Sink {
    fn is_full(&self) -> bool {
        self.too_deep.get() || self.nodes.borrow().len() >= MAX_NODES
    }

    /// Adds a node that hangs nowhere yet. Past the arena's end everything is the document, which
    /// no caller can attach anywhere, so an overflow loses nodes and nothing else.
    fn add(&self, data: NodeData, name: QualName) -> NodeId {
        let mut nodes = self.nodes.borrow_mut();
        let Some(id) = NodeId::from_index(nodes.len()) else {
            return NodeId::DOCUMENT;
        };
        nodes.push(Node::new(data, self.line.get()));
        self.names.borrow_mut().push(name);
        id
    }

    /// The parent itself, or its ancestor where the tree would become too deep.
    fn bounded(nodes: &[Node], parent: NodeId) -> NodeId {
        let mut parent = parent;
        while let Some(node) = nodes.get(parent.index()) {
            match node.parent {
                Some(up) if node.depth >= MAX_DEPTH => parent = up,
                _ => break,
            }
        }
        parent
    }

    fn detach(nodes: &mut [Node], id: NodeId) {
        let Some(node) = nodes.get_mut(id.index()) else {
            return;
        };
        let (parent, previous, next) = (node.parent.take(), node.previous.take(), node.next.take());
        match previous.and_then(|p| nodes.get_mut(p.index())) {
            Some(previous) => previous.next = next,
            None => {
                if let Some(parent) = parent.and_then(|p| nodes.get_mut(p.index())) {
                    parent.first_child = next;
                }
            }
        }
        match next.and_then(|n| nodes.get_mut(n.index())) {
            Some(next) => next.previous = previous,
            None => {
                if let Some(parent) = parent.and_then(|p| nodes.get_mut(p.index())) {
                    parent.last_child = previous;
                }
            }
        }
    }

    /// Hangs `child` under `parent`, before `before` or at the end.
    fn insert(nodes: &mut [Node], parent: NodeId, child: NodeId, before: Option<NodeId>) {
        if child == NodeId::DOCUMENT {
            return;
        }
        Self::detach(nodes, child);
        let depth = nodes
            .get(parent.index())
            .map_or(0, |node| node.depth.saturating_add(1));
        let previous = match before {
            Some(before) => nodes.get(before.index()).and_then(|node| node.previous),
            None => nodes.get(parent.index()).and_then(|node| node.last_child),
        };
        if let Some(node) = nodes.get_mut(child.index()) {
            node.parent = Some(parent);
            node.previous = previous;
            node.next = before;
            node.depth = depth;
        }
        match previous.and_then(|p| nodes.get_mut(p.index())) {
            Some(previous) => previous.next = Some(child),
            None => {
                if let Some(parent) = nodes.get_mut(parent.index()) {
                    parent.first_child = Some(child);
                }
            }
        }
        match before.and_then(|b| nodes.get_mut(b.index())) {
            Some(before) => before.previous = Some(child),
            None => {
                if let Some(parent) = nodes.get_mut(parent.index()) {
                    parent.last_child = Some(child);
                }
            }
        }
    }

    /// Adds the text to the node before the insertion point when that is text, as the standard asks.
    fn merge_text(nodes: &mut [Node], previous: Option<NodeId>, text: &str) -> bool {
        match previous.and_then(|p| nodes.get_mut(p.index())) {
            Some(Node {
                data: NodeData::Text(existing),
                ..
            }) => {
                existing.push_str(text);
                true
            }
            _ => false,
        }
    }

    fn place(&self, parent: NodeId, child: NodeOrText<NodeId>, before: Option<NodeId>) {
        match child {
            NodeOrText::AppendNode(child) => {
                Self::insert(&mut self.nodes.borrow_mut(), parent, child, before);
            }
            NodeOrText::AppendText(text) => {
                let previous = {
                    let nodes = self.nodes.borrow();
                    match before {
                        Some(before) => nodes.get(before.index()).and_then(|node| node.previous),
                        None => nodes.get(parent.index()).and_then(|node| node.last_child),
                    }
                };
                if !Self::merge_text(&mut self.nodes.borrow_mut(), previous, &text) {
                    let child = self.add(NodeData::Text(String::from(&*text)), no_name());
                    Self::insert(&mut self.nodes.borrow_mut(), parent, child, before);
                }
            }
        }
    }
}

/// A borrowed element name.
struct NameRef<'a>(Ref<'a, QualName>);

impl fmt::Debug for NameRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl ElemName for NameRef<'_> {
    fn ns(&self) -> &html5ever::Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

fn attributes(attrs: Vec<html5ever::Attribute>) -> Vec<Attribute> {
    attrs
        .into_iter()
        .map(|attr| Attribute {
            name: match &attr.name.prefix {
                Some(prefix) if !prefix.is_empty() => {
                    LocalName::from(format!("{prefix}:{}", attr.name.local))
                }
                _ => attr.name.local,
            },
            value: Box::from(&*attr.value),
        })
        .collect()
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = Dom;
    type ElemName<'a> = NameRef<'a>;

    fn finish(self) -> Dom {
        Dom {
            nodes: self.nodes.into_inner(),
            errors: self.errors.into_inner(),
            error_count: self.error_count.get(),
            duplicate_attributes: self.duplicate_attributes.into_inner(),
            doctype: self.doctype.into_inner(),
            quirks: self.quirks.get(),
            truncated: self.truncated.get(),
            places: std::sync::OnceLock::new(),
        }
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        self.error_count
            .set(self.error_count.get().saturating_add(1));
        let mut errors = self.errors.borrow_mut();
        if errors.len() < MAX_ERRORS {
            errors.push(ParseError {
                line: self.line.get(),
                message: message.into_owned(),
            });
        }
    }

    fn get_document(&self) -> NodeId {
        NodeId::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> NameRef<'a> {
        let index = target.index();
        let names = self.names.borrow();
        match Ref::filter_map(names, |names| names.get(index)) {
            Ok(name) => NameRef(name),
            Err(names) => NameRef(Ref::map(names, |_| static_no_name())),
        }
    }

    fn create_element(
        &self,
        name: QualName,
        attrs: Vec<html5ever::Attribute>,
        flags: ElementFlags,
    ) -> NodeId {
        let template_contents = flags
            .template
            .then(|| self.add(NodeData::Document, no_name()));
        let data = ElementData {
            name: name.local.clone(),
            namespace: match name.ns {
                ns!(svg) => Namespace::Svg,
                ns!(mathml) => Namespace::MathMl,
                _ => Namespace::Html,
            },
            attributes: attributes(attrs),
            template_contents,
        };
        let id = self.add(NodeData::Element(data), name);
        if flags.had_duplicate_attributes {
            self.duplicate_attributes.borrow_mut().push(id);
        }
        id
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        self.add(NodeData::Comment(Box::from(&*text)), no_name())
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> NodeId {
        self.add(
            NodeData::Comment(format!("{target} {data}").into_boxed_str()),
            no_name(),
        )
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        let (bounded, open) = {
            let nodes = self.nodes.borrow();
            let open = nodes
                .get(parent.index())
                .map_or(0, |node| node.open.saturating_add(1));
            (Self::bounded(&nodes, *parent), open)
        };
        if let NodeOrText::AppendNode(child) = &child {
            if let Some(node) = self.nodes.borrow_mut().get_mut(child.index()) {
                node.open = open;
            }
            if open > MAX_OPEN {
                self.too_deep.set(true);
            }
        }
        self.place(bounded, child, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        prev_element: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let has_parent = self
            .nodes
            .borrow()
            .get(element.index())
            .is_some_and(|node| node.parent.is_some());
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        *self.doctype.borrow_mut() = Some(Doctype {
            name: String::from(&*name),
            public_id: String::from(&*public_id),
            system_id: String::from(&*system_id),
        });
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        match self
            .nodes
            .borrow()
            .get(target.index())
            .map(|node| &node.data)
        {
            Some(NodeData::Element(ElementData {
                template_contents: Some(contents),
                ..
            })) => *contents,
            _ => *target,
        }
    }

    fn same_node(&self, x: &NodeId, y: &NodeId) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(match mode {
            QuirksMode::Quirks => Quirks::Full,
            QuirksMode::LimitedQuirks => Quirks::Limited,
            QuirksMode::NoQuirks => Quirks::None,
        });
    }

    fn append_before_sibling(&self, sibling: &NodeId, new_node: NodeOrText<NodeId>) {
        let parent = self
            .nodes
            .borrow()
            .get(sibling.index())
            .and_then(|node| node.parent);
        match parent {
            Some(parent) => self.place(parent, new_node, Some(*sibling)),
            None => self.append(sibling, new_node),
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<html5ever::Attribute>) {
        let mut nodes = self.nodes.borrow_mut();
        let Some(NodeData::Element(data)) =
            nodes.get_mut(target.index()).map(|node| &mut node.data)
        else {
            return;
        };
        for attribute in attributes(attrs) {
            if data
                .attributes
                .iter()
                .all(|existing| existing.name != attribute.name)
            {
                data.attributes.push(attribute);
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        Self::detach(&mut self.nodes.borrow_mut(), *target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        let mut nodes = self.nodes.borrow_mut();
        while let Some(child) = nodes.get(node.index()).and_then(|node| node.first_child) {
            Self::insert(&mut nodes, *new_parent, child, None);
        }
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(u32::try_from(line).unwrap_or(u32::MAX));
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &NodeId) -> bool {
        false
    }
}

fn static_no_name() -> &'static QualName {
    static NO_NAME: std::sync::LazyLock<QualName> = std::sync::LazyLock::new(no_name);
    &NO_NAME
}
