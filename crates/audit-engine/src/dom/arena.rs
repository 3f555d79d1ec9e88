//! Storage for a document's nodes, names, attributes and texts: one vector for each kind, so that a tree costs a
//! handful of allocations regardless of its size. Text that is identical in the source and in the tree is not
//! copied.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use html5ever::LocalName;

use super::limit::{MAX_ATTRIBUTES, MAX_NODES, Spent};
use super::node::{Element, Namespace, Node, Span, Stored};
use super::token::TagAttribute;
use super::{Limit, MAX_DEPTH, NodeId};

/// The number of names that are searched linearly; documents with more use an index.
const FEW_NAMES: usize = 48;

/// The capacity, in nodes and in attributes, up to which an arena is reused for the next document.
const SPARE_NODES: usize = 20_000;
/// The number of nodes from which an arena allocates its maximum capacity.
const MANY_NODES: usize = 32_768;

/// The cost in steps of moving a node.
const MOVE: usize = 8;

/// The text capacity in bytes up to which an arena is reused.
const SPARE_TEXT: usize = 1024 * 1024;

thread_local! {
    /// The arena of the last document that this thread dropped.
    static SPARE: Cell<Option<Arena>> = const { Cell::new(None) };
}

/// An attribute: its name, and the span of its value.
#[derive(Debug, Clone)]
pub(super) struct StoredAttribute {
    pub(super) name: LocalName,
    pub(super) fingerprint: Fingerprint,
    pub(super) value: Span,
}

/// The first bytes of a name and its length. They distinguish most names, and short names always. Most attribute
/// lookups are for attributes that the element does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint([u8; 8]);

impl Fingerprint {
    /// The number of bytes a fingerprint stores: shorter names are equal if their fingerprints are equal.
    const STORED_BYTES: usize = 7;

    #[inline]
    pub(super) fn new(name: &str) -> Self {
        let mut bytes = [0; 8];
        for (byte, own) in bytes.iter_mut().zip(name.bytes().take(Self::STORED_BYTES)) {
            *byte = own;
        }
        bytes[Self::STORED_BYTES] = u8::try_from(name.len()).unwrap_or(u8::MAX);
        Self(bytes)
    }
}

impl StoredAttribute {
    /// Whether the attribute has this name, whose fingerprint is `fingerprint`.
    #[inline]
    pub(super) fn is_named(&self, name: &str, fingerprint: Fingerprint) -> bool {
        self.fingerprint == fingerprint
            && (name.len() <= Fingerprint::STORED_BYTES || &*self.name == name)
    }
}

