//! Signing in and out.

use std::time::Duration;

use actix_web::http::StatusCode;
use askama::Template;
use domain::account::SignInStage;
use domain::key::Role;
use domain::usecase::{OpenedSession, SignInRefused};

use super::sign_in_code;
use super::waiting::{NEXT, Waiting, kept};
use crate::cookie;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[
    Route::get("/sign-in", Access::Public, show),
    Route::post("/sign-in", Access::Public, sign_in),
    Route::post("/sign-out", Access::SignedIn(Role::Read), sign_out).without_second_factor(),
];

#[derive(Template)]
#[template(path = "pages/sign_in.html")]
struct SignIn<'a> {
    layout: Layout,
    email: &'a str,
    problem: Option<String>,
    waiting: Waiting<'a>,
}

#[derive(Template)]
#[template(path = "pages/resend.html")]
struct Resend<'a> {
    layout: Layout,
    action: &'a str,
    token: String,
    fields: Vec<(&'a str, &'a str)>,
}

/// The page that asks for address and password.
pub(super) fn page(
    visit: &Visit,
    status: StatusCode,
    email: &str,
    waiting: Waiting<'_>,
    problem: Option<String>,
) -> Result<Reply, Failure> {
    let title = match status {
        StatusCode::UNAUTHORIZED => "Sign in again",
        _ => "Sign in",
    };
    let page = SignIn {
        layout: Layout::new(visit, title, Section::None),
        email,
        problem,
        waiting,
    };
    Reply::with_status(status, &page)
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let waiting = Waiting::page(visit.query.text(NEXT));
    if visit.signed_in.is_some() {
        return Ok(Reply::redirect(waiting.next));
    }
    page(visit, StatusCode::OK, "", waiting, None)
}

/// The sign-in page in place of a page that needs a session. A form that was sent is kept and can be sent again.
pub(crate) fn instead(visit: &Visit) -> Result<Reply, Failure> {
    let is_form = !visit.form.fields().is_empty();
    if !is_form {
        let next: String = url::form_urlencoded::byte_serialize(visit.address.as_bytes()).collect();
        return Ok(Reply::redirect(format!("/sign-in?next={next}")));
    }
    let problem =
        "Your session has expired. Sign in to continue. Your input is kept, except passwords."
            .to_owned();
    let waiting = Waiting::sent(&visit.address, &visit.form);
    page(visit, StatusCode::UNAUTHORIZED, "", waiting, Some(problem))
}

fn sign_in(visit: &Visit) -> Result<Reply, Failure> {
    let email = visit.form.text("email");
    if let Err(wait) = visit.state.throttle.count(email, visit.client) {
        return too_many(visit, email, wait);
    }
    let password = visit.form.raw("password");
    let opened = visit.with_client(|client| {
        visit
            .state
            .sessions()
            .sign_in(email, password, client, visit.token.as_ref())
    });
    match opened {
        Ok(opened) => Ok(after_password(visit, &opened)?.with_cookie(visit.cookie(&opened))),
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
    let waiting = Waiting::carried(&visit.form);
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    page(visit, status, email, waiting, Some(refused.to_string()))
}

/// The page again after too many attempts, with the page or form that waits.
fn too_many(visit: &Visit, email: &str, wait: Duration) -> Result<Reply, Failure> {
    let failure = Failure::TooMany(wait);
    let waiting = Waiting::carried(&visit.form);
    let problem = Some(failure.beside_form());
    Ok(page(visit, failure.status(), email, waiting, problem)?.with_retry_after(Some(wait)))
}

/// The response to a correct password: the page that the person wanted, or the page that asks for the code.
fn after_password(visit: &Visit, opened: &OpenedSession) -> Result<Reply, Failure> {
    let waiting = Waiting::carried(&visit.form);
    match opened.stage {
        SignInStage::SignedIn => after_sign_in(visit, opened.token.form_token()),
        SignInStage::CodeNeeded if waiting.form.is_some() => sign_in_code::instead(visit, opened),
        SignInStage::CodeNeeded => Ok(sign_in_code::after_password(opened, waiting.next)),
    }
}

/// The page or form that the person wanted before the sign-in, with the form token of the new session.
pub(super) fn after_sign_in(visit: &Visit, token: String) -> Result<Reply, Failure> {
    let waiting = Waiting::carried(&visit.form);
    match waiting.form {
        Some(action) if (visit.takes_form)(visit.variant(), action) => Reply::page(&Resend {
            layout: Layout::new(visit, "Send the form again", Section::None),
            action,
            token,
            fields: kept(&visit.form).collect(),
        }),
        _ => Ok(Reply::redirect(waiting.next)),
    }
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
