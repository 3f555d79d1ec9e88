//! Signing in and out.

use actix_web::http::StatusCode;
use askama::Template;
use domain::key::Role;
use domain::usecase::SignInRefused;

use crate::cookie;
use crate::failure::Failure;
use crate::form::Form;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[
    Route::get("/sign-in", Access::Public, show),
    Route::post("/sign-in", Access::Public, sign_in),
    Route::post("/sign-out", Access::SignedIn(Role::Read), sign_out),
];

/// The field with the path to go to after a sign-in.
const NEXT: &str = "next";
/// What the names of the fields of a form that waits for a sign-in begin with.
const KEPT: &str = "kept.";
/// The field with the path of a form that waits for a sign-in.
const KEPT_FORM: &str = "kept-form";

#[derive(Template)]
#[template(path = "pages/sign_in.html")]
struct SignIn<'a> {
    layout: Layout,
    email: &'a str,
    next: &'a str,
    problem: Option<String>,
    /// A form that was sent after the session expired: its path and fields.
    kept_form: Option<&'a str>,
    kept: Vec<(String, &'a str)>,
}

#[derive(Template)]
#[template(path = "pages/resend.html")]
struct Resend<'a> {
    layout: Layout,
    action: &'a str,
    token: String,
    fields: Vec<(&'a str, &'a str)>,
}

/// A path of this service, never an address elsewhere (open redirect).
pub(super) fn own_path(text: &str) -> &str {
    let is_own = text.starts_with('/') && !text.starts_with("//") && !text.contains('\\');
    if is_own && !text.chars().any(char::is_control) {
        text
    } else {
        "/"
    }
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let next = own_path(visit.query.text(NEXT));
    if visit.signed_in.is_some() {
        return Ok(Reply::redirect(next));
    }
    Reply::page(&SignIn {
        layout: Layout::new(visit, "Sign in", Section::None),
        email: "",
        next,
        problem: None,
        kept_form: None,
        kept: Vec::new(),
    })
}

/// The sign-in page in place of a page that needs a session. A form that was sent is kept and can be sent again.
pub(crate) fn instead(visit: &Visit) -> Result<Reply, Failure> {
    let is_form = !visit.form.fields().is_empty();
    if !is_form {
        let next: String = url::form_urlencoded::byte_serialize(visit.address.as_bytes()).collect();
        return Ok(Reply::redirect(format!("/sign-in?next={next}")));
    }
    let fields = visit.form.fields().iter();
    let kept =
        fields.filter(|(name, _)| name != crate::form::FORM_TOKEN && !name.contains("password"));
    Reply::with_status(
        StatusCode::UNAUTHORIZED,
        &SignIn {
            layout: Layout::new(visit, "Your session has expired", Section::None),
            email: "",
            next: "/",
            problem: Some("Sign in to continue. Your input is kept, except passwords.".to_owned()),
            kept_form: Some(own_path(&visit.address)),
            kept: kept
                .map(|(name, value)| (format!("{KEPT}{name}"), value.as_str()))
                .collect(),
        },
    )
}

fn sign_in(visit: &Visit) -> Result<Reply, Failure> {
    let email = visit.form.text("email");
    visit
        .state
        .throttle
        .count(email, visit.client)
        .map_err(Failure::TooMany)?;
    let password = visit.form.raw("password");
    let opened = visit.with_client(|client| {
        visit
            .state
            .sessions()
            .sign_in(email, password, client, visit.token.as_ref())
    });
    match opened {
        Ok(opened) => {
            let cookie = visit.cookie(&opened);
            let token = opened.token.form_token();
            Ok(after_sign_in(visit, token)?.with_cookie(cookie))
        }
        Err(SignInRefused::Store(error)) => Err(error.into()),
        Err(refused) => {
            let reply = refusal(visit, email, &refused)?;
            let SignInRefused::WrongCredentials(Some(account)) = refused else {
                return Ok(reply);
            };
            // An unknown address has no log to write to, and the response must not tell by its time.
            let (state, address) = (visit.state.clone(), visit.client.to_string());
            Ok(reply.with_afterwards(move || {
                if let Err(error) = state.sessions().log_failed_sign_in(&account, &address) {
                    tracing::error!(%error, "failed sign-in is not in the audit log");
                }
            }))
        }
    }
}

fn refusal(visit: &Visit, email: &str, refused: &SignInRefused) -> Result<Reply, Failure> {
    Reply::invalid(&SignIn {
        layout: Layout::new(visit, "Sign in", Section::None),
        email,
        next: own_path(visit.form.text(NEXT)),
        problem: Some(refused.to_string()),
        kept_form: visit.form.given(KEPT_FORM).map(own_path),
        kept: kept(&visit.form)
            .map(|(name, value)| (format!("{KEPT}{name}"), value))
            .collect(),
    })
}

fn after_sign_in(visit: &Visit, token: String) -> Result<Reply, Failure> {
    let variant = visit.variant();
    let waiting = visit.form.given(KEPT_FORM).map(own_path);
    match waiting {
        Some(action) if (visit.takes_form)(variant, action) => Reply::page(&Resend {
            layout: Layout::new(visit, "Send the form again", Section::None),
            action,
            token,
            fields: kept(&visit.form).collect(),
        }),
        _ => Ok(Reply::redirect(own_path(visit.form.text(NEXT)))),
    }
}

/// The fields of the form that waits, by their own names.
fn kept(form: &Form) -> impl Iterator<Item = (&str, &str)> {
    let fields = form.fields().iter();
    fields.filter_map(|(name, value)| Some((name.strip_prefix(KEPT)?, value.as_str())))
}

fn sign_out(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    let session = &signed_in.session;
    visit
        .state
        .sessions()
        .end(&session.account_id, &session.id)?;
    Ok(Reply::redirect("/sign-in").with_cookie(cookie::removal(&visit.state)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        assert_eq!(own_path("/sites?a=b"), "/sites?a=b");
        for foreign in [
            "",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "/a\nb",
            "sites",
        ] {
            assert_eq!(own_path(foreign), "/", "{foreign}");
        }
    }
}
