//! Whether rules and class names may hide elements.

use std::cell::OnceCell;

use crate::algorithms::recent::Recent;
use crate::bounds::style::MAX_SCRIPT_BYTES;
use crate::dom::ElementRef;
use crate::page::{ParsedPage, Traits};
use crate::style::{HidingClasses, LinkedScripts, Styles};

/// The effect that an element's classes may have beyond the rules of the page's sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassEffect {
    /// None.
    None,
    /// A sheet or a script outside the page may hide the element by a common class name.
    MayHide,
    /// A script names a class whose rule hides the element, so that it may show it later.
    MayShow,
}

/// Whether sheets and scripts may hide elements by a common class name.
struct CommonHidingClasses<'a> {
    page: &'a ParsedPage,
    scripts: LinkedScripts,
    runs_scripts: bool,
    /// The classes that scripts name, read for the first element with a hiding class.
    named: OnceCell<HidingClasses>,
}

impl<'a> CommonHidingClasses<'a> {
    fn new(page: &'a ParsedPage, scripts: LinkedScripts) -> Self {
        Self {
            page,
            scripts,
            runs_scripts: page.runs_scripts(),
            named: OnceCell::new(),
        }
    }

    fn effect(&self, classes: &str, styles: &Styles) -> ClassEffect {
        let found = HidingClasses::in_attribute(classes);
        if found.is_empty() || styles.are_computed() {
            return ClassEffect::None;
        }
        if !styles.is_complete() {
            return ClassEffect::MayHide;
        }
        if !self.runs_scripts {
            // All sheets are known, so class names have no presumed meaning.
            return ClassEffect::None;
        }
        let named = found.and(self.named());
        let is_defined = |class| styles.hides_class(class);
        let undefined = |classes: HidingClasses| classes.iter().any(|class| !is_defined(class));
        // A script that was not read may generate the rules of a class that no sheet defines.
        if undefined(named) || (!self.scripts.is_complete && undefined(found)) {
            ClassEffect::MayHide
        } else if named.is_empty() {
            ClassEffect::None
        } else {
            ClassEffect::MayShow
        }
    }

    fn named(&self) -> HidingClasses {
        *self.named.get_or_init(|| {
            let mut left = MAX_SCRIPT_BYTES;
            let mut named = self.scripts.named;
            for script in self.page.inline_scripts() {
                let text = script.raw_text();
                named = named.or(HidingClasses::named_by(&text));
                let Some(rest) = left.checked_sub(text.len()) else {
                    break;
                };
                left = rest;
            }
            named
        })
    }
}

/// The rules and class names that may hide the elements of a page.
pub(super) struct Hiding<'a> {
    pub(super) styles: &'a Styles,
    classes: CommonHidingClasses<'a>,
    /// Whether the page has elements with fallback content.
    pub(super) fallbacks: bool,
    /// Cached results by element name and classes.
    kinds: Recent<'a, Kind>,
}

/// The result that depends only on an element's name and classes.
#[derive(Clone, Copy)]
struct Kind {
    by_rule: bool,
    by_class: ClassEffect,
}

impl<'a> Hiding<'a> {
    pub(super) fn new(page: &'a ParsedPage, styles: &'a Styles, scripts: LinkedScripts) -> Self {
        Self {
            styles,
            classes: CommonHidingClasses::new(page, scripts),
            fallbacks: page.elements_with(Traits::WITH_FALLBACK).next().is_some(),
            kinds: Recent::default(),
        }
    }

