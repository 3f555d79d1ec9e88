//! Whether markup alone hides an element.

use crate::dom::ElementRef;

/// Whether the element's own markup hides it: `hidden`, or inline `display: none` or `visibility: hidden`.
#[must_use]
pub fn hidden_by_own_markup(element: ElementRef<'_>) -> bool {
    element.has_attr("hidden") || element.attr("style").is_some_and(hides)
}

/// Whether an inline style hides its element.
pub(super) fn hides(style: &str) -> bool {
    style.split(';').any(|declaration| {
        let Some((property, value)) = declaration.split_once(':') else {
            return false;
        };
        let value = value.trim().trim_end_matches("!important").trim_end();
        (property.trim().eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
            || (property.trim().eq_ignore_ascii_case("visibility")
                && value.eq_ignore_ascii_case("hidden"))
    })
}
