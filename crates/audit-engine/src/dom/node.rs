//! The nodes of the arena.

use std::num::NonZeroU32;

use super::ElementRef;

/// The index of a node in its [`Dom`](super::Dom). Not valid for other documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The document node, always the first.
    pub(crate) const DOCUMENT: Self = Self(NonZeroU32::MIN);

    /// The id of the node at `index`, or `None` if there are too many nodes.
    pub(crate) fn from_index(index: usize) -> Option<Self> {
        let number = u32::try_from(index).ok()?.checked_add(1)?;
        NonZeroU32::new(number).map(Self)
    }

    /// The node's index, from 0; smaller than [`Dom::len`](super::Dom::len).
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0.get() - 1).unwrap_or(usize::MAX)
    }
}

/// An attribute. The name carries its prefix in foreign content, for example `xlink:href`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// Lower-case in HTML.
    pub name: &'a str,
    /// The value with character references resolved.
    pub value: &'a str,
}

/// The namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

/// A document type declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doctype {
    /// Name, `html` in every modern document.
    pub name: String,
    /// Public identifier, empty if there is none.
    pub public_id: String,
    /// System identifier, empty if there is none.
    pub system_id: String,
}

/// What a node is.
#[derive(Debug, Clone, Copy)]
pub enum NodeData<'a> {
    /// The document, or the fragment inside a template.
    Document,
    /// An element.
    Element(ElementRef<'a>),
    /// Text, with adjacent runs merged.
    Text(&'a str),
    /// A comment.
    Comment(&'a str),
}

/// A range of bytes in the source or in the arena's own text, or a range of its attributes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    pub(super) fn new(start: usize, end: usize) -> Self {
        let place = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            start: place(start),
            end: place(end),
        }
    }

    pub(super) fn len(self) -> usize {
        self.range().len()
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        let place = |at| usize::try_from(at).unwrap_or(usize::MAX);
        place(self.start)..place(self.end)
    }
}

/// An element's data. Name and attributes are indices into the arena.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    pub(super) name: u32,
    pub(super) namespace: Namespace,
    pub(super) attributes: Span,
    /// The fragment with a template's contents.
    pub(super) template_contents: Option<NodeId>,
}

/// A node's data as the arena stores it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stored {
    Document,
    Element(Element),
    Text(Span),
    /// Text that was extended after other text was stored, as an index into the separate strings.
    GrownText(u32),
    Comment(Span),
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) parent: Option<NodeId>,
    pub(super) previous: Option<NodeId>,
    pub(super) next: Option<NodeId>,
    pub(super) first_child: Option<NodeId>,
    pub(super) last_child: Option<NodeId>,
    pub(super) line: u32,
    /// The number of ancestors. For nodes moved together with an ancestor it is correct only after parsing.
    pub(super) depth: u16,
    pub(super) stored: Stored,
}

impl Node {
    pub(super) const fn new(stored: Stored, line: u32) -> Self {
        Self {
            parent: None,
            previous: None,
            next: None,
            first_child: None,
            last_child: None,
            line,
            depth: 0,
            stored,
        }
    }
}
