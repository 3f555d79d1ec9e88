//! Bounds on what is read of a page.

use super::NodeId;

/// Nodes of one document, those within templates and those that hang nowhere included. The largest real pages
/// have half as many.
pub const MAX_NODES: usize = 500_000;

/// Elements nested deeper than this become siblings at this depth, as in browsers. The contents of a `template`
/// count as two levels below it.
pub const MAX_DEPTH: u16 = 512;

/// Elements that are open at once. Most start tags make the tree builder look through all of them.
pub const MAX_OPEN_ELEMENTS: usize = 2_048;

/// Entries of the list of active formatting elements, markers included. Real pages have some dozens; most start
/// tags and texts make the tree builder look through all of them.
pub const MAX_FORMATTING_ELEMENTS: usize = 1_024;

/// Attributes of one tag; the largest found on real pages have some dozens. Each is compared with all before it.
pub const MAX_ATTRIBUTES: usize = 1_000;

/// Attributes of all elements of a document. Where an element is repeated, so are its attributes.
pub const MAX_ALL_ATTRIBUTES: usize = 750_000;

/// Bytes of the attributes of all elements of a document. Where an element is repeated, so are its attributes:
/// whatever reads the attributes of every element reads no more than this.
pub const MAX_ATTRIBUTE_BYTES: usize = 48 * 1024 * 1024;

/// Different names of more than seven bytes that the tags and attributes of a document have. All pages of the
/// process share one table of them, which is slow once it is full.
pub const MAX_LONG_NAMES: usize = 50_000;

/// Work for one document. A step is about four nanoseconds: an open element that is looked at, or a third of a byte that
/// the tokenizer reads. Ordinary documents take some five steps for each byte.
///
/// The unit tests, which are not optimized, take a tenth.
pub const MAX_STEPS: u64 = if cfg!(test) { 20_000_000 } else { 200_000_000 };

/// A bound that a page reached, so that something of it was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// The document ends after [`MAX_NODES`] nodes.
    Nodes,
    /// The document ends where more than [`MAX_OPEN_ELEMENTS`] elements are open.
    OpenElements,
    /// The contents of templates that are deeper than [`MAX_DEPTH`] were left out.
    Depth,
    /// The document ends where the list of active formatting elements has more than
    /// [`MAX_FORMATTING_ELEMENTS`] entries.
    FormattingElements,
    /// The document ends before a tag with more than [`MAX_ATTRIBUTES`] attributes, or where all elements
    /// together have more than [`MAX_ALL_ATTRIBUTES`] or [`MAX_ATTRIBUTE_BYTES`].
    Attributes,
    /// The document ends after [`MAX_LONG_NAMES`] different long names.
    Names,
    /// The document ends where reading it took [`MAX_STEPS`].
    Steps,
    /// The document ends since reading it took very long: the last resort.
    Time,
    /// Links, resources or canonical addresses of the page were left out.
    Addresses,
    /// Robots directives of the page were left out.
    RobotsDirectives,
    /// What style sheets say of elements is unknown in part: there are too many rules, or comparing them with
    /// the elements took too long.
    Styles,
    /// Accessible names were not read to their end, or which elements own which is unknown in part.
    AccessibleNames,
}

impl Limit {
    /// What there is too much of, in plain words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::OpenElements => "open elements",
            Self::Depth => "depth of templates",
            Self::FormattingElements => "open formatting elements",
            Self::Attributes => "attributes",
            Self::Names => "different names",
            Self::Steps => "work to build the tree",
            Self::Time => "time to build the tree",
            Self::Addresses => "addresses",
            Self::RobotsDirectives => "robots directives",
            Self::Styles => "style rules",
            Self::AccessibleNames => "accessible names",
        }
    }
}

/// What a document has taken of its bounds so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Spent {
    steps: u64,
    attributes: usize,
    attribute_bytes: usize,
    reached: Option<Limit>,
}

impl Spent {
    /// The bound that was reached first.
    #[inline]
    pub(super) const fn reached(&self) -> Option<Limit> {
        self.reached
    }

    pub(super) fn reach(&mut self, limit: Limit) {
        self.reached.get_or_insert(limit);
    }

    /// The steps taken so far.
    pub(super) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts steps of work.
    #[inline]
    pub(super) fn take(&mut self, steps: usize) {
        self.steps = self
            .steps
            .saturating_add(u64::try_from(steps).unwrap_or(u64::MAX));
        if self.steps > MAX_STEPS {
            self.reach(Limit::Steps);
        }
    }

    /// Counts the attributes of an element, and the bytes of their names and values.
    #[inline]
    pub(super) fn take_attributes(&mut self, attributes: usize, bytes: usize) {
        self.attributes = self.attributes.saturating_add(attributes);
        self.attribute_bytes = self.attribute_bytes.saturating_add(bytes);
        if self.attributes > MAX_ALL_ATTRIBUTES || self.attribute_bytes > MAX_ATTRIBUTE_BYTES {
            self.reach(Limit::Attributes);
        }
    }

    /// Notes that the document has a node with this id.
    #[inline]
    pub(super) fn take_node(&mut self, id: NodeId) {
        if id.index() + 1 >= MAX_NODES {
            self.reach(Limit::Nodes);
        }
    }
}
