//! The page that asks for the code after the password, if the account has a second factor.
//!
//! Until the person enters a correct code, the cookie has the token of a sign-in that waits for a code. Only this page
//! accepts that token.

use actix_web::http::StatusCode;
use askama::Template;
use domain::account::{STEP_SECONDS, SignInStage, Token};
use domain::usecase::{CodeRefused, OpenedSession};

use super::sign_in;
use super::waiting::{NEXT, Waiting};
use crate::failure::Failure;
use crate::form::FORM_TOKEN;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[
    Route::get(PATH, Access::Public, show),
    Route::post(PATH, Access::Public, complete),
];

const PATH: &str = "/sign-in/code";

/// Longest input of a field for codes, in characters: a recovery code with spaces.
pub(super) const MAX_CODE_CHARS: usize = 40;

#[derive(Template)]
#[template(path = "pages/sign_in_code.html")]
struct Page<'a> {
    layout: Layout,
    token: String,
    waiting: Waiting<'a>,
    problem: Option<String>,
    seconds: u32,
    most: usize,
}

fn page<'a>(
    visit: &Visit,
    token: &Token,
    waiting: Waiting<'a>,
    problem: Option<String>,
) -> Page<'a> {
    Page {
        layout: Layout::new(visit, "Enter the code", Section::None),
        token: token.form_token(),
        waiting,
        problem,
        seconds: STEP_SECONDS,
        most: MAX_CODE_CHARS,
    }
}

/// Redirects after a correct password: to `next`, or to the page that asks for the code.
pub(super) fn after_password(opened: &OpenedSession, next: &str) -> Reply {
    match opened.stage {
        SignInStage::SignedIn => Reply::redirect(next),
        SignInStage::CodeNeeded => Reply::redirect(path(next)),
    }
}

fn path(next: &str) -> String {
    let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{PATH}?{NEXT}={next}")
}

/// The page that asks for the code, as the response to the form with the password. It carries the form that waits for
/// the sign-in.
pub(super) fn instead(visit: &Visit, opened: &OpenedSession) -> Result<Reply, Failure> {
    let waiting = Waiting::carried(&visit.form);
    Reply::page(&page(visit, &opened.token, waiting, None))
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let waiting = Waiting::page(visit.query.text(NEXT));
    if visit.signed_in.is_some() {
        return Ok(Reply::redirect(waiting.next));
    }
    if let Some(token) = &visit.token
        && visit.state.sessions().pending(token)?.is_some()
    {
        return Reply::page(&page(visit, token, waiting, None));
    }
    Ok(Reply::redirect("/sign-in"))
}

fn complete(visit: &Visit) -> Result<Reply, Failure> {
    let sessions = visit.state.sessions();
    let waiting = || Waiting::carried(&visit.form);
    let Some(token) = &visit.token else {
        return begin_again(visit);
    };
    let Some(pending) = sessions.pending(token)? else {
        return begin_again(visit);
    };
    if !token.accepts_form(visit.form.raw(FORM_TOKEN)) {
        return Err(Failure::ForeignForm);
    }
    let throttle = &visit.state.throttle;
    if let Err(wait) = throttle.count_code(&pending.account_id, visit.client) {
        let problem = Some(Failure::TooMany(wait).beside_form());
        return Reply::too_many(wait, &page(visit, token, waiting(), problem));
    }
    let code = visit.form.text("code");
    match visit.with_client(|client| sessions.complete_sign_in(token, code, client)) {
        Ok(opened) => {
            let reply = sign_in::after_sign_in(visit, opened.token.form_token())?;
            Ok(reply.with_cookie(visit.cookie(&opened)))
        }
        Err(CodeRefused::Store(error)) => Err(error.into()),
        Err(CodeRefused::Gone) => begin_again(visit),
        Err(refused @ CodeRefused::Wrong) => {
            Reply::invalid(&page(visit, token, waiting(), Some(refused.to_string())))
        }
    }
}

/// The page that asks for the password again. It carries the form that waits for the sign-in.
fn begin_again(visit: &Visit) -> Result<Reply, Failure> {
    let problem = "Too much time has passed since you entered the password. Enter it again.";
    let waiting = Waiting::carried(&visit.form);
    sign_in::page(
        visit,
        StatusCode::UNAUTHORIZED,
        "",
        waiting,
        Some(problem.to_owned()),
    )
}
