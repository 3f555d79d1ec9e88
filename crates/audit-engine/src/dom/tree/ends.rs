//! End tags (HTML Standard, section 13.2.6.4).

use html5ever::local_name;

use super::super::tag::Tag;
use super::super::token::{StartTag, TagName};
use super::{Mode, Step, TreeBuilder};

impl TreeBuilder {
    pub(super) fn end_in(&mut self, mode: Mode, name: &TagName) -> Step {
        let tag = name.tag;
        let begins_body = matches!(tag, Tag::Body | Tag::Html | Tag::Br);
        match mode {
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml if begins_body || tag == Tag::Head => self.leave_before_html(),
            Mode::BeforeHead if begins_body || tag == Tag::Head => self.leave_before_head(),
            Mode::BeforeHtml | Mode::BeforeHead => self.unexpected(),
            Mode::InHead => match tag {
                Tag::Head => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                    Step::Done
                }
                Tag::Template => self.end_template(),
                _ if begins_body => self.leave_head(),
                _ => self.unexpected(),
            },
            Mode::AfterHead => match tag {
                Tag::Template => self.end_template(),
                _ if begins_body => self.leave_after_head(),
                _ => self.unexpected(),
            },
            Mode::InBody => self.end_in_body(name),
            Mode::Text => {
                self.pop();
                self.mode = self.original;
                Step::Done
            }
            Mode::InTable => self.end_in_table(name),
            Mode::InTableText => self.leave_table_text(),
            Mode::InCaption => self.end_in_caption(name),
            Mode::InColumnGroup => match tag {
                Tag::Colgroup if self.current_is(Tag::Colgroup) => {
                    self.pop();
                    self.mode = Mode::InTable;
                    Step::Done
                }
                Tag::Colgroup | Tag::Col => self.unexpected(),
                Tag::Template => self.end_template(),
                _ => self.leave_column_group(),
            },
            Mode::InTableBody => self.end_in_table_body(name),
            Mode::InRow => self.end_in_row(name),
            Mode::InCell => self.end_in_cell(name),
            Mode::InTemplate => match tag {
                Tag::Template => self.end_template(),
                _ => self.unexpected(),
            },
            Mode::AfterBody if tag == Tag::Html => {
                self.mode = Mode::AfterAfterBody;
                Step::Done
            }
            Mode::AfterBody | Mode::AfterAfterBody => {
                self.unexpected();
                self.again_in(Mode::InBody)
            }
            Mode::InFrameset if tag == Tag::Frameset && self.open.len() > 1 => {
                self.pop();
                if !self.current_is(Tag::Frameset) {
                    self.mode = Mode::AfterFrameset;
                }
                Step::Done
            }
            Mode::AfterFrameset if tag == Tag::Html => {
                self.mode = Mode::AfterAfterFrameset;
                Step::Done
            }
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => self.unexpected(),
        }
    }

    pub(super) fn end_template(&mut self) -> Step {
        if !self.has_open(Tag::Template) {
            return self.unexpected();
        }
        self.pop_while(Tag::has_implied_end_thoroughly);
        self.expect_to_close(Tag::Template);
        self.clear_formatting_to_marker();
        self.template_modes.pop();
        self.mode = self.mode_of_stack();
        Step::Done
    }

    pub(super) fn end_in_body(&mut self, name: &TagName) -> Step {
        let tag = name.tag;
        match tag {
            Tag::A
            | Tag::B
            | Tag::Big
            | Tag::Code
            | Tag::Em
            | Tag::Font
            | Tag::I
            | Tag::Nobr
            | Tag::S
            | Tag::Small
            | Tag::Strike
            | Tag::Strong
            | Tag::Tt
            | Tag::U => self.run_adoption_agency(name),
            Tag::Address
            | Tag::Article
            | Tag::Aside
            | Tag::Blockquote
            | Tag::Button
            | Tag::Center
            | Tag::Details
            | Tag::Dialog
            | Tag::Dir
            | Tag::Div
            | Tag::Dl
            | Tag::Fieldset
            | Tag::Figcaption
            | Tag::Figure
            | Tag::Footer
            | Tag::Header
            | Tag::Hgroup
            | Tag::Listing
            | Tag::Main
            | Tag::Menu
            | Tag::Nav
            | Tag::Ol
            | Tag::Pre
            | Tag::Search
            | Tag::Section
            | Tag::Select
            | Tag::Summary
            | Tag::Ul => {
                self.end_block(tag);
            }
            Tag::Applet | Tag::Marquee | Tag::Object => {
                if self.end_block(tag) {
                    self.clear_formatting_to_marker();
                }
            }
            Tag::P => {
                if !self.p_in_button_scope() {
                    self.error("No <p> tag to close");
                    self.insert_implied(Tag::P, &local_name!("p"));
                }
                self.close_p();
            }
            Tag::Li | Tag::Dd | Tag::Dt => self.end_list_item(tag),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.end_heading(tag),
            Tag::Body => {
                if self.in_scope(Tag::Body) {
                    self.check_end_of_body();
                    self.mode = Mode::AfterBody;
                } else {
                    self.error("</body> with no <body> in scope");
                }
            }
            Tag::Html => {
                if self.in_scope(Tag::Body) {
                    self.check_end_of_body();
                    return self.again_in(Mode::AfterBody);
                }
                self.error("</html> with no <body> in scope");
            }
            Tag::Form => self.end_form(),
            Tag::Br => {
                self.unexpected();
                return self.start_in_body(&StartTag {
                    name: name.clone(),
                    attributes: &[],
                    self_closing: false,
                    repeats: false,
                });
            }
            Tag::Template => return self.end_template(),
            _ => self.end_any_in_body(name),
        }
        Step::Done
    }

    /// Closes an element with all its open descendants. Returns whether it was open.
    fn end_block(&mut self, tag: Tag) -> bool {
        if !self.in_scope(tag) {
            self.unexpected();
            return false;
        }
        self.imply_ends();
        self.expect_to_close(tag);
        true
    }

    fn end_list_item(&mut self, tag: Tag) {
        let is_in_scope = if tag == Tag::Li {
            self.in_scope_by(Tag::bounds_list_scope, |open| open.tag == tag)
        } else {
            self.in_scope(tag)
        };
        if is_in_scope {
            self.imply_ends_except(tag);
            self.expect_to_close(tag);
        } else {
            self.error("No matching tag to close");
        }
    }

    fn end_heading(&mut self, tag: Tag) {
        if !self.in_scope_by(Tag::bounds_scope, |open| open.tag.is_heading()) {
            self.error("No heading tag to close");
            return;
        }
        self.imply_ends();
        if !self.current_is(tag) {
            self.error_about("Closing wrong heading tag", self.current_id());
        }
        self.pop_through(Tag::is_heading);
    }

    fn end_form(&mut self) {
        if self.has_open(Tag::Template) {
            if !self.in_scope(Tag::Form) {
                self.error("Form element not in scope on </form>");
                return;
            }
            self.imply_ends();
            if !self.current_is(Tag::Form) {
                self.error_about("Bad open element on </form>", self.current_id());
            }
            self.pop_through(|open| open == Tag::Form);
            return;
        }
        let Some(form) = self.form.take() else {
            self.error("Null form element pointer on </form>");
            return;
        };
        if !self.in_scope_by(Tag::bounds_scope, |open| open.id == form) {
            self.error("Form element not in scope on </form>");
            return;
        }
        self.imply_ends();
        let current = self.current_id();
        self.remove_from_stack(form);
        if current != Some(form) {
            self.error_about("Bad open element on </form>", current);
        }
    }

    /// "Any other end tag".
    pub(super) fn end_any_in_body(&mut self, name: &TagName) {
        let mut found = None;
        self.look_through_open();
        for (place, open) in self.open.iter().enumerate().rev() {
            if open.is_named(name, &self.arena) {
                found = Some(place);
                break;
            }
            if open.tag.is_special() {
                self.error("Found special tag while closing generic tag");
                return;
            }
        }
        let Some(place) = found else {
            self.unexpected();
            return;
        };
        self.imply_ends_except(name.tag);
        if place + 1 != self.open.len() {
            self.unexpected();
        }
        self.open.truncate(place);
    }
}
