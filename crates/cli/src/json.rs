//! JSON on a terminal.

use std::fmt::Write as _;

/// The JSON with characters escaped that could steer a terminal or turn the direction of text. They
/// stand only within strings, where the escape means the same.
pub(crate) fn unmoving(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
