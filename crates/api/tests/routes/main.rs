//! The interface over HTTP, in this process, over the stores.

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
mod artifacts;
mod cancel_run;
mod causes;
mod checks;
mod compare_reports;
mod create_site;
mod delete_site;
mod dl;
mod exports;
mod idempotency;
mod invalid_input;
mod keys;
mod limits;
mod list_links;
mod list_pages;
mod list_runs;
mod logs;
mod members;
mod metrics;
mod occurrences;
mod openapi;
mod pages;
mod paths;
mod rate_limit;
mod reports;
mod roles;
mod run_options;
mod runs;
mod schedules;
mod sites;
mod start_audit;
mod stores;
mod tenancy;
mod update_site;
mod variants;
mod waivers;
mod watch_run;
mod webhooks;
mod wire;
mod world;
