//! Forms that put passwords into addresses.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Forms with a password field are sent with `method="post"`.
    ///
    /// ## Why it matters
    /// A form sent with `get` puts its entries into the address. The password then stands in the
    /// browser's history, in server logs and in referrers.
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
    /// A form that names neither method nor action, or has an `onsubmit` handler, may be sent by a
    /// script; of such a form the check cannot tell. A field without a name is never sent.
    ///
    /// ## References
    /// - CWE-598, Use of GET Request Method With Sensitive Query Strings
    FORM_CREDENTIALS_GET {
        id: "form-credentials-get",
        title: "Forms put passwords into the address",
        dimension: Security,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const BY_SCRIPT: &str = "A script may send the form, which cannot be seen in its markup.";

/// A form with a password field, and what its submit buttons say of the method.
#[derive(Default)]
struct Controls {
    has_password: bool,
    buttons: u32,
    buttons_that_post: u32,
}

fn evaluate(page: &Page) -> Outcome {
    let mut forms: HashMap<NodeId, Controls> = HashMap::new();
    for control in page.html("input").chain(page.html("button")) {
        if let Some(form) = owner(page, control) {
            note(forms.entry(form.id()).or_default(), control);
        }
    }
    let with_password = page.html("form").filter_map(|form| {
        let controls = forms.get(&form.id())?;
        controls.has_password.then_some((form, controls))
    });
    Outcome::for_each(with_password, |(form, controls)| judge_form(form, controls))
}

/// The form that a control belongs to: the one its `form` attribute names, else the nearest around it.
fn owner<'a>(page: &'a Page, control: ElementRef<'a>) -> Option<ElementRef<'a>> {
    match control.attr("form") {
        Some(id) => page.by_id(id).filter(|form| form.is("form")),
        None => control.closest("form"),
    }
}

fn note(controls: &mut Controls, control: ElementRef<'_>) {
    let submits = if control.is("button") {
        !control.attr_is("type", "button") && !control.attr_is("type", "reset")
    } else {
        control.attr_is("type", "submit") || control.attr_is("type", "image")
    };
    if submits {
        controls.buttons += 1;
        controls.buttons_that_post += u32::from(control.attr_is("formmethod", "post"));
    }
    controls.has_password |= control.attr_is("type", "password")
        && control.attr("name").is_some_and(|name| !name.is_empty())
        && !control.has_attr("disabled");
}

fn judge_form(form: ElementRef<'_>, controls: &Controls) -> Verdict {
    let posts = form.attr_is("method", "post")
        || form.attr_is("method", "dialog")
        || (controls.buttons > 0 && controls.buttons == controls.buttons_that_post);
    if posts {
        return Verdict::Pass;
    }
    let action = form.attr("action").map(str::trim).unwrap_or_default();
    let by_script = form.has_attr("onsubmit")
        || action.to_ascii_lowercase().starts_with("javascript:")
        || (!form.has_attr("method") && (action.is_empty() || action.starts_with('#')));
    if by_script {
        return Verdict::CannotTell(BY_SCRIPT);
    }
    Verdict::Fail(Evidence::node(form).message(
        "The form has a password field and is sent with the method get; expected is post.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn get_fails_written_or_by_default() {
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
    fn a_button_that_posts_passes() {
        assert_passes(
            &FORM_CREDENTIALS_GET,
            "<form action=/in><input type=password name=p><button formmethod=post>in</button></form>",
        );
    }

    #[test]
    fn a_field_outside_belongs_to_the_form_it_names() {
        assert_fails(
            &FORM_CREDENTIALS_GET,
            "<form id=f method=get></form><input type=password name=p form=f>",
            1,
        );
    }

    #[test]
    fn forms_that_scripts_send_cannot_be_judged() {
        for html in [
            "<form><input type=password name=p></form>",
            "<form action=/in onsubmit='return send()'><input type=password name=p></form>",
        ] {
            assert_eq!(
                outcome(&FORM_CREDENTIALS_GET, html),
                Outcome::CannotTell(BY_SCRIPT)
            );
        }
    }

    #[test]
    fn fields_that_are_never_sent_do_not_count() {
        assert_not_applicable(
            &FORM_CREDENTIALS_GET,
            "<form method=get><input type=password></form><input type=password name=p>",
        );
    }
}
