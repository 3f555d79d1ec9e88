//! Compares the encoding that the engine sniffs with html5lib's test data.
//!
//! ```sh
//! cargo run -p audit-engine --example encodings -- FILE.dat…
//! ```
//!
//! prints each case that differs, and at the end their number. Where nothing is declared, html5lib expects
//! windows-1252 and the engine reads valid UTF-8 as UTF-8, and scripts do not run, so a declaration that one writes is not seen. Both are
//! counted apart.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example reads files and prints, and panics on unreadable ones"
)]

use std::process::ExitCode;

use audit_engine::page::{EncodingSource, decode};
use encoding_rs::Encoding;

fn main() -> ExitCode {
    let (mut equal, mut guessed, mut different) = (0, 0, 0);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        for (number, (data, expected)) in cases(&bytes).into_iter().enumerate() {
            let decoded = decode(&data, Some("text/html"));
            let wanted = Encoding::for_label(expected.as_bytes()).map_or("none", Encoding::name);
            if decoded.encoding == wanted {
                equal += 1;
            } else if decoded.source == EncodingSource::Guess
                && (wanted == "windows-1252" || is_written_by_a_script(&data))
            {
                guessed += 1;
            } else {
                different += 1;
                println!("{path} {number}: {}, expected {expected}", decoded.encoding);
                println!("{}", String::from_utf8_lossy(&data));
            }
        }
    }
    println!(
        "{equal} equal, {guessed} without a declaration that can be read, {different} different"
    );
    if different == 0 && equal > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn is_written_by_a_script(data: &[u8]) -> bool {
    String::from_utf8_lossy(data).contains("document.write(")
}

/// The documents of a test file, each with the label of its encoding.
fn cases(bytes: &[u8]) -> Vec<(Vec<u8>, String)> {
    let mut cases = Vec::new();
    let mut data: Option<Vec<u8>> = None;
    let mut is_label_next = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let trimmed = line.trim_ascii_end();
        if trimmed == b"#data" {
            data = Some(Vec::new());
        } else if trimmed == b"#encoding" {
            is_label_next = true;
        } else if is_label_next {
            is_label_next = false;
            let label = String::from_utf8_lossy(trimmed).into_owned();
            cases.extend(data.take().map(|data| (data, label)));
        } else if let Some(data) = &mut data {
            data.extend_from_slice(line);
        }
    }
    cases
}
