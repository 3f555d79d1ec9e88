//! Elements that are inside an element out of the flow.

use std::collections::HashMap;

use crate::dom::{ElementRef, NodeId};
use crate::style::Styles;

/// Which elements are inside an element that is out of the flow. Each ancestor is evaluated once.
#[derive(Debug)]
pub(crate) struct Layers<'a> {
    styles: &'a Styles,
    known: HashMap<NodeId, bool>,
}

impl<'a> Layers<'a> {
    /// No element is known yet.
    pub(crate) fn new(styles: &'a Styles) -> Self {
        Self {
            styles,
            known: HashMap::new(),
        }
    }

    /// Whether the element, or one of its ancestors, may be out of the flow.
    pub(crate) fn may_hold(&mut self, element: ElementRef<'_>) -> bool {
        let mut passed = Vec::new();
        let mut found = false;
        for up in std::iter::once(element).chain(element.ancestors()) {
            if let Some(known) = self.known.get(&up.id()) {
                found = *known;
                break;
            }
            passed.push(up.id());
            if self.styles.is_out_of_flow(up) != Ok(false) {
                found = true;
                break;
            }
        }
        self.known.extend(passed.into_iter().map(|id| (id, found)));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    #[test]
    fn what_is_inside_a_layer_is_held_by_it() {
        let page = Page::builder().html(
            "<style>.l{position:fixed}@media(hover){.m{position:absolute}}</style>\
             <div class=l><p><b id=a></b></p></div><div class=m><b id=b></b></div><div><b id=c></b></div>",
        );
        let mut layers = Layers::new(page.styles());
        for (id, expected) in [("a", true), ("b", true), ("c", false), ("c", false)] {
            let element = page.by_id(id).unwrap();
            assert_eq!(layers.may_hold(element), expected, "{id}");
        }
    }
}
