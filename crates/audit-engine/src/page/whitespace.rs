//! White space between the runs of a text.

use crate::dom::{is_collapsed, push_words};

/// Whether white space after the text has no effect.
pub(super) fn is_spaced(out: &str) -> bool {
    match out.as_bytes().last() {
        None | Some(b' ' | b'\n') => true,
        Some(b'!'..=b'~') => false,
        Some(_) => out.ends_with(char::is_whitespace),
    }
}

/// Adds a run of text. White space at its ends becomes one space, or none if the previous text ends with white
/// space.
pub(super) fn push_run(out: &mut String, run: &str) {
    let spaced = is_spaced(out);
    if is_blank(run) {
        push_blank(out, run, spaced);
    } else {
        push_written(out, run, spaced);
    }
}

/// Adds a blank run after a text. `spaced` is whether the text ends with white space.
pub(super) fn push_blank(out: &mut String, run: &str, spaced: bool) {
    if !spaced && !run.is_empty() {
        out.push(' ');
    }
}

/// Adds a run that is not blank after a text. `spaced` is whether the text ends with white space.
pub(super) fn push_written(out: &mut String, run: &str, spaced: bool) {
    if is_collapsed(run) {
        // The common case: words separated by single spaces, and perhaps one at an end.
        let begin = run.strip_prefix(' ').filter(|_| spaced);
        out.push_str(begin.unwrap_or(run));
    } else {
        if !spaced && run.starts_with(char::is_whitespace) {
            out.push(' ');
        }
        out.reserve(run.len());
        push_words(out, run);
        if run.ends_with(char::is_whitespace) {
            out.push(' ');
        }
    }
}

/// Whether the text consists only of white space.
pub(crate) fn is_blank(text: &str) -> bool {
    match text.bytes().next() {
        None => true,
        Some(b'!'..=b'~') => false,
        Some(_) => text.bytes().all(|byte| matches!(byte, b' ' | b'\n')) || text.trim().is_empty(),
    }
}

/// Ends the line, unless the text is empty or its line has ended.
pub(super) fn break_block(out: &mut String) {
    while out.as_bytes().last() == Some(&b' ') {
        out.pop();
    }
    if !matches!(out.as_bytes().last(), None | Some(b'\n')) {
        out.push('\n');
    }
}
