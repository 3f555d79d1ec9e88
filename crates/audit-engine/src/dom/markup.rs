//! A fast path for common markup.
//!
//! Nearly all tags, texts and comments of real pages have one of a few simple forms, for which the
//! standard's character-by-character tokenizer does more work than necessary. Any other form is left to
//! html5ever: the fast path reads nothing that is or might be a parse error.

use std::borrow::Cow;

use html5ever::LocalName;

use super::reference::decoded;
use super::tag::Tag;
use super::token::{TagAttribute, TagName};

/// The maximum number of attributes of one tag. They are compared pairwise.
const MAX_ATTRIBUTES: usize = 64;

/// The input of the fast path. Its line breaks are line feeds, and it contains no NUL.
pub(super) struct Markup<'a> {
    html: &'a str,
    names: NameCache<TagName>,
    attribute_names: NameCache<LocalName>,
    /// The attributes of the last start tag.
    attributes: Vec<TagAttribute<'a>>,
    /// The names that were looked up since this list was last taken.
    pub(super) new_names: Vec<LocalName>,
}

/// A tag in its common form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UsualTag {
    pub(super) name: TagName,
    pub(super) kind: Kind,
}

/// The kind of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Start { self_closing: bool },
    End,
}

impl<'a> Markup<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self {
            html,
            names: NameCache::default(),
            attribute_names: NameCache::default(),
            attributes: Vec::new(),
            new_names: Vec::new(),
        }
    }

    /// The attributes of the last start tag.
    pub(super) fn attributes(&self) -> &[TagAttribute<'a>] {
        &self.attributes
    }

    /// Reads the tag that starts with the `<` at `at`; also returns the offset after it.
    pub(super) fn tag(&mut self, at: usize) -> Option<(UsualTag, usize)> {
        let mut cursor = Cursor {
            html: self.html,
            at: at + 1,
        };
        let is_end = cursor.eat(b'/');
        if !cursor.peek()?.is_ascii_alphabetic() {
            return None;
        }
        let written =
            cursor.take(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'));
        let name = self.names.get(written, &mut self.new_names);
        if is_end {
            cursor.skip_space();
            let kind = Kind::End;
            return cursor
                .eat(b'>')
                .then_some((UsualTag { name, kind }, cursor.at));
        }
        self.attributes.clear();
        let mut self_closing = false;
        loop {
            let spaced = cursor.skip_space();
            match cursor.peek()? {
                b'>' => break,
                b'/' => {
                    cursor.at += 1;
                    if cursor.peek()? != b'>' {
                        return None;
                    }
                    self_closing = true;
                    break;
                }
                _ if spaced => {
                    let attribute = self.attribute(&mut cursor)?;
                    let repeats = |known: &TagAttribute<'_>| known.name == attribute.name;
                    if self.attributes.len() >= MAX_ATTRIBUTES
                        || self.attributes.iter().any(repeats)
                    {
                        return None;
                    }
                    self.attributes.push(attribute);
                }
                _ => return None,
            }
        }
        let kind = Kind::Start { self_closing };
        Some((UsualTag { name, kind }, cursor.at + 1))
    }

    fn attribute(&mut self, cursor: &mut Cursor<'a>) -> Option<TagAttribute<'a>> {
        let written = cursor.take(is_in_attribute_name);
        if written.is_empty() {
            return None;
        }
        let name = self.attribute_names.get(written, &mut self.new_names);
        let before_space = cursor.at;
        cursor.skip_space();
        let value = if cursor.eat(b'=') {
            cursor.skip_space();
            self.value(cursor)?
        } else {
            cursor.at = before_space;
            Cow::Borrowed("")
        };
        Some(TagAttribute { name, value })
    }

    fn value(&self, cursor: &mut Cursor<'a>) -> Option<Cow<'a, str>> {
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
                // An error in an unquoted value, or the end of the tag.
                if !matches!(cursor.peek()?, b'>' | b' ' | b'\t' | b'\n' | b'\x0c') {
                    return None;
                }
                (start, cursor.at)
            }
        };
        self.text(start, end)
    }

    /// The text between two offsets with character references resolved; `None` if a reference has an
    /// unusual form.
    pub(super) fn text(&self, start: usize, end: usize) -> Option<Cow<'a, str>> {
        let written = self.html.get(start..end)?;
        match memchr::memchr(b'&', written.as_bytes()) {
            None => Some(Cow::Borrowed(written)),
            Some(first) => decoded(written, first).map(Cow::Owned),
        }
    }

    /// The content of a raw text element from `start` on, with the offsets of its end and after its end
    /// tag.
    pub(super) fn raw_text(&self, tag: Tag, start: usize) -> Option<(Cow<'a, str>, usize, usize)> {
        let name = match tag {
            Tag::Script => "script",
            Tag::Style => "style",
            Tag::Title => "title",
            Tag::Textarea => "textarea",
            Tag::Noscript => "noscript",
            Tag::Iframe => "iframe",
            _ => return None,
        };
        let bytes = self.html.as_bytes();
        let mut from = start;
        let end = loop {
            let found = from + memchr::memmem::find(bytes.get(from..)?, b"</")?;
            from = found + 2;
            let written = bytes.get(from..from + name.len())?;
            let next = bytes.get(from + name.len())?;
            if written.eq_ignore_ascii_case(name.as_bytes())
                && matches!(next, b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\x0c')
            {
                break found;
            }
        };
        let mut cursor = Cursor {
            html: self.html,
            at: from + name.len(),
        };
        cursor.skip_space();
        if !cursor.eat(b'>') {
            return None;
        }
        let text = match tag {
            Tag::Title | Tag::Textarea => self.text(start, end)?,
            _ => Cow::Borrowed(self.html.get(start..end)?),
        };
        // After `<!--` in a script, not every end tag ends the script.
        if tag == Tag::Script && text.contains("<!--") {
            return None;
        }
        Some((text, end, cursor.at))
    }

    /// The content of the comment that starts with the `<` at `at`, and the offset after it.
    pub(super) fn comment(&self, at: usize) -> Option<(&'a str, usize)> {
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
        Some((content, start + end + 3))
    }
}

