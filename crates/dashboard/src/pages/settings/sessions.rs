//! The person's own sessions.

use askama::Template;
use domain::account::Session;
use domain::id::SessionId;
use domain::key::Role;

use super::browser::browser;
use super::nav::Nav;
use crate::cookie;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings/sessions", Access::SignedIn(Role::Read), show),
    Route::post(
        "/settings/sessions/end-others",
        Access::SignedIn(Role::Read),
        end_others,
    ),
    Route::post(
        "/settings/sessions/{id}/end",
        Access::SignedIn(Role::Read),
        end,
    ),
];

struct Row {
    id: SessionId,
    browser: String,
    address: String,
    used: Time,
    opened: Time,
    is_this: bool,
}

impl Row {
    fn new(session: Session, this: &SessionId) -> Self {
        Self {
            browser: browser(&session.user_agent),
            address: session.address,
            used: Time::new(session.last_seen_at),
            opened: Time::new(session.created_at),
            is_this: session.id == *this,
            id: session.id,
        }
    }
}

#[derive(Template)]
#[template(path = "pages/settings/sessions.html")]
struct Sessions {
    layout: Layout,
    nav: Nav,
    rows: Vec<Row>,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let this = &visit.signed_in()?.session;
    let now = visit.now();
    let lifetime = visit.state.settings.lifetime;
    let sessions = visit.state.stores.sessions(&this.account_id)?.into_iter();
    Reply::page(&Sessions {
        layout: Layout::new(visit, "Your sessions", Section::Settings),
        nav: Nav::new(visit, "/settings/sessions"),
        rows: sessions
            .filter(|session| lifetime.is_alive(session, now))
            .map(|session| Row::new(session, &this.id))
            .collect(),
    })
}

fn end(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", SessionId::parse)?;
    let this = &visit.signed_in()?.session;
    if !visit.state.sessions().end(&this.account_id, &id)? {
        return Err(Failure::NotFound);
    }
    if id == this.id {
        return Ok(Reply::redirect("/sign-in").with_cookie(cookie::removal(&visit.state)));
    }
    Ok(Reply::redirect("/settings/sessions"))
}

fn end_others(visit: &Visit) -> Result<Reply, Failure> {
    let this = &visit.signed_in()?.session;
    let stores = &visit.state.stores;
    stores.end_other_sessions(&this.account_id, &this.id)?;
    Ok(Reply::redirect("/settings/sessions"))
}
