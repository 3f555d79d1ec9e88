//! Parses a document into a tree: common markup on a fast path, everything else with html5ever's tokenizer.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    CharacterTokens, CommentToken, Doctype, DoctypeToken, EOFToken, NullCharacterToken, Tag,
    TagKind, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states,
};
use html5ever::{LocalName, TokenizerResult};

use super::Dom;
use super::extent::{self, TagExtent};
use super::limit::{Limit, MAX_ATTRIBUTES, MAX_LONG_NAMES, Spent};
use super::markup::{Kind, Markup, UsualTag};
use super::token::{Next, StartTag, TagAttribute, TagName};
use super::tree::TreeBuilder;

/// The maximum number of bytes passed to the tokenizer at once.
const STEP: usize = 8 * 1024;
/// The time limit for one document: a last resort, many times what the worst document takes to reach another
/// limit.
const BUDGET: Duration = Duration::from_secs(30);
/// The longest name that a `string_cache` atom stores inline; longer names are in a table that all pages share.
const LONGEST_SHORT_NAME: usize = 7;
/// The cost in steps of each byte that the tokenizer reads.
const STEPS_OF_BYTE: usize = 3;
/// The longest name of a raw text element is `plaintext`.
const LONGEST_RAW_NAME: usize = 16;

pub(super) fn parse(source: Arc<String>) -> Dom {
    let opts = TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    parse_with(source, opts, true)
}

/// Parses a document. The fast path changes only how long parsing takes.
fn parse_with(source: Arc<String>, opts: TokenizerOpts, fast_path: bool) -> Dom {
    let text = Arc::clone(&source);
    let html = with_line_feeds(text.strip_prefix('\u{feff}').unwrap_or(&text));
    let builder = TreeBuilder::with_room_for(&html, source);
    // Only the tokenizer handles NUL.
    let fast_path = fast_path && memchr::memchr(0, html.as_bytes()).is_none();
    let mut reader = Reader::new(&html, builder, opts, fast_path);
    reader.read();
    reader.finish()
}

/// The text after "normalize newlines" (Infra standard).
fn with_line_feeds(html: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', html.as_bytes()).is_none() {
        return Cow::Borrowed(html);
    }
    let mut text = String::with_capacity(html.len());
    for (index, part) in html.split('\r').enumerate() {
        if index == 0 {
            text.push_str(part);
        } else {
            text.push('\n');
            text.push_str(part.strip_prefix('\n').unwrap_or(part));
        }
    }
    Cow::Owned(text)
}

/// The offset of the next line feed, or the end.
fn next_line_feed(html: &str, from: usize) -> usize {
    let rest = html.as_bytes().get(from..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(html.len(), |place| from + place)
}

struct Reader<'a> {
    html: &'a str,
    at: usize,
    markup: Markup<'a>,
    /// Whether the fast path is used.
    fast_path: bool,
    /// The end of the construct of which the tokenizer has read a part; a passed offset if it has read only whole
    /// constructs.
    construct_end: usize,
    /// The distinct long names so far.
    long_names: HashSet<LocalName>,
    /// The current line, from 1.
    line: u64,
    /// The end of the current line: the offset of the next line feed.
    line_end: usize,
    tokenizer: Tokenizer<Relay>,
    queue: BufferQueue,
}

impl<'a> Reader<'a> {
    fn new(html: &'a str, builder: TreeBuilder, tokenizer: TokenizerOpts, fast_path: bool) -> Self {
        let relay = Relay {
            builder: RefCell::new(builder),
            passed_over: Cell::new(0),
            lines: Cell::new(None),
            between: Cell::new(true),
            raw: Cell::new(false),
            plain: Cell::new(false),
            has_text: Cell::new(false),
            names: RefCell::default(),
        };
        Self {
            html,
            at: 0,
            markup: Markup::new(html),
            fast_path,
            construct_end: 0,
            long_names: HashSet::new(),
            line: 1,
            line_end: next_line_feed(html, 0),
            tokenizer: Tokenizer::new(relay, tokenizer),
            queue: BufferQueue::default(),
        }
    }

    fn read(&mut self) {
        let begun = Instant::now();
        let mut asked = 0;
        while self.at < self.html.len() {
            let read = self.fast_path && self.tokenizer.sink.between.get() && self.read_fast();
            if !read {
                self.tokenize();
            }
            if self.at - asked >= STEP {
                asked = self.at;
                if begun.elapsed() > BUDGET {
                    self.spent().reach(Limit::Time);
                }
            }
            self.count_names();
            if self.spent().reached().is_some() {
                break;
            }
        }
    }

