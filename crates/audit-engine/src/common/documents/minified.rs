//! A lower bound for the bytes that a minifier removes from a script or style sheet.
//!
//! Only comments and white space are counted, and white space only if it has no meaning, so a minified
//! file has (almost) no waste. License comments are not counted.

use std::collections::HashMap;

use domain::score::Share;

use super::page_load::wasted_by_visit;
use crate::bounds::page::MAX_INLINE_CODE_BYTES;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::bytes::size;
use crate::dom::ElementRef;
use crate::page::ResourceKind;
use crate::site::{InlineCode, PageFacts, ResourceFacts, Site};

/// The bytes of removable comments and white space in a style sheet.
pub(crate) fn css_waste(css: &str) -> Option<usize> {
    Scan::new(css, Language::Css).waste()
}

/// The bytes of removable comments and white space in a script; `None` if it cannot be tokenized.
pub(crate) fn js_waste(js: &str) -> Option<usize> {
    Scan::new(js, Language::Js).waste()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Css,
    Js,
}

/// A scanner over the bytes. Every byte that is significant here is ASCII.
struct Scan<'a> {
    bytes: &'a [u8],
    language: Language,
    at: usize,
    waste: usize,
    /// The last byte that is not white space or part of a comment.
    last: Option<u8>,
    /// The start of the last word, to distinguish a regular expression from a division.
    word_from: usize,
    /// Whether white space follows the last byte, so the next byte starts a new word.
    fresh: bool,
    /// The brace depths at which `${` of template literals opened.
    templates: Vec<u32>,
    braces: u32,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, language: Language) -> Self {
        Self {
            bytes: text.as_bytes(),
            language,
            at: 0,
            waste: 0,
            last: None,
            word_from: 0,
            fresh: true,
            templates: Vec::new(),
            braces: 0,
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn waste(mut self) -> Option<usize> {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0C => self.space()?,
                b'/' if self.peek(1) == Some(b'*') => self.space()?,
                b'/' if self.is_js() && self.peek(1) == Some(b'/') => self.space()?,
                b'"' | b'\'' => self.string(byte)?,
                b'`' if self.is_js() => self.template()?,
                b'/' if self.is_js() && self.regex_may_begin() => self.regex()?,
                b'}' if self.is_js() && self.templates.last() == Some(&self.braces) => {
                    self.templates.pop();
                    self.template()?;
                }
                _ => self.plain(byte),
            }
        }
        self.templates.is_empty().then_some(self.waste)
    }

    fn is_js(&self) -> bool {
        self.language == Language::Js
    }

    fn plain(&mut self, byte: u8) {
        match byte {
            b'{' => self.braces = self.braces.saturating_add(1),
            b'}' => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        if self.fresh || !self.last.is_some_and(is_word) {
            self.word_from = self.at;
        }
        self.fresh = false;
        self.last = Some(byte);
        self.at += 1;
    }

    /// Skips white space and comments up to the next significant byte.
    fn space(&mut self) -> Option<()> {
        let (mut gap, mut newline) = (0, false);
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(byte), _) if byte.is_ascii_whitespace() => {
                    newline |= byte == b'\n';
                    gap += 1;
                    self.at += 1;
                }
                (Some(b'/'), Some(b'*')) => gap += self.comment(b"*/")?,
                (Some(b'/'), Some(b'/')) if self.is_js() => gap += self.comment(b"\n")?,
                _ => break,
            }
        }
        let needed = usize::from(gap > 0 && self.is_needed(newline));
        self.waste += gap.saturating_sub(needed);
        self.fresh = true;
        Some(())
    }

    /// The length of a removable comment; a license comment is not removable.
    fn comment(&mut self, end: &[u8]) -> Option<usize> {
        let rest = self.bytes.get(self.at + 2..)?;
        let inside = match rest.windows(end.len()).position(|found| found == end) {
            Some(position) => position,
            None if end == b"\n" => rest.len(),
            None => return None,
        };
        let text = rest.get(..inside)?;
        let closing = if end == b"\n" { 0 } else { end.len() };
        let length = 2 + inside + closing;
        self.at += length;
        let kept = text.starts_with(b"!")
            || text.starts_with(b"#")
            || has(text, b"@license")
            || has(text, b"@preserve")
            || has(text, b"icense")
            || has(text, b"opyright");
        Some(if kept { 0 } else { length })
    }

    /// Whether one byte of the white space is significant.
    fn is_needed(&self, newline: bool) -> bool {
        let (Some(last), Some(next)) = (self.last, self.peek(0)) else {
            return false;
        };
        match self.language {
            Language::Css => {
                !matches!(last, b'{' | b'}' | b';' | b':' | b',' | b'>')
                    && !matches!(next, b'{' | b'}' | b';' | b',' | b'>' | b'!')
            }
            Language::Js if newline => {
                !matches!(
                    last,
                    b'{' | b';' | b',' | b'(' | b'[' | b'=' | b':' | b'?' | b'&' | b'|'
                ) && !matches!(next, b';' | b',' | b')' | b']' | b'}' | b'.' | b':' | b'?')
            }
            Language::Js => is_word(last) && is_word(next) || last == next,
        }
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek(0)? {
                b'\\' => self.at += 2,
                b'\n' => return None,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.last = Some(quote);
        Some(())
    }

    /// Skips a template literal, from the backtick or the brace that ends a substitution.
    fn template(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match (self.peek(0)?, self.peek(1)) {
                (b'\\', _) => self.at += 2,
                (b'`', _) => {
                    self.at += 1;
                    self.last = Some(b'`');
                    return Some(());
                }
                (b'$', Some(b'{')) => {
                    self.at += 2;
                    self.templates.push(self.braces);
                    self.last = Some(b'{');
                    return Some(());
                }
                _ => self.at += 1,
            }
        }
    }

    fn regex_may_begin(&self) -> bool {
        match self.last {
            None => true,
            Some(last) if is_word(last) => {
                let end = self.bytes.get(self.word_from..self.at).unwrap_or_default();
                let word = end.trim_ascii();
                [
                    &b"return"[..],
                    b"typeof",
                    b"case",
                    b"in",
                    b"of",
                    b"delete",
                    b"void",
                    b"throw",
                    b"new",
                    b"else",
                    b"do",
                ]
                .contains(&word)
            }
            Some(last) => !matches!(last, b')' | b']' | b'}' | b'"' | b'\'' | b'`'),
        }
    }

    fn regex(&mut self) -> Option<()> {
        self.at += 1;
        let mut in_class = false;
        loop {
            match self.peek(0)? {
                b'\\' => self.at += 1,
                b'\n' => return None,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.last = Some(b')');
        Some(())
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn has(text: &[u8], piece: &[u8]) -> bool {
    text.windows(piece.len()).any(|found| found == piece)
}

/// The minimum saving in bytes for a finding.
const LEAST_BYTES: u64 = 2_048;

/// The bytes wasted by one visit at which a check costs its whole penalty.
const VISIT_LIMIT: u64 = 256 * 1_024;

/// What minification is judged of: files of a kind, and blocks in the markup of pages.
pub(crate) struct Minification {
    /// The kind of file.
    pub(crate) kind: ResourceKind,
    /// A smaller saving, as a share of the file, is not reported.
    pub(crate) least_percent: u64,
    /// The bytes of removable comments and white space; `None` if the text cannot be tokenized.
    pub(crate) waste: fn(&str) -> Option<usize>,
    /// The blocks of a page.
    pub(crate) inline: fn(&PageFacts) -> InlineCode,
    /// The element of the blocks.
    pub(crate) element: &'static str,
}

impl Minification {
    /// Evaluates the site's own files, and the blocks of its pages, those of one page together. The check costs as much as
    /// one visit wastes.
    pub(crate) fn evaluate(&self, site: &Site, verdicts: &mut Verdicts<'_>) {
        let (mut in_files, mut in_pages) = (HashMap::new(), HashMap::new());
        let files = site.resources.iter();
        let own = files
            .filter(|resource| resource.internal && resource.ok() && resource.kind == self.kind);
        for resource in own {
            let waste = self.file_waste(resource);
            let outcome = match waste {
                Ok(waste) => self.evaluate_waste(waste, || {
                    Evidence::here().message(format!(
                        "Comments and white space are {} percent of the file; minification would save about {} of transfer size.",
                        waste.percent,
                        size(waste.saving)
                    ))
                }),
                Err(unknown) => Outcome::CannotTell(unknown),
            };
            if verdicts.record(resource.url.as_str(), outcome) {
                in_files.insert(resource.id, waste.map_or(0, |waste| waste.saving));
            }
        }
        for page in &site.pages {
            // Pages whose blocks are too short to save anything do not dilute the share of files that fail.
            let inline = (self.inline)(page);
            if u64::from(inline.bytes) < LEAST_BYTES {
                continue;
            }
            let waste = inline_waste(page, inline);
            let element = self.element;
            let outcome = self.evaluate_waste(waste, || {
                Evidence::here()
                    .message(format!(
                        "Comments and white space are {} percent of the {element} elements of the page; minification would save about {} of transfer size.",
                        waste.percent,
                        size(waste.saving)
                    ))
                    .cause("inline", format!("Unminified {element} elements in pages"))
            });
            if verdicts.record(page.url.as_str(), outcome) {
                in_pages.insert(page.id, waste.saving);
            }
        }
        let of_page = |page: &PageFacts| in_pages.get(&page.id).copied().unwrap_or(0);
        let wasted = wasted_by_visit(site, of_page, &in_files);
        verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
    }

    /// The waste of a file, or why it is unknown.
    fn file_waste(&self, resource: &ResourceFacts) -> Result<Waste, &'static str> {
        if resource.wire_bytes < LEAST_BYTES {
            return Ok(Waste::default());
        }
        let kept = u64::try_from(resource.body.len());
        let waste = if kept == Ok(resource.bytes) {
            let text = String::from_utf8_lossy(&resource.body);
            (self.waste)(&text)
                .and_then(|waste| u64::try_from(waste).ok())
                .ok_or("The file has syntax that the engine cannot tokenize.")?
        } else {
            resource
                .waste
                .ok_or("The file is too large or has syntax that the engine cannot tokenize.")?
        };
        Ok(Waste {
            percent: share(waste, resource.bytes, 100),
            saving: share(waste, resource.bytes, resource.wire_bytes),
        })
    }

    fn evaluate_waste(&self, waste: Waste, evidence: impl FnOnce() -> Evidence) -> Outcome {
        let is_little = waste.saving < LEAST_BYTES || waste.percent < self.least_percent;
        Outcome::pass_if(is_little, evidence)
    }
}

/// What minification would save.
#[derive(Debug, Clone, Copy, Default)]
struct Waste {
    /// As a share of the file or of the blocks.
    percent: u64,
    /// In bytes of the transfer.
    saving: u64,
}

fn inline_waste(page: &PageFacts, inline: InlineCode) -> Waste {
    let waste = u64::from(inline.waste);
    Waste {
        percent: share(waste, u64::from(inline.bytes), 100),
        saving: share(waste, page.bytes, page.wire_bytes),
    }
}

/// The part of `total` that `part` is of `whole`.
fn share(part: u64, whole: u64, total: u64) -> u64 {
    total.saturating_mul(part) / whole.max(1)
}

/// The bytes and the waste of blocks of code. Blocks beyond [`MAX_INLINE_CODE_BYTES`] together, and those that
/// cannot be tokenized, are left out.
pub(crate) fn inline_code<'a>(
    blocks: impl Iterator<Item = ElementRef<'a>>,
    waste: fn(&str) -> Option<usize>,
) -> InlineCode {
    let mut texts = Vec::new();
    let mut bytes = 0;
    for block in blocks {
        let text = block.raw_text();
        bytes += text.len();
        if bytes > MAX_INLINE_CODE_BYTES {
            break;
        }
        texts.push(text);
    }
    let mut code = InlineCode::default();
    let total: usize = texts.iter().map(String::len).sum();
    // Most pages have little code, of which nothing is reported.
    if u64::try_from(total).is_ok_and(|total| total < LEAST_BYTES) {
        return code;
    }
    for text in texts {
        if let Some(waste) = waste(&text) {
            let count = |bytes| u32::try_from(bytes).unwrap_or(u32::MAX);
            code.bytes = code.bytes.saturating_add(count(text.len()));
            code.waste = code.waste.saturating_add(count(waste));
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    #[test]
    fn white_space_and_comments_are_waste() {
        assert_eq!(css_waste("a { color: red; }"), Some(4));
        assert_eq!(css_waste("/* x */a{}"), Some(7));
        assert_eq!(
            js_waste("let a = 1; // one\nlet b = 2;\n"),
            Some(2 + 1 + 6 + 1 + 2 + 1)
        );
    }

    #[test]
    fn minified_files_have_none() {
        assert_eq!(
            css_waste(
                "a .b:hover{margin:0 auto;width:calc(1px + 2px)}@media (min-width:3px) and (x){}"
            ),
            Some(0)
        );
        let js = "var a=function(b){return/[/\"']/.test(b)?typeof b:void 0},c=a in d;\nx=`q ${a+\"}\"} // w`;y=a/b/c;z=a+ +b;return /'/";
        // The line end after the semicolon, and the space before the regular expression.
        assert_eq!(js_waste(js), Some(2));
    }

    #[test]
    fn license_comments_are_not_waste() {
        assert_eq!(js_waste("/*! lib v1 */a()"), Some(0));
        assert_eq!(js_waste("/* Copyright (c) 2020 */a()"), Some(0));
        assert_eq!(css_waste("/* @license MIT */a{}"), Some(0));
        assert_eq!(js_waste("a();//# sourceMappingURL=a.js.map"), Some(0));
    }

    #[test]
    fn blocks_beyond_the_bound_are_left_out() {
        let page = |first: usize| {
            let first = "a{}".repeat(first);
            let second = "a { color : red ; }".repeat(1_000);
            Page::builder().html(&format!("<style>{first}</style><style>{second}</style>"))
        };
        let waste = |page: &Page| inline_code(page.html("style"), css_waste).waste;
        assert!(waste(&page(1)) > 0);
        assert_eq!(waste(&page(MAX_INLINE_CODE_BYTES / 3)), 0);
    }

    #[test]
    fn strings_contain_no_comments() {
        assert_eq!(js_waste("a=\"http://e.org/*\";b='//'"), Some(0));
        assert_eq!(css_waste("a{content:'/*  '}"), Some(0));
    }

    #[test]
    fn a_file_that_cannot_be_tokenized_is_not_evaluated() {
        assert_eq!(js_waste("a='x\ny"), None);
        assert_eq!(js_waste("/* x"), None);
        assert_eq!(js_waste("`x"), None);
    }
}
