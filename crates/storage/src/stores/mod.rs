//! The stores: the implementation of each storage port of `domain`.

pub(crate) mod account_access;
pub(crate) mod accounts;
pub(crate) mod actions;
mod answers;
pub(crate) mod audit_log;
pub(crate) mod change_site;
pub(crate) mod idempotency;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod newest;
pub(crate) mod options;
pub(crate) mod orgs;
pub(crate) mod outbox;
pub(crate) mod overview;
pub(crate) mod remove_runs;
pub(crate) mod reports;
pub(crate) mod rows;
pub(crate) mod runs;
pub(crate) mod schedules;
pub(crate) mod signing_keys;
pub(crate) mod site_defaults;
pub(crate) mod site_rows;
pub(crate) mod sites;
pub(crate) mod stored_bytes;
pub(crate) mod usage;
pub(crate) mod waivers;
pub(crate) mod webhooks;
