//! Every row of the threat table that a site can cause, tested against the hostile server on
//! loopback.
//!
//! Each defense has a counterpart with the prefix `twin_`: the same behavior without that defense,
//! which shows the damage that the defense prevents.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics on unexpected results"
)]

mod audit;
mod bodies;
mod documents;
mod heads;
mod large_site;
mod redirects;
mod refusals;
mod robots;
mod sitemaps;
mod spaces;
