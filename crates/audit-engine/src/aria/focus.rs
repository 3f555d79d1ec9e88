//! Which elements are focusable.

use super::AccessTree;
use crate::bounds::access::MAX_FOCUSABLE_BEFORE;
use crate::dom::ElementRef;

/// The element's `tabindex`, if it is a valid integer.
#[must_use]
pub fn tabindex(element: ElementRef<'_>) -> Option<i64> {
    let value = element.attr("tabindex")?.trim_ascii_start();
    let unsigned = value.strip_prefix(['-', '+']).unwrap_or(value);
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let number: i64 = unsigned.get(..digits)?.parse().ok()?;
    Some(if value.starts_with('-') {
        -number
    } else {
        number
    })
}

/// Whether a form control is disabled, by its own attribute or by a `fieldset` around it.
#[must_use]
pub fn is_disabled(element: ElementRef<'_>) -> bool {
    if !is_control(element) {
        return false;
    }
    element.has_attr("disabled") || {
        // Controls in the first legend of a disabled fieldset stay enabled.
        let mut below = element;
        element.ancestors().any(|ancestor| {
            let in_legend = below.is("legend") && is_first_of_its_name(below);
            let disabled = ancestor.is("fieldset") && ancestor.has_attr("disabled") && !in_legend;
            below = ancestor;
            disabled
        })
    }
}

fn is_control(element: ElementRef<'_>) -> bool {
    element.is_html() && matches!(element.name(), "button" | "input" | "select" | "textarea")
}

/// Whether the element is focusable by its element type or by `tabindex`, regardless of its ancestors.
#[must_use]
pub fn is_focusable(element: ElementRef<'_>) -> bool {
    if is_control(element) {
        return !element.attr_is("type", "hidden") && !is_disabled(element);
    }
    tabindex(element).is_some() || focusable_by_kind(element)
}

fn focusable_by_kind(element: ElementRef<'_>) -> bool {
    if element.is_svg() {
        return element.name() == "a"
            && (element.has_attr("href") || element.has_attr("xlink:href"));
    }
    if element
        .attr("contenteditable")
        .is_some_and(|value| !value.trim_ascii().eq_ignore_ascii_case("false"))
    {
        return true;
    }
    match element.name() {
        "a" | "area" => element.is_html() && element.has_attr("href"),
        "iframe" => element.is_html(),
        "audio" | "video" => element.has_attr("controls"),
        "summary" => is_details_summary(element),
        _ => false,
    }
}

/// Whether the element is the summary that opens its `details`.
#[must_use]
pub fn is_details_summary(element: ElementRef<'_>) -> bool {
    element.is("summary")
        && element
            .parent()
            .is_some_and(|parent| parent.is("details") && is_first_of_its_name(element))
}

/// Whether this is the first HTML child of its parent with this element name. After more than 1,000 preceding siblings the
/// answer is always no.
fn is_first_of_its_name(element: ElementRef<'_>) -> bool {
    let dom = element.dom();
    let mut before = std::iter::successors(dom.previous_sibling(element.id()), |id| {
        dom.previous_sibling(*id)
    });
    let mut near = before.by_ref().take(MAX_FOCUSABLE_BEFORE);
    let is_twin = |id| dom.element(id).is_some_and(|one| one.is(element.name()));
    !near.any(is_twin) && before.next().is_none()
}

impl<'a> AccessTree<'a> {
    /// Whether the Tab key reaches the element, as far as markup shows.
    #[must_use]
    pub fn is_tabbable(&self, element: ElementRef<'a>) -> bool {
        let exposure = self.exposure(element);
        is_focusable(element)
            && tabindex(element).is_none_or(|index| index >= 0)
            && !exposure.hidden
            && !exposure.inert
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn focusable(html: &str) -> bool {
        let page = Page::builder().html(html);
        page.by_id("t").is_some_and(is_focusable)
    }

    #[test]
    fn links_controls_and_summaries_are_focusable() {
        for html in [
            "<a id=t href=''>x</a>",
            "<input id=t>",
            "<details><summary id=t>x</summary></details>",
            "<p id=t tabindex=-1>x",
            "<p id=t contenteditable>x",
            "<fieldset disabled><legend><input id=t></legend></fieldset>",
            "<svg><a id=t xlink:href=x></a></svg>",
        ] {
            assert!(focusable(html), "{html}");
        }
    }

    #[test]
    fn anchors_disabled_controls_and_plain_text_are_not_focusable() {
        for html in [
            "<a id=t name=x>x</a>",
            "<input id=t type=hidden>",
            "<button id=t disabled tabindex=0>x</button>",
            "<fieldset disabled><input id=t></fieldset>",
            "<summary id=t>x</summary>",
            "<p id=t tabindex=x>x",
            "<p id=t contenteditable=false>x",
        ] {
            assert!(!focusable(html), "{html}");
        }
    }

    #[test]
    fn tabindex_is_parsed_as_browsers_do() {
        let page = Page::builder().html("<p tabindex=' 3px'><p tabindex=-1><p tabindex=x>");
        let found: Vec<_> = page.html("p").map(tabindex).collect();
        assert_eq!(found, [Some(3), Some(-1), None]);
    }
}
