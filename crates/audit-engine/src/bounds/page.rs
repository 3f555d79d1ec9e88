//! Limits of one page.

/// Bytes of the `style` elements of a page that are searched for comments and white space, and again of its
/// `script` elements.
pub(crate) const MAX_INLINE_CODE_BYTES: usize = 1024 * 1024;

/// The longest base URL of a document that is used, in bytes.
pub(crate) const MAX_BASE_BYTES: usize = 2_048;

/// Bytes of the resolved addresses of a page, each counted once with the data that is kept for it. This
/// suffices for more than 80,000 different links of 80 bytes.
pub(crate) const MAX_ADDRESS_BYTES: usize = 24 * 1024 * 1024;

/// Canonical addresses that are kept; more than one is already an error.
pub(crate) const MAX_CANONICALS_READ: usize = 100;

/// Nodes of a block that are read to determine whether it has text.
pub(crate) const MAX_NODES_OF_A_BLOCK: usize = 2_000;

/// Robots directives of a page that are kept. There are a dozen different ones.
pub(crate) const MAX_ROBOTS_DIRECTIVES: usize = 1_000;

/// Parse errors of one page that are kept.
pub(crate) const MAX_PARSE_ERRORS: usize = 200;

/// Bytes of a name or an id that a selector holds.
pub(crate) const MAX_NAME_IN_SELECTOR: usize = 200;

/// Longest attribute value that is compared with a single word, including surrounding white space.
pub(crate) const MAX_WORD_VALUE: usize = 4_096;

/// Longest title, description or heading kept, in characters.
pub(crate) const MAX_FACT_CHARS: usize = 500;

/// Links of one page that are followed and kept, each written form once.
pub(crate) const MAX_LINKS: usize = 50_000;

/// Further links to the site that are counted. Links beyond them are not counted.
pub(crate) const MAX_SURPLUS_LINKS: usize = 50_000;

/// Bytes kept of a written form of a link. The rest is not evaluated.
pub(crate) const MAX_HREF_LENGTH: usize = 2_048;

/// Resources of one page that are kept, each once.
pub(crate) const MAX_RESOURCES_OF_A_PAGE: usize = 2_000;

/// Canonical URLs of one page that are kept; more than one is already an error.
pub(crate) const MAX_CANONICALS: usize = 20;

/// Language versions of one page that are kept.
pub(crate) const MAX_ALTERNATES: usize = 500;

/// Types of JSON-LD entities of one page that are kept.
pub(crate) const MAX_JSON_LD_TYPES: usize = 100;

/// Largest JSON-LD block that is read, in bytes.
pub(crate) const MAX_JSON_LD_BYTES: usize = 1024 * 1024;

/// Decoded HTML read of one page, in bytes.
pub(crate) const MAX_HTML_BYTES: u64 = 10 * 1024 * 1024;

/// Fragment targets of one page that are kept. On a page with more, no fragment counts as missing.
pub(crate) const MAX_PLACES: usize = 20_000;

/// Items of structured data of one page that are read.
pub(crate) const MAX_STRUCTURED_ITEMS: usize = 5_000;

/// Values of structured data of one page that are read.
pub(crate) const MAX_STRUCTURED_VALUES: usize = 50_000;

/// Bytes of a value. Longer values are texts, and rules only check that they exist.
pub(crate) const MAX_STRUCTURED_VALUE_BYTES: usize = 4_000;

/// Bytes of all names and values of one page.
pub(crate) const MAX_STRUCTURED_GRAPH_BYTES: usize = 4 * 1024 * 1024;

/// Types of one item.
pub(crate) const MAX_STRUCTURED_TYPES: usize = 20;

/// Bytes of the name of a type or a property: the longest name of schema.org has 43.
pub(crate) const MAX_STRUCTURED_NAME_BYTES: usize = 100;

/// Elements that are visited for `itemref`, by all items together.
pub(crate) const MAX_STRUCTURED_REFERENCES: usize = 20_000;

/// Bytes of the `noscript` elements of a page that are read.
pub(crate) const MAX_NOSCRIPT_BYTES: usize = 256 * 1024;

/// Words of each form of a page that are compared with those of the other.
pub(crate) const MAX_COMPARED_WORDS_OF_A_PAGE: usize = 200_000;
