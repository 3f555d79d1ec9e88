//! Runs the properties on the fuzzing corpus, `fuzz/corpus`, which has a folder for each kind of
//! input and includes past findings.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test panics on unexpected results"
)]

mod fuzzed;

use std::path::Path;

use rstest::rstest;

#[rstest]
#[case("gate", fuzzed::gate::check_property)]
#[case("headers", fuzzed::headers::check_property)]
#[case("page", fuzzed::page::check_property)]
#[case("robots", fuzzed::robots::check_property)]
#[case("site", fuzzed::site::check_property)]
#[case("sitemap", fuzzed::sitemap::check_property)]
fn properties_are_true_for_the_corpus(#[case] kind: &str, #[case] check_property: fn(&[u8])) {
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
        // A failing test shows the last file printed.
        eprintln!("{}", file.display());
        check_property(&std::fs::read(&file).unwrap());
    }
}
