//! The stack of open elements (HTML Standard, section 13.2.4.2).

use super::super::arena::Arena;
use super::super::limit::{Limit, MAX_OPEN_ELEMENTS};
use super::super::tag::Tag;
use super::super::token::TagName;
use super::{Mode, NodeId, TreeBuilder};

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) id: NodeId,
    pub(super) tag: Tag,
    /// The index of its local name in the arena.
    pub(super) name: u32,
}

/// What was popped from the stack.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Popped {
    /// How many elements.
    pub(super) elements: usize,
    /// The outermost of the elements that were open inside the matching one.
    pub(super) left_open: Option<NodeId>,
}

impl Open {
    /// Whether it is the HTML element with this name.
    pub(super) fn is_named(&self, name: &TagName, arena: &Arena) -> bool {
        self.tag == name.tag
            && (self.tag != Tag::Other || arena.name_at(self.name) == Some(&name.local))
    }
}

impl TreeBuilder {
    /// The tag of the current node; if the stack is empty, that of the future root element.
    pub(super) fn current(&self) -> Tag {
        self.open.last().map_or(Tag::Html, |open| open.tag)
    }

    pub(super) fn current_is(&self, tag: Tag) -> bool {
        self.current() == tag
    }

    /// Opens an element.
    pub(super) fn push(&mut self, element: Open) {
        self.open.push(element);
        if self.open.len() > MAX_OPEN_ELEMENTS {
            self.spent().reach(Limit::OpenElements);
        }
    }

    pub(super) fn pop(&mut self) {
        self.open.pop();
    }

    pub(super) fn has_open(&mut self, tag: Tag) -> bool {
        self.look_through_open();
        self.open.iter().any(|open| open.tag == tag)
    }

    /// Counts the steps of scanning all open elements.
    pub(super) fn look_through_open(&mut self) {
        self.arena.spent.take(self.open.len());
    }

    /// Removes an element from any position in the stack.
    pub(super) fn remove_from_stack(&mut self, id: NodeId) {
        self.look_through_open();
        if let Some(place) = self.open.iter().rposition(|open| open.id == id) {
            self.open.remove(place);
        }
    }

    /// Whether a matching element is in scope, that is, above the nearest element that bounds the
    /// scope.
    pub(super) fn in_scope_by(
        &mut self,
        bounds: impl Fn(Tag) -> bool,
        is_it: impl Fn(&Open) -> bool,
    ) -> bool {
        let (mut steps, mut found) = (0, false);
        #[cfg(test)]
        let mut last = None;
        for open in self.open.iter().rev() {
            steps += 1;
            #[cfg(test)]
            {
                last = Some(open.tag);
            }
            found = is_it(open);
            if found || bounds(open.tag) {
                break;
            }
        }
        self.arena.spent.take(steps);
        #[cfg(test)]
        if !found && last.is_some_and(Tag::is_annotation) {
            self.used_annotation_rule = true;
        }
        found
    }

    pub(super) fn in_scope(&mut self, tag: Tag) -> bool {
        self.in_scope_by(Tag::bounds_scope, |open| open.tag == tag)
    }

    pub(super) fn in_table_scope(&mut self, tag: Tag) -> bool {
        self.in_scope_by(Tag::bounds_table_scope, |open| open.tag == tag)
    }

    pub(super) fn p_in_button_scope(&mut self) -> bool {
        self.in_scope_by(Tag::bounds_button_scope, |open| open.tag == Tag::P)
    }

    /// Pops elements while the current node matches.
    pub(super) fn pop_while(&mut self, is_such: impl Fn(Tag) -> bool) {
        while self.open.last().is_some_and(|open| is_such(open.tag)) {
            self.open.pop();
        }
    }

    /// "Generate implied end tags".
    pub(super) fn imply_ends(&mut self) {
        self.pop_while(Tag::has_implied_end);
    }

    /// "Generate implied end tags", except for an element.
    pub(super) fn imply_ends_except(&mut self, tag: Tag) {
        self.pop_while(|open| open != tag && open.has_implied_end());
    }

    /// "Clear the stack back to" a matching element.
    pub(super) fn clear_back_to(&mut self, is_such: impl Fn(Tag) -> bool) {
        self.pop_while(|open| !is_such(open));
    }

    /// Pops elements up to and including a matching one.
    pub(super) fn pop_through(&mut self, is_it: impl Fn(Tag) -> bool) -> Popped {
        let mut popped = Popped::default();
        while let Some(open) = self.open.pop() {
            popped.elements += 1;
            if is_it(open.tag) {
                break;
            }
            popped.left_open = Some(open.id);
        }
        popped
    }

    /// The current node.
    pub(super) fn current_id(&self) -> Option<NodeId> {
        self.open.last().map(|open| open.id)
    }

    /// Pops elements up to and including one that should be the current node.
    pub(super) fn expect_to_close(&mut self, tag: Tag) {
        let popped = self.pop_through(|open| open == tag);
        if popped.elements != 1 {
            self.error_about("Unexpected open element", popped.left_open);
        }
    }

    /// "Close a p element".
    pub(super) fn close_p(&mut self) {
        self.imply_ends_except(Tag::P);
        self.expect_to_close(Tag::P);
    }

    pub(super) fn close_p_in_button_scope(&mut self) {
        if self.p_in_button_scope() {
            self.close_p();
        }
    }

    /// "Close the cell", without the change of mode.
    pub(super) fn close_cell(&mut self) {
        self.imply_ends();
        let popped = self.pop_through(Tag::is_cell);
        if popped.elements != 1 {
            let message = "expected to close <td> or <th> with cell";
            self.error_about(message, popped.left_open);
        }
        self.clear_formatting_to_marker();
    }

    /// Reports an error if an element is open that should not be at the end of the body.
    pub(super) fn check_end_of_body(&mut self) {
        self.look_through_open();
        let open = &self.open;
        if let Some(left_open) = open.iter().find(|open| !open.tag.may_be_open_at_end()) {
            let id = left_open.id;
            self.error_about("Unexpected open tag at end of body", Some(id));
        }
    }

    /// "Reset the insertion mode appropriately".
    pub(super) fn mode_of_stack(&mut self) -> Mode {
        self.look_through_open();
        for (place, open) in self.open.iter().enumerate().rev() {
            let is_last = place == 0;
            match open.tag {
                Tag::Td | Tag::Th if !is_last => return Mode::InCell,
                Tag::Tr => return Mode::InRow,
                Tag::Tbody | Tag::Thead | Tag::Tfoot => return Mode::InTableBody,
                Tag::Caption => return Mode::InCaption,
                Tag::Colgroup => return Mode::InColumnGroup,
                Tag::Table => return Mode::InTable,
                Tag::Template => {
                    return self.template_modes.last().copied().unwrap_or(Mode::InBody);
                }
                Tag::Head if !is_last => return Mode::InHead,
                Tag::Body => return Mode::InBody,
                Tag::Frameset => return Mode::InFrameset,
                Tag::Html if self.head.is_none() => return Mode::BeforeHead,
                Tag::Html => return Mode::AfterHead,
                _ => {}
            }
        }
        Mode::InBody
    }
}
