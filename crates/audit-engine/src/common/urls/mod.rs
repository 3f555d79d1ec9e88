//! URLs: which of them are one page, one owner or a version of another.

pub(crate) mod alternates;
pub(crate) mod canonical;
pub(crate) mod hreflang;
pub(crate) mod party;
pub(crate) mod sitemap_urls;
pub(crate) mod srcset;
pub(crate) mod variants;
