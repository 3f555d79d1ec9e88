//! Integration tests of the stores, in one program: each test program links both databases, which takes longer than
//! most tests.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failed expectation ends the test"
)]

mod backup_state;
mod backups;
mod connect;
mod contract;
mod health;
mod idempotency;
mod inspect;
mod invariants;
mod plans;
mod runs;
mod schema;
mod sealed;
mod support;
mod upgrade;
mod upgrade_each;
