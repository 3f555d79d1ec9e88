//! Algorithms that several checks share, a file for each role.

pub(crate) mod canonical;
pub(crate) mod head_source;
pub(crate) mod hreflang;
pub(crate) mod refresh;
pub(crate) mod text_width;
