//! Tree construction (HTML Standard, section 13.2.6).
//!
//! Errors use html5ever's wording, because its tokenizer reports some of them and tests compare this tree
//! builder with html5ever's.

mod doctype;
mod ends;
mod foreign;
mod formatting;
mod insertion;
mod rest;
mod stack;
mod starts;
mod tables;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::arena::Arena;
use super::limit::Spent;
use super::token::{Next, StartTag, TagName};
use super::{Doctype, Dom, NodeId, ParseError, Quirks};
use crate::bounds::page::MAX_PARSE_ERRORS;
pub(super) use doctype::quirks_of;
use formatting::Entry;
use stack::Open;

/// The cost in steps of any token.
const STEPS_OF_TOKEN: usize = 24;

/// The cost in steps of reporting an error.
const STEPS_OF_ERROR: usize = 48;

const UNEXPECTED: &str = "Unexpected token";

/// Insertion modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// The result of processing a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Done,
    /// Done, and a self-closing tag was acknowledged.
    Acknowledged,
    /// Process the token again in the new mode.
    Again,
    /// Done, and raw text follows.
    Then(Next),
}

/// A document whose tree is being built.
#[derive(Debug)]
pub(super) struct TreeBuilder {
    arena: Arena,
    errors: Vec<ParseError>,
    error_count: u64,
    duplicate_attributes: Vec<NodeId>,
    doctype: Option<Doctype>,
    quirks: Quirks,
    line: u32,
    mode: Mode,
    /// The mode to return to after text.
    original: Mode,
    template_modes: Vec<Mode>,
    open: Vec<Open>,
    formatting: Vec<Entry>,
    head: Option<Open>,
    form: Option<NodeId>,
    frameset_ok: bool,
    ignore_line_feed: bool,
    fostering: bool,
    table_text: String,
    /// Whether a rule for `annotation-xml` that html5ever lacks was used, so that its tree may differ.
    #[cfg(test)]
    used_annotation_rule: bool,
}

impl TreeBuilder {
    /// An empty document, with capacity for parsing `html`, which was derived from the source.
    pub(super) fn with_room_for(html: &str, source: Arc<String>) -> Self {
        Self {
            arena: Arena::with_room_for(html, source),
            errors: Vec::new(),
            error_count: 0,
            duplicate_attributes: Vec::new(),
            doctype: None,
            quirks: Quirks::None,
            line: 1,
            mode: Mode::Initial,
            original: Mode::Initial,
            template_modes: Vec::new(),
            open: Vec::new(),
            formatting: Vec::new(),
            head: None,
            form: None,
            frameset_ok: true,
            ignore_line_feed: false,
            fostering: false,
            table_text: String::new(),
            #[cfg(test)]
            used_annotation_rule: false,
        }
    }

    /// The resources used so far. After a limit was reached, tree construction has ended and further tokens have
    /// no effect.
    pub(super) fn spent(&mut self) -> &mut Spent {
        &mut self.arena.spent
    }

    /// Whether a limit was reached.
    fn is_full(&self) -> bool {
        self.arena.spent.reached().is_some()
    }

    /// Counts the steps of a token. Returns false if a limit was reached.
    fn takes_token(&mut self) -> bool {
        self.arena.spent.take(STEPS_OF_TOKEN);
        !self.is_full()
    }

    /// Sets the source line of the next token, from 1.
    pub(super) fn at_line(&mut self, line: u64) {
        self.line = u32::try_from(line).unwrap_or(u32::MAX);
    }

    /// Whether the current node is an element of SVG or MathML.
    pub(super) fn is_in_foreign_content(&self) -> bool {
        self.open.last().is_some_and(|open| open.tag.is_foreign())
    }

    /// Whether a start tag such as `title` or `script` would start raw text here. It does not in SVG and MathML,
    /// and in framesets, which ignore such tags.
    pub(super) fn takes_raw_text(&self) -> bool {
        let is_among_frames = matches!(
            self.mode,
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset
        );
        !is_among_frames && !self.is_in_foreign_content()
    }

    /// Returns the tree at the end of the document.
    pub(super) fn finish(self) -> Dom {
        Dom {
            arena: self.arena.settled(),
            errors: self.errors,
            error_count: self.error_count,
            duplicate_attributes: self.duplicate_attributes,
            doctype: self.doctype,
            quirks: self.quirks,
            scopes: Vec::new(),
            places: OnceLock::new(),
            repeated: OnceLock::new(),
            #[cfg(test)]
            used_annotation_rule: self.used_annotation_rule,
        }
    }

    /// Records a parse error.
    pub(super) fn error(&mut self, message: impl Into<Cow<'static, str>>) {
        self.error_about(message, None);
    }

    /// Records a parse error and the element that it is about.
    pub(super) fn error_about(
        &mut self,
        message: impl Into<Cow<'static, str>>,
        element: Option<NodeId>,
    ) {
        self.error_count = self.error_count.saturating_add(1);
        if self.errors.len() < MAX_PARSE_ERRORS {
            self.errors.push(ParseError {
                line: self.line,
                message: message.into(),
                element,
            });
        }
    }

    /// Records a parse error of the tokenizer.
    pub(super) fn tokenizer_error(&mut self, message: Cow<'static, str>) {
        self.ignore_line_feed = false;
        self.arena.spent.take(STEPS_OF_ERROR);
        self.error(message);
    }

    fn unexpected(&mut self) -> Step {
        self.error(UNEXPECTED);
        Step::Done
    }

    fn again_in(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Step::Again
    }

    /// Processes a start tag.
    pub(super) fn start_tag(&mut self, tag: &StartTag<'_, '_>) -> Next {
        self.ignore_line_feed = false;
        if !self.takes_token() {
            return Next::Markup;
        }
        loop {
            let step = if self.is_foreign_to_start(&tag.name) {
                self.start_in_foreign_content(tag)
            } else {
                self.start_in(self.mode, tag)
            };
            match step {
                Step::Done if tag.self_closing => {
                    self.error_about("Unacknowledged self-closing tag", self.current_id());
                    return Next::Markup;
                }
                Step::Done | Step::Acknowledged => return Next::Markup,
                Step::Then(next) => return next,
                Step::Again => {}
            }
        }
    }

    /// Processes an end tag.
    pub(super) fn end_tag(&mut self, name: &TagName) {
        self.ignore_line_feed = false;
        if !self.takes_token() {
            return;
        }
        loop {
            let step = if self.is_in_foreign_content() {
                self.end_in_foreign_content(name)
            } else {
                self.end_in(self.mode, name)
            };
            if step != Step::Again {
                return;
            }
        }
    }

    /// Processes a text, of which more may follow.
    pub(super) fn text(&mut self, text: &str) {
        let ignores = std::mem::take(&mut self.ignore_line_feed);
        if !self.takes_token() {
            return;
        }
        match text.strip_prefix('\n') {
            Some(rest) if ignores => self.all_text(rest),
            _ => self.all_text(text),
        }
    }

    /// Processes a NUL that the tokenizer emitted.
    pub(super) fn null(&mut self) {
        self.ignore_line_feed = false;
        if self.takes_token() {
            while self.some_null() == Step::Again {}
        }
    }

    /// Processes a comment.
    pub(super) fn comment(&mut self, text: &str) {
        self.ignore_line_feed = false;
        if self.takes_token() {
            while self.comment_in(self.mode, text) == Step::Again {}
        }
    }

    /// Processes the end of the document.
    pub(super) fn end(&mut self) {
        self.ignore_line_feed = false;
        // A tree that ended at a limit still gets a root, a head and a body.
        while self.end_of_file_in(self.mode) == Step::Again {}
    }
}
