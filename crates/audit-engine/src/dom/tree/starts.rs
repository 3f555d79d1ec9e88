//! Start tags (HTML Standard, section 13.2.6.4).

use html5ever::local_name;

use super::super::Quirks;
use super::super::node::Namespace;
use super::super::tag::Tag;
use super::super::token::{Next, StartTag, TagName};
use super::{Mode, Step, TreeBuilder};

impl TreeBuilder {
    pub(super) fn start_in(&mut self, mode: Mode, tag: &StartTag<'_, '_>) -> Step {
        match mode {
            Mode::Initial => self.leave_initial(),
            Mode::BeforeHtml if tag.name.tag == Tag::Html => {
                self.insert_root(tag.attributes);
                self.mode = Mode::BeforeHead;
                Step::Done
            }
            Mode::BeforeHtml => self.leave_before_html(),
            Mode::BeforeHead => match tag.name.tag {
                Tag::Html => self.start_in_body(tag),
                Tag::Head => {
                    self.head = Some(self.insert(tag));
                    self.mode = Mode::InHead;
                    Step::Done
                }
                _ => self.leave_before_head(),
            },
            Mode::InHead => self.start_in_head(tag),
            Mode::AfterHead => self.start_after_head(tag),
            Mode::InBody => self.start_in_body(tag),
            // In text mode the tokenizer emits no start tags.
            Mode::Text => Step::Done,
            Mode::InTable => self.start_in_table(tag),
            Mode::InTableText => self.leave_table_text(),
            Mode::InCaption => self.start_in_caption(tag),
            Mode::InColumnGroup => match tag.name.tag {
                Tag::Html => self.start_in_body(tag),
                Tag::Col => {
                    self.insert_void(tag);
                    Step::Acknowledged
                }
                Tag::Template => self.start_in_head(tag),
                _ => self.leave_column_group(),
            },
            Mode::InTableBody => self.start_in_table_body(tag),
            Mode::InRow => self.start_in_row(tag),
            Mode::InCell => self.start_in_cell(tag),
            Mode::InTemplate => self.start_in_template(tag),
            Mode::AfterBody | Mode::AfterAfterBody => match tag.name.tag {
                Tag::Html => self.start_in_body(tag),
                _ => {
                    self.unexpected();
                    self.again_in(Mode::InBody)
                }
            },
            Mode::InFrameset => match tag.name.tag {
                Tag::Html => self.start_in_body(tag),
                Tag::Frameset => {
                    self.insert(tag);
                    Step::Done
                }
                Tag::Frame => {
                    self.insert_void(tag);
                    Step::Acknowledged
                }
                Tag::Noframes => self.start_in_head(tag),
                _ => self.unexpected(),
            },
            Mode::AfterFrameset | Mode::AfterAfterFrameset => match tag.name.tag {
                Tag::Html => self.start_in_body(tag),
                Tag::Noframes => self.start_in_head(tag),
                _ => self.unexpected(),
            },
        }
    }

    pub(super) fn leave_initial(&mut self) -> Step {
        self.unexpected();
        self.quirks = Quirks::Full;
        self.again_in(Mode::BeforeHtml)
    }

    pub(super) fn leave_before_html(&mut self) -> Step {
        self.insert_root(&[]);
        self.again_in(Mode::BeforeHead)
    }

    pub(super) fn leave_before_head(&mut self) -> Step {
        self.head = Some(self.insert_implied(Tag::Head, &local_name!("head")));
        self.again_in(Mode::InHead)
    }

    pub(super) fn leave_head(&mut self) -> Step {
        self.pop();
        self.again_in(Mode::AfterHead)
    }

    pub(super) fn leave_after_head(&mut self) -> Step {
        self.insert_implied(Tag::Body, &local_name!("body"));
        self.again_in(Mode::InBody)
    }

    pub(super) fn leave_column_group(&mut self) -> Step {
        if !self.current_is(Tag::Colgroup) {
            return self.unexpected();
        }
        self.pop();
        self.again_in(Mode::InTable)
    }

