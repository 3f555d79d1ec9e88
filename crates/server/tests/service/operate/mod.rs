//! Operator commands and endpoints.

mod backups;
mod configuration;
mod doctor;
mod log_readers;
mod logs;
mod lost_database;
mod metrics;
mod readiness;
mod retention;
mod scheduled_backups;
mod secrets;
mod signals;

use std::process::Output;

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
