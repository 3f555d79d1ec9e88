//! Decodes bytes into text, with the encoding sniffing of the HTML standard.

use bytes::Bytes;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// How the encoding of a document was determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingSource {
    /// A byte order mark.
    ByteOrderMark,
    /// The `charset` parameter of `Content-Type`.
    Header,
    /// A `meta` element within the first 1,024 bytes.
    Meta,
    /// No declaration. UTF-8 if the bytes are valid UTF-8, else windows-1252.
    Guess,
}

/// A decoded document.
#[derive(Debug, Clone)]
pub struct Decoded {
    /// The text; malformed sequences are U+FFFD.
    pub text: String,
    /// The encoding's name in the Encoding standard, for example `UTF-8`.
    pub encoding: &'static str,
    /// How it was determined.
    pub source: EncodingSource,
}

/// Decodes a document.
#[must_use]
pub fn decode(body: &[u8], content_type: Option<&str>) -> Decoded {
    let (encoding, source) = sniff(body, content_type);
    let (text, used, _) = encoding.decode(body);
    Decoded {
        text: text.into_owned(),
        encoding: used.name(),
        source,
    }
}

/// Decodes an owned document. Valid UTF-8, which most documents are, is not copied.
pub(crate) fn decode_owned(body: Bytes, content_type: Option<&str>) -> Decoded {
    let (encoding, source) = sniff(&body, content_type);
    if encoding != UTF_8 || source == EncodingSource::ByteOrderMark {
        return decode(&body, content_type);
    }
    match String::from_utf8(Vec::from(body)) {
        Ok(text) => Decoded {
            text,
            encoding: encoding.name(),
            source,
        },
        Err(error) => decode(error.as_bytes(), content_type),
    }
}

fn sniff(body: &[u8], content_type: Option<&str>) -> (&'static Encoding, EncodingSource) {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return (encoding, EncodingSource::ByteOrderMark);
    }
    if let Some(encoding) = content_type.and_then(charset_of).and_then(by_label) {
        return (encoding, EncodingSource::Header);
    }
    let start = body.get(..1024).unwrap_or(body);
    if let Some(encoding) = declared_in_markup(start) {
        return (encoding, EncodingSource::Meta);
    }
    let guess = if std::str::from_utf8(body).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    };
    (guess, EncodingSource::Guess)
}

fn by_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.trim().as_bytes())
}

/// The `charset` parameter of a media type, quotes removed.
fn charset_of(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// The encoding that the first `meta` with a known label declares. UTF-16 is read as UTF-8, because a document
/// whose `meta` can be read as ASCII is not UTF-16.
fn declared_in_markup(start: &[u8]) -> Option<&'static Encoding> {
    let lower: String = start
        .iter()
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    let without_comments = strip_comments(&lower);
    for tag in without_comments.split("<meta").skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        let Some((_, after)) = tag.split_once("charset") else {
            continue;
        };
        let Some(value) = after.trim_start().strip_prefix('=') else {
            continue;
        };
        let label: String = value
            .trim_start()
            .trim_start_matches(['"', '\''])
            .chars()
            .take_while(|c| !matches!(c, '"' | '\'' | ';' | '/') && !c.is_ascii_whitespace())
            .collect();
        if let Some(encoding) = by_label(&label) {
            let utf16 = encoding == encoding_rs::UTF_16BE || encoding == encoding_rs::UTF_16LE;
            return Some(if utf16 { UTF_8 } else { encoding });
        }
    }
    None
}

fn strip_comments(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some((before, comment)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_wins_over_the_markup() {
        let decoded = decode(
            b"<meta charset=utf-8>\xE9",
            Some("text/html; charset=\"iso-8859-1\""),
        );
        assert_eq!(
            (decoded.encoding, decoded.source),
            ("windows-1252", EncodingSource::Header)
        );
        assert!(decoded.text.ends_with('é'));
    }

    #[test]
    fn a_byte_order_mark_wins_over_everything() {
        let decoded = decode(b"\xEF\xBB\xBFx", Some("text/html; charset=iso-8859-1"));
        assert_eq!(decoded.source, EncodingSource::ByteOrderMark);
        assert_eq!(decoded.text, "x");
    }

    #[test]
    fn the_older_meta_form_is_understood() {
        let html = br#"<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">"#;
        assert_eq!(decode(html, Some("text/html")).encoding, "Shift_JIS");
    }

    #[test]
    fn a_meta_in_a_comment_declares_nothing() {
        let decoded = decode(b"<!-- <meta charset=shift_jis> --><p>x", None);
        assert_eq!(
            (decoded.encoding, decoded.source),
            ("UTF-8", EncodingSource::Guess)
        );
    }

    #[test]
    fn undeclared_bytes_that_are_not_utf8_are_windows_1252() {
        assert_eq!(decode(b"caf\xE9", None).text, "café");
    }
}
