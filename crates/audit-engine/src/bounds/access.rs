//! Bounds of names, roles and relations that are computed for accessibility.

/// Nodes before an element that are read to find out whether it is the first.
pub(crate) const MAX_FOCUSABLE_BEFORE: usize = 1_000;

/// Children that are searched for the one that names an element.
pub(crate) const MAX_CHILDREN_LOOKED_AT: usize = 2_000;

/// Bytes of names of one page that are remembered. Further ones are read again by each check that asks.
pub(crate) const MAX_KEPT_NAME_BYTES: usize = 8 * 1024 * 1024;

/// Ids of `aria-owns` that are looked up on one page; with more of them nothing is certain.
pub(crate) const MAX_OWNED: usize = 20_000;

/// Elements passed on the way to what an element owns, or to what owns it.
pub(crate) const MAX_OWNED_STEPS: usize = 2_000;

/// Elements of one page of which the position is kept; more than any report shows.
pub(crate) const MAX_LOCATED: usize = 500;

/// Levels of nested content that are read for a name.
pub(crate) const MAX_NAME_DEPTH: u32 = 100;

/// Bytes of a name that are read.
pub(crate) const MAX_NAME_BYTES: usize = 2_000;
