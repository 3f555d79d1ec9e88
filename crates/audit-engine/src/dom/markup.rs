//! The usual markup, read at once.
//!
//! Nearly all tags, texts and comments of real pages are written in one of a few plain ways, for which the
//! standard's tokenizer, a character and a state at a time, is far more than is needed. What is written in
//! another way, however slightly, is left to html5ever: nothing that is a parse error to a tokenizer, or
//! might be, is read here.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind};
use html5ever::{Attribute, LocalName, QualName, ns};

use super::reference::decoded;

/// Elements whose contents are no markup, so that their start tags change how the tokenizer reads on.
const RAW: [&str; 10] = [
    "script",
    "style",
    "textarea",
    "title",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
];

/// Attributes of one tag. They are compared with each other.
const MAX_ATTRIBUTES: usize = 64;

/// Bytes of the document that are shared by the texts taken from them.
const WINDOW: usize = 32 * 1024;

/// A document that is read piece by piece. Its line breaks are line feeds, and it has no NUL.
pub(super) struct Markup<'a> {
    html: &'a str,
    window: StrTendril,
    window_start: usize,
    names: Names,
}

impl<'a> Markup<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self {
            html,
            window: StrTendril::new(),
            window_start: 0,
            names: Names::default(),
        }
    }

    /// The tag that begins at the `<` of this place, and the place behind it.
    pub(super) fn tag(&mut self, at: usize) -> Option<(Tag, usize)> {
        let mut cursor = Cursor {
            html: self.html,
            at: at + 1,
        };
        let kind = if cursor.eat(b'/') {
            TagKind::EndTag
        } else {
            TagKind::StartTag
        };
        if !cursor.peek()?.is_ascii_alphabetic() {
            return None;
        }
        let written =
            cursor.take(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'));
        let name = self.names.get(written);
        let mut tag = Tag {
            kind,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        };
        if kind == TagKind::EndTag {
            cursor.skip_space();
            return cursor.eat(b'>').then_some((tag, cursor.at));
        }
        if RAW.contains(&&*tag.name) {
            return None;
        }
        loop {
            let spaced = cursor.skip_space();
            match cursor.peek()? {
                b'>' => break,
                b'/' => {
                    cursor.at += 1;
                    if cursor.peek()? != b'>' {
                        return None;
                    }
                    tag.self_closing = true;
                    break;
                }
                _ if spaced => {
                    let attribute = self.attribute(&mut cursor)?;
                    let repeats = |known: &Attribute| known.name.local == attribute.name.local;
                    if tag.attrs.len() >= MAX_ATTRIBUTES || tag.attrs.iter().any(repeats) {
                        return None;
                    }
                    tag.attrs.push(attribute);
                }
                _ => return None,
            }
        }
        Some((tag, cursor.at + 1))
    }

    fn attribute(&mut self, cursor: &mut Cursor<'a>) -> Option<Attribute> {
        let written = cursor.take(is_in_attribute_name);
        if written.is_empty() {
            return None;
        }
        let local = self.names.get(written);
        let before_space = cursor.at;
        cursor.skip_space();
        let value = if cursor.eat(b'=') {
            cursor.skip_space();
            self.value(cursor)?
        } else {
            cursor.at = before_space;
            StrTendril::new()
        };
        Some(Attribute {
            name: QualName::new(None, ns!(), local),
            value,
        })
    }

    fn value(&mut self, cursor: &mut Cursor<'a>) -> Option<StrTendril> {
        let (start, end) = match cursor.peek()? {
            quote @ (b'"' | b'\'') => {
                let start = cursor.at + 1;
                let length = memchr::memchr(quote, self.html.as_bytes().get(start..)?)?;
                cursor.at = start + length + 1;
                (start, start + length)
            }
            _ => {
                let start = cursor.at;
                if cursor.take(is_in_bare_value).is_empty() {
                    return None;
                }
                // An error in a value without quotes, or the end of the tag.
                if !matches!(cursor.peek()?, b'>' | b' ' | b'\t' | b'\n' | b'\x0c') {
                    return None;
                }
                (start, cursor.at)
            }
        };
        self.text(start, end)
    }

    /// The text between two places with its character references resolved; none where one of them is
    /// not written in the usual way.
    pub(super) fn text(&mut self, start: usize, end: usize) -> Option<StrTendril> {
        let written = self.html.get(start..end)?;
        match memchr::memchr(b'&', written.as_bytes()) {
            None => Some(self.share(start, written)),
            Some(first) => decoded(written, first).map(|text| StrTendril::from_slice(&text)),
        }
    }

    /// The contents of the comment that begins at the `<` of this place, and the place behind it.
    pub(super) fn comment(&mut self, at: usize) -> Option<(StrTendril, usize)> {
        let start = at + 4;
        let rest = self
            .html
            .get(start..)
            .filter(|_| self.html.get(at..start) == Some("<!--"))?;
        if rest.starts_with('>') || rest.starts_with("->") {
            return None;
        }
        let bytes = rest.as_bytes();
        let mut from = 0;
        let end = loop {
            let found = from + memchr::memmem::find(bytes.get(from..)?, b"--")?;
            match bytes.get(found + 2)? {
                b'>' => break found,
                b'!' if bytes.get(found + 3) == Some(&b'>') => return None,
                _ => from = found + 1,
            }
        };
        let content = rest.get(..end)?;
        if content.contains("<!-") {
            return None;
        }
        Some((self.share(start, content), start + end + 3))
    }

    /// A text of the document as the parser takes it: a part of what it shares with its neighbours.
    fn share(&mut self, start: usize, text: &str) -> StrTendril {
        // As long as the tendril itself holds.
        if text.len() <= 8 {
            return StrTendril::from_slice(text);
        }
        let window_end = self.window_start + self.window.len();
        if start < self.window_start || start + text.len() > window_end {
            if text.len() > WINDOW / 4 {
                return StrTendril::from_slice(text);
            }
            let end = self.html.floor_char_boundary(start.saturating_add(WINDOW));
            self.window_start = start;
            self.window = StrTendril::from_slice(self.html.get(start..end).unwrap_or_default());
        }
        let place = u32::try_from(start - self.window_start).ok();
        let length = u32::try_from(text.len()).ok();
        place
            .zip(length)
            .and_then(|(place, length)| self.window.try_subtendril(place, length).ok())
            .unwrap_or_else(|| StrTendril::from_slice(text))
    }
}

