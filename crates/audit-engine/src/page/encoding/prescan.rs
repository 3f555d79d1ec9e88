//! Finds the declared encoding in the first bytes of a document (HTML Standard, "prescan a byte stream to determine
//! its encoding").

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The encoding that the bytes declare, by a `meta` element or an XML declaration.
pub(super) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    if bytes.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    match in_markup(bytes) {
        Some(encoding) => Some(encoding),
        // The bytes ended before a declaration.
        None => in_xml_declaration(bytes),
    }
}

/// The encoding that the attributes of a `meta` element declare.
pub(super) fn declaration(
    charset: Option<&str>,
    http_equiv: Option<&str>,
    content: Option<&str>,
) -> Option<&'static Encoding> {
    if let Some(encoding) = charset.and_then(|label| of_meta(label.as_bytes())) {
        return Some(encoding);
    }
    let is_pragma = http_equiv.is_some_and(|name| name.eq_ignore_ascii_case("content-type"));
    let label = label_in(content.filter(|_| is_pragma)?.as_bytes())?;
    of_meta(label)
}

/// The encoding of a label in a `meta` element. A document whose `meta` can be read as ASCII is not UTF-16.
fn of_meta(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16BE || encoding == UTF_16LE {
        return Some(UTF_8);
    }
    if encoding == encoding_rs::X_USER_DEFINED {
        return Some(WINDOWS_1252);
    }
    Some(encoding)
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

fn in_markup(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes;
    loop {
        let at = rest.iter().position(|byte| *byte == b'<')?;
        rest = rest.get(at..)?;
        if rest.starts_with(b"<!--") {
            // The hyphens of the start may be those of the end: `<!-->` is a comment.
            let end = rest.get(2..)?.windows(3).position(|end| end == b"-->")?;
            rest = rest.get(end.checked_add(5)?..)?;
        } else if is_meta(rest) {
            let mut attributes = Attributes(rest.get(b"<meta".len()..)?);
            if let Some(encoding) = attributes.of_meta()? {
                return Some(encoding);
            }
            rest = attributes.0;
        } else if is_tag(rest) {
            let end = rest
                .iter()
                .position(|byte| is_space(*byte) || *byte == b'>')?;
            let mut attributes = Attributes(rest.get(end..)?);
            while attributes.next()?.is_some() {}
            rest = attributes.0;
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            let end = rest.iter().position(|byte| *byte == b'>')?;
            rest = rest.get(end..)?;
        } else {
            rest = rest.get(1..)?;
        }
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"<meta"))
        && rest
            .get(5)
            .is_some_and(|byte| is_space(*byte) || *byte == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'/') => rest.get(2).is_some_and(u8::is_ascii_alphabetic),
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    }
}

/// The attributes of a tag, from the position after its name.
struct Attributes<'a>(&'a [u8]);

impl<'a> Attributes<'a> {
    /// The encoding that a `meta` tag declares; the outer `None` if the bytes end inside the tag.
    fn of_meta(&mut self) -> Option<Option<&'static Encoding>> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut got_pragma = false;
        // Whether the label needs a pragma, and its encoding.
        let mut found: Option<(bool, Option<&'static Encoding>)> = None;
        while let Some((name, value)) = self.next()? {
            let name = name.to_ascii_lowercase();
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => got_pragma = value.eq_ignore_ascii_case(b"content-type"),
                b"content" => {
                    let encoding = label_in(value).and_then(Encoding::for_label);
                    if encoding.is_some() && found.is_none() {
                        found = Some((true, label_in(value).and_then(of_meta)));
                    }
                }
                b"charset" => found = Some((false, of_meta(value))),
                _ => {}
            }
            seen.push(name);
        }
        Some(match found {
            Some((needs_pragma, encoding)) if got_pragma || !needs_pragma => encoding,
            _ => None,
        })
    }

    /// The next name and value; the inner `None` after the last one, the outer if the bytes end.
    fn next(&mut self) -> Option<Option<(&'a [u8], &'a [u8])>> {
        self.skip(|byte| is_space(byte) || byte == b'/')?;
        if self.peek()? == b'>' {
            return Some(None);
        }
        let start = self.0;
        // An equals sign at the start belongs to the name.
        let after_first = start.get(1..)?;
        let more = after_first
            .iter()
            .position(|byte| is_space(*byte) || matches!(byte, b'=' | b'/' | b'>'))?;
        let length = more.checked_add(1)?;
        let name = start.get(..length)?;
        self.0 = start.get(length..)?;
        self.skip(is_space)?;
        if self.peek()? != b'=' {
            return Some(Some((name, b"")));
        }
        self.0 = self.0.get(1..)?;
        self.skip(is_space)?;
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                let inner = self.0.get(1..)?;
                let end = inner.iter().position(|byte| *byte == quote)?;
                self.0 = inner.get(end.checked_add(1)?..)?;
                inner.get(..end)?
            }
            _ => {
                let end = self
                    .0
                    .iter()
                    .position(|byte| is_space(*byte) || *byte == b'>')?;
                let (value, rest) = self.0.split_at_checked(end)?;
                self.0 = rest;
                value
            }
        };
        Some(Some((name, value)))
    }

    fn peek(&self) -> Option<u8> {
        self.0.first().copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) -> Option<()> {
        let end = self.0.iter().position(|byte| !is_skipped(*byte))?;
        self.0 = self.0.get(end..)?;
        Some(())
    }
}

