//! Strings of a report as values that the template sets.

use std::collections::{BTreeMap, BTreeSet};

use typst::foundations::{Array, Dict, IntoValue, Str, Value};
use unicode_segmentation::UnicodeSegmentation;

use super::fonts::PdfFonts;
use super::limits;
use super::script::{self, BidiInfluence, ScriptLanguage};
use crate::plain::plain;

/// The replacement of a character without a glyph.
const BOX: char = '□';
/// Graphemes without a space after which a line may be broken anywhere.
const LONG: usize = 20;
/// Graphemes between two such breaks.
const PIECE: usize = 6;

/// A dictionary of the template, by names.
pub(super) fn dict<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    pairs
        .into_iter()
        .map(|(key, value)| (Str::from(key), value))
        .collect::<Dict>()
        .into_value()
}

/// An array of the template.
pub(super) fn array(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect::<Array>())
}

/// Makes values of strings: what would be obeyed is shown by its number, what is too long is cut,
/// long words may be broken, and what no font has is replaced and noted.
pub(super) struct Typesetter<'a> {
    fonts: &'a PdfFonts,
    without: &'a Without,
    missing: BTreeSet<char>,
}

/// Characters that cannot be set although a font has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Without {
    /// These.
    These(BTreeSet<char>),
    /// All but ASCII.
    AllButAscii,
}

impl Without {
    fn contains(&self, character: char) -> bool {
        match self {
            Self::These(characters) => characters.contains(&character),
            Self::AllButAscii => !character.is_ascii(),
        }
    }
}

impl<'a> Typesetter<'a> {
    pub(super) const fn new(fonts: &'a PdfFonts, without: &'a Without) -> Self {
        Self {
            fonts,
            without,
            missing: BTreeSet::new(),
        }
    }

    /// The characters replaced so far, by script.
    pub(super) fn missing(&self) -> BTreeMap<&'static str, Vec<char>> {
        let mut scripts: BTreeMap<_, Vec<char>> = BTreeMap::new();
        for &character in &self.missing {
            let name = script::name(character);
            scripts.entry(name).or_default().push(character);
        }
        scripts
    }

    /// The characters replaced so far.
    pub(super) fn into_missing(self) -> BTreeSet<char> {
        self.missing
    }

    /// One line of plain text, for the document's title and where nothing but a string will do.
    pub(super) fn line(&mut self, text: &str, most: usize) -> String {
        let text = cut(text, most);
        self.drawable(&text)
    }

    /// A sentence or a name: `` `code` `` in monospace, other languages marked.
    pub(super) fn words(&mut self, text: &str, most: usize) -> Value {
        let text = self.line(text, most);
        let mut runs = Vec::new();
        for (index, part) in code_spans(&text).into_iter().enumerate() {
            if index % 2 == 1 {
                runs.push(dict([("code", breakable(part))]));
            } else {
                runs.extend(spoken(part));
            }
        }
        let base = first_language(&text).filter(|language| language.rtl);
        match (base, runs.as_slice()) {
            (None, []) => Value::Str(Str::new()),
            (None, [Value::Str(only)]) => Value::Str(only.clone()),
            _ => dict([
                ("runs", array(runs)),
                (
                    "rtl",
                    base.map_or(Value::None, |base| base.language.into_value()),
                ),
            ]),
        }
    }

    /// Paragraphs and list items, one a line.
    pub(super) fn prose(&mut self, text: &str) -> Value {
        self.blocks(text, limits::PARAGRAPHS, limits::PARAGRAPH)
    }

    /// The same where there is little room.
    pub(super) fn short_prose(&mut self, text: &str) -> Value {
        self.blocks(text, limits::SHORT_PARAGRAPHS, limits::SHORT_PARAGRAPH)
    }

    fn blocks(&mut self, text: &str, most: usize, characters: usize) -> Value {
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .take(most);
        let blocks: Vec<_> = lines
            .map(|line| {
                let item = line.strip_prefix("- ");
                let words = self.words(item.unwrap_or(line), characters);
                dict([("item", item.is_some().into_value()), ("words", words)])
            })
            .collect();
        array(blocks)
    }

    /// Code, an address or an id.
    pub(super) fn code(&mut self, text: &str, most: usize) -> Value {
        breakable(&self.line(text, most))
    }

    fn drawable(&mut self, text: &str) -> String {
        let mut drawable = String::with_capacity(text.len());
        // A joiner is set only between two characters that are.
        let mut joiner = None;
        for character in text.chars() {
            match character {
                // They choose between the forms of a character.
                '\u{fe00}'..='\u{fe0f}' => {}
                '\u{200c}' | '\u{200d}' if !drawable.ends_with([BOX, '?']) => {
                    joiner = Some(character).filter(|&joiner| self.has(joiner));
                }
                '\u{200c}' | '\u{200d}' => {}
                _ if self.has(character) => {
                    drawable.extend(joiner.take());
                    drawable.push(character);
                }
                _ => {
                    joiner = None;
                    self.missing.insert(character);
                    drawable.push(if self.has(BOX) { BOX } else { '?' });
                }
            }
        }
        drawable
    }

    fn has(&self, character: char) -> bool {
        let ascii = matches!(character, ' '..='~');
        let private = matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
        ascii || !private && self.fonts.cover(character) && !self.without.contains(character)
    }
}

