//! Duplicate ids that labels, ARIA attributes or links reference.

use std::borrow::Cow;

use domain::Severity;

use crate::address::is_same_document;
use crate::check::{Evidence, Outcome, Verdict};
use crate::common::measures::numbers::grouped;
use crate::common::urls::percent::percent_decoded;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::{LinkTarget, Traits};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// An `id` that a label, an ARIA attribute, a table cell, a form control or a link within the
    /// page references belongs to only one element.
    ///
    /// ## Why it matters
    /// Browsers use the first element with the id. A label then names the wrong field, a screen
    /// reader reads the wrong description, and a link jumps to the wrong place.
    ///
    /// ## How to fix it
    /// Give every element an `id` of its own, for example `search-header` and `search-footer`, and update the
    /// attributes that reference it: `for`, `aria-labelledby`, `href="#…"`.
    ///
    /// ## Example
    /// ```html
    /// <label for="mail">E-mail</label><input id="mail"><label for="mail">Repeat it</label><input id="mail">
    /// ```
    /// Use instead:
    /// ```html
    /// <label for="mail">E-mail</label><input id="mail"><label for="mail-again">Repeat it</label><input id="mail-again">
    /// ```
    ///
    /// ## Limits
    /// A duplicate id that nothing on the page references is not reported. Ids inside SVG images
    /// that only the image itself uses are not reported either. References that scripts make are
    /// not seen. Ids that labels and ARIA attributes reference are also reported by
    /// `duplicate-id-aria`.
    ///
    /// ## Also known as
    /// - axe: `duplicate-id`
    /// - WCAG: Failure F77
    ///
    /// ## References
    /// - HTML Living Standard, section 3.2.6 Global attributes: the id attribute
    DUPLICATE_ID {
        id: "duplicate-id",
        title: "Duplicate id attribute values",
        dimension: Content,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Attributes that contain ids separated by white space.
const ID_LISTS: [&str; 8] = [
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "headers",
];

/// Attributes that contain one id.
const SINGLE_IDS: [&str; 6] = [
    "for",
    "form",
    "list",
    "aria-activedescendant",
    "popovertarget",
    "commandfor",
];

fn evaluate(page: &Page) -> Outcome {
    let mut referenced = references(page);
    // Most pages have no duplicate id, so the ids need no individual check.
    if !page.may_repeat_ids() {
        let any = referenced.iter().any(|id| page.by_id(id).is_some());
        return if any {
            Outcome::Passed
        } else {
            Outcome::NotApplicable
        };
    }
    referenced.sort_unstable();
    referenced.dedup();
    let existing = referenced.iter().filter(|id| page.by_id(id).is_some());
    let outcome = Outcome::for_each(existing, |id| evaluate_id(page, id));
    let mut of_attributes = Vec::new();
    for element in page.elements_with(Traits::ARIA.or(Traits::REFERS)) {
        add_references_of(element, &mut of_attributes);
    }
    let is_repeated = |id: &Cow<'_, str>| page.all_by_id(id).nth(1).is_some();
    let is_of_attribute = |id: &Cow<'_, str>| of_attributes.contains(id);
    let mut repeated = referenced.iter().filter(|id| is_repeated(id));
    // duplicate-id-aria reports ids that labels and ARIA attributes reference; the fact has one price.
    match repeated.all(is_of_attribute) {
        true => outcome.with_severity(Severity::Info),
        false => outcome,
    }
}

fn evaluate_id(page: &Page, id: &str) -> Verdict {
    let mut holders = page.all_by_id(id);
    let first = holders.next();
    match (first, holders.next()) {
        (Some(first), Some(second)) => Verdict::Fail(Evidence::node(second).message(format!(
            "The id \"{id}\" is used {} times, first on line {}; expected once, because references use only the first element.",
            grouped(page.all_by_id(id).count()),
            first.line(),
        ))),
        _ => Verdict::Pass,
    }
}

/// The ids that attributes and links on the page reference; an id may occur several times.
fn references(page: &Page) -> Vec<Cow<'_, str>> {
    let mut found = Vec::new();
    for element in page.elements_with(Traits::ARIA.or(Traits::REFERS)) {
        add_references_of(element, &mut found);
    }
    for link in page.links() {
        let LinkTarget::Internal(url) = &link.target else {
            continue;
        };
        if !is_same_document(url, page.url()) {
            continue;
        }
        let Some(fragment) = page.fragment(link) else {
            continue;
        };
        if fragment.contains('%') {
            found.push(Cow::Owned(percent_decoded(&fragment)));
        }
        found.push(fragment);
    }
    found
}

fn add_references_of<'a>(element: ElementRef<'a>, found: &mut Vec<Cow<'a, str>>) {
    for attribute in element.attrs() {
        let name = attribute.name;
        if ID_LISTS.contains(&name) {
            found.extend(attribute.value.split_ascii_whitespace().map(Cow::Borrowed));
        } else if SINGLE_IDS.contains(&name) {
            found.push(Cow::Borrowed(attribute.value.trim()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_label_for_two_fields_fails() {
        assert_fails(
            &DUPLICATE_ID,
            "<label for=a>x</label><input id=a><input id=a>",
            1,
        );
    }

    #[test]
    fn an_aria_reference_to_two_elements_fails() {
        assert_fails(
            &DUPLICATE_ID,
            "<div role=dialog aria-labelledby='b a'>x</div><p id=a>y</p><p id=a>z</p><p id=b>w</p>",
            1,
        );
    }

    #[test]
    fn a_link_to_a_duplicate_anchor_fails() {
        assert_fails(
            &DUPLICATE_ID,
            "<a href='#s'>s</a><h2 id=s>a</h2><h2 id=s>b</h2>",
            1,
        );
        assert_fails(
            &DUPLICATE_ID,
            "<a href='/#%C3%A4'>s</a><h2 id=ä>a</h2><h2 id=ä>b</h2>",
            1,
        );
    }

    #[test]
    fn an_unreferenced_duplicate_id_is_not_applicable() {
        assert_not_applicable(&DUPLICATE_ID, "<p id=a>x</p><p id=a>y</p>");
        assert_not_applicable(
            &DUPLICATE_ID,
            "<a href='/other#a'>x</a><p id=a>x</p><p id=a>y</p>",
        );
    }

    #[test]
    fn a_reference_to_a_missing_id_is_not_applicable() {
        assert_not_applicable(&DUPLICATE_ID, "<label for=missing>x</label>");
    }

    #[test]
    fn unique_referenced_ids_pass() {
        assert_passes(
            &DUPLICATE_ID,
            "<a href='#a'>x</a><p id=a>x</p><p id=b>y</p><p id=b>z</p>",
        );
    }

    #[test]
    fn an_old_anchor_name_is_not_an_id() {
        assert_passes(
            &DUPLICATE_ID,
            "<a href='#a'>x</a><h2 id=a><a name=a></a>x</h2>",
        );
    }

    #[test]
    fn ids_of_svg_gradients_are_left_out() {
        let icon =
            "<svg><defs><linearGradient id=g></linearGradient></defs><rect fill='url(#g)'/></svg>";
        assert_not_applicable(&DUPLICATE_ID, &format!("{icon}{icon}"));
    }
}