    fn spent(&mut self) -> &mut Spent {
        self.tokenizer.sink.builder.get_mut().spent()
    }

    /// Counts the names that were looked up for the last token.
    fn count_names(&mut self) {
        let names = self.tokenizer.sink.names.get_mut();
        if names.is_empty() && self.markup.new_names.is_empty() {
            return;
        }
        let found = names.drain(..).chain(self.markup.new_names.drain(..));
        self.long_names
            .extend(found.filter(|name| name.len() > LONGEST_SHORT_NAME));
        if self.long_names.len() > MAX_LONG_NAMES {
            self.spent().reach(Limit::Names);
        }
    }

    fn finish(self) -> Dom {
        let lines = (self.line, self.line);
        self.tokenizer
            .sink
            .lines
            .set(self.fast_path.then_some(lines));
        self.tokenizer.end();
        self.tokenizer.sink.builder.into_inner().finish()
    }

    /// Reads a text, a tag or a comment on the fast path, if it has a common form.
    fn read_fast(&mut self) -> bool {
        let rest = self.html.as_bytes().get(self.at..).unwrap_or_default();
        match rest {
            [b'<', b'!', ..] => match self.markup.comment(self.at) {
                Some((comment, end)) => {
                    self.pass(end);
                    self.builder_at(self.line).comment(comment);
                    true
                }
                None => self.usual_doctype(rest),
            },
            [b'<', ..] => match self.markup.tag(self.at) {
                Some((UsualTag { name, kind }, end)) => match kind {
                    Kind::End => {
                        self.pass(end);
                        self.builder_at(self.line).end_tag(&name);
                        true
                    }
                    Kind::Start { self_closing } if name.tag.is_raw() => {
                        self.raw_element(&name, self_closing, end)
                    }
                    Kind::Start { self_closing } => {
                        self.pass(end);
                        self.start_tag(name, self_closing);
                        true
                    }
                },
                None => false,
            },
            _ => {
                let length = memchr::memchr(b'<', rest).unwrap_or(rest.len());
                self.text(self.at + length)
            }
        }
    }

    /// Reads the doctype that nearly all documents start with.
    fn usual_doctype(&mut self, rest: &[u8]) -> bool {
        const USUAL: &[u8] = b"<!doctype html>";
        let is_usual = rest
            .get(..USUAL.len())
            .is_some_and(|written| written.eq_ignore_ascii_case(USUAL));
        if is_usual {
            self.pass(self.at + USUAL.len());
            self.builder_at(self.line).doctype(&Doctype {
                name: Some("html".into()),
                public_id: None,
                system_id: None,
                force_quirks: false,
            });
        }
        is_usual
    }

    /// Passes the last start tag to the tree builder.
    fn start_tag(&mut self, name: TagName, self_closing: bool) -> Next {
        let builder = self.tokenizer.sink.builder.get_mut();
        builder.at_line(self.line);
        builder.start_tag(&StartTag {
            name,
            attributes: self.markup.attributes(),
            self_closing,
            repeats: false,
        })
    }

    /// Reads a raw text element whose start tag ends at `end`.
    fn raw_element(&mut self, name: &TagName, self_closing: bool, end: usize) -> bool {
        // Checked first: the end of the element is searched only if the fast path can read it.
        if !self.tokenizer.sink.builder.get_mut().takes_raw_text() {
            return false;
        }
        let Some((text, text_end, element_end)) = self.markup.raw_text(name.tag, end) else {
            return false;
        };
        self.pass(end);
        if self.start_tag(name.clone(), self_closing) == Next::Markup {
            return true;
        }
        if !text.is_empty() {
            // A line feed counts before it is sent; the first one in a textarea is dropped.
            let is_feed = |at: usize| self.html.as_bytes().get(at) == Some(&b'\n');
            let begins = is_feed(end);
            let goes_on = begins && is_feed(end + 1) && name.tag == super::tag::Tag::Textarea;
            let first = u64::from(begins) + u64::from(goes_on);
            self.builder_at(self.line + first).text(&text);
        }
        self.pass(text_end);
        self.pass(element_end);
        self.builder_at(self.line).end_tag(name);
        true
    }

