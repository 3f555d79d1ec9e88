//! Pages as a browser had them at one moment, and how the engine's own tree is made from them.
//!
//! No browser is needed here: recorded snapshots give the same pages.

mod boxes;
mod dom;
mod flat_tree;
mod markup;
mod read;
mod styles;
#[cfg(test)]
mod tests;

pub use read::{MAX_RENDERED_ELEMENTS, ReadError, Snapshot};

pub(crate) use dom::rendered;
#[cfg(feature = "browser")]
pub(crate) use read::STYLES;
pub(crate) use styles::{ComputedStyles, Shown};
