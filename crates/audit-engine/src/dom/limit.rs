//! Limits for parsing a page.

use super::NodeId;

/// Nodes of one document, including template contents and detached nodes. The largest real pages have half as
/// many.
pub const MAX_NODES: usize = 500_000;

/// Elements nested deeper than this become siblings at this depth, as in browsers. Template contents count as two
/// levels deeper.
pub const MAX_DEPTH: u16 = 512;

/// Open elements at one time. Most start tags make the tree builder scan all of them.
pub const MAX_OPEN_ELEMENTS: usize = 2_048;

/// Entries in the list of active formatting elements, including markers. Real pages have some dozens; most start
/// tags and texts make the tree builder scan all of them.
pub const MAX_FORMATTING_ELEMENTS: usize = 1_024;

/// Attributes of one tag; the largest on real pages have some dozens. Each is compared with all earlier ones.
pub const MAX_ATTRIBUTES: usize = 1_000;

/// Attributes of all elements of a document. If an element is repeated, its attributes count again.
pub const MAX_ALL_ATTRIBUTES: usize = 750_000;

/// Bytes of the attributes of all elements of a document. If an element is repeated, its attributes count again,
/// so this also bounds any code that reads the attributes of every element.
pub const MAX_ATTRIBUTE_BYTES: usize = 48 * 1024 * 1024;

/// Distinct names longer than seven bytes in the tags and attributes of a document. All pages of the process share
/// one table of them, which becomes slow when it is full.
pub const MAX_LONG_NAMES: usize = 50_000;

/// The work for one document. A step takes about four nanoseconds: visiting one open element, or a third of a byte
/// in the tokenizer. Ordinary documents take about five steps per byte.
///
/// The unit tests, which are not optimized, use a tenth.
pub const MAX_STEPS: u64 = if cfg!(test) { 20_000_000 } else { 200_000_000 };

/// A limit that a page reached, so that a part of it was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// Parsing stopped at [`MAX_NODES`] nodes.
    Nodes,
    /// Parsing stopped at more than [`MAX_OPEN_ELEMENTS`] open elements.
    OpenElements,
    /// Template contents deeper than [`MAX_DEPTH`] were left out.
    Depth,
    /// Parsing stopped because the list of active formatting elements has more than [`MAX_FORMATTING_ELEMENTS`]
    /// entries.
    FormattingElements,
    /// Parsing stopped before a tag with more than [`MAX_ATTRIBUTES`] attributes, or where all elements together
    /// exceed [`MAX_ALL_ATTRIBUTES`] or [`MAX_ATTRIBUTE_BYTES`].
    Attributes,
    /// Parsing stopped after [`MAX_LONG_NAMES`] distinct long names.
    Names,
    /// Parsing stopped after [`MAX_STEPS`] steps.
    Steps,
    /// Parsing stopped because it took too long: the last resort.
    Time,
    /// Links, resources or canonical URLs of the page were left out.
    Addresses,
    /// Robots directives of the page were left out.
    RobotsDirectives,
    /// Styles are only partly known: there are too many rules, or matching them took too long.
    Styles,
    /// Some accessible names were not fully computed, or ownership is only partly known.
    AccessibleNames,
}

impl Limit {
    /// A stable label for what the page has too much of. Reports contain it as a code.
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

/// The resources that parsing has used so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Spent {
    steps: u64,
    attributes: usize,
    attribute_bytes: usize,
    reached: Option<Limit>,
}

impl Spent {
    /// The limit that was reached first.
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

    /// Records that the document has a node with this id.
    #[inline]
    pub(super) fn take_node(&mut self, id: NodeId) {
        if id.index() + 1 >= MAX_NODES {
            self.reach(Limit::Nodes);
        }
    }
}
