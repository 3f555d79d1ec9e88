//! The nodes of the arena.

use std::num::NonZeroU32;

use html5ever::LocalName;

/// A node's place in its [`Dom`](super::Dom). Only meaningful there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The document node, always the first.
    pub(super) const DOCUMENT: Self = Self(NonZeroU32::MIN);

    /// The id of the node that will stand at `index`, unless there are too many.
    pub(super) fn from_index(index: usize) -> Option<Self> {
        let number = u32::try_from(index).ok()?.checked_add(1)?;
        NonZeroU32::new(number).map(Self)
    }

    /// The node's number, from 0; smaller than [`Dom::len`](super::Dom::len).
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0.get() - 1).unwrap_or(usize::MAX)
    }
}

/// An attribute. The name carries its prefix in foreign content, for example `xlink:href`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Lower-case in HTML.
    pub name: LocalName,
    /// The value with character references resolved.
    pub value: Box<str>,
}

/// The namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

/// An element's own data.
#[derive(Debug, Clone)]
pub struct ElementData {
    /// Local name, lower-case in HTML.
    pub name: LocalName,
    /// Namespace.
    pub namespace: Namespace,
    /// Attributes in source order, the first of duplicates.
    pub attributes: Vec<Attribute>,
    /// The fragment that holds a template's contents.
    pub template_contents: Option<NodeId>,
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
#[derive(Debug, Clone)]
pub enum NodeData {
    /// The document, or the fragment inside a template.
    Document,
    /// An element.
    Element(ElementData),
    /// Text, adjacent runs merged.
    Text(String),
    /// A comment.
    Comment(Box<str>),
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) parent: Option<NodeId>,
    pub(super) previous: Option<NodeId>,
    pub(super) next: Option<NodeId>,
    pub(super) first_child: Option<NodeId>,
    pub(super) last_child: Option<NodeId>,
    pub(super) line: u32,
    pub(super) depth: u32,
    /// The depth the source asked for, before flattening.
    pub(super) open: u32,
    pub(super) data: NodeData,
}

impl Node {
    pub(super) const fn new(data: NodeData, line: u32) -> Self {
        Self {
            parent: None,
            previous: None,
            next: None,
            first_child: None,
            last_child: None,
            line,
            depth: 0,
            open: 0,
            data,
        }
    }
}
