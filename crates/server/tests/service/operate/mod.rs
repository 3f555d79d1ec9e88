//! The commands and pages that keep the service well.

mod backups;
mod configuration;
mod doctor;
mod logs;
mod metrics;
mod retention;
mod secrets;

use std::process::Output;

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
