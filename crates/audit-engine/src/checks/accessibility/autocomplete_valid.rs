//! Fields say what personal data they ask for in words that browsers know.

use crate::aria::focus::is_disabled;
use crate::aria::input_type;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `autocomplete` attribute of a form field has a value that the HTML Standard defines.
    ///
    /// ## Why it matters
    /// Browsers fill known fields in by themselves, and other tools show a symbol for them. That helps people who
    /// type with effort or forget easily; a wrong word takes the help away.
    ///
    /// ## How to fix it
    /// Write one of the standard's field names, in this order: optionally `section-…`, `shipping`
    /// or `billing`, `home`, `work` or `mobile`, then the field, for example
    /// `autocomplete="shipping street-address"`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Sign up</title><form><label>Email <input type="email" autocomplete="mail"></label></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Sign up</title><form><label>Email <input type="email" autocomplete="email"></label></form></html>
    /// ```
    ///
    /// ## Limits
    /// Whether the value suits what the field asks for is not judged. Words such as `nope`, with which authors try to
    /// switch filling off, are neither passed nor failed. Fields that are read-only or disabled, checkboxes, radio buttons and
    /// files are not filled by browsers and left out.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.5 Identify Input Purpose (AA)
    /// - W3C ACT rule 73f2c2, autocomplete attribute has valid value
    /// - HTML Standard, section 4.10.18.7.1, autofilling form controls: the autocomplete attribute
    AUTOCOMPLETE_VALID {
        id: "autocomplete-valid",
        title: "Form fields with an autocomplete value that does not exist",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const FIELDS: [&str; 44] = [
    "name",
    "honorific-prefix",
    "given-name",
    "additional-name",
    "family-name",
    "honorific-suffix",
    "nickname",
    "username",
    "new-password",
    "current-password",
    "one-time-code",
    "organization-title",
    "organization",
    "street-address",
    "address-line1",
    "address-line2",
    "address-line3",
    "address-level4",
    "address-level3",
    "address-level2",
    "address-level1",
    "country",
    "country-name",
    "postal-code",
    "cc-name",
    "cc-given-name",
    "cc-additional-name",
    "cc-family-name",
    "cc-number",
    "cc-exp",
    "cc-exp-month",
    "cc-exp-year",
    "cc-csc",
    "cc-type",
    "transaction-currency",
    "transaction-amount",
    "language",
    "bday",
    "bday-day",
    "bday-month",
    "bday-year",
    "sex",
    "url",
    "photo",
];

/// Fields that `home`, `work`, `mobile`, `fax` and `pager` may stand before.
const CONTACTS: [&str; 10] = [
    "tel",
    "tel-country-code",
    "tel-national",
    "tel-area-code",
    "tel-local",
    "tel-local-prefix",
    "tel-local-suffix",
    "tel-extension",
    "email",
    "impp",
];

/// What authors write to switch filling off where browsers ignore `off`.
const SWITCHES: [&str; 12] = [
    "none",
    "false",
    "true",
    "no",
    "nope",
    "disabled",
    "enabled",
    "undefined",
    "null",
    "xoff",
    "xon",
    "chrome-off",
];

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let fields = page
        .elements_with(Traits::FIELD)
        .filter(|element| is_field(*element))
        .filter_map(|field| Some((field, field.attr("autocomplete")?.trim())))
        .filter(|(field, value)| {
            !value.is_empty()
                && !value.eq_ignore_ascii_case("on")
                && !value.eq_ignore_ascii_case("off")
                && !is_inert(*field)
                && !tree.exposure(*field).hidden
        });
    Outcome::for_each(fields, |(field, value)| {
        let value = value.to_ascii_lowercase();
        if is_valid(&value) {
            Verdict::Pass
        } else if SWITCHES.contains(&value.as_str()) || value.contains("{{") {
            Verdict::CannotTell("A value of autocomplete is meant to switch filling off.")
        } else {
            tree.failure(
                field,
                format!("The autocomplete value \"{value}\" is not defined in the HTML Standard."),
            )
        }
    })
}

/// Whether nobody can fill the field in.
fn is_inert(field: ElementRef<'_>) -> bool {
    is_disabled(field)
        || field.has_attr("readonly")
        || field.attr_is("aria-disabled", "true")
        || field.attr_is("aria-readonly", "true")
}

fn is_field(element: ElementRef<'_>) -> bool {
    element.is("select")
        || element.is("textarea")
        || (element.is("input")
            && !matches!(
                input_type(element),
                "hidden" | "button" | "submit" | "reset" | "image" | "checkbox" | "radio" | "file"
            ))
}

/// Whether the words stand in the order of the standard's table, each of them known.
fn is_valid(value: &str) -> bool {
    let mut words: Vec<&str> = value.split_ascii_whitespace().collect();
    if words.len() > 1 && words.last() == Some(&"webauthn") {
        words.pop();
    }
    let mut rest = words.as_slice();
    if let [first, after @ ..] = rest
        && first.starts_with("section-")
    {
        rest = after;
    }
    if let ["shipping" | "billing", after @ ..] = rest {
        rest = after;
    }
    match rest {
        [field] => FIELDS.contains(field) || CONTACTS.contains(field),
        ["home" | "work" | "mobile" | "fax" | "pager", contact] => CONTACTS.contains(contact),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn defined_values_pass() {
        for value in [
            "username",
            "BDAY-month",
            "section-partner email",
            "section-primary billing address-line1",
            "section-primary shipping work email",
            "current-password webauthn",
            "mobile tel",
        ] {
            assert_passes(
                &AUTOCOMPLETE_VALID,
                &format!("<input autocomplete='{value}'>"),
            );
        }
    }

    #[test]
    fn unknown_words_and_wrong_orders_fail() {
        for value in [
            "badname",
            "work shipping email",
            "shipping",
            "address-line1 address-line2",
            "email invalid",
            "home username",
            "webauthn",
        ] {
            assert_fails(
                &AUTOCOMPLETE_VALID,
                &format!("<input autocomplete='{value}'>"),
                1,
            );
        }
    }

    #[test]
    fn switches_and_fields_nobody_fills_in_are_not_judged() {
        for html in [
            "<input autocomplete=' '>",
            "<input autocomplete=off>",
            "<form autocomplete=badname><input></form>",
            "<input autocomplete=badname style='display:none'>",
            "<input autocomplete=badname disabled>",
            "<input autocomplete=badname aria-disabled=true>",
            "<input autocomplete=badname readonly>",
            "<input autocomplete=badname type=checkbox>",
            "<input type=hidden autocomplete=badname>",
            "<input type=submit autocomplete=badname>",
        ] {
            assert_not_applicable(&AUTOCOMPLETE_VALID, html);
        }
    }

    #[test]
    fn a_word_against_filling_is_not_guessed_at() {
        let found = outcome(&AUTOCOMPLETE_VALID, "<input autocomplete=nope>");
        assert!(matches!(found, Outcome::CannotTell(_)));
    }
}
