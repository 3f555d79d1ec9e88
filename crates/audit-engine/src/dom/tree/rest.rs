//! Texts, comments and the end of the document (HTML Standard, section 13.2.6.4).

use super::super::NodeId;
use super::super::tag::Tag;
use super::{Mode, Step, TreeBuilder};

/// Splits a text into its leading white space and the rest.
fn split_space(text: &str) -> (&str, &str) {
    let rest = text.trim_ascii_start();
    text.split_at(text.len() - rest.len())
}

fn is_space(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

impl TreeBuilder {
    /// Processes a text.
    pub(super) fn all_text(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            rest = self.some_text(rest);
        }
    }

    /// Processes the part of a text that the current mode handles the same way, and returns the rest.
    fn some_text<'t>(&mut self, text: &'t str) -> &'t str {
        if self.is_foreign_to_text() {
            if !is_space(text) {
                self.frameset_ok = false;
            }
            self.put_text(text);
            return "";
        }
        match self.mode {
            Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => {
                self.text_in_body(text);
                return "";
            }
            Mode::Text => {
                self.put_text(text);
                return "";
            }
            Mode::InTable | Mode::InTableBody | Mode::InRow => {
                if self.current().fosters() {
                    self.original = self.mode;
                    self.mode = Mode::InTableText;
                    return text;
                }
                self.error("Unexpected characters in table");
                self.fostering = true;
                self.text_in_body(text);
                self.fostering = false;
                return "";
            }
            Mode::InTableText => {
                self.table_text.push_str(text);
                return "";
            }
            _ => {}
        }
        // White space has a different meaning than other characters here.
        let (space, rest) = split_space(text);
        if !space.is_empty() {
            self.space_between(space);
            return rest;
        }
        let end = text.find(|character: char| character.is_ascii_whitespace());
        let (words, rest) = text.split_at(end.unwrap_or(text.len()));
        if self.characters_between() == Step::Again {
            self.all_text(words);
        }
        rest
    }

    fn text_in_body(&mut self, text: &str) {
        self.reconstruct_formatting();
        if self.frameset_ok && !is_space(text) {
            self.frameset_ok = false;
        }
        self.put_text(text);
    }

    /// White space before or inside the head, or after the body.
    fn space_between(&mut self, space: &str) {
        match self.mode {
            Mode::InHead
            | Mode::AfterHead
            | Mode::InColumnGroup
            | Mode::InFrameset
            | Mode::AfterFrameset => {
                self.put_text(space);
            }
            Mode::AfterBody | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.text_in_body(space);
            }
            _ => {}
        }
    }

    /// Other characters in such a position. A NUL outside of tables, and the end before the body, are
    /// handled the same way.
    fn characters_between(&mut self) -> Step {
        match self.mode {
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml => self.leave_before_html(),
            Mode::BeforeHead => self.leave_before_head(),
            Mode::InHead => self.leave_head(),
            Mode::AfterHead => self.leave_after_head(),
            Mode::InColumnGroup => self.leave_column_group(),
            Mode::AfterBody | Mode::AfterAfterBody => {
                self.unexpected();
                self.again_in(Mode::InBody)
            }
            _ => self.unexpected(),
        }
    }

    /// Inserts the pending table character tokens before processing another token.
    pub(super) fn leave_table_text(&mut self) -> Step {
        let text = std::mem::take(&mut self.table_text);
        if is_space(&text) {
            if !text.is_empty() {
                self.put_text(&text);
            }
        } else {
            self.error("Non-space table text");
            self.fostering = true;
            self.text_in_body(&text);
            self.fostering = false;
        }
        self.again_in(self.original)
    }

    pub(super) fn some_null(&mut self) -> Step {
        if self.is_foreign_to_text() {
            self.unexpected();
            return self.put_text("\u{fffd}");
        }
        match self.mode {
            Mode::InTable | Mode::InTableBody | Mode::InRow if self.current().fosters() => {
                self.original = self.mode;
                self.again_in(Mode::InTableText)
            }
            Mode::InTable | Mode::InTableBody | Mode::InRow => {
                self.error("Unexpected characters in table");
                self.unexpected()
            }
            _ => self.characters_between(),
        }
    }

    pub(super) fn comment_in(&mut self, mode: Mode, text: &str) -> Step {
        if self.is_in_foreign_content() {
            return self.put_comment(text, None);
        }
        match mode {
            Mode::Initial | Mode::BeforeHtml | Mode::AfterAfterBody | Mode::AfterAfterFrameset => {
                self.put_comment(text, Some(NodeId::DOCUMENT))
            }
            Mode::AfterBody => {
                let root = self.open.first().map(|root| root.id);
                self.put_comment(text, root)
            }
            Mode::InTableText => self.leave_table_text(),
            _ => self.put_comment(text, None),
        }
    }

    pub(super) fn end_of_file_in(&mut self, mode: Mode) -> Step {
        match mode {
            Mode::Initial
            | Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::AfterHead => self.characters_between(),
            Mode::Text => {
                self.unexpected();
                self.pop();
                self.again_in(self.original)
            }
            Mode::InTableText => self.leave_table_text(),
            Mode::InTemplate => self.end_of_file_in_template(),
            Mode::InBody
            | Mode::InTable
            | Mode::InCaption
            | Mode::InColumnGroup
            | Mode::InTableBody
            | Mode::InRow
            | Mode::InCell => {
                if self.template_modes.is_empty() {
                    self.check_end_of_body();
                    Step::Done
                } else {
                    self.end_of_file_in_template()
                }
            }
            Mode::InFrameset => {
                if self.open.len() == 1 {
                    Step::Done
                } else {
                    self.unexpected()
                }
            }
            Mode::AfterBody
            | Mode::AfterFrameset
            | Mode::AfterAfterBody
            | Mode::AfterAfterFrameset => Step::Done,
        }
    }

    fn end_of_file_in_template(&mut self) -> Step {
        if !self.has_open(Tag::Template) {
            return Step::Done;
        }
        self.unexpected();
        self.pop_through(|open| open == Tag::Template);
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        let mode = self.mode_of_stack();
        self.again_in(mode)
    }
}
