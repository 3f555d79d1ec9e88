//! Which `label` elements belong to which form controls.

use std::collections::{HashMap, HashSet};

use super::{AccessTree, input_type};
use crate::dom::{ElementRef, NodeId};
use crate::page::ParsedPage;

/// The `label` elements of each form control, in document order.
#[derive(Debug, Default)]
pub(super) struct Labels(HashMap<NodeId, Vec<NodeId>>);

impl Labels {
    pub(super) fn new(page: &ParsedPage) -> Self {
        let mut labels = Self::default();
        for label in page.html("label") {
            if let Some(control) = label
                .attr("for")
                .and_then(|id| page.referenced(label, id))
                .filter(|control| is_labelable(*control))
            {
                labels.0.entry(control.id()).or_default().push(label.id());
            }
        }
        // A label without `for` labels the first control inside it. All labels around a visited element
        // already have their control, so each element is visited once.
        let mut visited = HashSet::new();
        // Most pages have no such label and skip the rest.
        if page.html("label").all(|label| label.has_attr("for")) {
            return labels;
        }
        for control in page.elements().filter(|element| is_labelable(*element)) {
            for ancestor in control.ancestors() {
                if !visited.insert(ancestor.id()) {
                    break;
                }
                if ancestor.is("label") && !ancestor.has_attr("for") {
                    labels
                        .0
                        .entry(control.id())
                        .or_default()
                        .push(ancestor.id());
                }
            }
        }
        labels
    }
}

/// Whether the element is labelable.
fn is_labelable(element: ElementRef<'_>) -> bool {
    element.is_html()
        && match element.name() {
            "input" => input_type(element) != "hidden",
            "button" | "meter" | "output" | "progress" | "select" | "textarea" => true,
            // Custom elements may take part in forms.
            name => name.contains('-'),
        }
}

impl<'a> AccessTree<'a> {
    /// The `label` elements of a form control.
    pub fn labels_of(&self, control: ElementRef<'a>) -> impl Iterator<Item = ElementRef<'a>> {
        self.facts
            .labels(self.page)
            .0
            .get(&control.id())
            .map(Vec::as_slice)
            .unwrap_or_default()
            .iter()
            .filter_map(|id| self.page.element(*id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn labels(html: &str) -> Vec<String> {
        let page = Page::builder().html(html);
        let tree = page.access_tree();
        tree.labels_of(page.by_id("t").unwrap())
            .map(ElementRef::text)
            .collect()
    }

    #[test]
    fn labels_reference_or_wrap_a_control() {
        assert_eq!(
            labels("<label for=t>a</label><label>b<input id=t></label>"),
            ["a", "b"]
        );
    }

    #[test]
    fn a_label_with_for_does_not_label_the_control_it_wraps() {
        assert!(labels("<label for=x>a<input id=t></label>").is_empty());
    }

    #[test]
    fn labels_that_all_have_for_label_only_their_targets() {
        let html = "<label for=t>a<input></label><label for=''>b<input id=t></label>";
        assert_eq!(labels(html), ["a"]);
    }

    #[test]
    fn a_control_is_labelled_by_every_label_around_it() {
        let html = "<label>a<input><label>b<span><input id=t></span><input></label></label>";
        assert_eq!(labels(html), ["b"]);
        let html = "<label>a<label>b<input id=t></label><input></label>";
        assert_eq!(labels(html), ["b", "ab"]);
    }

    #[test]
    fn a_label_labels_only_the_first_control_inside() {
        assert!(labels("<label>a<input><input id=t></label>").is_empty());
        assert_eq!(
            labels("<label>a<input type=hidden><input id=t></label>"),
            ["a"]
        );
    }
}