impl StoredAttribute {
    fn new(name: LocalName, value: Span) -> Self {
        Self {
            fingerprint: Fingerprint::new(&name),
            name,
            value,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Arena {
    pub(super) nodes: Vec<Node>,
    /// The distinct local names of elements.
    pub(super) names: Vec<LocalName>,
    further_names: HashMap<LocalName, u32>,
    pub(super) attributes: Vec<StoredAttribute>,
    further_attributes: Vec<(NodeId, StoredAttribute)>,
    source: Arc<String>,
    /// Attribute values, texts and comments that differ from the source. Their spans start after the end of the
    /// source.
    text: String,
    grown: Vec<String>,
    /// Whether stored depths may be wrong, or nodes may be deeper than allowed.
    is_uneven: bool,
    /// The resources used so far.
    pub(super) spent: Spent,
}

impl Arena {
    /// An arena with the document node, and capacity for parsing `html`, which is the source, a part of it, or
    /// text derived from it.
    pub(super) fn with_room_for(html: &str, source: Arc<String>) -> Self {
        let mut arena = SPARE.take().unwrap_or_default();
        arena.source = source;
        // Half of all tags are start tags, and most elements have a text beside them.
        let tags = memchr::memchr_iter(b'<', html.as_bytes()).count();
        arena.nodes.reserve((tags + tags / 4).min(MAX_NODES) + 16);
        arena.attributes.reserve(tags / 2 + 16);
        if arena.span_of(html).is_none() {
            arena.text.reserve(html.len() / 4 * 3);
        }
        arena.nodes.push(Node::new(Stored::Document, 1));
        arena
    }

    /// Keeps the memory for the next document of this thread, unless it is large.
    pub(super) fn recycle(mut self) {
        if self.nodes.capacity() > SPARE_NODES
            || self.attributes.capacity() > SPARE_NODES
            || self.text.capacity() > SPARE_TEXT
        {
            return;
        }
        self.nodes.clear();
        self.names.clear();
        self.further_names = HashMap::new();
        self.attributes.clear();
        self.source = Arc::default();
        self.text.clear();
        self.grown = Vec::new();
        self.is_uneven = false;
        self.spent = Spent::default();
        SPARE.set(Some(self));
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.index())
    }

    #[inline]
    pub(super) fn text(&self, span: Span) -> &str {
        let range = span.range();
        let text = match range.start.checked_sub(self.source.len()) {
            None => self.source.get(range),
            Some(start) => self.text.get(start..range.end - self.source.len()),
        };
        text.unwrap_or_default()
    }

    /// The span of a text that points into the source's memory, rather than merely being equal to a part of it.
    fn span_of(&self, text: &str) -> Option<Span> {
        let start = text
            .as_ptr()
            .addr()
            .checked_sub(self.source.as_ptr().addr())?;
        let end = start.checked_add(text.len())?;
        (start < end && end <= self.source.len()).then(|| Span::new(start, end))
    }

    fn is_in_source(&self, span: Span) -> bool {
        span.range().start < self.source.len()
    }

    pub(super) fn grown_text(&self, place: u32) -> &str {
        usize::try_from(place)
            .ok()
            .and_then(|place| self.grown.get(place))
            .map_or("", String::as_str)
    }

    pub(super) fn name(&self, element: &Element) -> Option<&LocalName> {
        self.name_at(element.name)
    }

    #[inline]
    pub(super) fn name_at(&self, place: u32) -> Option<&LocalName> {
        self.names.get(usize::try_from(place).ok()?)
    }

    #[inline]
    pub(super) fn attributes(&self, element: &Element) -> &[StoredAttribute] {
        self.attributes
            .get(element.attributes.range())
            .unwrap_or_default()
    }

    pub(super) fn push_text(&mut self, text: &str) -> Span {
        self.span_of(text)
            .unwrap_or_else(|| self.push_copies(&[text]))
    }

    /// Appends the parts as one text and returns its span.
    fn push_copies(&mut self, parts: &[&str]) -> Span {
        let start = self.end();
        self.text.extend(parts.iter().copied());
        Span::new(start, self.end())
    }

    /// The offset after the last text.
    fn end(&self) -> usize {
        self.source.len() + self.text.len()
    }

    /// Adds a detached node. If the arena is full, it returns the document node, which no caller can attach
    /// anywhere, so an overflow only loses nodes.
    pub(super) fn add(&mut self, stored: Stored, line: u32) -> NodeId {
        let Some(id) = NodeId::from_index(self.nodes.len()) else {
            return NodeId::DOCUMENT;
        };
        self.spent.take_node(id);
        if self.nodes.len() == self.nodes.capacity() {
            // Allocated memory that is never written costs nothing, but every reallocation copies the vector, so
            // it grows only once.
            let most = MAX_NODES + MAX_NODES / 100;
            let room = if self.nodes.len() < MANY_NODES {
                self.nodes.len() + 64
            } else {
                most.saturating_sub(self.nodes.len()).max(64)
            };
            self.nodes.reserve_exact(room);
        }
        self.nodes.push(Node::new(stored, line));
        id
    }

    /// Adds a detached element, and also returns the index of its name.
    pub(super) fn add_element(
        &mut self,
        name: &LocalName,
        namespace: Namespace,
        attributes: &[TagAttribute<'_>],
        template_contents: Option<NodeId>,
        line: u32,
    ) -> (NodeId, u32) {
        let start = self.attributes.len();
        let mut bytes = 0;
        for attribute in attributes {
            bytes += attribute.name.len() + attribute.value.len();
            let value = self.push_text(&attribute.value);
            self.attributes
                .push(StoredAttribute::new(attribute.name.clone(), value));
        }
        self.spent.take_attributes(attributes.len(), bytes);
        let name = self.intern(name);
        let element = Element {
            name,
            namespace,
            attributes: Span::new(start, self.attributes.len()),
            template_contents,
        };
        (self.add(Stored::Element(element), line), name)
    }

    /// Adds an element with the name and the attributes of another one.
    pub(super) fn repeat_element(&mut self, id: NodeId, line: u32) -> NodeId {
        let Some(stored @ Stored::Element(element)) = self.node(id).map(|node| node.stored) else {
            return NodeId::DOCUMENT;
        };
        let attributes = self.attributes(&element);
        let bytes = |attribute: &StoredAttribute| attribute.name.len() + attribute.value.len();
        let (count, bytes) = (attributes.len(), attributes.iter().map(bytes).sum());
        self.spent.take(count);
        self.spent.take_attributes(count, bytes);
        self.add(stored, line)
    }

    /// Records attributes of repeated `html` and `body` start tags; the standard adds those that are missing.
    pub(super) fn add_missing_attributes(&mut self, id: NodeId, more: &[TagAttribute<'_>]) {
        for attribute in more {
            let bytes = attribute.name.len() + attribute.value.len();
            self.spent.take_attributes(1, bytes);
            let value = self.push_text(&attribute.value);
            self.further_attributes
                .push((id, StoredAttribute::new(attribute.name.clone(), value)));
        }
    }

    /// Finishes the arena after parsing: limits the depth of nodes and adds the recorded attributes. This runs
    /// once, because a document may move a subtree or repeat a tag any number of times.
    pub(super) fn settled(mut self) -> Self {
        if self.is_uneven {
            self.flatten();
        }
        let mut further: HashMap<NodeId, Vec<StoredAttribute>> = HashMap::new();
        for (id, attribute) in std::mem::take(&mut self.further_attributes) {
            further.entry(id).or_default().push(attribute);
        }
        for (id, more) in further {
            let Some(Stored::Element(mut element)) = self.node(id).map(|node| node.stored) else {
                continue;
            };
            let own = self.attributes(&element).to_vec();
            let mut seen: HashSet<_> = own.iter().map(|own| own.name.clone()).collect();
            let start = self.attributes.len();
            let room = MAX_ATTRIBUTES.saturating_sub(own.len());
            self.attributes.extend(own);
            let mut missing = more
                .into_iter()
                .filter(|attribute| seen.insert(attribute.name.clone()));
            self.attributes.extend(missing.by_ref().take(room));
            if missing.next().is_some() {
                self.spent.reach(Limit::Attributes);
            }
            element.attributes = Span::new(start, self.attributes.len());
            if let Some(node) = self.node_mut(id) {
                node.stored = Stored::Element(element);
            }
        }
        self
    }

    fn intern(&mut self, name: &LocalName) -> u32 {
        let few = self.names.iter().take(FEW_NAMES);
        let known = few
            .zip(0_u32..)
            .find(|(known, _)| *known == name)
            .map(|(_, place)| place)
            .or_else(|| self.further_names.get(name).copied());
        known.unwrap_or_else(|| {
            let place = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
            if self.names.len() >= FEW_NAMES {
                self.further_names.insert(name.clone(), place);
            }
            self.names.push(name.clone());
            place
        })
    }

    /// The parent, or one of its ancestors if the tree would become too deep.
    pub(super) fn bounded(&mut self, parent: NodeId) -> NodeId {
        let mut parent = parent;
        while let Some(node) = self.node(parent) {
            match node.parent {
                Some(up) if node.depth >= MAX_DEPTH => parent = up,
                _ => break,
            }
            self.spent.take(1);
        }
        parent
    }

    /// Computes the depth of every node. Nodes that are too deep become siblings of their parent; the contents of
    /// templates that are too deep are dropped.
    fn flatten(&mut self) {
        let mut roots = vec![(NodeId::DOCUMENT, 0)];
        while let Some((root, depth)) = roots.pop() {
            let mut next = Some((root, depth));
            while let Some((id, depth)) = next {
                if let Some(contents) = self.flatten_at(id, depth) {
                    roots.push((contents, depth + 1));
                }
                next = self.after(root, id, depth);
            }
        }
    }

    /// Sets the depth of a node, and returns the template contents to visit, if they are kept.
    fn flatten_at(&mut self, id: NodeId, depth: u16) -> Option<NodeId> {
        let node = self.node_mut(id)?;
        node.depth = depth;
        let (parent, next, stored) = (node.parent, node.next, node.stored);
        if depth >= MAX_DEPTH
            && let Some(parent) = parent
        {
            while let Some(child) = self.node(id).and_then(|node| node.first_child) {
                self.insert(parent, child, next);
            }
        }
        let Stored::Element(element) = stored else {
            return None;
        };
        let contents = element.template_contents?;
        if depth + 2 <= MAX_DEPTH {
            return Some(contents);
        }
        let root = self.node_mut(contents)?;
        root.last_child = None;
        if root.first_child.take().is_some() {
            self.spent.reach(Limit::Depth);
        }
        None
    }

    /// The node after this one in the order of the tree below `root`, with its depth.
    fn after(&self, root: NodeId, id: NodeId, depth: u16) -> Option<(NodeId, u16)> {
        let (mut id, mut depth) = (id, depth);
        if let Some(child) = self.node(id)?.first_child {
            return Some((child, depth + 1));
        }
        while id != root {
            let node = self.node(id)?;
            if let Some(next) = node.next {
                return Some((next, depth));
            }
            id = node.parent?;
            depth = depth.saturating_sub(1);
        }
        None
    }

    pub(super) fn detach(&mut self, id: NodeId) {
        let Some(node) = self.node_mut(id) else {
            return;
        };
        let (parent, previous, next) = (node.parent.take(), node.previous.take(), node.next.take());
        match previous.and_then(|p| self.node_mut(p)) {
            Some(previous) => previous.next = next,
            None => {
                if let Some(parent) = parent.and_then(|p| self.node_mut(p)) {
                    parent.first_child = next;
                }
            }
        }
        match next.and_then(|n| self.node_mut(n)) {
            Some(next) => next.previous = previous,
            None => {
                if let Some(parent) = parent.and_then(|p| self.node_mut(p)) {
                    parent.last_child = previous;
                }
            }
        }
    }

    /// Attaches `child` to `parent`, before `before` or at the end.
    pub(super) fn insert(&mut self, parent: NodeId, child: NodeId, before: Option<NodeId>) {
        if child == NodeId::DOCUMENT {
            return;
        }
        if self.node(child).is_some_and(|node| node.parent.is_some()) {
            self.detach(child);
        }
        let depth = self
            .node(parent)
            .map_or(0, |node| node.depth.saturating_add(1));
        let previous = self.previous_of(parent, before);
        let mut contents = None;
        if let Some(node) = self.node_mut(child) {
            node.parent = Some(parent);
            node.previous = previous;
            node.next = before;
            node.depth = depth;
            let moves = node.first_child.is_some();
            if let Stored::Element(element) = node.stored {
                contents = element.template_contents;
            }
            self.is_uneven |= moves || depth > MAX_DEPTH;
        }
        if let Some(root) = contents.and_then(|root| self.node_mut(root)) {
            root.depth = depth.saturating_add(1);
            self.is_uneven = true;
        }
        match previous.and_then(|p| self.node_mut(p)) {
            Some(previous) => previous.next = Some(child),
            None => {
                if let Some(parent) = self.node_mut(parent) {
                    parent.first_child = Some(child);
                }
            }
        }
        match before.and_then(|b| self.node_mut(b)) {
            Some(before) => before.previous = Some(child),
            None => {
                if let Some(parent) = self.node_mut(parent) {
                    parent.last_child = Some(child);
                }
            }
        }
    }

    /// The node before the insertion point.
    fn previous_of(&self, parent: NodeId, before: Option<NodeId>) -> Option<NodeId> {
        match before {
            Some(before) => self.node(before)?.previous,
            None => self.node(parent)?.last_child,
        }
    }

    /// Inserts text at the insertion point: it is merged with a text before it, as the standard requires, or
    /// becomes a new node.
    pub(super) fn insert_text(
        &mut self,
        parent: NodeId,
        text: &str,
        before: Option<NodeId>,
        line: u32,
    ) {
        let previous = self.previous_of(parent, before);
        if previous.is_some_and(|previous| self.merge(previous, text)) {
            return;
        }
        let span = self.push_text(text);
        let child = self.add(Stored::Text(span), line);
        self.insert(parent, child, before);
    }

    /// Appends to a text node; false if the node is not a text. To avoid copying a growing text each time, a span
    /// of the source is extended where possible and otherwise copied to the end; a copy at the end grows in place,
    /// and any other copy becomes a separate string.
    fn merge(&mut self, id: NodeId, more: &str) -> bool {
        let merged = match self.node(id).map(|node| node.stored) {
            Some(Stored::Text(span)) => self.merged(span, more),
            Some(Stored::GrownText(place)) => {
                let grown = usize::try_from(place)
                    .ok()
                    .and_then(|place| self.grown.get_mut(place));
                if let Some(text) = grown {
                    text.push_str(more);
                }
                return true;
            }
            _ => return false,
        };
        if let Some(node) = self.node_mut(id) {
            node.stored = merged;
        }
        true
    }

    /// How a text is stored after another one is appended to it.
    fn merged(&mut self, span: Span, more: &str) -> Stored {
        if self.is_in_source(span) {
            return Stored::Text(match self.span_of(more) {
                Some(next) if next.start == span.end => Span {
                    end: next.end,
                    ..span
                },
                _ => {
                    let source = Arc::clone(&self.source);
                    let text = source.get(span.range()).unwrap_or_default();
                    self.push_copies(&[text, more])
                }
            });
        }
        if span.range().end == self.end() {
            self.text.push_str(more);
            return Stored::Text(Span::new(span.range().start, self.end()));
        }
        let place = u32::try_from(self.grown.len()).unwrap_or(u32::MAX);
        self.grown.push([self.text(span), more].concat());
        Stored::GrownText(place)
    }

    pub(super) fn move_children(&mut self, from: NodeId, to: NodeId) {
        while let Some(child) = self.node(from).and_then(|node| node.first_child) {
            self.spent.take(MOVE);
            self.insert(to, child, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dom::Dom;

    fn copied(html: &str) -> String {
        Dom::parse(html).arena.text.clone()
    }

    #[test]
    fn text_identical_to_the_source_is_not_copied() {
        let plain =
            "\u{feff}<p class=a title='b'> one <i>two</i>\n three</p><!--c--><script>d</script>";
        assert_eq!(copied(plain), "");
        assert_eq!(copied("<p title='a&amp;b'>c &lt; d</p><p>e"), "a&bc < d");
        assert_eq!(copied("<p>a\r\nb</p>"), "a\nb");
    }

    #[test]
    fn a_text_in_two_parts_is_copied_once() {
        assert_eq!(copied("<p>a</x>b</x>c<p>d"), "abc");
        assert_eq!(copied("<p>a</x>&amp;b"), "a&b");
    }

    #[test]
    fn a_text_extended_after_others_is_complete() {
        // Text inside a table but outside cells is foster parented before the table, where it is merged.
        let html =
            "<p>x</p><table>a<tr title='&lt;'>b&gt;<td title='&amp;'></td>c<tr>d<td>e</table>";
        let dom = Dom::parse(html);
        let body = dom
            .descendants(dom.document())
            .find_map(|id| dom.element(id).filter(|element| element.is("body")));
        assert_eq!(body.unwrap().text(), "xab>cde");
        assert_eq!(dom.arena.grown, ["ab>cd"]);
    }
}
