//! Decodes bytes into text, with the encoding sniffing of the HTML standard.

mod prescan;

use bytes::Bytes;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::dom::Dom;
use crate::gather::media_type_parameter;

/// How the encoding of a document was determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingSource {
    /// A byte order mark.
    ByteOrderMark,
    /// The `charset` parameter of `Content-Type`.
    Header,
    /// A `meta` element or an XML declaration within the first 1,024 bytes.
    Meta,
    /// A `meta` element after the first 1,024 bytes. Browsers then decode the document again.
    LateMeta,
    /// No declaration. UTF-8 if the bytes are valid UTF-8, else windows-1252.
    Guess,
}

/// How many bytes browsers search for a declaration before they parse.
const PRESCANNED_BYTES: usize = 1024;

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
    if let Some(encoding) = content_type.and_then(declared_in_header) {
        return (encoding, EncodingSource::Header);
    }
    let start = body.get(..PRESCANNED_BYTES).unwrap_or(body);
    if let Some(encoding) = prescan::prescan(start) {
        return (encoding, EncodingSource::Meta);
    }
    let guess = if std::str::from_utf8(body).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    };
    match declared_late(body, guess) {
        Some(encoding) => (encoding, EncodingSource::LateMeta),
        None => (guess, EncodingSource::Guess),
    }
}

/// The `charset` parameter of a `Content-Type`.
fn declared_in_header(content_type: &str) -> Option<&'static Encoding> {
    let label = media_type_parameter(content_type, "charset")?;
    Encoding::for_label(label.as_bytes())
}

/// The encoding of a `meta` element in the tree: the first declaration with a known label, as the tree builder
/// meets it. Comments, scripts and other texts have no elements, so nothing in them counts.
fn declared_late(body: &[u8], guess: &'static Encoding) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"charset";
    let is_possible = body
        .windows(NAME.len())
        .any(|window| window.eq_ignore_ascii_case(NAME));
    if !is_possible {
        return None;
    }
    let (text, _) = guess.decode_without_bom_handling(body);
    let dom = Dom::parse(&text);
    dom.descendants(dom.document())
        .filter_map(|node| dom.element(node))
        .filter(|element| element.is_html() && element.name() == "meta")
        .find_map(|meta| {
            prescan::declaration(
                meta.attr("charset"),
                meta.attr("http-equiv"),
                meta.attr("content"),
            )
        })
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

    fn of_header(content_type: &str) -> (&'static str, EncodingSource) {
        let decoded = decode(b"x", Some(content_type));
        (decoded.encoding, decoded.source)
    }

    #[test]
    fn parameters_of_the_header_follow_the_grammar() {
        for valid in [
            "text/html;charset=koi8-r",
            "text/html; a=\"x;charset=utf-8\"; CHARSET=koi8-r",
            "text/html;; charset=\"koi8\\-r\"",
            "text/html;\tcharset=koi8-r ; charset=utf-8",
            "text/html; x; charset=koi8-r",
        ] {
            assert_eq!(
                of_header(valid),
                ("KOI8-R", EncodingSource::Header),
                "{valid}"
            );
        }
        for invalid in [
            "text/html; charset='koi8-r'",
            "text/html; charset = koi8-r",
            "text/html; xcharset=koi8-r",
            "text/html; x=\"; charset=koi8-r",
            "text/html charset=koi8-r",
            "text/html; charset=",
        ] {
            assert_eq!(
                of_header(invalid),
                ("UTF-8", EncodingSource::Guess),
                "{invalid}"
            );
        }
    }

    #[test]
    fn a_late_meta_decodes_the_document_again() {
        let padding = "x".repeat(1024);
        for declaration in [
            "<meta charset=koi8-r>",
            "<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
            "<p><meta charset=unknown><meta charset=koi8-r>",
        ] {
            let mut body = format!("<!--{padding}-->{declaration}<p>").into_bytes();
            body.push(0xC1);
            let decoded = decode(&body, Some("text/html"));
            assert_eq!(
                (decoded.encoding, decoded.source),
                ("KOI8-R", EncodingSource::LateMeta),
                "{declaration}"
            );
            assert!(decoded.text.ends_with('а'), "{declaration}");
        }
        for text in [
            "<!-- <meta charset=koi8-r> -->",
            "<script>'<meta charset=koi8-r>'</script>",
        ] {
            let body = format!("<!--{padding}-->{text}<p>");
            assert_eq!(
                decode(body.as_bytes(), None).source,
                EncodingSource::Guess,
                "{text}"
            );
        }
    }

    #[test]
    fn undeclared_bytes_that_are_not_utf8_are_windows_1252() {
        assert_eq!(decode(b"caf\xE9", None).text, "café");
    }
}