    /// Reads a text. Leading white space is sent separately: it has its own line, and in some insertion modes a
    /// different meaning.
    fn text(&mut self, end: usize) -> bool {
        let run = self.html.get(self.at..end).unwrap_or_default();
        let space = run.len() - run.trim_ascii_start().len();
        let Some(words) = self.markup.text(self.at + space, end) else {
            return false;
        };
        if space > 0
            && let Some(blank) = self.markup.text(self.at, self.at + space)
        {
            // A line feed counts before it is sent.
            let first = u64::from(run.starts_with('\n'));
            self.builder_at(self.line + first).text(&blank);
            self.pass(self.at + space);
        }
        if !words.is_empty() {
            self.builder_at(self.line).text(&words);
        }
        self.pass(end);
        true
    }

    /// Advances to `end`.
    fn pass(&mut self, end: usize) {
        let lines = self.lines_before(end);
        self.line += lines;
        let passed = end.saturating_sub(self.at);
        self.spent().take(passed / 8);
        let passed_over = &self.tokenizer.sink.passed_over;
        passed_over.set(passed_over.get() + lines);
        self.at = end;
    }

    /// The number of lines that end before `end`, counted from the previous call.
    fn lines_before(&mut self, end: usize) -> u64 {
        let mut lines = 0;
        while self.line_end < end {
            lines += 1;
            self.line_end = next_line_feed(self.html, self.line_end + 1);
        }
        lines
    }

    /// The tree builder, set to a line.
    fn builder_at(&mut self, line: u64) -> &mut TreeBuilder {
        let builder = self.tokenizer.sink.builder.get_mut();
        builder.at_line(line);
        builder
    }

    /// Passes the next part of the document to the tokenizer: a text or one markup construct. The end of a
    /// construct is found first, because the tokenizer reports nothing before it.
    fn tokenize(&mut self) {
        if self.at < self.construct_end {
            return self.feed(self.construct_end);
        }
        if self.tokenizer.sink.plain.get() {
            return self.feed(self.html.len());
        }
        let rest = self.html.get(self.at..).unwrap_or_default();
        let is_raw = self.tokenizer.sink.raw.get();
        match rest.as_bytes() {
            [b'<', b'/', ..] if is_raw => self.tokenize_raw_end(),
            [b'<', b'/', letter, ..] | [b'<', letter, ..]
                if !is_raw && letter.is_ascii_alphabetic() =>
            {
                let name = self.at + if rest.starts_with("</") { 2 } else { 1 };
                self.tokenize_tag(extent::tag(self.html, name));
            }
            [b'<', b'!' | b'?' | b'/', ..] if !is_raw => {
                let builder = self.tokenizer.sink.builder.get_mut();
                let is_foreign = builder.is_in_foreign_content();
                let end = extent::declaration_end(self.html, self.at, is_foreign);
                self.feed_construct(end);
            }
            bytes => {
                // A `<` that starts no construct is part of the following text.
                let text = bytes.get(1..).unwrap_or_default();
                let text = text.get(..STEP).unwrap_or(text);
                let length = memchr::memchr(b'<', text).unwrap_or(text.len());
                self.feed(self.at + 1 + length);
            }
        }
    }

    /// Passes a tag that starts here or earlier to the tokenizer, unless it has too many attributes.
    fn tokenize_tag(&mut self, tag: TagExtent) {
        if tag.attributes > MAX_ATTRIBUTES {
            return self.spent().reach(Limit::Attributes);
        }
        // Each attribute is compared with all earlier ones; one step covers several comparisons.
        self.spent().take(tag.attributes * tag.attributes / 16);
        self.feed_construct(tag.end);
    }

    /// Passes what may be the end tag of raw text to the tokenizer.
    fn tokenize_raw_end(&mut self) {
        // The `<` ends the raw text read so far.
        self.feed(self.at + 1);
        self.tokenizer.sink.has_text.set(false);
        let rest = self.html.as_bytes().get(self.at..).unwrap_or_default();
        let letters = rest.iter().skip(1).take(LONGEST_RAW_NAME);
        let name = letters
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let behind = self.at + 1 + name;
        let is_delimited = matches!(
            rest.get(1 + name),
            Some(b'\t' | b'\n' | b'\x0c' | b' ' | b'/' | b'>')
        );
        self.feed(behind + usize::from(is_delimited));
        // If it is a tag, it is not part of the text; raw text continues unless this was its end tag.
        let sink = &self.tokenizer.sink;
        if is_delimited && !sink.has_text.get() && sink.raw.get() {
            self.tokenize_tag(extent::rest_of_tag(self.html, self.at));
        }
    }

