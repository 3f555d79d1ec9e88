//! The page as served compared with the page as a browser shows it.

pub(crate) mod coverage;
pub(crate) mod directives;
mod fallback;
pub(crate) mod forms;
pub(crate) mod new_links;
pub(crate) mod overlay;
pub(crate) mod same_page;
pub(crate) mod wording;
