//! Links: where they come from, where they lead, and whether their targets respond.

pub(crate) mod inlinks;
pub(crate) mod nested_links;
pub(crate) mod redirects;
pub(crate) mod refresh;
pub(crate) mod status;
