//! Style sheets, structured data, the LCP image, page weight, unused code, error pages and shared titles: document analysis beyond the page model.

pub(crate) mod at_stake;
pub(crate) mod css;
pub(crate) mod duplicates;
pub(crate) mod error_page;
pub(crate) mod head_source;
pub(crate) mod layers;
pub(crate) mod lcp;
pub(crate) mod minified;
pub(crate) mod page_load;
pub(crate) mod rich_results;
pub(crate) mod rich_values;
pub(crate) mod unused_code;