    fn feed_construct(&mut self, end: usize) {
        self.construct_end = end;
        self.feed(end);
    }

    /// Passes the document up to `end` to the tokenizer, or as much as it takes at once.
    fn feed(&mut self, end: usize) {
        let end = self.html.floor_char_boundary(end.min(self.at + STEP));
        let part = self.html.get(self.at..end).unwrap_or_default();
        self.spent().take(part.len() * STEPS_OF_BYTE);
        let lines = (self.line, self.line + self.lines_before(end));
        self.line = lines.1;
        self.at = end;
        self.tokenizer
            .sink
            .lines
            .set(self.fast_path.then_some(lines));
        self.tokenizer.sink.between.set(false);
        self.queue.push_back(StrTendril::from_slice(part));
        while !matches!(self.tokenizer.feed(&self.queue), TokenizerResult::Done) {}
    }
}

/// Connects the tokenizer to the tree builder.
struct Relay {
    builder: RefCell<TreeBuilder>,
    /// Lines of the document that the tokenizer has not read.
    passed_over: Cell<u64>,
    /// The first and the last line of the part that the tokenizer reads, if it reads at most one tag at a time.
    /// The tokenizer does not count all line ends itself.
    lines: Cell<Option<(u64, u64)>>,
    /// Whether the last token was a tag or a comment that ordinary markup follows. If nothing was read after its
    /// `>`, the tokenizer is in its data state and has no pending input.
    between: Cell<bool>,
    /// Whether raw text follows, in which only an end tag is markup.
    raw: Cell<bool>,
    /// Whether only text follows, up to the end of the document.
    plain: Cell<bool>,
    /// Whether there was a text since this flag was last reset.
    has_text: Cell<bool>,
    /// The names of tags and attributes since this list was last taken.
    names: RefCell<Vec<LocalName>>,
}

impl TokenSink for Relay {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        let ends = matches!(token, TagToken(_) | CommentToken(_) | DoctypeToken(_));
        match &token {
            CharacterTokens(_) | NullCharacterToken => self.has_text.set(true),
            TagToken(tag) => {
                let mut names = self.names.borrow_mut();
                names.push(tag.name.clone());
                let attributes = tag.attrs.iter();
                names.extend(attributes.map(|attribute| attribute.name.local.clone()));
            }
            _ => {}
        }
        let counted = line.saturating_add(self.passed_over.get());
        let line = match self.lines.get() {
            Some((_, last)) if ends => last,
            Some((first, last)) => counted.clamp(first, last),
            None => counted,
        };
        let mut builder = self.builder.borrow_mut();
        builder.at_line(line);
        let next = dispatch(&mut builder, token);
        let is_raw = next != Next::Markup;
        self.between.set(ends && !is_raw);
        if ends {
            self.raw.set(is_raw);
            self.plain.set(next == Next::Plaintext);
        }
        match next {
            Next::Markup => TokenSinkResult::Continue,
            Next::Rcdata => TokenSinkResult::RawData(states::Rcdata),
            Next::Rawtext => TokenSinkResult::RawData(states::Rawtext),
            Next::Script => TokenSinkResult::RawData(states::ScriptData),
            Next::Plaintext => TokenSinkResult::Plaintext,
        }
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.borrow().is_in_foreign_content()
    }
}

/// Passes a token from the tokenizer to the tree builder.
fn dispatch(builder: &mut TreeBuilder, token: Token) -> Next {
    match token {
        TagToken(tag) if tag.kind == TagKind::StartTag => return start_tag(builder, tag),
        TagToken(tag) => builder.end_tag(&TagName::new(&tag.name)),
        CharacterTokens(text) => builder.text(&text),
        NullCharacterToken => builder.null(),
        CommentToken(text) => builder.comment(&text),
        DoctypeToken(doctype) => builder.doctype(&doctype),
        EOFToken => builder.end(),
        Token::ParseError(message) => builder.tokenizer_error(message),
    }
    Next::Markup
}

fn start_tag(builder: &mut TreeBuilder, tag: Tag) -> Next {
    let attributes: Vec<_> = tag
        .attrs
        .into_iter()
        .map(|attribute| TagAttribute {
            name: attribute.name.local,
            value: Cow::Owned(String::from(&*attribute.value)),
        })
        .collect();
    builder.start_tag(&StartTag {
        name: TagName::new(&tag.name),
        attributes: &attributes,
        self_closing: tag.self_closing,
        repeats: tag.had_duplicate_attributes,
    })
}

#[cfg(test)]
mod tests;
