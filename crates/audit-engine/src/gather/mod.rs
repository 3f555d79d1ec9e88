//! Gathering: what is fetched, and in which form checks see it.

mod lines;
pub mod robots;
pub mod sitemap;
