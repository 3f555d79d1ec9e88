//! The arena DOM: an HTML document as a `Send` vector of nodes.
//!
//! [`Dom::parse`] builds the tree that the HTML Standard specifies and keeps what checks need and a plain
//! tree does not contain: source lines, parse errors, elements with duplicate attributes. Unusual markup
//! is read by html5ever's tokenizer. Trees deeper than [`MAX_DEPTH`] are flattened, and parsing stops at
//! the limits in [`Limit`], so that a hostile page costs bounded time and memory. No traversal is
//! recursive.

mod arena;
mod element;
mod extent;
mod limit;
mod markup;
mod node;
mod reader;
mod reference;
mod rendered;
mod tag;
mod token;
mod tree;
mod walk;

pub use element::{ElementRef, normalize_space};
pub(crate) use element::{is_collapsed, push_words};
pub use limit::{
    Limit, MAX_ALL_ATTRIBUTES, MAX_ATTRIBUTE_BYTES, MAX_ATTRIBUTES, MAX_DEPTH,
    MAX_FORMATTING_ELEMENTS, MAX_LONG_NAMES, MAX_NODES, MAX_OPEN_ELEMENTS, MAX_STEPS,
};
pub use node::{Attribute, Doctype, NodeData, NodeId};
pub(crate) use rendered::{Markup, RenderedTree};
pub use walk::{Ancestors, Children, Descendants};

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use arena::Arena;
use node::{Node, Stored};

/// A parse error from the tree builder or the tokenizer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The source line, from 1.
    pub line: u32,
    /// The error message, in html5ever's wording.
    pub message: Cow<'static, str>,
    /// The element that is still open, or that the error is about, where the tree builder knows it.
    pub element: Option<NodeId>,
}

/// The document's rendering mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quirks {
    /// Standards mode.
    None,
    /// Almost standards mode.
    Limited,
    /// Quirks mode: no doctype, or a legacy one.
    Full,
}

/// An HTML document.
#[derive(Debug, Clone)]
pub struct Dom {
    arena: Arena,
    errors: Vec<ParseError>,
    error_count: u64,
    duplicate_attributes: Vec<NodeId>,
    doctype: Option<Doctype>,
    quirks: Quirks,
    /// The shadow tree of each node, by the index of the node; empty or 0 for the document.
    scopes: Vec<u32>,
    places: OnceLock<Vec<(u32, u32)>>,
    repeated: OnceLock<Repeated>,
    /// Whether html5ever's tree may differ because of a rule for `annotation-xml`.
    #[cfg(test)]
    used_annotation_rule: bool,
}

