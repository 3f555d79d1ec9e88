//! Links: inlinks, nested links, redirects, meta refresh and the status of link targets.

pub(crate) mod inlinks;
pub(crate) mod nested_links;
pub(crate) mod redirects;
pub(crate) mod refresh;
pub(crate) mod status;
