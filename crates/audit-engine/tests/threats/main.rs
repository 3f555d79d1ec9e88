//! Every row of the threat table that a site can cause, against the hostile server on loopback.
//!
//! Each defence has a twin beside it: the same behaviour met without that defence, which shows the
//! harm that the defence prevents.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as expected"
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
