//! Tags that are built to cost the tokenizer time.

/// Attributes of one tag; the largest found on real pages have some dozens.
const MAX_ATTRIBUTES: usize = 2_000;

/// Where a tag with more than [`MAX_ATTRIBUTES`] attributes begins, if there is one. The tokenizer
/// compares each attribute with all before it, so such a tag would cost time quadratic in its length;
/// the document is cut before it.
///
/// Attributes are counted by the white space outside of quotes that stands before them. Comments and
/// the contents of scripts and style sheets are passed over.
pub(super) fn attribute_bomb(html: &str) -> Option<usize> {
    let bytes = html.as_bytes();
    let mut at = 0;
    while let Some(tag) = next_tag(bytes, at) {
        let end = tag_end(bytes, tag);
        // An attribute takes two bytes at least, so that hardly a tag needs to be counted.
        if end - tag > 2 * MAX_ATTRIBUTES && attributes(bytes, tag) > MAX_ATTRIBUTES {
            return Some(tag);
        }
        at = match raw_text_end(bytes, tag) {
            Some(close) => after(bytes, end, close).unwrap_or(bytes.len()),
            None => end,
        };
    }
    None
}

/// The next `<` before a letter, comments skipped.
fn next_tag(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr(b'<', bytes.get(at..)?)?;
        let rest = bytes.get(at + 1..)?;
        if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            return Some(at);
        }
        at = if rest.starts_with(b"!--") {
            comment_end(bytes, at + 4)?
        } else {
            at + 1
        };
    }
}

/// The end of the tag: the place behind the next `>` outside of quotes.
fn tag_end(bytes: &[u8], tag: usize) -> usize {
    let mut at = tag + 1;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| memchr::memchr3(b'>', b'"', b'\'', rest))
    {
        let place = at + found;
        at = place + 1;
        match bytes.get(place) {
            Some(b'>') => return at,
            Some(quote) if opens_a_value(bytes, tag, place) => {
                let Some(close) = bytes
                    .get(at..)
                    .and_then(|rest| memchr::memchr(*quote, rest))
                else {
                    break;
                };
                at += close + 1;
            }
            _ => {}
        }
    }
    bytes.len()
}

/// Whether a quote stands behind an equals sign, white space between them aside.
fn opens_a_value(bytes: &[u8], tag: usize, quote: usize) -> bool {
    bytes
        .get(tag..quote)
        .unwrap_or_default()
        .trim_ascii_end()
        .ends_with(b"=")
}

/// How many attributes the tag has at most.
fn attributes(bytes: &[u8], tag: usize) -> usize {
    let (mut quote, mut space, mut attributes) = (None, false, 0);
    let mut previous = b'<';
    for byte in bytes.get(tag + 1..).unwrap_or_default() {
        match (quote, *byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => break,
            (None, b'"' | b'\'') if previous == b'=' => quote = Some(*byte),
            (None, byte) if byte.is_ascii_whitespace() || byte == b'/' => space = true,
            (None, _) => {
                attributes += usize::from(space);
                space = false;
            }
        }
        if !byte.is_ascii_whitespace() {
            previous = *byte;
        }
        // A quote that ends may be followed by the next attribute at once.
        space |= quote.is_none() && matches!(*byte, b'"' | b'\'');
    }
    attributes
}

/// The end of a comment whose contents begin there (HTML, "comment start state" and the states behind
/// it): at once with `>` or `->`, else with `-->` or `--!>`.
fn comment_end(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    for at_once in [&b">"[..], b"->"] {
        if rest.starts_with(at_once) {
            return Some(from + at_once.len());
        }
    }
    let mut at = from;
    loop {
        at = after(bytes, at, b"--")?;
        // Of many dashes the last two count.
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

/// What ends the contents of an element that holds text alone.
fn raw_text_end(bytes: &[u8], tag: usize) -> Option<&'static [u8]> {
    let name = bytes.get(tag + 1..)?;
    let is = |wanted: &[u8]| {
        name.get(..wanted.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(wanted))
            && name
                .get(wanted.len())
                .is_some_and(|next| !next.is_ascii_alphanumeric())
    };
    const RAW: [(&[u8], &[u8]); 9] = [
        (b"script", b"</script"),
        (b"style", b"</style"),
        (b"textarea", b"</textarea"),
        (b"title", b"</title"),
        (b"xmp", b"</xmp"),
        (b"iframe", b"</iframe"),
        (b"noscript", b"</noscript"),
        (b"noembed", b"</noembed"),
        (b"noframes", b"</noframes"),
    ];
    RAW.iter()
        .find(|(element, _)| is(element))
        .map(|(_, close)| *close)
}

/// The place behind the next occurrence, without regard to ASCII case. What is wanted begins with no
/// letter.
fn after(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut at = from;
    loop {
        at += memchr::memchr(first, bytes.get(at..)?)?;
        let found = bytes.get(at..at + wanted.len())?;
        if found.eq_ignore_ascii_case(wanted) {
            return Some(at + wanted.len());
        }
        at += 1;
    }
}