const fn is_in_attribute_name(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'/' | b'=')
}

const fn is_in_bare_value(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'=' | b'`')
}

/// A place in the document.
struct Cursor<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.html.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let eaten = self.peek() == Some(byte);
        self.at += usize::from(eaten);
        eaten
    }

    /// What stands here, as long as the bytes are of that kind, all of which are ASCII.
    fn take(&mut self, is_part: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&is_part) {
            self.at += 1;
        }
        self.html.get(start..self.at).unwrap_or_default()
    }

    /// Whether there was any white space.
    fn skip_space(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\x0c')) {
            self.at += 1;
        }
        self.at > start
    }
}

/// The names met so far, so that the few that a page uses are not looked up again and again.
struct Names {
    known: Vec<Option<LocalName>>,
    lower: String,
}

impl Names {
    /// A power of two.
    const SLOTS: usize = 256;

    /// The name in lower case.
    fn get(&mut self, written: &str) -> LocalName {
        if written.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let mut lower = std::mem::take(&mut self.lower);
            lower.clear();
            lower.push_str(written);
            lower.make_ascii_lowercase();
            let name = self.lower_case(&lower);
            self.lower = lower;
            return name;
        }
        self.lower_case(written)
    }

    fn lower_case(&mut self, name: &str) -> LocalName {
        let Some(slot) = self.known.get_mut(Self::slot(name)) else {
            return LocalName::from(name);
        };
        match slot {
            Some(known) if **known == *name => known.clone(),
            _ => slot.insert(LocalName::from(name)).clone(),
        }
    }

    fn slot(name: &str) -> usize {
        let bytes = name.as_bytes();
        let byte = |byte: Option<&u8>| byte.copied().map_or(0, usize::from);
        let middle = byte(bytes.get(bytes.len() / 2));
        let mixed = byte(bytes.first())
            .wrapping_mul(31)
            .wrapping_add(byte(bytes.last()))
            .wrapping_mul(31)
            .wrapping_add(middle)
            .wrapping_mul(7)
            .wrapping_add(bytes.len());
        mixed % Self::SLOTS
    }
}

impl Default for Names {
    fn default() -> Self {
        Self {
            known: vec![None; Self::SLOTS],
            lower: String::new(),
        }
    }
}