const fn is_in_attribute_name(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'/' | b'=')
}

const fn is_in_bare_value(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'=' | b'`')
}

/// A position in the document.
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

    /// Reads ASCII bytes as long as they match.
    fn take(&mut self, is_part: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&is_part) {
            self.at += 1;
        }
        self.html.get(start..self.at).unwrap_or_default()
    }

    /// Skips white space; false if there was none.
    fn skip_space(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\x0c')) {
            self.at += 1;
        }
        self.at > start
    }
}

/// A cache of names, so that the few names that a page uses are looked up once.
struct NameCache<N> {
    known: Vec<Option<N>>,
    lower: String,
}

/// A type that names are converted to.
trait Named: Clone {
    fn from_name(name: &str) -> Self;

    fn local(&self) -> &LocalName;
}

impl Named for LocalName {
    fn from_name(name: &str) -> Self {
        Self::from(name)
    }

    fn local(&self) -> &LocalName {
        self
    }
}

impl Named for TagName {
    fn from_name(name: &str) -> Self {
        Self::new(name)
    }

    fn local(&self) -> &LocalName {
        &self.local
    }
}

impl<N: Named> NameCache<N> {
    /// A power of two.
    const SLOTS: usize = 256;

    /// The name in lower case. If it had to be looked up, it is added to `new`.
    fn get(&mut self, written: &str, new: &mut Vec<LocalName>) -> N {
        if written.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let mut lower = std::mem::take(&mut self.lower);
            lower.clear();
            lower.push_str(written);
            lower.make_ascii_lowercase();
            let name = self.lower_case(&lower, new);
            self.lower = lower;
            return name;
        }
        self.lower_case(written, new)
    }

    fn lower_case(&mut self, name: &str, new: &mut Vec<LocalName>) -> N {
        let Some(slot) = self.known.get_mut(Self::slot(name)) else {
            return N::from_name(name);
        };
        match slot {
            Some(known) if &**known.local() == name => known.clone(),
            _ => {
                let found = slot.insert(N::from_name(name));
                new.push(found.local().clone());
                found.clone()
            }
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

impl<N: Named> Default for NameCache<N> {
    fn default() -> Self {
        Self {
            known: vec![None; Self::SLOTS],
            lower: String::new(),
        }
    }
}
