//! Which inline elements stand in a text: the text around them, up to the next break.

use crate::aria::AccessTree;
use crate::dom::{Dom, ElementRef, NodeData, NodeId};
use crate::layout::{Clips, Flow, Layout};

/// The roles of controls of one part, which pointers hit (WAI-ARIA 1.2, section 5.3.2).
pub(crate) const CONTROL_ROLES: [&str; 20] = [
    "button",
    "checkbox",
    "combobox",
    "gridcell",
    "link",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "progressbar",
    "radio",
    "scrollbar",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
];

/// Whether the element is a control by its role.
pub(crate) fn is_control(tree: &AccessTree<'_>, element: ElementRef<'_>) -> bool {
    let role = tree.role(element);
    role.is_some_and(|role| role.is_any(&CONTROL_ROLES) || role.is_link())
}

/// The texts of a page between breaks: the beginnings and ends of blocks, and `br`.
#[derive(Debug)]
pub(crate) struct TextBlocks {
    pieces: Vec<Piece>,
    /// The piece in which an element begins, by its index.
    of: Vec<usize>,
}

/// A text between two breaks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Piece {
    /// The length of the visible text that is not in a control.
    pub(crate) text: Length,
    /// The length of the visible text in controls.
    pub(crate) in_controls: Length,
    /// The element that holds a text that is not in a control: the block, if it has one, else that of the first.
    pub(crate) beside: Option<NodeId>,
    /// The block around it.
    pub(crate) block: Option<NodeId>,
}

/// What is still to be read.
enum Next {
    Node(NodeId),
    /// The end of a block; the next text stands in this block again.
    EndOfBlock(Option<NodeId>),
}

impl TextBlocks {
    /// The texts of a page: one pass over its nodes.
    pub(crate) fn new(tree: &AccessTree<'_>, layout: &Layout, clips: &Clips) -> Self {
        let dom = tree.page().dom();
        let mut found = Self {
            pieces: vec![Piece::default()],
            of: vec![0; dom.len()],
        };
        let mut block = None;
        let mut open = Vec::new();
        push_children(dom, NodeId::DOCUMENT, &mut open);
        while let Some(next) = open.pop() {
            let id = match next {
                Next::Node(id) => id,
                Next::EndOfBlock(outer) => {
                    block = outer;
                    found.break_at(block);
                    continue;
                }
            };
            let element = match dom.data(id) {
                Some(NodeData::Element(element)) => element,
                Some(NodeData::Text(text)) => {
                    found.add(dom, layout, clips, (id, text));
                    continue;
                }
                _ => continue,
            };
            found.set(id);
            if tree.exposure(element).hidden {
                continue;
            }
            let flow = flow(layout, id);
            if flow == Flow::Block || element.is("br") {
                open.push(Next::EndOfBlock(block));
                block = if flow == Flow::Block { Some(id) } else { block };
                found.break_at(block);
                push_children(dom, id, &mut open);
            } else if is_control(tree, element) {
                found.add_control(layout, clips, element);
            } else {
                if tree.styles().may_generate_text(element)
                    && let Some(piece) = found.pieces.last_mut()
                {
                    // Such as the comma after a link; its length does not matter.
                    piece.text.add(",");
                }
                push_children(dom, id, &mut open);
            }
        }
        found
    }

    /// The text in which an inline element begins.
    pub(crate) fn around(&self, element: ElementRef<'_>) -> Piece {
        let piece = self.of.get(element.id().index());
        let piece = piece.and_then(|piece| self.pieces.get(*piece));
        piece.copied().unwrap_or_default()
    }

    fn break_at(&mut self, block: Option<NodeId>) {
        self.pieces.push(Piece {
            block,
            ..Piece::default()
        });
    }

    fn set(&mut self, id: NodeId) {
        let last = self.pieces.len() - 1;
        if let Some(place) = self.of.get_mut(id.index()) {
            *place = last;
        }
    }

    fn add(&mut self, dom: &Dom, layout: &Layout, clips: &Clips, (id, text): (NodeId, &str)) {
        let Some(parent) = dom.parent(id) else {
            return;
        };
        let is_space = text.trim().is_empty();
        if (is_space || is_text_seen(layout, clips, parent))
            && let Some(piece) = self.pieces.last_mut()
            && piece.text.add(text)
            && (piece.beside.is_none() || piece.block == Some(parent))
        {
            piece.beside = Some(parent);
        }
    }

    /// Counts the texts in a control. What is in it stands in the same piece.
    fn add_control(&mut self, layout: &Layout, clips: &Clips, control: ElementRef<'_>) {
        let dom = control.dom();
        for id in dom.descendants(control.id()) {
            match dom.data(id) {
                Some(NodeData::Text(text)) => {
                    let parent = dom.parent(id);
                    if parent.is_some_and(|parent| is_text_seen(layout, clips, parent))
                        && let Some(piece) = self.pieces.last_mut()
                    {
                        piece.in_controls.add(text);
                    }
                }
                Some(NodeData::Element(_)) => self.set(id),
                _ => {}
            }
        }
    }
}

fn push_children(dom: &Dom, id: NodeId, open: &mut Vec<Next>) {
    let begin = open.len();
    open.extend(dom.children(id).map(Next::Node));
    if let Some(added) = open.get_mut(begin..) {
        added.reverse();
    }
}

/// How an element takes part in lines; one without a box of its own as what is in it.
fn flow(layout: &Layout, id: NodeId) -> Flow {
    layout.style(id).map_or(Flow::Inline, |style| style.flow)
}

/// The length of a text, with white space collapsed and none at its ends.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Length {
    signs: usize,
    ends_with_space: bool,
}

impl Length {
    /// The number of signs and of spaces between them.
    pub(crate) const fn signs(self) -> usize {
        self.signs
    }

    /// Adds a text; returns whether it is more than white space.
    fn add(&mut self, text: &str) -> bool {
        let mut has_signs = false;
        for sign in text.chars() {
            if sign.is_whitespace() {
                self.ends_with_space = self.signs > 0;
            } else {
                self.signs += 1 + usize::from(self.ends_with_space);
                self.ends_with_space = false;
                has_signs = true;
            }
        }
        has_signs
    }
}

/// Whether the texts that are children of an element can be seen.
pub(crate) fn is_text_seen(layout: &Layout, clips: &Clips, parent: NodeId) -> bool {
    if clips.is_unseen(parent) {
        return false;
    }
    let clip = clips.of_content(parent);
    layout.runs(parent).iter().any(|run| {
        let style = layout.style_of_run(run);
        style.is_some_and(|style| style.is_visible) && !run.rect.and(clip.within).is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_texts_counts_once() {
        let length = |texts: &[&str]| {
            let mut length = Length::default();
            for text in texts {
                length.add(text);
            }
            length.signs()
        };
        assert_eq!(length(&["  a ", " ", " b c\n"]), 5);
        assert_eq!(length(&[" ", "\n"]), 0);
        assert_eq!(length(&["ab", "c"]), 3);
        let mut length = Length::default();
        assert!(!length.add(" ") && length.add(" x"));
    }
}
