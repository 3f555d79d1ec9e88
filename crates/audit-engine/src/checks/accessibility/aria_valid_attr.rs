//! Finds attributes with the prefix `aria-` that WAI-ARIA does not define.

use crate::aria::attribute::AriaAttribute;
use crate::check::{Outcome, Verdict};
use crate::common::text::described::nearest;
use crate::declare_check;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every attribute that begins with `aria-` is a state or property that WAI-ARIA defines.
    ///
    /// ## Why it matters
    /// Browsers ignore a misspelled attribute. The name or state that it was meant to set is missing.
    ///
    /// ## How to fix it
    /// Spell the attribute as WAI-ARIA does: `aria-labelledby`, not `aria-labeledby`. For your own data, use an
    /// attribute that begins with `data-`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><h2 id="h">Offers</h2><section aria-labeledby="h">Apples</section></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><h2 id="h">Offers</h2><section aria-labelledby="h">Apples</section></html>
    /// ```
    ///
    /// ## Limits
    /// `aria-allowed-attr` and `aria-valid-attr-value` evaluate whether the attribute suits its
    /// element and whether its value is valid.
    ///
    /// ## Also known as
    /// - axe: `aria-valid-attr`
    /// - Lighthouse: `aria-valid-attr`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 5f99a7, ARIA attribute is defined in WAI-ARIA
    /// - WAI-ARIA 1.2, Definitions of States and Properties (all aria-* attributes)
    ARIA_VALID_ATTR {
        id: "aria-valid-attr",
        title: "Invalid ARIA attribute names",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let attributes = page.elements_with(Traits::ARIA).flat_map(|element| {
        element
            .attrs()
            .filter(|attribute| attribute.name.starts_with("aria-"))
            .map(move |attribute| (element, attribute.name))
    });
    Outcome::for_each(attributes, |(element, name)| {
        Verdict::pass_if(AriaAttribute::named(name).is_some(), || {
            let known = AriaAttribute::all().map(|attribute| attribute.name);
            let meant = nearest(name, known)
                .map_or_else(String::new, |known| format!(" Probably meant: {known}."));
            tree.evidence(element)
                .cause(name, format!("Invalid ARIA attribute {name}"))
                .message(format!(
                    "The attribute {name} is not defined in WAI-ARIA; browsers ignore it.{meant}"
                ))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn defined_attributes_pass_in_any_case() {
        assert_passes(
            &ARIA_VALID_ATTR,
            "<div aria-label=x ARIA-Atomic=true>x</div>",
        );
        assert_passes(&ARIA_VALID_ATTR, "<svg aria-hidden=true></svg>");
    }

    #[test]
    fn each_unknown_attribute_has_its_own_finding_and_cause() {
        let html = "<div aria-labelled=x aria-labelby=y aria-label=z>x</div>";
        assert_fails(&ARIA_VALID_ATTR, html, 2);
        let Outcome::Failed(evidence) = outcome(&ARIA_VALID_ATTR, html) else {
            panic!("fails");
        };
        let keys: Vec<_> = evidence
            .iter()
            .filter_map(|evidence| Some(evidence.cause.as_ref()?.key.as_str()))
            .collect();
        assert_eq!(keys, ["aria-labelled", "aria-labelby"]);
    }

    #[test]
    fn a_page_without_aria_is_not_applicable() {
        assert_not_applicable(&ARIA_VALID_ATTR, "<p data-aria-x=y>x");
    }
}
