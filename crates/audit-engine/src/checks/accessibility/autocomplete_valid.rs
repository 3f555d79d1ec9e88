//! Finds form fields with an invalid `autocomplete` value.

use crate::aria::focus::is_disabled;
use crate::aria::input_type;
use crate::check::{Outcome, Verdict};
use crate::common::text::described::{field_name, nearest};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `autocomplete` attribute of a form field has a value that the HTML Standard defines.
    ///
    /// ## Why it matters
    /// Browsers fill in known fields automatically, and assistive tools can show a symbol for them. This
    /// helps users who type with difficulty or have memory problems. An invalid value disables this help.
    ///
    /// ## How to fix it
    /// Use a field name from the HTML Standard. The tokens have this order: optionally `section-…`, then
    /// `shipping` or `billing`, then `home`, `work` or `mobile`, then the field name, for example
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
    /// The check does not evaluate whether the value suits the purpose of the field. Values such as `nope`,
    /// which authors use to turn autofill off, neither pass nor fail. Read-only and disabled fields,
    /// checkboxes, radio buttons and file inputs are excluded, because browsers do not fill them in.
    ///
    /// ## Also known as
    /// - axe: `autocomplete-valid`
    /// - WCAG: Failure F107
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.5 Identify Input Purpose (AA)
    /// - W3C ACT rule 73f2c2, autocomplete attribute has valid value
    /// - HTML Standard, section 4.10.18.7.1, autofilling form controls: the autocomplete attribute
    AUTOCOMPLETE_VALID {
        id: "autocomplete-valid",
        title: "Invalid autocomplete attribute values",
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

/// Field names that `home`, `work`, `mobile`, `fax` and `pager` may precede.
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

/// Values that authors use to turn autofill off because browsers ignore `off`.
const AUTOFILL_OFF_VALUES: [&str; 12] = [
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
                && !is_read_only_or_disabled(*field)
                && !tree.exposure(*field).hidden
        });
    Outcome::for_each(fields, |(field, value)| {
        let value = value.to_ascii_lowercase();
        if is_valid(&value) {
            Verdict::Pass
        } else if AUTOFILL_OFF_VALUES.contains(&value.as_str()) || value.contains("{{") {
            Verdict::CannotTell(
                "The autocomplete value is a placeholder or is meant to turn autofill off.",
            )
        } else {
            let known = FIELDS.into_iter().chain(CONTACTS);
            let meant = nearest(&value, known)
                .map_or_else(String::new, |known| format!(" Probably meant: {known}."));
            tree.failure(
                field,
                format!(
                    "The field{} has the autocomplete value \"{value}\", which the HTML Standard does not define.{meant}",
                    field_name(field)
                ),
            )
        }
    })
}

/// Whether users cannot fill in the field.
fn is_read_only_or_disabled(field: ElementRef<'_>) -> bool {
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

/// Whether all tokens are known and in the order that the standard defines.
fn is_valid(value: &str) -> bool {
    let mut tokens: Vec<&str> = value.split_ascii_whitespace().collect();
    if tokens.len() > 1 && tokens.last() == Some(&"webauthn") {
        tokens.pop();
    }
    let mut rest = tokens.as_slice();
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
    fn unknown_tokens_and_wrong_order_fail() {
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
    fn off_values_and_fields_that_are_not_filled_in_are_not_applicable() {
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
    fn a_value_that_turns_autofill_off_cannot_tell() {
        let found = outcome(&AUTOCOMPLETE_VALID, "<input autocomplete=nope>");
        assert!(matches!(found, Outcome::CannotTell(_)));
    }
}
