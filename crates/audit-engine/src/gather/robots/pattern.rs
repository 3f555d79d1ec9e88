//! Path patterns, and the form of a path for comparison.
//!
//! RFC 9309, section 2.2.2, compares bytes after normalizing the percent-encoding of both sides: unreserved
//! characters are decoded, all others are encoded. The delimiters `/ ? & = +` are kept as they are, because an
//! encoded one has another meaning. The RFC's own example goes further and encodes delimiters inside a query's
//! value (`?baz=https%3A%2F%2Ffoo.bar`). For that reason there are two forms, one with the delimiters `/` and
//! `?` of the query as written and one with them encoded. A pattern matches if it matches in either form.

use url::{Position, Url};

/// The path and query of a URL in the forms that patterns are compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsPath {
    plain: String,
    /// Only if it differs.
    query_encoded: Option<String>,
}

impl RobotsPath {
    /// Prepares the path and query of a URL, such as `/shop?item=3`. An empty path means `/`.
    #[must_use]
    pub fn new(path_and_query: &str) -> Self {
        let slash = if path_and_query.starts_with('/') {
            ""
        } else {
            "/"
        };
        let text = format!("{slash}{path_and_query}");
        Self {
            plain: canonical(&text, Form::Plain),
            query_encoded: forms_differ(&text).then(|| canonical(&text, Form::QueryEncoded)),
        }
    }

    /// The path with its escapes as they are, in upper case.
    pub(super) fn as_written(text: &str) -> Self {
        Self {
            plain: upper_case_escapes(text),
            query_encoded: None,
        }
    }

    /// The forms for comparison with patterns: one or two.
    pub(super) fn forms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.plain.as_str()).chain(self.query_encoded.as_deref())
    }

    fn query_encoded(&self) -> &str {
        self.query_encoded.as_deref().unwrap_or(&self.plain)
    }

    /// Whether this is robots.txt itself, which is always allowed (section 2.2.2).
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        self.plain == "/robots.txt"
    }
}

impl From<&Url> for RobotsPath {
    fn from(url: &Url) -> Self {
        Self::new(&url[Position::BeforePath..Position::AfterQuery])
    }
}

/// The pattern of an `Allow` or `Disallow` line: a prefix of the path in which `*` matches any bytes and a `$`
/// at the end matches the end of the path (section 2.2.3).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    plain: Glob,
    /// Only if it differs.
    query_encoded: Option<Glob>,
    octets: usize,
}

impl Pattern {
    /// Parses a pattern. Every text is valid; patterns that start with neither `/` nor `*` match nothing.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            octets: specificity(text),
            query_encoded: forms_differ(text).then(|| Glob::new(text, Form::QueryEncoded)),
            plain: Glob::new(text, Form::Plain),
        }
    }

    /// A pattern that matches paths made by [`RobotsPath::as_written`] only.
    pub(super) fn for_googlebot(text: &str) -> Self {
        Self {
            octets: text.len(),
            query_encoded: None,
            plain: Glob::of_normalized(&upper_case_escapes(text)),
        }
    }

    /// The length by which the most specific of several matching patterns is selected (section 2.2.2): bytes
    /// with non-ASCII characters encoded.
    #[must_use]
    pub const fn octets(&self) -> usize {
        self.octets
    }

    /// Whether the pattern matches the path, in time linear in the length of both.
    #[must_use]
    pub fn matches(&self, path: &RobotsPath) -> bool {
        if self.plain.matches(&path.plain) {
            return true;
        }
        match &self.query_encoded {
            Some(pattern) => pattern.matches(path.query_encoded()),
            None => path
                .query_encoded
                .as_deref()
                .is_some_and(|path| self.plain.matches(path)),
        }
    }

    /// The parts before, between and after the stars, in each form. A matching path contains all parts of one
    /// form. A pattern without stars has one part, with which the path begins.
    pub(super) fn parts(&self) -> impl Iterator<Item = Vec<&str>> {
        std::iter::once(&self.plain)
            .chain(&self.query_encoded)
            .map(Glob::parts)
    }
}

/// A pattern in one form. It is stored as one text, regardless of the number of stars: a pattern split at its
/// stars takes some thirty times as much memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Glob {
    /// The pattern without the `$` at its end, with one star for consecutive stars.
    text: Box<str>,
    /// Whether the path must end at the end of the pattern.
    anchored: bool,
}

impl Glob {
    fn new(text: &str, form: Form) -> Self {
        let (text, anchored) = match text.strip_suffix('$') {
            Some(text) => (text, true),
            None => (text, false),
        };
        // The stars are kept until the start of the query in this form is known.
        Self::of_parts(canonical_pattern(text, form), anchored)
    }

