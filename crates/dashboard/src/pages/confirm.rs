//! Entering the password again before a change to passwords, keys or members.

use std::time::Duration;

use askama::Template;
use domain::key::Role;

use crate::failure::Failure;
use crate::form::FORM_TOKEN;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] =
    &[Route::post("/confirm", Access::SignedIn(Role::Read), confirm).without_second_factor()];

#[derive(Template)]
#[template(path = "pages/confirm.html")]
struct Confirm<'a> {
    layout: Layout,
    /// The page or form that waits.
    target: &'a str,
    is_form: bool,
    fields: Vec<(&'a str, &'a str)>,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/confirmed.html")]
struct Confirmed<'a> {
    layout: Layout,
    target: &'a str,
    token: String,
    fields: Vec<(&'a str, &'a str)>,
}

/// The page that asks for the password in place of what needs it.
pub(crate) fn instead(visit: &Visit) -> Result<Reply, Failure> {
    let fields = visit.form.fields().iter();
    let fields = fields.filter(|(name, _)| name != FORM_TOKEN);
    show(
        visit,
        &visit.address,
        fields
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect(),
        // A form without fields of its own has the token still.
        !visit.form.fields().is_empty(),
        Refusal::None,
    )
}

/// Why the page is shown again.
#[derive(Clone, Copy)]
enum Refusal {
    /// It is shown for the first time.
    None,
    /// The password is wrong.
    Wrong,
    /// There were too many attempts; the next one is accepted after this time.
    TooMany(Duration),
}

fn show(
    visit: &Visit,
    target: &str,
    fields: Vec<(&str, &str)>,
    is_form: bool,
    refusal: Refusal,
) -> Result<Reply, Failure> {
    let page = Confirm {
        layout: Layout::new(visit, "Confirm your password", Section::None),
        target,
        is_form,
        fields,
        problem: match refusal {
            Refusal::None => None,
            Refusal::Wrong => Some("The password is wrong.".to_owned()),
            Refusal::TooMany(wait) => Some(Failure::TooMany(wait).beside_form()),
        },
    };
    match refusal {
        Refusal::None => Reply::page(&page),
        Refusal::Wrong => Reply::invalid(&page),
        Refusal::TooMany(wait) => Reply::too_many(wait, &page),
    }
}

fn confirm(visit: &Visit) -> Result<Reply, Failure> {
    let target = super::waiting::own_path(visit.form.text("target"));
    let fields: Vec<_> = kept(visit).collect();
    let signed_in = visit.signed_in()?;
    let is_form = visit.form.is_ticked("is-form");
    let email = &signed_in.account.email;
    // The form that waits is kept, so that nobody has to fill it in again.
    if let Err(wait) = visit.state.throttle.count(email, visit.client) {
        return show(visit, target, fields, is_form, Refusal::TooMany(wait));
    }
    let password = visit.form.raw("password");
    let sessions = visit.state.sessions();
    let Some(opened) = sessions.confirm_password(visit.token()?, signed_in, password)? else {
        return show(visit, target, fields, is_form, Refusal::Wrong);
    };
    let cookie = visit.cookie(&opened);
    let is_form = is_form && (visit.takes_form)(visit.variant(), target);
    let reply = match is_form {
        false => Reply::redirect(target),
        true => Reply::page(&Confirmed {
            layout: Layout::new(visit, "Password confirmed", Section::None),
            target,
            token: opened.token.form_token(),
            fields,
        })?,
    };
    Ok(reply.with_cookie(cookie))
}

fn kept(visit: &Visit) -> impl Iterator<Item = (&str, &str)> {
    let fields = visit.form.fields().iter();
    fields.filter_map(|(name, value)| Some((name.strip_prefix("kept.")?, value.as_str())))
}