/// The text on one line with so many characters at most, with nothing in it that is obeyed.
fn cut(text: &str, most: usize) -> String {
    // White space falls together, so that a little more is looked at than is shown.
    let looked_at = most.saturating_mul(2);
    let end = text.char_indices().nth(looked_at).map(|(end, _)| end);
    let head = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let line = shown(head);
    let end = line.grapheme_indices(true).nth(most).map(|(end, _)| end);
    match end.and_then(|end| line.get(..end)) {
        Some(start) => format!("{}…", start.trim_end()),
        None if head.len() < text.len() => format!("{line}…"),
        None => line,
    }
}

/// [`plain`], but for the joiners inside of words and signs that need them.
fn shown(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, joiner, tail)) = split_at_joiner(rest) {
        let joins = head.chars().next_back().is_some_and(needs_joiners)
            && tail.chars().next().is_some_and(needs_joiners);
        line.push_str(&keeping_ends(head));
        if joins {
            line.push(joiner);
        } else {
            line.extend(joiner.escape_unicode());
        }
        rest = tail;
    }
    line.push_str(&keeping_ends(rest));
    plain_spaces(&line)
}

fn split_at_joiner(text: &str) -> Option<(&str, char, &str)> {
    let (start, joiner) = text
        .char_indices()
        .find(|(_, character)| matches!(character, '\u{200c}' | '\u{200d}'))?;
    let head = text.get(..start)?;
    let tail = text.get(start + joiner.len_utf8()..)?;
    Some((head, joiner, tail))
}

/// Arabic and Indic letters, their marks, and emoji.
fn needs_joiners(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe0f}' | '\u{fe70}'..='\u{fefc}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

/// [`plain`] of a part of a line, whose white space at both ends counts.
fn keeping_ends(part: &str) -> String {
    let space = |found: bool| if found { " " } else { "" };
    let white = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r');
    let text = plain(part);
    if text.is_empty() {
        return space(!part.is_empty()).to_owned();
    }
    let (before, after) = (part.starts_with(white), part.ends_with(white));
    format!("{}{text}{}", space(before), space(after))
}

