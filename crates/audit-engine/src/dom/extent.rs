//! Finds the end of a markup construct (HTML Standard, section 13.2.5) before the tokenizer reads it.
//!
//! The tokenizer compares each attribute of a tag with all earlier ones and reports nothing until the tag ends.
//! So the attributes are counted first, exactly as the tokenizer reads them.

/// A tag, or the rest of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagExtent {
    /// The offset after its `>`, or the end of the document.
    pub(super) end: usize,
    /// The number of attributes, including duplicates.
    pub(super) attributes: usize,
}

/// The part of a tag that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Name,
    BeforeAttribute,
    AttributeName,
    AfterAttributeName,
    BeforeValue,
    BareValue,
}

/// Reads the tag whose name starts at `from`.
pub(super) fn tag(html: &str, from: usize) -> TagExtent {
    read_tag(html.as_bytes(), from, Part::Name)
}

/// Reads the rest of a tag whose name ends before `from`.
pub(super) fn rest_of_tag(html: &str, from: usize) -> TagExtent {
    read_tag(html.as_bytes(), from, Part::BeforeAttribute)
}

fn read_tag(bytes: &[u8], from: usize, part: Part) -> TagExtent {
    let (mut at, mut part, mut attributes) = (from, part, 0);
    while let Some(byte) = bytes.get(at).copied() {
        at += 1;
        let is_space = matches!(byte, b'\t' | b'\n' | b'\x0c' | b' ');
        part = match (part, byte) {
            (Part::BeforeValue, b'"' | b'\'') => {
                let value = bytes.get(at..).unwrap_or_default();
                match memchr::memchr(byte, value) {
                    Some(length) => at += length + 1,
                    None => break,
                }
                Part::BeforeAttribute
            }
            (_, b'>') => {
                return TagExtent {
                    end: at,
                    attributes,
                };
            }
            (Part::BareValue, _) if !is_space => Part::BareValue,
            (Part::BeforeValue, _) if !is_space => Part::BareValue,
            (Part::BeforeValue, _) => Part::BeforeValue,
            (Part::Name, _) if !is_space && byte != b'/' => Part::Name,
            (Part::AttributeName | Part::AfterAttributeName, b'=') => Part::BeforeValue,
            (Part::AttributeName, _) if !is_space && byte != b'/' => Part::AttributeName,
            (Part::AttributeName | Part::AfterAttributeName, _) if is_space => {
                Part::AfterAttributeName
            }
            (_, b'/') => Part::BeforeAttribute,
            _ if is_space => Part::BeforeAttribute,
            _ => {
                attributes += 1;
                Part::AttributeName
            }
        };
    }
    TagExtent {
        end: bytes.len(),
        attributes,
    }
}

/// The end of the non-tag construct that starts with the `<!`, `<?` or `</` at `at`, or the end of the
/// document. `is_foreign` is true if the current node is an SVG or MathML element.
pub(super) fn declaration_end(html: &str, at: usize, is_foreign: bool) -> usize {
    let bytes = html.as_bytes();
    let rest = bytes.get(at..).unwrap_or_default();
    let end = if rest.starts_with(b"<!--") {
        comment_end(bytes, at + 4)
    } else if is_foreign && rest.starts_with(b"<![CDATA[") {
        memchr::memmem::find(rest, b"]]>").map(|found| at + found + 3)
    } else {
        memchr::memchr(b'>', rest).map(|found| at + found + 1)
    };
    end.unwrap_or(bytes.len())
}

/// The end of a comment whose content starts at `from` (HTML, "comment start state" and following): immediately
/// with `>` or `->`, otherwise with `-->` or `--!>`.
fn comment_end(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    for at_once in [&b">"[..], b"->"] {
        if rest.starts_with(at_once) {
            return Some(from + at_once.len());
        }
    }
    let mut at = from;
    loop {
        at = at + memchr::memmem::find(bytes.get(at..)?, b"--")? + 2;
        // Of a run of dashes, the last two are part of the end.
        while bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        let rest = bytes.get(at..)?;
        if rest.starts_with(b">") {
            return Some(at + 1);
        }
        if rest.starts_with(b"!>") {
            return Some(at + 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("<p>", 0)]
    #[case("<p a b=c d='e f' g=\"h\"i>", 5)]
    #[case("<p/a/b/>", 2)]
    #[case("<p a = b c= 'd>' >", 2)]
    #[case("<p a=b/c>", 1)]
    #[case("<p a='b'c>", 2)]
    #[case("<p =a ==b>", 1)]
    #[case("<p a=>", 1)]
    #[case("<p \"a b\">", 2)]
    #[case("<p a\n=\n'>'\n>", 1)]
    #[case("<p a b = c d>", 3)]
    #[case("<p a='b", 1)]
    fn attributes_are_counted_as_the_tokenizer_reads_them(
        #[case] html: &str,
        #[case] attributes: usize,
    ) {
        let end = html.len();
        assert_eq!(tag(html, 1), TagExtent { end, attributes });
    }

    #[rstest]
    #[case("<!-->x", 5)]
    #[case("<!--->x", 6)]
    #[case("<!--x--!>y", 9)]
    #[case("<!-- > -> -- ---->x", 18)]
    #[case("<!x<!-- >x", 9)]
    #[case("<![CDATA[a>x", 11)]
    #[case("<?php a>x", 8)]
    #[case("<!doctype a 'b>x", 15)]
    #[case("<!-- no end", 11)]
    fn declarations_end_where_the_tokenizer_ends_them(#[case] html: &str, #[case] end: usize) {
        assert_eq!(declaration_end(html, 0, false), end);
    }

    #[test]
    fn a_cdata_section_ends_with_its_own_delimiter() {
        assert_eq!(declaration_end("<![CDATA[<!-- > ]]>x", 0, true), 19);
    }
}
