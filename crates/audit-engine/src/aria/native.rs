//! Native names from HTML and SVG (HTML-AAM, SVG-AAM).

use super::{AccessTree, input_type};
use crate::bounds::access::MAX_CHILDREN_LOOKED_AT;
use crate::dom::ElementRef;

/// A source of an element's native name.
pub(super) enum NativeName<'a> {
    /// This text.
    Text(&'a str),
    /// The contents of this element.
    ContentOf(ElementRef<'a>),
    /// The contents of the labels of this form control.
    Labels,
    /// Default text that browsers supply.
    Default(&'static str),
}

/// The sources of the element's native name, most important first.
pub(super) fn native_names(element: ElementRef<'_>) -> Vec<NativeName<'_>> {
    let text = |name| element.attr(name).map(NativeName::Text);
    let child = |name: &str| {
        element
            .children()
            .take(MAX_CHILDREN_LOOKED_AT)
            .find(|child| child.name() == name)
            .map(NativeName::ContentOf)
    };
    if element.is_svg() {
        return child("title").into_iter().collect();
    }
    if !element.is_html() {
        return text("alttext").into_iter().collect();
    }
    match element.name() {
        "img" | "area" => text("alt").into_iter().collect(),
        "input" => input_names(element),
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => {
            vec![NativeName::Labels]
        }
        "fieldset" => child("legend").into_iter().collect(),
        "table" => child("caption").into_iter().collect(),
        "figure" => child("figcaption").into_iter().collect(),
        "option" | "optgroup" => text("label").into_iter().collect(),
        _ => Vec::new(),
    }
}

fn input_names(input: ElementRef<'_>) -> Vec<NativeName<'_>> {
    let text = |name| input.attr(name).map(NativeName::Text);
    let default = |word| match input.attr("value") {
        None => Some(NativeName::Default(word)),
        Some(value) => Some(NativeName::Text(value)),
    };
    let own = match input_type(input) {
        "image" => text("alt"),
        "button" => text("value"),
        "submit" => default("Submit"),
        "reset" => default("Reset"),
        _ => None,
    };
    std::iter::once(NativeName::Labels).chain(own).collect()
}

impl<'a> AccessTree<'a> {
    /// The text of a tooltip or placeholder, used if the element has no other name.
    pub(super) fn tooltip(&self, element: ElementRef<'a>) -> Option<&'a str> {
        let filled = |name| {
            element
                .attr(name)
                .filter(|value: &&str| !value.trim().is_empty())
        };
        filled("title")
            .or_else(|| filled("xlink:title").filter(|_| element.is_svg()))
            .or_else(|| filled("placeholder").filter(|_| takes_placeholder(element)))
            .or_else(|| filled("aria-placeholder"))
    }
}

fn takes_placeholder(element: ElementRef<'_>) -> bool {
    element.is("textarea")
        || (element.is("input")
            && matches!(
                input_type(element),
                "text" | "search" | "url" | "tel" | "email" | "password" | "number"
            ))
}
