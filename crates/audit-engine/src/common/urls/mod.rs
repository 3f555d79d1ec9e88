//! URLs: canonicals, hreflang versions, URL variants, sitemaps and first or third party.

pub(crate) mod alternates;
pub(crate) mod canonical;
pub(crate) mod entities;
pub(crate) mod hreflang;
pub(crate) mod party;
pub(crate) mod percent;
pub(crate) mod sitemap_urls;
pub(crate) mod srcset;
pub(crate) mod variants;
