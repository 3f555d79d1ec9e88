//! What one-time links open: the setup of an organization, an invitation, another password.
//!
//! The token is in the query, which is not logged, and never in the path.

use actix_web::http::StatusCode;
use askama::Template;
use domain::account::{LinkPurpose, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, Token};
use domain::ports::LinkTarget;
use domain::usecase::LinkNotTaken;

use super::sign_in_code;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[
    Route::get(SETUP, Access::Public, |visit| {
        show(visit, LinkPurpose::Setup)
    }),
    Route::post(SETUP, Access::Public, |visit| {
        take(visit, LinkPurpose::Setup)
    }),
    Route::get(JOIN, Access::Public, |visit| {
        show(visit, LinkPurpose::Invitation)
    }),
    Route::post(JOIN, Access::Public, |visit| {
        take(visit, LinkPurpose::Invitation)
    }),
    Route::get(RESET, Access::Public, |visit| {
        show(visit, LinkPurpose::PasswordReset)
    }),
    Route::post(RESET, Access::Public, |visit| {
        take(visit, LinkPurpose::PasswordReset)
    }),
];

const SETUP: &str = "/setup";
const JOIN: &str = "/join";
const RESET: &str = "/reset-password";

/// The path and the query of a one-time link, below the base URL of the service.
#[must_use]
pub fn link_path(purpose: LinkPurpose, token: &Token) -> String {
    format!("{}?link={}", path(purpose), token.expose())
}

const fn path(purpose: LinkPurpose) -> &'static str {
    match purpose {
        LinkPurpose::Setup => SETUP,
        LinkPurpose::Invitation => JOIN,
        LinkPurpose::PasswordReset => RESET,
    }
}

const fn title(purpose: LinkPurpose) -> &'static str {
    match purpose {
        LinkPurpose::Setup => "Set up Assay",
        LinkPurpose::Invitation => "Accept the invitation",
        LinkPurpose::PasswordReset => "Choose a new password",
    }
}

#[derive(Template)]
#[template(path = "pages/link.html")]
struct Page<'a> {
    layout: Layout,
    path: &'static str,
    link: &'a str,
    organization: &'a str,
    /// Whether the person chooses the address; else it is that of the member.
    asks_email: bool,
    asks_name: bool,
    /// Whether an account has the address already, and its password is asked for.
    has_account: bool,
    email: &'a str,
    name: &'a str,
    least: usize,
    most: usize,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/link_gone.html")]
struct Gone {
    layout: Layout,
    purpose: LinkPurpose,
}

fn show(visit: &Visit, purpose: LinkPurpose) -> Result<Reply, Failure> {
    let link = visit.query.text("link");
    match target(visit, purpose, link)? {
        None => gone(visit, purpose),
        Some(target) => Reply::page(&page(visit, purpose, link, &target, None)?),
    }
}

/// What a link opens, as long as it works.
fn target(visit: &Visit, purpose: LinkPurpose, link: &str) -> Result<Option<LinkTarget>, Failure> {
    let Some(token) = Token::parse(link) else {
        return Ok(None);
    };
    let found = visit.state.sessions().link(&token)?;
    Ok(found.filter(|found| found.link.purpose == purpose))
}

fn gone(visit: &Visit, purpose: LinkPurpose) -> Result<Reply, Failure> {
    Reply::with_status(
        StatusCode::GONE,
        &Gone {
            layout: Layout::new(visit, "This link does not work", Section::None),
            purpose,
        },
    )
}

fn page<'a>(
    visit: &'a Visit,
    purpose: LinkPurpose,
    link: &'a str,
    target: &'a LinkTarget,
    problem: Option<String>,
) -> Result<Page<'a>, Failure> {
    let member = target.member.as_ref();
    let email = match (member, visit.form.text("email")) {
        (Some(member), _) => member.email.as_str(),
        (None, typed) => typed,
    };
    let is_invitation = purpose == LinkPurpose::Invitation;
    let has_account = is_invitation && visit.state.stores.credentials(email)?.is_some();
    Ok(Page {
        layout: Layout::new(visit, title(purpose), Section::None),
        path: path(purpose),
        link,
        organization: &target.organization.name,
        asks_email: purpose == LinkPurpose::Setup,
        asks_name: purpose != LinkPurpose::PasswordReset && !has_account,
        has_account,
        email,
        name: match (visit.form.given("name"), member) {
            (Some(typed), _) => typed,
            (None, Some(member)) => &member.name,
            (None, None) => "",
        },
        least: MIN_PASSWORD_CHARS,
        most: MAX_PASSWORD_CHARS,
        problem,
    })
}

fn take(visit: &Visit, purpose: LinkPurpose) -> Result<Reply, Failure> {
    let form = &visit.form;
    let link = form.text("link");
    let Some(target) = target(visit, purpose, link)? else {
        return gone(visit, purpose);
    };
    // Only somebody with a working link comes this far, but a setup link also tries passwords of accounts.
    if let Err(wait) = visit.state.throttle.count(link, visit.client) {
        let problem = Some(Failure::TooMany(wait).beside_form());
        return Reply::too_many(wait, &page(visit, purpose, link, &target, problem)?);
    }
    let Some(token) = Token::parse(link) else {
        return gone(visit, purpose);
    };
    let (name, email, password) = (form.text("name"), form.text("email"), form.raw("password"));
    if form.raw("repeated") != password && !is_for_known_account(visit, purpose, &target)? {
        let problem = Some("The two passwords differ.".to_owned());
        return Reply::invalid(&page(visit, purpose, link, &target, problem)?);
    }
    let sessions = visit.state.sessions();
    let opened = visit.with_client(|client| match purpose {
        LinkPurpose::Setup => sessions.take_setup_link(&token, (name, email, password), client),
        LinkPurpose::Invitation => sessions.take_invitation(&token, (name, password), client),
        LinkPurpose::PasswordReset => sessions.take_password_reset(&token, password, client),
    });
    match opened {
        Ok(opened) => {
            let reply = sign_in_code::after_password(&opened, "/");
            Ok(reply.with_cookie(visit.cookie(&opened)))
        }
        Err(LinkNotTaken::Store(error)) => Err(error.into()),
        Err(LinkNotTaken::Gone) => gone(visit, purpose),
        Err(refused) => Reply::invalid(&page(
            visit,
            purpose,
            link,
            &target,
            Some(refused.to_string()),
        )?),
    }
}

/// Whether the form asked for the password of an account, and so only once.
fn is_for_known_account(
    visit: &Visit,
    purpose: LinkPurpose,
    target: &LinkTarget,
) -> Result<bool, Failure> {
    let Some(member) = target
        .member
        .as_ref()
        .filter(|_| purpose == LinkPurpose::Invitation)
    else {
        return Ok(false);
    };
    Ok(visit.state.stores.credentials(&member.email)?.is_some())
}
