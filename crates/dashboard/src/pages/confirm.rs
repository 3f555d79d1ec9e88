//! Entering the password again before a change to passwords, keys or members.

use actix_web::http::StatusCode;
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
    problem: Option<&'static str>,
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
        None,
    )
}

fn show(
    visit: &Visit,
    target: &str,
    fields: Vec<(&str, &str)>,
    is_form: bool,
    problem: Option<&'static str>,
) -> Result<Reply, Failure> {
    let status = match problem {
        None => StatusCode::OK,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let page = Confirm {
        layout: Layout::new(visit, "Confirm your password", Section::None),
        target,
        is_form,
        fields,
        problem,
    };
    Reply::with_status(status, &page)
}

fn confirm(visit: &Visit) -> Result<Reply, Failure> {
    let target = super::waiting::own_path(visit.form.text("target"));
    let fields: Vec<_> = kept(visit).collect();
    let signed_in = visit.signed_in()?;
    let email = &signed_in.account.email;
    visit
        .state
        .throttle
        .count(email, visit.client)
        .map_err(Failure::TooMany)?;
    let password = visit.form.raw("password");
    let sessions = visit.state.sessions();
    let Some(opened) = sessions.confirm_password(visit.token()?, signed_in, password)? else {
        let is_form = visit.form.is_ticked("is-form");
        return show(
            visit,
            target,
            fields,
            is_form,
            Some("The password is wrong."),
        );
    };
    let cookie = visit.cookie(&opened);
    let is_form = visit.form.is_ticked("is-form") && (visit.takes_form)(visit.variant(), target);
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
