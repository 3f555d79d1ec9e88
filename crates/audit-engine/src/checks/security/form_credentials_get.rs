//! Password forms that use the GET method.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Forms with a password field use `method="post"`.
    ///
    /// ## Why it matters
    /// A form that uses `get` puts its data into the URL. The password is then stored in the
    /// browser's history and in server logs, and can leak in the `Referer` header.
    ///
    /// ## How to fix it
    /// Add `method="post"` to the form.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Members</title><form method="get" action="/login"><label>Password <input type="password" name="pw"></label><button>Sign in</button></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Members</title><form method="post" action="/login"><label>Password <input type="password" name="pw"></label><button>Sign in</button></form></html>
    /// ```
    ///
    /// ## Limits
    /// A script may submit a form that has neither a method nor an action, or that has an
    /// `onsubmit` handler. The outcome for such a form is "cannot tell". A field without a name is
    /// never submitted and is ignored.
    ///
    /// ## Also known as
    /// - CWE: CWE-598
    /// - Common name: Sensitive data in the query string
    ///
    /// ## References
    /// - CWE-598, Use of GET Request Method With Sensitive Query Strings
    FORM_CREDENTIALS_GET {
        id: "form-credentials-get",
        title: "Password form submitted with GET",
        dimension: Security,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const SUBMITTED_BY_SCRIPT: &str =
    "A script may submit the form, and its method is not visible in the markup.";

/// The controls of a form: whether it has a password field, and which method its submit buttons set.
#[derive(Default)]
struct Controls {
    has_password: bool,
    submit_buttons: u32,
    submit_buttons_with_post: u32,
}

fn evaluate(page: &Page) -> Outcome {
    let mut forms: HashMap<NodeId, Controls> = HashMap::new();
    for control in page.html("input").chain(page.html("button")) {
        if let Some(form) = owner(page, control) {
            record_control(forms.entry(form.id()).or_default(), control);
        }
    }
    let with_password = page.html("form").filter_map(|form| {
        let controls = forms.get(&form.id())?;
        controls.has_password.then_some((form, controls))
    });
    Outcome::for_each(with_password, |(form, controls)| {
        evaluate_form(form, controls)
    })
}

/// The form that a control belongs to: the one that its `form` attribute references, else its nearest ancestor form.
fn owner<'a>(page: &'a Page, control: ElementRef<'a>) -> Option<ElementRef<'a>> {
    match control.attr("form") {
        Some(id) => page.by_id(id).filter(|form| form.is("form")),
        None => control.closest("form"),
    }
}

fn record_control(controls: &mut Controls, control: ElementRef<'_>) {
    let submits = if control.is("button") {
        !control.attr_is("type", "button") && !control.attr_is("type", "reset")
    } else {
        control.attr_is("type", "submit") || control.attr_is("type", "image")
    };
    if submits {
        controls.submit_buttons += 1;
        controls.submit_buttons_with_post += u32::from(control.attr_is("formmethod", "post"));
    }
    controls.has_password |= control.attr_is("type", "password")
        && control.attr("name").is_some_and(|name| !name.is_empty())
        && !control.has_attr("disabled");
}

fn evaluate_form(form: ElementRef<'_>, controls: &Controls) -> Verdict {
    let uses_post = form.attr_is("method", "post")
        || form.attr_is("method", "dialog")
        || (controls.submit_buttons > 0
            && controls.submit_buttons == controls.submit_buttons_with_post);
    if uses_post {
        return Verdict::Pass;
    }
    let action = form.attr("action").map(str::trim).unwrap_or_default();
    let submitted_by_script = form.has_attr("onsubmit")
        || action.to_ascii_lowercase().starts_with("javascript:")
        || (!form.has_attr("method") && (action.is_empty() || action.starts_with('#')));
    if submitted_by_script {
        return Verdict::CannotTell(SUBMITTED_BY_SCRIPT);
    }
    Verdict::Fail(
        Evidence::node(form)
            .message("The form has a password field and uses the method get; expected post."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn explicit_and_default_get_fail() {
        assert_fails(
            &FORM_CREDENTIALS_GET,
            "<form method=GET><input type=password name=p></form><form action=/in><input type=password name=p></form>",
            2,
        );
    }

    #[test]
    fn post_passes() {
        assert_passes(
            &FORM_CREDENTIALS_GET,
            "<form method=POST><input type=password name=p></form>",
        );
    }

    #[test]
    fn a_submit_button_with_formmethod_post_passes() {
        assert_passes(
            &FORM_CREDENTIALS_GET,
            "<form action=/in><input type=password name=p><button formmethod=post>in</button></form>",
        );
    }

    #[test]
    fn a_field_outside_the_form_belongs_to_the_form_it_references() {
        assert_fails(
            &FORM_CREDENTIALS_GET,
            "<form id=f method=get></form><input type=password name=p form=f>",
            1,
        );
    }

    #[test]
    fn forms_that_scripts_may_submit_cannot_tell() {
        for html in [
            "<form><input type=password name=p></form>",
            "<form action=/in onsubmit='return send()'><input type=password name=p></form>",
        ] {
            assert_eq!(
                outcome(&FORM_CREDENTIALS_GET, html),
                Outcome::CannotTell(SUBMITTED_BY_SCRIPT)
            );
        }
    }

    #[test]
    fn fields_that_are_never_submitted_are_ignored() {
        assert_not_applicable(
            &FORM_CREDENTIALS_GET,
            "<form method=get><input type=password></form><input type=password name=p>",
        );
    }
}
