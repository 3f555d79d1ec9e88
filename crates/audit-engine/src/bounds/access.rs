//! Limits of accessible names, roles and relations that are computed.

/// Nodes before an element that are read to determine whether it is the first.
pub(crate) const MAX_FOCUSABLE_BEFORE: usize = 1_000;

/// Children that are searched for the one that names an element.
pub(crate) const MAX_CHILDREN_LOOKED_AT: usize = 2_000;

/// Bytes of accessible names of one page that are cached. Further names are computed again by each check.
pub(crate) const MAX_KEPT_NAME_BYTES: usize = 8 * 1024 * 1024;

/// Ids in `aria-owns` that are looked up on one page. With more of them the result is uncertain.
pub(crate) const MAX_OWNED: usize = 20_000;

/// Elements visited on the way to an owned element, or to the owner of an element.
pub(crate) const MAX_OWNED_STEPS: usize = 2_000;

/// Elements of one page whose position is kept; more than any report shows.
pub(crate) const MAX_LOCATED: usize = if cfg!(feature = "every-occurrence") {
    100_000
} else {
    500
};

/// Levels of nested content that are read for an accessible name.
pub(crate) const MAX_NAME_DEPTH: u32 = 100;

/// Bytes of an accessible name that are read.
pub(crate) const MAX_NAME_BYTES: usize = 2_000;
