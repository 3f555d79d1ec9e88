//! Bounds of style sheets and of their use.

/// Blocks within blocks are read to this depth.
pub(crate) const MAX_RULE_DEPTH: usize = 8;

/// Rules of the sheets of a page, or of a linked sheet with what it imports, that are kept; with more, nothing is
/// certain.
pub(crate) const MAX_RULES: usize = 20_000;

/// Conditions that the selectors of these rules have.
pub(crate) const MAX_CONDITIONS: usize = 200_000;

/// Bytes of these sheets that are read.
pub(crate) const MAX_CSS_BYTES: usize = 1024 * 1024;

/// Bytes that are looked at while they are read: those of blocks within blocks again for each level.
pub(crate) const MAX_CSS_BYTES_LOOKED_AT: usize = 32 * MAX_CSS_BYTES;

/// Attributes that rules are found by; those of further ones are looked at for every element.
pub(crate) const MAX_SELECTOR_ATTRIBUTES: usize = 32;

/// Sheets of a page that are looked at; with more of them nothing is certain. `style` elements that stand one
/// after the other are one.
pub(crate) const MAX_SHEETS_OF_A_PAGE: usize = 200;

/// Rules looked at for one element; with more of them nothing is certain.
pub(crate) const MAX_CANDIDATES: usize = 2_000;

/// Rules of which the selector is compared with one element.
pub(crate) const MAX_MATCHED: usize = 100;

/// Elements looked at for one selector and one element; beyond it the answer is [`Match::Maybe`].
pub(crate) const MAX_MATCHING_STEPS: u32 = 100;

/// Nodes that are no elements and are passed over between two siblings.
pub(crate) const MAX_PASSED: u64 = 1_000;

/// Ancestors looked at for the size of a font.
pub(crate) const MAX_LENGTH_ANCESTORS: usize = 64;

/// Files of one site that are read for what they say of elements.
pub(crate) const MAX_SHEET_FILES: usize = 200;

/// Files that one sheet consists of.
pub(crate) const MAX_SHEET_PARTS: usize = 50;

/// Sheets that one file imports, at most.
pub(crate) const MAX_IMPORTS_OF_A_FILE: usize = 50;

/// Sheets that import one another, at most.
pub(crate) const MAX_IMPORT_DEPTH: usize = 3;
