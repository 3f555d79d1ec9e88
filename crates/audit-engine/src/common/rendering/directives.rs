//! The robots directives of one form of a page.

use super::forms::Forms;
use crate::page::RobotsDirectives;
use crate::view::Page;

/// The directives of one form of the page. Those of a rendered page's own index include those of its response.
pub(crate) fn directives(page: &Page) -> RobotsDirectives {
    let mut found = RobotsDirectives::default();
    for meta in page.html("meta") {
        if let (Some(name), Some(content)) = (meta.attr("name"), meta.attr("content")) {
            found.add_meta(name, content);
        }
    }
    for value in page.headers().get_all("x-robots-tag") {
        found.add_header(value);
    }
    found
}

/// Whether scripts remove `noindex`: the page is meant to be indexed, and `render-changes-robots` reports what keeps it
/// out. A `noindex` that scripts add may be meant.
pub(crate) fn removes_noindex(page: &Page) -> bool {
    let removes = |forms: Forms<'_>| {
        directives(forms.served).noindex().is_some() && directives(forms.shown).noindex().is_none()
    };
    Forms::of(page).is_some_and(removes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::shown;

    #[test]
    fn only_a_noindex_that_scripts_remove_is_a_mistake() {
        let noindex = "<script>x()</script><meta name=robots content=noindex>";
        let none = "<script>x()</script>";
        let removes =
            |served: &str, after: &str| removes_noindex(&shown(Page::builder(), served, after));
        assert!(removes(noindex, none));
        assert!(!removes(none, noindex) && !removes(noindex, noindex) && !removes(none, none));
        assert!(!removes_noindex(&Page::builder().html(noindex)));
    }
}
