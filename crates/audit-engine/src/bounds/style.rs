//! Limits of style sheets and of their evaluation.

/// The nesting depth of blocks that are read.
pub(crate) const MAX_RULE_DEPTH: usize = 8;

/// Cascade layers of one sheet. The order of rules in further layers is uncertain.
pub(crate) const MAX_LAYERS: usize = 64;

/// Custom properties of one sheet that `@property` rules register. With more of them the result is uncertain.
pub(crate) const MAX_REGISTERED_PROPERTIES: usize = 1_000;

/// Rules that are kept of the sheets of a page, or of a linked sheet with its imports. With more rules the
/// result is uncertain.
pub(crate) const MAX_RULES: usize = 20_000;

/// Declarations that are kept of one rule, and of all rules and the `style` attribute for one element. With more of them
/// the result is uncertain.
pub(crate) const MAX_DECLARATIONS: usize = 4_000;

/// Bytes of the custom properties that the elements of a page declare, equal ones once. With more of them no reference to
/// a custom property has a certain value.
pub(crate) const MAX_VARIABLE_BYTES: usize = 4 * 1024 * 1024;

/// Elements in which custom properties are looked up for all elements of a page. Beyond them no reference has a certain
/// value.
pub(crate) const MAX_VARIABLE_STEPS: u64 = 20_000_000;

/// Conditions in the selectors of these rules.
pub(crate) const MAX_CONDITIONS: usize = 200_000;

/// Bytes of these sheets that are read.
pub(crate) const MAX_CSS_BYTES: usize = 1024 * 1024;

/// Bytes that are scanned while these sheets are read: those of nested blocks again for each level.
pub(crate) const MAX_CSS_BYTES_LOOKED_AT: usize = 32 * MAX_CSS_BYTES;

/// Attributes by which rules are indexed. Rules for further attributes are compared with every element.
pub(crate) const MAX_SELECTOR_ATTRIBUTES: usize = 32;

/// Sheets of a page that are read. With more of them the result is uncertain. Adjacent `style` elements are one
/// sheet.
pub(crate) const MAX_SHEETS_OF_A_PAGE: usize = 200;

/// Rules of a sheet that set a background image or color and are kept. With more of them no image is certain.
pub(crate) const MAX_BACKGROUND_RULES: usize = 2_000;

/// Kinds of elements of one page whose appearance is computed. That of further kinds is unknown.
pub(crate) const MAX_KINDS: usize = 20_000;

/// Kinds of elements that are kept for further pages with the same style sheets. If a page has more, its kinds are
/// dropped.
pub(crate) const MAX_KEPT_KINDS: usize = 4_000;

/// Bytes of custom properties that are kept with these kinds. If a page has more, its kinds are dropped.
pub(crate) const MAX_KEPT_VARIABLE_BYTES: usize = 256 * 1024;

/// Sets of such kinds that are kept with one style sheet.
pub(crate) const MAX_KEPT_TABLES: usize = 16;

/// Elements of one page that may be painted over others and are kept. With more of them no color behind a text is
/// certain.
pub(crate) const MAX_OVERLAYS: usize = 2_000;

/// Comparisons of texts with such elements on one page. Beyond them no color behind a text is certain.
pub(crate) const MAX_OVERLAY_STEPS: usize = 200_000;

/// Background images of one page that are requested.
pub(crate) const MAX_BACKGROUND_IMAGES: usize = 100;

/// Candidate rules for one element. With more of them the result is uncertain.
pub(crate) const MAX_CANDIDATES: usize = 2_000;

/// Rules whose selector is compared with one element.
pub(crate) const MAX_MATCHED: usize = 100;

/// Elements visited for one selector and one element. Beyond them the result is [`Match::Maybe`].
pub(crate) const MAX_MATCHING_STEPS: u32 = 100;

/// Non-element nodes that are skipped between two siblings.
pub(crate) const MAX_PASSED: u64 = 1_000;

/// Ancestors visited to compute a font size.
pub(crate) const MAX_LENGTH_ANCESTORS: usize = 64;

/// Style sheet files of one site that are read.
pub(crate) const MAX_SHEET_FILES: usize = 200;

/// Files that one sheet consists of.
pub(crate) const MAX_SHEET_PARTS: usize = 50;

/// Sheets that one file imports, at most.
pub(crate) const MAX_IMPORTS_OF_A_FILE: usize = 50;

/// Levels of style sheet imports.
pub(crate) const MAX_IMPORT_DEPTH: usize = 3;

/// Bytes of one script, or of the scripts inside a page, that are searched for class names.
pub(crate) const MAX_SCRIPT_BYTES: usize = 1024 * 1024;

/// Script files of one site that are searched for class names before its pages are evaluated.
pub(crate) const MAX_SCRIPT_FILES: usize = 100;