/// A hash of an id that does not depend on the case of its ASCII letters.
fn hash_of_id(id: &str) -> u64 {
    let (whole, rest) = id.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    for (byte, own) in last.iter_mut().zip(rest) {
        *byte = *own;
    }
    let parts = whole.iter().chain([&last]);
    parts.fold(0, |hash: u64, part| {
        let part = u64::from_le_bytes(*part) | u64::from_le_bytes([0x20; 8]);
        (hash.rotate_left(5) ^ part).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

/// What keeps a selector from being unique.
#[derive(Debug, Clone, Default)]
struct Repeated {
    /// The hashes of the ids of more than one element, sorted. An id whose hash is there by chance is not used in a
    /// selector, which then has more steps.
    ids: Vec<u64>,
    /// The number of elements called `html`.
    roots: usize,
}

impl Drop for Dom {
    fn drop(&mut self) {
        std::mem::take(&mut self.arena).recycle();
    }
}

impl Dom {
    /// Parses a document. Never fails: HTML has no invalid documents, only parse errors.
    #[must_use]
    pub fn parse(html: &str) -> Self {
        Self::from_source(Arc::new(html.to_owned()))
    }

    /// Parses a document and keeps the source, because most of its texts are parts of it.
    pub(crate) fn from_source(source: Arc<String>) -> Self {
        reader::parse(source)
    }

    /// The document node, the root of the tree.
    #[must_use]
    pub const fn document(&self) -> NodeId {
        NodeId::DOCUMENT
    }

    /// The number of nodes, including the document and detached nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.arena.nodes.len()
    }

    /// Whether the document has no content at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.arena.nodes.len() <= 1
    }

    /// The first parse errors in source order, at most 200.
    #[must_use]
    pub fn errors(&self) -> &[ParseError] {
        &self.errors
    }

    /// The total number of parse errors.
    #[must_use]
    pub const fn error_count(&self) -> u64 {
        self.error_count
    }

    /// Elements whose start tag repeated an attribute; only the first value is in the tree.
    pub fn elements_with_duplicate_attributes(&self) -> impl Iterator<Item = ElementRef<'_>> {
        self.duplicate_attributes
            .iter()
            .filter_map(|id| self.element(*id))
    }

    /// The document type declaration, if there is one.
    #[must_use]
    pub const fn doctype(&self) -> Option<&Doctype> {
        self.doctype.as_ref()
    }

    /// The rendering mode that the doctype selects.
    #[must_use]
    pub const fn quirks(&self) -> Quirks {
        self.quirks
    }

    /// Whether a part of the document was left out.
    #[must_use]
    pub const fn truncated(&self) -> bool {
        self.cut_by().is_some()
    }

    /// The limit at which parsing stopped, or because of which a part was left out.
    #[must_use]
    pub const fn cut_by(&self) -> Option<Limit> {
        self.arena.spent.reached()
    }

    /// The number of steps that parsing took, at most [`MAX_STEPS`].
    #[must_use]
    pub const fn steps_taken(&self) -> u64 {
        self.arena.spent.steps()
    }

    /// The element with this id, if the node is an element.
    #[must_use]
    #[inline]
    pub fn element(&self, id: NodeId) -> Option<ElementRef<'_>> {
        match &self.node(id)?.stored {
            Stored::Element(element) => Some(ElementRef::new(self, id, element)),
            _ => None,
        }
    }

    /// The node's data.
    #[must_use]
    #[inline]
    pub fn data(&self, id: NodeId) -> Option<NodeData<'_>> {
        Some(match &self.node(id)?.stored {
            Stored::Document => NodeData::Document,
            Stored::Element(element) => NodeData::Element(ElementRef::new(self, id, element)),
            Stored::Text(span) => NodeData::Text(self.arena.text(*span)),
            Stored::GrownText(place) => NodeData::Text(self.arena.grown_text(*place)),
            Stored::Comment(span) => NodeData::Comment(self.arena.text(*span)),
        })
    }

    /// The text, if the node is a text node.
    #[inline]
    pub(crate) fn run(&self, id: NodeId) -> Option<&str> {
        match self.node(id)?.stored {
            Stored::Text(span) => Some(self.arena.text(span)),
            Stored::GrownText(place) => Some(self.arena.grown_text(place)),
            _ => None,
        }
    }

    /// The distinct local names of the elements; [`ElementRef::name_place`] is an index into them.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.arena.names.iter().map(|name| &**name)
    }

    /// One of [`Dom::names`]; empty if there is none.
    pub(crate) fn name_at(&self, place: usize) -> &str {
        self.arena.names.get(place).map_or("", |name| name)
    }

    /// The source line on which an element's start tag ends or a text begins, from 1.
    #[must_use]
    pub fn line(&self, id: NodeId) -> u32 {
        self.node(id).map_or(0, |node| node.line)
    }

    /// The tree in which the ids of the node are unique: 0 for the document, otherwise a shadow tree.
    #[inline]
    pub(crate) fn scope(&self, id: NodeId) -> u32 {
        self.scopes.get(id.index()).copied().unwrap_or_default()
    }

    /// The node's parent.
    #[must_use]
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.parent
    }

    /// The next sibling.
    #[must_use]
    #[inline]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.next
    }

    /// The previous sibling.
    #[must_use]
    #[inline]
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.previous
    }

    /// The node's children in order.
    #[must_use]
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children::new(self, id)
    }

    /// The descendants in document order, without template contents.
    #[must_use]
    pub fn descendants(&self, id: NodeId) -> Descendants<'_> {
        Descendants::new(self, id)
    }

    /// The node's ancestors, nearest first, up to the document.
    #[must_use]
    pub fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        Ancestors::new(self, id)
    }

    /// Whether two elements of the document have this id. As in quirks mode, the case of ASCII letters does not
    /// matter.
    fn is_repeated_id(&self, id: &str) -> bool {
        let repeated = &self.repeated().ids;
        !repeated.is_empty() && repeated.binary_search(&hash_of_id(id)).is_ok()
    }

    /// Whether the document has more than one element called `html`, as SVG images may have.
    fn has_inner_html(&self) -> bool {
        self.repeated().roots > 1
    }

    fn repeated(&self) -> &Repeated {
        self.repeated.get_or_init(|| {
            let mut hashes = Vec::new();
            let mut found = Repeated::default();
            let elements = self.descendants(self.document());
            for element in elements.filter_map(|id| self.element(id)) {
                found.roots += usize::from(element.name().eq_ignore_ascii_case("html"));
                hashes.extend(element.attr("id").map(hash_of_id));
            }
            hashes.sort_unstable();
            let twins = hashes.windows(2).filter(|two| two.first() == two.last());
            found.ids = twins.filter_map(|two| two.first().copied()).collect();
            found.ids.dedup();
            found
        })
    }

    /// The element's position among siblings of its type, from 1, and their number.
    fn nth_of_type(&self, id: NodeId) -> Option<(u32, u32)> {
        let places = self.places.get_or_init(|| self.line_starts());
        places.get(id.index()).copied()
    }

    /// The positions of all elements, by node.
    fn line_starts(&self) -> Vec<(u32, u32)> {
        let mut places = vec![(0, 0); self.len()];
        // The number of children of each name under the current parent.
        let mut counts: Vec<u32> = vec![0; self.names().len()];
        for parent in (0..self.len()).filter_map(NodeId::from_index) {
            let elements = || self.children(parent).filter_map(|id| self.element(id));
            for element in elements() {
                if let Some(count) = counts.get_mut(element.name_place()) {
                    *count += 1;
                    if let Some(place) = places.get_mut(element.id().index()) {
                        place.0 = *count;
                    }
                }
            }
            for element in elements() {
                let count = counts.get(element.name_place()).copied();
                if let Some(place) = places.get_mut(element.id().index()) {
                    place.1 = count.unwrap_or_default();
                }
            }
            for element in elements() {
                if let Some(count) = counts.get_mut(element.name_place()) {
                    *count = 0;
                }
            }
        }
        places
    }

    #[inline]
    fn node(&self, id: NodeId) -> Option<&Node> {
        self.arena.node(id)
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod bounds;
