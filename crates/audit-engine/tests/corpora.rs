//! What fuzzing begins with, and what it found, in `fuzz/corpus`, a folder for each kind of input.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test ends where something is not as expected"
)]

mod fuzzed;

use std::path::Path;

use rstest::rstest;

#[rstest]
#[case("gate", fuzzed::gate::hold)]
#[case("headers", fuzzed::headers::hold)]
#[case("page", fuzzed::page::hold)]
#[case("robots", fuzzed::robots::hold)]
#[case("site", fuzzed::site::hold)]
#[case("sitemap", fuzzed::sitemap::hold)]
fn what_must_hold_of_any_input_holds_of_the_corpus(#[case] kind: &str, #[case] hold: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(kind);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    for file in files {
        // A test that fails shows what it printed last.
        eprintln!("{}", file.display());
        hold(&std::fs::read(&file).unwrap());
    }
}
