//! The repository itself: its rules hold, and generated files agree with their sources.
//!
//! Run as tests, the two tasks share the build of the other tests. `cargo xtask` alone builds the crates that
//! they read a second time, since some of their dependencies have fewer features then.

#![allow(
    clippy::unwrap_used,
    reason = "a test ends where something is not as expected"
)]

use std::path::Path;
use std::process::Command;

/// Runs a task in the root of the repository; its output is the message where it fails.
fn assert_passes(arguments: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(arguments)
        .current_dir(root)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "cargo xtask {}:\n{}{}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
}

#[test]
fn every_rule_holds() {
    assert_passes(&["tidy"]);
}

#[test]
fn generated_files_agree_with_their_sources() {
    assert_passes(&["generate", "--check"]);
}