/// The label in the `content` of a `meta` (HTML Standard, "extracting a character encoding from a meta element").
fn label_in(content: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"charset";
    let mut rest = content;
    loop {
        let at = rest
            .windows(NAME.len())
            .position(|window| window.eq_ignore_ascii_case(NAME))?;
        rest = rest.get(at.checked_add(NAME.len())?..)?;
        let after = trim_start(rest);
        if let Some(value) = after.strip_prefix(b"=") {
            rest = trim_start(value);
            break;
        }
        rest = after;
    }
    match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let inner = rest.get(1..)?;
            let end = inner.iter().position(|byte| byte == quote)?;
            inner.get(..end)
        }
        _ => {
            let end = rest
                .iter()
                .position(|byte| is_space(*byte) || *byte == b';')
                .unwrap_or(rest.len());
            rest.get(..end)
        }
    }
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let start = bytes
        .iter()
        .position(|byte| !is_space(*byte))
        .unwrap_or(bytes.len());
    bytes.get(start..).unwrap_or_default()
}

/// The encoding of an XML declaration (HTML Standard, "get an XML encoding").
fn in_xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"encoding";
    let rest = bytes.strip_prefix(b"<?xml")?;
    let end = rest.iter().position(|byte| *byte == b'>')?;
    let rest = rest.get(..end)?;
    let at = rest.windows(NAME.len()).position(|window| window == NAME)?;
    let rest = rest.get(at.checked_add(NAME.len())?..)?;
    let skip = |bytes: &'_ [u8]| bytes.iter().position(|byte| *byte > b' ');
    let rest = rest.get(skip(rest)?..)?.strip_prefix(b"=")?;
    let rest = rest.get(skip(rest)?..)?;
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = rest.iter().position(|byte| byte == quote)?;
    let label = rest.get(..end)?;
    if label.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    let encoding = Encoding::for_label(label)?;
    let is_utf_16 = encoding == UTF_16BE || encoding == UTF_16LE;
    Some(if is_utf_16 { UTF_8 } else { encoding })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::charset(b"<meta charset=koi8-r>", Some("KOI8-R"))]
    #[case::spaces(b"<meta\tcharset = \" koi8-r \">", Some("KOI8-R"))]
    #[case::single_quotes(b"<META x CHARSET='koi8-r'/>", Some("KOI8-R"))]
    #[case::slash(b"<meta/charset=koi8-r>", Some("KOI8-R"))]
    #[case::attribute_of_another_name(b"<meta data-charset=koi8-r>", None)]
    #[case::name_in_a_value(b"<meta name=\"charset=koi8-r\">", None)]
    #[case::other_element(b"<metadata charset=koi8-r>", None)]
    #[case::first_of_two(b"<meta charset=koi8-r charset=utf-8>", Some("KOI8-R"))]
    #[case::pragma(
        b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
        Some("KOI8-R")
    )]
    #[case::pragma_last(
        b"<meta content='charset = \"koi8-r\"' http-equiv=content-type>",
        Some("KOI8-R")
    )]
    #[case::second_charset(
        b"<meta http-equiv=content-type content='charset charset=koi8-r;x'>",
        Some("KOI8-R")
    )]
    #[case::content_alone(b"<meta content='text/html; charset=koi8-r'>", None)]
    #[case::other_pragma(b"<meta http-equiv=refresh content='1; charset=koi8-r'>", None)]
    #[case::open_quote(b"<meta http-equiv=content-type content='charset=\"koi8-r'>", None)]
    #[case::unknown_then_known(b"<meta charset=x><meta charset=koi8-r>", Some("KOI8-R"))]
    #[case::utf_16(b"<meta charset=utf-16le>", Some("UTF-8"))]
    #[case::user_defined(b"<meta charset=x-user-defined>", Some("windows-1252"))]
    #[case::comment(b"<!-- <meta charset=koi8-r> -->", None)]
    #[case::short_comment(b"<!--><meta charset=koi8-r>-->", Some("KOI8-R"))]
    #[case::value_with_a_bracket(
        b"<p title='<meta charset=utf-8>'><meta charset=koi8-r>",
        Some("KOI8-R")
    )]
    #[case::end_tag(
        b"</p title='<meta charset=utf-8>'><meta charset=koi8-r>",
        Some("KOI8-R")
    )]
    #[case::declaration(b"<!x <meta charset=utf-8><meta charset=koi8-r>", Some("KOI8-R"))]
    #[case::in_a_script(b"<script>'<meta charset=koi8-r>'</script>", Some("KOI8-R"))]
    #[case::cut(b"<meta charset=koi8-r", None)]
    #[case::xml(b"<?xml version='1.0' encoding = \"koi8-r\"?><p>", Some("KOI8-R"))]
    #[case::meta_before_xml(b"<?xml encoding='koi8-r'?><meta charset=utf-8>", Some("UTF-8"))]
    #[case::xml_utf_16(b"<?xml encoding='utf-16'?>", Some("UTF-8"))]
    #[case::xml_spaced_label(b"<?xml encoding=' koi8-r'?>", None)]
    #[case::xml_not_first(b" <?xml encoding='koi8-r'?>", None)]
    #[case::utf_16_xml(b"<\0?\0x\0m\0l\0", Some("UTF-16LE"))]
    #[case::utf_16_xml_big(b"\0<\0?\0x\0m\0l", Some("UTF-16BE"))]
    #[case::nothing(b"<p>charset=koi8-r", None)]
    fn the_standard_decides(#[case] bytes: &[u8], #[case] expected: Option<&str>) {
        assert_eq!(prescan(bytes).map(Encoding::name), expected);
    }
}
