//! Which elements are rendered and which assistive technology meets.

use super::AccessTree;
use super::hiding::HidingRules;
use crate::dom::ElementRef;
use crate::page::{Page, Traits};

/// What is known of an element's place on screen and in the accessibility tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exposure {
    /// It is not rendered: nobody meets it.
    pub hidden: bool,
    /// Assistive technology is told to leave it out, by `aria-hidden` or `inert`.
    pub withheld: bool,
    /// It cannot take focus and nobody can act on it.
    pub inert: bool,
    /// A class may hide it; only a browser knows.
    pub uncertain: bool,
}

impl Exposure {
    /// Whether assistive technology meets the element.
    #[must_use]
    pub const fn is_exposed(self) -> bool {
        !self.hidden && !self.withheld
    }

    pub(super) const fn below(self, parent: Self) -> Self {
        Self {
            hidden: self.hidden || parent.hidden,
            withheld: self.withheld || parent.withheld,
            inert: self.inert || parent.inert,
            uncertain: self.uncertain || parent.uncertain,
        }
    }
}

/// HTML elements that are never rendered.
pub(crate) const UNRENDERED: [&str; 14] = [
    "head", "template", "noscript", "script", "style", "title", "meta", "link", "base", "datalist",
    "param", "source", "track", "rp",
];

/// SVG elements that are not rendered where they stand.
const UNRENDERED_SVG: [&str; 11] = [
    "defs",
    "symbol",
    "clipPath",
    "mask",
    "metadata",
    "title",
    "desc",
    "style",
    "script",
    "filter",
    "linearGradient",
];

/// Elements whose content is shown only where a browser cannot show the element itself.
pub(crate) const WITH_FALLBACK: [&str; 5] = ["video", "audio", "iframe", "object", "noframes"];

impl<'a> AccessTree<'a> {
    /// What the element's own markup says, ancestors left out.
    pub(super) fn own_exposure(&self, element: ElementRef<'_>) -> Exposure {
        self.facts.own_exposure(element.id())
    }

    /// What is known of the element from its own markup and its ancestors'.
    #[must_use]
    pub fn exposure(&self, element: ElementRef<'a>) -> Exposure {
        self.facts.exposure(element.id())
    }

    /// Whether assistive technology meets the element, as far as markup tells.
    #[must_use]
    pub fn is_exposed(&self, element: ElementRef<'a>) -> bool {
        self.exposure(element).is_exposed()
    }
}

/// What the element's own markup says, ancestors left out.
pub(super) fn own_exposure(page: &Page, rules: &HidingRules, element: ElementRef<'_>) -> Exposure {
    let traits = page.traits(element);
    let inert = traits.has(Traits::INERT);
    let hides_from_technology = traits.has(Traits::ARIA) && element.attr_is("aria-hidden", "true");
    Exposure {
        hidden: is_unrendered(page, element),
        withheld: inert || hides_from_technology,
        inert,
        uncertain: rules.may_hide(element),
    }
}

/// Whether the element's own markup takes it out of the rendered page.
fn is_unrendered(page: &Page, element: ElementRef<'_>) -> bool {
    let traits = page.traits(element);
    let is_fallback = || {
        let parent = element.parent().map(|parent| page.traits(parent));
        parent.is_some_and(|parent| parent.has(Traits::WITH_FALLBACK))
    };
    if traits.has(Traits::HIDDEN) || is_fallback() {
        return true;
    }
    if !element.is_html() {
        return UNRENDERED_SVG.contains(&element.name());
    }
    traits.has(Traits::UNRENDERED)
        || (element.is("input") && element.attr_is("type", "hidden"))
        || if element.is("dialog") {
            !element.has_attr("open")
        } else {
            traits.has(Traits::POPOVER) && !element.is("input")
        }
}

#[cfg(test)]
mod tests {
    use crate::aria::AccessTree;
    use crate::page::Page;

    fn exposed(html: &str) -> bool {
        let page = Page::builder().html(html);
        let tree = AccessTree::of(&page);
        let target = page.by_id("t").unwrap();
        tree.is_exposed(target)
    }

    #[test]
    fn what_stands_in_a_hidden_ancestor_is_not_exposed() {
        for html in [
            "<div hidden><p id=t>x</p></div>",
            "<div style='display:none'><p id=t>x</p></div>",
            "<div aria-hidden=TRUE><p id=t>x</p></div>",
            "<div inert><p id=t>x</p></div>",
            "<dialog><p id=t>x</p></dialog>",
            "<div popover><p id=t>x</p></div>",
            "<video><p id=t>x</p></video>",
            "<svg><defs><g id=t></g></defs></svg>",
            "<input type=hidden id=t>",
        ] {
            assert!(!exposed(html), "{html}");
        }
    }

    #[test]
    fn content_off_screen_or_folded_is_exposed() {
        for html in [
            "<p id=t style='position:absolute;left:-999px'>x</p>",
            "<details><p id=t>x</p></details>",
            "<dialog open><p id=t>x</p></dialog>",
            "<p id=t class=sr-only>x</p>",
            "<p id=t aria-hidden=false>x</p>",
        ] {
            assert!(exposed(html), "{html}");
        }
    }

    #[test]
    fn a_class_that_usually_hides_makes_everything_below_uncertain() {
        let page = Page::builder().html("<div class=d-none><p id=t>x</p></div>");
        let tree = AccessTree::of(&page);
        let exposure = tree.exposure(page.by_id("t").unwrap());
        assert!(exposure.is_exposed() && exposure.uncertain);
    }
}