    fn of_normalized(text: &str) -> Self {
        match text.strip_suffix('$') {
            Some(text) => Self::of_parts(text.to_owned(), true),
            None => Self::of_parts(text.to_owned(), false),
        }
    }

    fn of_parts(mut text: String, anchored: bool) -> Self {
        let mut after_star = false;
        text.retain(|c| {
            let is_repeated = c == '*' && after_star;
            after_star = c == '*';
            !is_repeated
        });
        Self {
            text: text.into_boxed_str(),
            anchored,
        }
    }

    /// The parts before, between and after the stars.
    fn parts(&self) -> Vec<&str> {
        self.text.split('*').collect()
    }

    /// Uses the first occurrence of each part. A later occurrence of one part never helps the next one, so
    /// there is no backtracking.
    fn matches(&self, path: &str) -> bool {
        let (prefix, others) = match self.text.split_once('*') {
            Some((prefix, others)) => (prefix, Some(others)),
            None => (&*self.text, None),
        };
        let Some(mut rest) = path.strip_prefix(prefix) else {
            return false;
        };
        let Some(others) = others else {
            return !self.anchored || rest.is_empty();
        };
        let (inner, last) = match others.rsplit_once('*') {
            Some((inner, last)) => (Some(inner), last),
            None => (None, others),
        };
        for part in inner.into_iter().flat_map(|inner| inner.split('*')) {
            match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        if self.anchored {
            rest.ends_with(last)
        } else {
            rest.contains(last)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    QueryEncoded,
}

/// Whether the query contains delimiters, so that the two forms differ.
fn forms_differ(text: &str) -> bool {
    text.split_once('?')
        .is_some_and(|(_, query)| query.contains(['/', '?']))
}

fn upper_case_escapes(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for octet in octets(text) {
        match octet {
            Octet::Plain(byte) if byte.is_ascii() => result.push(char::from(byte)),
            Octet::Plain(byte) | Octet::Encoded(byte) => push_encoded(&mut result, byte),
        }
    }
    result
}

fn canonical(text: &str, form: Form) -> String {
    encode(text, form, false)
}

fn canonical_pattern(text: &str, form: Form) -> String {
    encode(text, form, true)
}

/// Normalizes percent-encoding. The result is ASCII; a star in it is a wildcard of a pattern.
fn encode(text: &str, form: Form, keeps_stars: bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut in_query = false;
    for octet in octets(text) {
        match octet {
            Octet::Plain(byte) | Octet::Encoded(byte) if is_unreserved(byte) => {
                result.push(char::from(byte));
            }
            Octet::Plain(b'*') if keeps_stars => result.push('*'),
            Octet::Plain(byte @ (b'/' | b'?')) if !(in_query && form == Form::QueryEncoded) => {
                result.push(char::from(byte));
                in_query |= byte == b'?';
            }
            Octet::Plain(byte @ (b'&' | b'=' | b'+')) => result.push(char::from(byte)),
            Octet::Plain(byte) | Octet::Encoded(byte) => push_encoded(&mut result, byte),
        }
    }
    result
}

/// The number of bytes of a pattern in which only characters that need encoding are encoded.
fn specificity(text: &str) -> usize {
    octets(text)
        .map(|octet| match octet {
            Octet::Plain(byte) if byte.is_ascii() => 1,
            Octet::Encoded(byte) if is_unreserved(byte) => 1,
            Octet::Plain(_) | Octet::Encoded(_) => 3,
        })
        .sum()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Octet {
    Plain(u8),
    /// Written as `%` and two hexadecimal digits.
    Encoded(u8),
}

fn octets(text: &str) -> impl Iterator<Item = Octet> {
    let mut bytes = text.as_bytes().iter().copied();
    std::iter::from_fn(move || {
        let byte = bytes.next()?;
        let mut ahead = bytes.clone();
        if byte == b'%'
            && let (Some(high), Some(low)) = (hex_digit(ahead.next()), hex_digit(ahead.next()))
        {
            bytes = ahead;
            return Some(Octet::Encoded(high << 4 | low));
        }
        Some(Octet::Plain(byte))
    })
}

fn hex_digit(byte: Option<u8>) -> Option<u8> {
    let digit = char::from(byte?).to_digit(16)?;
    u8::try_from(digit).ok()
}

/// RFC 3986, section 2.3.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn push_encoded(result: &mut String, byte: u8) {
    result.push('%');
    for nibble in [byte >> 4, byte & 0xf] {
        let digit = char::from_digit(nibble.into(), 16).unwrap_or('0');
        result.push(digit.to_ascii_uppercase());
    }
}

#[cfg(test)]
mod tests;