fn plain_spaces(line: &str) -> String {
    let words: Vec<_> = line.split(' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The text outside and inside of backticks by turns, beginning outside.
fn code_spans(text: &str) -> Vec<&str> {
    let parts: Vec<_> = text.split('`').collect();
    // A backtick without a partner is one, and so are two side by side.
    if parts.len() % 2 == 0 || parts.iter().skip(1).step_by(2).any(|code| code.is_empty()) {
        return vec![text];
    }
    parts
}

/// The first character that is of a script, if its language is known.
fn first_language(text: &str) -> Option<ScriptLanguage> {
    text.chars()
        .map(BidiInfluence::from_char)
        .find_map(|influence| match influence {
            BidiInfluence::Of(language) => Some(Some(language)),
            BidiInfluence::Plain => Some(None),
            BidiInfluence::None | BidiInfluence::Mark => None,
        })?
}

/// Text as strings, with the stretches in other languages marked.
fn spoken(text: &str) -> Vec<Value> {
    let mut runs = Vec::new();
    let mut run = String::new();
    let mut language = None;
    // What lies between belongs to a stretch that goes on behind it, else to none.
    let mut between = String::new();
    for character in text.chars() {
        let next = match BidiInfluence::from_char(character) {
            BidiInfluence::None => {
                between.push(character);
                continue;
            }
            BidiInfluence::Mark if between.is_empty() => language,
            BidiInfluence::Mark | BidiInfluence::Plain => None,
            BidiInfluence::Of(next) => Some(next),
        };
        if next != language {
            if language.is_none() {
                run.push_str(&std::mem::take(&mut between));
            } else {
                take_closing_brackets(&mut run, &mut between);
            }
            close(&mut runs, &std::mem::take(&mut run), language);
            if language.is_some() && next.is_some() {
                close(&mut runs, &std::mem::take(&mut between), None);
            }
            language = next;
        }
        run.push_str(&std::mem::take(&mut between));
        run.push(character);
    }
    if language.is_none() {
        run.push_str(&std::mem::take(&mut between));
    } else {
        take_closing_brackets(&mut run, &mut between);
    }
    close(&mut runs, &run, language);
    close(&mut runs, &between, None);
    runs
}

/// Moves the brackets that close what is open in the run to its end, where they belong.
fn take_closing_brackets(run: &mut String, behind: &mut String) {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('«', '»'), ('“', '”')];
    while let Some(next) = behind.chars().next() {
        let pair = PAIRS.iter().find(|(_, close)| *close == next);
        let open = pair
            .is_some_and(|(open, close)| run.matches(*open).count() > run.matches(*close).count());
        if !open {
            return;
        }
        run.push(behind.remove(0));
    }
}

fn close(runs: &mut Vec<Value>, text: &str, language: Option<ScriptLanguage>) {
    if text.is_empty() {
        return;
    }
    match language {
        None if longest_word(text) <= LONG => runs.push(text.into_value()),
        None => runs.push(dict([("pieces", breakable(text))])),
        Some(language) => runs.push(dict([
            ("pieces", breakable(text)),
            ("language", language.language.into_value()),
            ("rtl", language.rtl.into_value()),
        ])),
    }
}

fn longest_word(text: &str) -> usize {
    let words = text.split(' ');
    words
        .map(|word| word.chars().count())
        .max()
        .unwrap_or_default()
}

/// Text in pieces, between which a line may be broken: few, but for words too long for a line.
fn breakable(text: &str) -> Value {
    let mut strings = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let long = word.chars().count() > LONG;
        let parts = if long {
            split(word)
        } else {
            vec![word.to_owned()]
        };
        for (index, part) in parts.into_iter().enumerate() {
            match strings.last_mut() {
                Some(last) if index == 0 => last.push_str(&part),
                _ => strings.push(part),
            }
        }
    }
    array(strings.into_iter().map(IntoValue::into_value))
}

/// Cuts a text after the signs that join its parts, and in any case after [`PIECE`] graphemes.
fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut length = 0;
    for grapheme in text.graphemes(true) {
        part.push_str(grapheme);
        length += 1;
        let joint = matches!(
            grapheme,
            "/" | "?" | "&" | "=" | "." | "," | ";" | ":" | "-" | "_" | ">" | ")" | "]" | " "
        );
        if length >= PIECE || joint && length > 2 {
            parts.push(std::mem::take(&mut part));
            length = 0;
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests;
