//! What style sheets in the page, and the usual names of classes, say about hidden elements.

use std::collections::HashSet;

use crate::dom::ElementRef;
use crate::page::Page;

/// Class names that style sheets everywhere define as `display: none`.
const HIDING_CLASSES: [&str; 10] = [
    "hidden",
    "hide",
    "d-none",
    "is-hidden",
    "u-hidden",
    "invisible",
    "display-none",
    "dn",
    "ng-hide",
    "uk-hidden",
];

/// Classes and ids that may hide an element. Which rule wins is for a browser to say, so a match
/// makes an element uncertain, not hidden.
#[derive(Debug, Default)]
pub(super) struct HidingRules {
    classes: HashSet<String>,
    ids: HashSet<String>,
}

impl HidingRules {
    /// Reads the page's `style` elements.
    pub(super) fn of(page: &Page) -> Self {
        let mut rules = Self::default();
        for style in page.html("style") {
            rules.read(&style.raw_text());
        }
        rules
    }

    /// Takes the last simple selector of every rule that sets `display: none` or
    /// `visibility: hidden`.
    fn read(&mut self, css: &str) {
        for block in css.split('}') {
            let Some((prelude, body)) = block.rsplit_once('{') else {
                continue;
            };
            if !hides(body) {
                continue;
            }
            let prelude = prelude.rsplit(['{', ';']).next().unwrap_or(prelude);
            for selector in prelude.split(',') {
                self.add(selector.split_ascii_whitespace().last().unwrap_or_default());
            }
        }
    }

    fn add(&mut self, compound: &str) {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        for (start, mark) in compound.match_indices(['.', '#']) {
            let rest = compound.get(start + 1..).unwrap_or_default();
            let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
            if mark == "." {
                self.classes.insert(name);
            } else {
                self.ids.insert(name);
            }
        }
    }

    /// Whether a rule or the usual meaning of a class may hide the element.
    pub(super) fn may_hide(&self, element: ElementRef<'_>) -> bool {
        element.attr("class").is_some_and(|classes| {
            classes
                .split_ascii_whitespace()
                .any(|class| HIDING_CLASSES.contains(&class) || self.classes.contains(class))
        }) || element.attr("id").is_some_and(|id| self.ids.contains(id))
    }
}

fn hides(declarations: &str) -> bool {
    declarations.split(';').any(|declaration| {
        declaration
            .split_once(':')
            .is_some_and(|(property, value)| {
                let value = value.trim_start().to_ascii_lowercase();
                match property.trim().to_ascii_lowercase().as_str() {
                    "display" => value.starts_with("none"),
                    "visibility" => value.starts_with("hidden"),
                    _ => false,
                }
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_hide(html: &str) -> bool {
        let page = Page::builder().html(html);
        let rules = HidingRules::of(&page);
        page.html("p").next().is_some_and(|p| rules.may_hide(p))
    }

    #[test]
    fn rules_of_the_page_make_an_element_uncertain() {
        assert!(may_hide(
            "<style>a{} .menu .x, .y { color: red; display : none }</style><p class=x>"
        ));
        assert!(may_hide(
            "<style>@media print { #n { display:none } }</style><p id=n>"
        ));
        assert!(!may_hide("<style>.x { left: -999px }</style><p class=x>"));
    }

    #[test]
    fn usual_names_make_an_element_uncertain() {
        assert!(may_hide("<p class='a d-none'>"));
        assert!(!may_hide("<p class='sr-only visually-hidden'>"));
    }
}
