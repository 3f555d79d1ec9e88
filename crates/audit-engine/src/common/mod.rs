//! Algorithms that several checks share, a file for each role.

pub(crate) mod ai_agents;
pub(crate) mod answers;
pub(crate) mod canonical;
pub(crate) mod duplicates;
pub(crate) mod head_source;
pub(crate) mod hreflang;
pub(crate) mod inlinks;
pub(crate) mod json_ld;
pub(crate) mod language;
pub(crate) mod languages;
pub(crate) mod log_normal;
pub(crate) mod noindex;
pub(crate) mod party;
pub(crate) mod prose;
pub(crate) mod redirects;
pub(crate) mod refresh;
pub(crate) mod script_shell;
pub(crate) mod sitemap_urls;
pub(crate) mod srcset;
pub(crate) mod text_width;
pub(crate) mod transport;
