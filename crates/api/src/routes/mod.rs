//! The operations under `/api/mcp`, one file each.

mod cancel_run;
mod examples;
mod get_account;
mod get_report;
mod get_run;
mod get_site_history;
mod get_site_schedule;
mod list_checks;
mod list_members;
mod list_occurrences;
mod list_runs;
mod list_sites;
mod start_audit;
mod watch_run;

use crate::endpoint::Endpoint;

/// All operations.
pub(crate) const ALL: &[Endpoint] = &[
    cancel_run::ENDPOINT,
    get_account::ENDPOINT,
    get_report::ENDPOINT,
    get_run::ENDPOINT,
    get_site_history::ENDPOINT,
    get_site_schedule::ENDPOINT,
    list_checks::ENDPOINT,
    list_members::ENDPOINT,
    list_occurrences::ENDPOINT,
    list_runs::ENDPOINT,
    list_sites::ENDPOINT,
    start_audit::ENDPOINT,
    watch_run::ENDPOINT,
];
