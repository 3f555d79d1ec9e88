//! How long a text is in JSON, and texts that are cut to a length.

use std::fmt::Write as _;
use std::io;

/// The JSON with characters escaped that could steer a terminal or turn the direction of text. They
/// stand only within strings, where the escape means the same.
#[must_use]
pub fn unmoving(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    write_unmoving(&mut out, json);
    out
}

fn write_unmoving(out: &mut String, json: &str) {
    for c in json.chars() {
        if is_moving(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
}

/// Whether a character could steer a terminal or turn the direction of text.
const fn is_moving(c: char) -> bool {
    matches!(
        c,
        '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
    )
}

/// Escapes what [`unmoving`] escapes while JSON is written, so that no second copy of it is needed.
#[derive(Debug, Default)]
pub(crate) struct UnmovingWriter {
    json: String,
}

impl UnmovingWriter {
    pub(crate) fn finish(self) -> String {
        self.json
    }
}

impl io::Write for UnmovingWriter {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        write_unmoving(&mut self.json, text(buf)?);
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts the bytes that an [`UnmovingWriter`] would hold.
#[derive(Debug, Default)]
pub(super) struct UnmovingCounter {
    pub(super) bytes: usize,
}

impl io::Write for UnmovingCounter {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let length = |c: char| if is_moving(c) { ESCAPE } else { c.len_utf8() };
        self.bytes += match buf.is_ascii() && !buf.contains(&0x7f) {
            true => buf.len(),
            false => text(buf)?.chars().map(length).sum(),
        };
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The serializer writes whole characters.
fn text(buf: &[u8]) -> io::Result<&str> {
    std::str::from_utf8(buf).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Bytes of `\u` and four digits.
const ESCAPE: usize = 6;
/// The marker at the end of truncated text.
const CUT: char = '…';

/// The text, cut where it would take more than so many bytes in JSON with all characters escaped that
/// [`unmoving`] escapes.
pub(super) fn bounded(text: &str, most: usize) -> String {
    if text.len().saturating_mul(ESCAPE) <= most {
        return text.to_owned();
    }
    let (mut bytes, mut cut_at) = (0, 0);
    for (index, c) in text.char_indices() {
        if bytes + CUT.len_utf8() <= most {
            cut_at = index;
        }
        bytes += length_in_json(c);
        if bytes > most {
            let (kept, _) = text.split_at(cut_at);
            return format!("{kept}{CUT}");
        }
    }
    text.to_owned()
}

/// Bytes of a text in JSON with all characters escaped that [`unmoving`] escapes.
pub(super) fn bytes_in_json(text: &str) -> usize {
    text.chars().map(length_in_json).sum()
}

const fn length_in_json(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => ESCAPE,
        c if is_moving(c) => ESCAPE,
        c => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_are_cut_to_their_bound_in_json(text in any::<String>(), most in 8..200_usize) {
            let cut = bounded(&text, most);
            let json = unmoving(&serde_json::to_string(&cut).unwrap());
            prop_assert!(json.len() - 2 <= most, "{}", json);
            let whole = unmoving(&serde_json::to_string(&text).unwrap());
            prop_assert_eq!(cut == text, whole.len() - 2 <= most);
            prop_assert_eq!(bytes_in_json(&text), whole.len() - 2);
        }

        #[test]
        fn writing_and_counting_escape_as_the_text(text in any::<String>()) {
            let (mut writer, mut counter) = (UnmovingWriter::default(), UnmovingCounter::default());
            serde_json::to_writer(&mut writer, &text).unwrap();
            serde_json::to_writer(&mut counter, &text).unwrap();
            let expected = unmoving(&serde_json::to_string(&text).unwrap());
            prop_assert_eq!(counter.bytes, expected.len());
            prop_assert_eq!(writer.finish(), expected);
        }
    }
}
