//! Tags in tables (HTML Standard, sections 13.2.6.4.9 to 13.2.6.4.15).

use html5ever::local_name;

use super::super::tag::Tag;
use super::super::token::{StartTag, TagName};
use super::stack::Open;
use super::starts::is_hidden;
use super::{Mode, Step, TreeBuilder};

impl TreeBuilder {
    pub(super) fn start_in_table(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            Tag::Caption => {
                self.clear_back_to(Tag::bounds_table_scope);
                self.push_marker();
                self.insert(tag);
                self.mode = Mode::InCaption;
                Step::Done
            }
            Tag::Colgroup => {
                self.clear_back_to(Tag::bounds_table_scope);
                self.insert(tag);
                self.mode = Mode::InColumnGroup;
                Step::Done
            }
            Tag::Col => {
                self.clear_back_to(Tag::bounds_table_scope);
                self.insert_implied(Tag::Colgroup, &local_name!("colgroup"));
                self.again_in(Mode::InColumnGroup)
            }
            Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                self.clear_back_to(Tag::bounds_table_scope);
                self.insert(tag);
                self.mode = Mode::InTableBody;
                Step::Done
            }
            Tag::Td | Tag::Th | Tag::Tr => {
                self.clear_back_to(Tag::bounds_table_scope);
                self.insert_implied(Tag::Tbody, &local_name!("tbody"));
                self.again_in(Mode::InTableBody)
            }
            Tag::Table => {
                self.unexpected();
                if !self.in_table_scope(Tag::Table) {
                    return Step::Done;
                }
                self.pop_through(|open| open == Tag::Table);
                let mode = self.mode_of_stack();
                self.again_in(mode)
            }
            Tag::Style | Tag::Script | Tag::Template => self.start_in_head(tag),
            Tag::Input => {
                self.unexpected();
                if is_hidden(tag) {
                    self.insert_void(tag);
                    return Step::Acknowledged;
                }
                self.start_fostered(tag)
            }
            Tag::Form => {
                self.unexpected();
                if self.form.is_none() && !self.has_open(Tag::Template) {
                    self.form = Some(self.insert_void(tag).id);
                }
                Step::Done
            }
            _ => {
                self.unexpected();
                self.start_fostered(tag)
            }
        }
    }

    /// Processes the tag as in the body, with foster parenting.
    fn start_fostered(&mut self, tag: &StartTag<'_, '_>) -> Step {
        self.fostering = true;
        let step = self.start_in_body(tag);
        self.fostering = false;
        step
    }

    pub(super) fn start_in_caption(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            own if own.is_part_of_table() => {
                if self.close_caption() {
                    self.again_in(Mode::InTable)
                } else {
                    Step::Done
                }
            }
            _ => self.start_in_body(tag),
        }
    }

    /// Closes the caption. Returns false, with an error, if none is open.
    fn close_caption(&mut self) -> bool {
        if !self.in_table_scope(Tag::Caption) {
            self.unexpected();
            return false;
        }
        self.imply_ends();
        self.expect_to_close(Tag::Caption);
        self.clear_formatting_to_marker();
        true
    }

    pub(super) fn start_in_table_body(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            Tag::Tr => {
                self.clear_back_to(Tag::is_table_body_context);
                self.insert(tag);
                self.mode = Mode::InRow;
                Step::Done
            }
            Tag::Th | Tag::Td => {
                self.unexpected();
                self.clear_back_to(Tag::is_table_body_context);
                self.insert_implied(Tag::Tr, &local_name!("tr"));
                self.again_in(Mode::InRow)
            }
            Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                self.leave_table_body()
            }
            _ => self.start_in_table(tag),
        }
    }

    /// Closes the open table section for content that does not belong in it.
    fn leave_table_body(&mut self) -> Step {
        let is_outer = |tag: Tag| matches!(tag, Tag::Table | Tag::Tbody | Tag::Tfoot);
        if !self.in_scope_by(Tag::bounds_table_scope, |open| is_outer(open.tag)) {
            return self.unexpected();
        }
        self.clear_back_to(Tag::is_table_body_context);
        self.pop();
        self.again_in(Mode::InTable)
    }

    pub(super) fn start_in_row(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            Tag::Th | Tag::Td => {
                self.clear_back_to(Tag::is_table_row_context);
                self.insert(tag);
                self.mode = Mode::InCell;
                self.push_marker();
                Step::Done
            }
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Tbody
            | Tag::Tfoot
            | Tag::Thead
            | Tag::Tr => self.leave_row(),
            _ => self.start_in_table(tag),
        }
    }

    /// Closes the open row for content that does not belong in it.
    fn leave_row(&mut self) -> Step {
        if !self.in_table_scope(Tag::Tr) {
            return self.unexpected();
        }
        self.clear_back_to(Tag::is_table_row_context);
        self.pop();
        self.again_in(Mode::InTableBody)
    }

    pub(super) fn start_in_cell(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            own if own.is_part_of_table() => {
                let is_cell = |open: &Open| open.tag.is_cell();
                if !self.in_scope_by(Tag::bounds_table_scope, is_cell) {
                    return self.unexpected();
                }
                self.close_cell();
                self.again_in(Mode::InRow)
            }
            _ => self.start_in_body(tag),
        }
    }

    pub(super) fn end_in_table(&mut self, name: &TagName) -> Step {
        match name.tag {
            Tag::Table => {
                if !self.in_table_scope(Tag::Table) {
                    return self.unexpected();
                }
                self.pop_through(|open| open == Tag::Table);
                self.mode = self.mode_of_stack();
                Step::Done
            }
            Tag::Body
            | Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Html
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => self.unexpected(),
            Tag::Template => self.end_template(),
            _ => {
                self.unexpected();
                self.fostering = true;
                let step = self.end_in_body(name);
                self.fostering = false;
                step
            }
        }
    }

    pub(super) fn end_in_caption(&mut self, name: &TagName) -> Step {
        match name.tag {
            Tag::Caption => {
                if self.close_caption() {
                    self.mode = Mode::InTable;
                }
                Step::Done
            }
            Tag::Table if self.close_caption() => self.again_in(Mode::InTable),
            Tag::Table => Step::Done,
            Tag::Body
            | Tag::Col
            | Tag::Colgroup
            | Tag::Html
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => self.unexpected(),
            _ => self.end_in_body(name),
        }
    }

    pub(super) fn end_in_table_body(&mut self, name: &TagName) -> Step {
        match name.tag {
            Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                if !self.in_table_scope(name.tag) {
                    return self.unexpected();
                }
                self.clear_back_to(Tag::is_table_body_context);
                self.pop();
                self.mode = Mode::InTable;
                Step::Done
            }
            Tag::Table => self.leave_table_body(),
            Tag::Body
            | Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Html
            | Tag::Td
            | Tag::Th
            | Tag::Tr => self.unexpected(),
            _ => self.end_in_table(name),
        }
    }

    pub(super) fn end_in_row(&mut self, name: &TagName) -> Step {
        match name.tag {
            Tag::Tr => {
                if !self.in_table_scope(Tag::Tr) {
                    return self.unexpected();
                }
                self.clear_back_to(Tag::is_table_row_context);
                self.pop();
                self.mode = Mode::InTableBody;
                Step::Done
            }
            Tag::Table => self.leave_row(),
            Tag::Tbody | Tag::Tfoot | Tag::Thead => {
                if !self.in_table_scope(name.tag) {
                    return self.unexpected();
                }
                if self.in_table_scope(Tag::Tr) {
                    return self.leave_row();
                }
                Step::Done
            }
            Tag::Body | Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Html | Tag::Td | Tag::Th => {
                self.unexpected()
            }
            _ => self.end_in_table(name),
        }
    }

    pub(super) fn end_in_cell(&mut self, name: &TagName) -> Step {
        let tag = name.tag;
        match tag {
            Tag::Td | Tag::Th => {
                if !self.in_table_scope(tag) {
                    return self.unexpected();
                }
                self.imply_ends();
                self.expect_to_close(tag);
                self.clear_formatting_to_marker();
                self.mode = Mode::InRow;
                Step::Done
            }
            Tag::Body | Tag::Caption | Tag::Col | Tag::Colgroup | Tag::Html => self.unexpected(),
            Tag::Table | Tag::Tbody | Tag::Tfoot | Tag::Thead | Tag::Tr => {
                if !self.in_table_scope(tag) {
                    return self.unexpected();
                }
                self.close_cell();
                self.again_in(Mode::InRow)
            }
            _ => self.end_in_body(name),
        }
    }
}
