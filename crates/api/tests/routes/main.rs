//! The interface over HTTP, in this process, over stores in memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod account;
mod actions;
mod answers;
mod cancel_run;
mod checks;
mod keys;
mod list_runs;
mod logs;
mod members;
mod occurrences;
mod openapi;
mod pages;
mod paths;
mod reports;
mod runs;
mod sites;
mod start_audit;
mod stores;
mod tenancy;
mod variants;
mod wire;
mod world;