    pub(super) fn start_in_head(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            Tag::Html => self.start_in_body(tag),
            Tag::Base | Tag::Basefont | Tag::Bgsound | Tag::Link | Tag::Meta => {
                self.insert_void(tag);
                Step::Acknowledged
            }
            Tag::Title => self.insert_raw(tag, Next::Rcdata),
            Tag::Noframes | Tag::Style | Tag::Noscript => self.insert_raw(tag, Next::Rawtext),
            Tag::Script => self.insert_raw(tag, Next::Script),
            Tag::Template => {
                self.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                self.insert(tag);
                Step::Done
            }
            Tag::Head => self.unexpected(),
            _ => self.leave_head(),
        }
    }

    fn start_after_head(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            Tag::Html => self.start_in_body(tag),
            Tag::Body => {
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Step::Done
            }
            Tag::Frameset => {
                self.insert(tag);
                self.mode = Mode::InFrameset;
                Step::Done
            }
            own if own.belongs_in_head() => {
                self.unexpected();
                let Some(head) = self.head else {
                    return Step::Done;
                };
                self.push(head);
                let step = self.start_in_head(tag);
                self.remove_from_stack(head.id);
                step
            }
            Tag::Head => self.unexpected(),
            _ => self.leave_after_head(),
        }
    }

    pub(super) fn start_in_body(&mut self, tag: &StartTag<'_, '_>) -> Step {
        match tag.name.tag {
            // By far the most frequent elements come first, unlike in the standard.
            Tag::Span | Tag::Other => self.insert_ordinary(tag),
            Tag::Div
            | Tag::P
            | Tag::Ul
            | Tag::Address
            | Tag::Article
            | Tag::Aside
            | Tag::Blockquote
            | Tag::Center
            | Tag::Details
            | Tag::Dialog
            | Tag::Dir
            | Tag::Dl
            | Tag::Fieldset
            | Tag::Figcaption
            | Tag::Figure
            | Tag::Footer
            | Tag::Header
            | Tag::Hgroup
            | Tag::Main
            | Tag::Menu
            | Tag::Nav
            | Tag::Ol
            | Tag::Search
            | Tag::Section
            | Tag::Summary => {
                self.close_p_in_button_scope();
                self.insert(tag);
                Step::Done
            }
            Tag::A => {
                self.close_link(&tag.name);
                self.reconstruct_formatting();
                self.insert_formatting(tag)
            }
            Tag::B
            | Tag::Big
            | Tag::Code
            | Tag::Em
            | Tag::Font
            | Tag::I
            | Tag::S
            | Tag::Small
            | Tag::Strike
            | Tag::Strong
            | Tag::Tt
            | Tag::U => {
                self.reconstruct_formatting();
                self.insert_formatting(tag)
            }
            Tag::Nobr => self.start_nobr(tag),
            Tag::Li | Tag::Dd | Tag::Dt => self.start_list_item(tag),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                self.close_p_in_button_scope();
                if self.current().is_heading() {
                    self.error_about("nested heading tags", self.current_id());
                    self.pop();
                }
                self.insert(tag);
                Step::Done
            }
            Tag::Html => {
                self.unexpected();
                if !self.has_open(Tag::Template)
                    && let Some(root) = self.open.first().copied()
                {
                    self.arena.add_missing_attributes(root.id, tag.attributes);
                }
                Step::Done
            }
            own if own.belongs_in_head() => self.start_in_head(tag),
            Tag::Body => self.start_second_body(tag),
            Tag::Frameset => self.start_frameset_in_body(tag),
            Tag::Pre | Tag::Listing => {
                self.close_p_in_button_scope();
                self.insert(tag);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
                Step::Done
            }
            Tag::Form => self.start_form(tag),
            Tag::Plaintext => {
                self.close_p_in_button_scope();
                self.insert(tag);
                Step::Then(Next::Plaintext)
            }
            Tag::Button => {
                if self.in_scope(Tag::Button) {
                    let mut open = self.open.iter().rev();
                    let outer = open
                        .find(|open| open.tag == Tag::Button)
                        .map(|open| open.id);
                    self.error_about("nested buttons", outer);
                    self.imply_ends();
                    self.pop_through(|open| open == Tag::Button);
                }
                self.reconstruct_formatting();
                self.insert(tag);
                self.frameset_ok = false;
                Step::Done
            }
            Tag::Applet | Tag::Marquee | Tag::Object => {
                self.reconstruct_formatting();
                self.insert(tag);
                self.push_marker();
                self.frameset_ok = false;
                Step::Done
            }
            Tag::Table => {
                if self.quirks != Quirks::Full {
                    self.close_p_in_button_scope();
                }
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
                Step::Done
            }
            Tag::Area | Tag::Br | Tag::Embed | Tag::Img | Tag::Keygen | Tag::Wbr => {
                self.reconstruct_formatting();
                self.insert_void(tag);
                self.frameset_ok = false;
                Step::Acknowledged
            }
            Tag::Input => {
                if self.in_scope(Tag::Select) {
                    self.unexpected();
                    self.pop_through(|open| open == Tag::Select);
                }
                self.reconstruct_formatting();
                self.insert_void(tag);
                if !is_hidden(tag) {
                    self.frameset_ok = false;
                }
                Step::Acknowledged
            }
            Tag::Param | Tag::Source | Tag::Track => {
                self.insert_void(tag);
                Step::Acknowledged
            }
            Tag::Hr => {
                self.close_p_in_button_scope();
                if self.in_scope(Tag::Select) {
                    self.imply_ends();
                    self.no_option_in_scope("hr in option");
                }
                self.insert_void(tag);
                self.frameset_ok = false;
                Step::Acknowledged
            }
            Tag::Image => {
                self.unexpected();
                let name = TagName::new("img");
                self.start_in_body(&StartTag {
                    name,
                    ..tag.clone()
                })
            }
            Tag::Textarea => {
                let step = self.insert_raw(tag, Next::Rcdata);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
                step
            }
            Tag::Xmp => {
                self.close_p_in_button_scope();
                self.reconstruct_formatting();
                self.frameset_ok = false;
                self.insert_raw(tag, Next::Rawtext)
            }
            Tag::Iframe => {
                self.frameset_ok = false;
                self.insert_raw(tag, Next::Rawtext)
            }
            // As in browsers with scripting enabled.
            Tag::Noembed | Tag::Noscript => self.insert_raw(tag, Next::Rawtext),
            Tag::Select => {
                if self.in_scope(Tag::Select) {
                    self.unexpected();
                    self.pop_through(|open| open == Tag::Select);
                } else {
                    self.reconstruct_formatting();
                    self.insert(tag);
                    self.frameset_ok = false;
                }
                Step::Done
            }
            Tag::Option => {
                if self.in_scope(Tag::Select) {
                    self.imply_ends_except(Tag::Optgroup);
                    if self.in_scope(Tag::Option) {
                        self.error("nested options");
                    }
                } else if self.current_is(Tag::Option) {
                    self.pop();
                }
                self.insert_ordinary(tag)
            }
            Tag::Optgroup => {
                if self.in_scope(Tag::Select) {
                    self.imply_ends();
                    self.no_option_in_scope("nested options");
                } else if self.current_is(Tag::Option) {
                    self.pop();
                }
                self.insert_ordinary(tag)
            }
            Tag::Rb | Tag::Rtc => {
                if self.in_scope(Tag::Ruby) {
                    self.imply_ends();
                }
                if !self.current_is(Tag::Ruby) {
                    self.unexpected();
                }
                self.insert(tag);
                Step::Done
            }
            Tag::Rp | Tag::Rt => {
                if self.in_scope(Tag::Ruby) {
                    self.imply_ends_except(Tag::Rtc);
                }
                if !matches!(self.current(), Tag::Rtc | Tag::Ruby) {
                    self.unexpected();
                }
                self.insert(tag);
                Step::Done
            }
            Tag::Math => {
                self.reconstruct_formatting();
                self.insert_foreign(tag, Namespace::MathMl)
            }
            Tag::Svg => {
                self.reconstruct_formatting();
                self.insert_foreign(tag, Namespace::Svg)
            }
            Tag::Caption
            | Tag::Col
            | Tag::Colgroup
            | Tag::Frame
            | Tag::Head
            | Tag::Tbody
            | Tag::Td
            | Tag::Tfoot
            | Tag::Th
            | Tag::Thead
            | Tag::Tr => self.unexpected(),
            _ => self.insert_ordinary(tag),
        }
    }

    /// Any other start tag.
    fn insert_ordinary(&mut self, tag: &StartTag<'_, '_>) -> Step {
        self.reconstruct_formatting();
        self.insert(tag);
        Step::Done
    }

    fn no_option_in_scope(&mut self, message: &'static str) {
        if self.in_scope(Tag::Option) || self.in_scope(Tag::Optgroup) {
            self.error(message);
        }
    }

    fn start_nobr(&mut self, tag: &StartTag<'_, '_>) -> Step {
        self.reconstruct_formatting();
        if self.in_scope(Tag::Nobr) {
            self.error("Nested <nobr>");
            self.run_adoption_agency(&tag.name);
            self.reconstruct_formatting();
        }
        self.insert_formatting(tag)
    }

    /// A list item closes the previous one.
    fn start_list_item(&mut self, tag: &StartTag<'_, '_>) -> Step {
        self.frameset_ok = false;
        let is_li = tag.name.tag == Tag::Li;
        let ends = |open: Tag| match open {
            Tag::Li => is_li,
            Tag::Dd | Tag::Dt => !is_li,
            _ => false,
        };
        let bounds =
            |open: Tag| open.is_special() && !matches!(open, Tag::Address | Tag::Div | Tag::P);
        let mut steps = 0;
        let tags = self.open.iter().rev().map(|open| open.tag);
        let found = tags
            .inspect(|_| steps += 1)
            .find(|open| ends(*open) || bounds(*open));
        self.arena.spent.take(steps);
        if let Some(item) = found.filter(|open| ends(*open)) {
            self.imply_ends_except(item);
            self.expect_to_close(item);
        }
        self.close_p_in_button_scope();
        self.insert(tag);
        Step::Done
    }

    fn start_second_body(&mut self, tag: &StartTag<'_, '_>) -> Step {
        self.unexpected();
        let body = self.open.get(1).copied();
        if let Some(body) = body.filter(|body| body.tag == Tag::Body)
            && !self.has_open(Tag::Template)
        {
            self.frameset_ok = false;
            self.arena.add_missing_attributes(body.id, tag.attributes);
        }
        Step::Done
    }

    fn start_frameset_in_body(&mut self, tag: &StartTag<'_, '_>) -> Step {
        self.unexpected();
        let body = self.open.get(1).copied();
        if let Some(body) = body.filter(|body| body.tag == Tag::Body && self.frameset_ok) {
            self.arena.detach(body.id);
            self.open.truncate(1);
            self.insert(tag);
            self.mode = Mode::InFrameset;
        }
        Step::Done
    }

    fn start_form(&mut self, tag: &StartTag<'_, '_>) -> Step {
        let in_template = self.has_open(Tag::Template);
        if self.form.is_some() && !in_template {
            self.error_about("nested forms", self.form);
            return Step::Done;
        }
        self.close_p_in_button_scope();
        let form = self.insert(tag);
        if !in_template {
            self.form = Some(form.id);
        }
        Step::Done
    }

    fn start_in_template(&mut self, tag: &StartTag<'_, '_>) -> Step {
        let mode = match tag.name.tag {
            own if own.belongs_in_head() => return self.start_in_head(tag),
            Tag::Caption | Tag::Colgroup | Tag::Tbody | Tag::Tfoot | Tag::Thead => Mode::InTable,
            Tag::Col => Mode::InColumnGroup,
            Tag::Tr => Mode::InTableBody,
            Tag::Td | Tag::Th => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.again_in(mode)
    }
}

/// Whether an `input` has the type `hidden`.
pub(super) fn is_hidden(tag: &StartTag<'_, '_>) -> bool {
    tag.attribute("type")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
}