    /// Returns whether a rule of the page's sheets may hide the element, and the effect of its classes beyond
    /// that.
    pub(super) fn evaluate(&mut self, element: ElementRef<'a>) -> (bool, ClassEffect) {
        let classes = element.attr("class").unwrap_or_default();
        let (styles, usual) = (self.styles, &self.classes);
        let kind = self.kinds.get(element.name_place(), classes, || Kind {
            by_rule: styles.may_hide_kind(element.name(), classes),
            by_class: usual.effect(classes, styles),
        });
        let by_rule = kind.by_rule && self.styles.may_hide(element);
        (by_rule, kind.by_class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn effect(html: &str) -> ClassEffect {
        let page = Page::builder()
            .script("named.js", "x.classList.add('hidden','d-none')")
            .script("other.js", "x.hidden=true")
            .html(html);
        let mut hiding = Hiding::new(&page, page.styles(), page.scripts());
        hiding.evaluate(page.html("p").next().unwrap()).1
    }

    #[test]
    fn common_class_names_may_hide_if_sheets_are_not_in_the_page() {
        for html in [
            "<link rel=stylesheet href=x><p class='a d-none'>",
            "<link rel=stylesheet href=x><style>.d-none{display:none}</style><p class='a d-none'>",
        ] {
            assert_eq!(effect(html), ClassEffect::MayHide, "{html}");
        }
        for html in [
            "<link rel=stylesheet href=x><p class='sr-only'>",
            "<style>.a{}</style><p class=hidden>",
        ] {
            assert_eq!(effect(html), ClassEffect::None, "{html}");
        }
    }

    #[test]
    fn scripts_matter_if_they_name_the_class() {
        let defined = "<style>.hidden{display:none}</style>";
        for (html, expected) in [
            (
                "<p class=hidden><script>x.hidden=1</script>",
                ClassEffect::None,
            ),
            (
                "<p class=hidden><script>f('hidden')</script>",
                ClassEffect::MayHide,
            ),
            (
                "<p class=hidden><script src=other.js></script>",
                ClassEffect::None,
            ),
            (
                "<p class=hidden><script src=named.js></script>",
                ClassEffect::MayHide,
            ),
            // A script that was not read may define it.
            (
                "<p class=hidden><script src=unread.js></script>",
                ClassEffect::MayHide,
            ),
            (
                "<p class=hidden><script type=application/ld+json>['hidden']</script>",
                ClassEffect::None,
            ),
        ] {
            assert_eq!(effect(html), expected, "{html}");
        }
        for (script, expected) in [
            ("f('hidden')", ClassEffect::MayShow),
            ("f('other')", ClassEffect::None),
        ] {
            let html = format!("{defined}<p class=hidden><script>{script}</script>");
            assert_eq!(effect(&html), expected, "{html}");
        }
        let unread = format!("{defined}<p class=hidden><script src=unread.js></script>");
        assert_eq!(effect(&unread), ClassEffect::None);
    }

    #[test]
    fn inline_scripts_are_read_up_to_a_limit() {
        let html = |scripts: usize| {
            let script = format!("<script>{}</script>", " ".repeat(MAX_SCRIPT_BYTES / 8));
            let scripts = script.repeat(scripts);
            format!("<p class=hidden>{scripts}<script>f('hidden')</script>")
        };
        assert_eq!(effect(&html(2)), ClassEffect::MayHide);
        assert_eq!(effect(&html(12)), ClassEffect::None);
    }

    #[test]
    fn elements_with_equal_name_and_classes_are_matched_by_other_conditions() {
        let css = ".a .x, #b, [data-x], p.y:not(.z) { display: none } .x { color: red }";
        let body = "<p class=x><p class=x id=b><p class=x data-x><div class=a><p class=x></div><p class=y><p class='y z'>";
        let page = Page::builder().html(&format!("<style>{css}</style>{body}"));
        let mut hiding = Hiding::new(&page, page.styles(), page.scripts());
        let found: Vec<bool> = page.html("p").map(|p| hiding.evaluate(p).0).collect();
        assert_eq!(found, [false, true, true, true, true, false]);
    }

    #[test]
    fn results_are_cached_by_element_name_and_classes() {
        let css = ".x, i { display: none } p.y { display: block }";
        let body = "<p class=y></p><b class=y></b><i class=y></i><b class='y x'></b><i></i><b></b><p class=x></p><p></p>";
        let page = Page::builder().html(&format!("<style>{css}</style>{body}"));
        let mut hiding = Hiding::new(&page, page.styles(), page.scripts());
        for (name, expected) in [
            ("p", vec![false, true, false]),
            ("b", vec![false, true, false]),
            ("i", vec![true, true]),
        ] {
            // The second pass reads only from the cache.
            for _ in 0..2 {
                let found: Vec<bool> = page.html(name).map(|one| hiding.evaluate(one).0).collect();
                assert_eq!(found, expected, "{name}");
            }
        }
    }
}
