//! Fuzzes the engine. The properties are the files of `audit-engine`'s own tests.
//!
//! One program for all kinds of input, because building the engine takes longer than a short run;
//! `FUZZ_KIND` selects the kind.

#![no_main]

#[path = "../../crates/audit-engine/tests/fuzzed/mod.rs"]
mod fuzzed;

use std::path::Path;
use std::sync::OnceLock;

use audit_engine::check::ExampleKind;
use audit_engine::checks::catalogue;
use libfuzzer_sys::fuzz_target;

static PROPERTY: OnceLock<fn(&[u8])> = OnceLock::new();

fn set_up() {
    let kind = std::env::var("FUZZ_KIND").expect("FUZZ_KIND names the kind of input");
    let check_property = match kind.as_str() {
        "gate" => fuzzed::gate::check_property,
        "headers" => fuzzed::headers::check_property,
        "page" => fuzzed::page::check_property,
        "robots" => fuzzed::robots::check_property,
        "site" => fuzzed::site::check_property,
        "sitemap" => fuzzed::sitemap::check_property,
        _ => panic!("FUZZ_KIND: unknown kind {kind}"),
    };
    PROPERTY.get_or_init(|| check_property);
    if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
        write_examples(&kind, Path::new(&folder));
    }
}

/// The examples in the check documentation are also seeds for pages and sites.
fn write_examples(kind: &str, folder: &Path) {
    let examples = catalogue().into_iter().flat_map(|check| {
        let docs = check.documentation();
        docs.failing.into_iter().chain(docs.passing)
    });
    for (number, example) in examples.enumerate() {
        let seed = match (kind, example.kind) {
            ("page", ExampleKind::Html) => format!("text/html\n{}", example.text),
            ("site", _) => example.recording(),
            _ => continue,
        };
        std::fs::write(folder.join(format!("example-{number}")), seed)
            .expect("a folder to write to");
    }
}

fuzz_target!(init: set_up(), |bytes: &[u8]| {
    if let Some(check_property) = PROPERTY.get() {
        check_property(bytes);
    }
});
