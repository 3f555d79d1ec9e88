//! Whatever a site sends, what must hold of it holds: the properties are the files of `audit-engine`'s own
//! tests, so they are looked for here as they are kept there.
//!
//! One program for all kinds of input, since building the engine takes longer than a short run;
//! `FUZZ_KIND` names the kind.

#![no_main]

#[path = "../../crates/audit-engine/tests/fuzzed/mod.rs"]
mod fuzzed;

use std::path::Path;
use std::sync::OnceLock;

use audit_engine::check::ExampleKind;
use audit_engine::checks::catalogue;
use libfuzzer_sys::fuzz_target;

static HOLD: OnceLock<fn(&[u8])> = OnceLock::new();

fn begin() {
    let kind = std::env::var("FUZZ_KIND").expect("FUZZ_KIND names the kind of input");
    let hold = match kind.as_str() {
        "gate" => fuzzed::gate::hold,
        "headers" => fuzzed::headers::hold,
        "page" => fuzzed::page::hold,
        "robots" => fuzzed::robots::hold,
        "site" => fuzzed::site::hold,
        "sitemap" => fuzzed::sitemap::hold,
        _ => panic!("FUZZ_KIND: there is no {kind}"),
    };
    HOLD.get_or_init(|| hold);
    if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
        write_examples(&kind, Path::new(&folder));
    }
}

/// Pages and sites also begin with what the checks are documented with.
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

fuzz_target!(init: begin(), |bytes: &[u8]| {
    if let Some(hold) = HOLD.get() {
        hold(bytes);
    }
});
