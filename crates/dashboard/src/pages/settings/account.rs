//! The person's own account: the password, and the organizations it belongs to.

use askama::Template;
use domain::account::{Account, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS};
use domain::id::OrgId;
use domain::key::Role;
use domain::ports::Membership;
use domain::usecase::PasswordNotChanged;

use super::nav::Nav;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings/account", Access::SignedIn(Role::Read), show),
    // The form itself asks for the current password.
    Route::post(
        "/settings/account/password",
        Access::SignedIn(Role::Read),
        change_password,
    ),
    Route::post(
        "/settings/account/organization",
        Access::SignedIn(Role::Read),
        switch_organization,
    ),
];

struct Row {
    id: OrgId,
    name: String,
    role: Role,
    since: Time,
    /// Whether this session works in it.
    is_current: bool,
}

impl Row {
    fn new(membership: Membership, current: &OrgId) -> Self {
        let Membership {
            organization,
            member,
        } = membership;
        Self {
            is_current: organization.id == *current,
            id: organization.id,
            name: organization.name,
            role: member.role,
            since: Time::new(member.created_at),
        }
    }
}

#[derive(Template)]
#[template(path = "pages/settings/account.html")]
struct Page<'a> {
    layout: Layout,
    nav: Nav,
    account: &'a Account,
    password_changed: Time,
    rows: Vec<Row>,
    least: usize,
    most: usize,
    problem: Option<String>,
    /// Whether the password was changed just now.
    is_changed: bool,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, None)?)
}

fn page(visit: &Visit, problem: Option<String>) -> Result<Page<'_>, Failure> {
    let signed_in = visit.signed_in()?;
    let account = &signed_in.account;
    let memberships = visit.state.stores.memberships(&account.id)?.into_iter();
    Ok(Page {
        layout: Layout::new(visit, "Your account", Section::Settings),
        nav: Nav::new(visit, "/settings/account"),
        account,
        password_changed: Time::new(account.password_changed_at),
        rows: memberships
            .map(|membership| Row::new(membership, &signed_in.session.org_id))
            .collect(),
        least: MIN_PASSWORD_CHARS,
        most: MAX_PASSWORD_CHARS,
        problem,
        is_changed: visit.query.text("changed") == "password",
    })
}

fn change_password(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    let throttle = &visit.state.throttle;
    throttle
        .count(&signed_in.account.email, visit.client)
        .map_err(Failure::TooMany)?;
    let form = &visit.form;
    let (current, new) = (form.raw("current-password"), form.raw("new-password"));
    let refused = |problem: String| Reply::invalid(&page(visit, Some(problem))?);
    if form.raw("repeated-password") != new {
        return refused("The two new passwords differ.".to_owned());
    }
    let sessions = visit.state.sessions();
    match sessions.change_password(visit.token()?, signed_in, (current, new)) {
        Ok(Some(opened)) => Ok(Reply::redirect("/settings/account?changed=password")
            .with_cookie(visit.cookie(&opened))),
        // The password is changed, but another request ended this session.
        Ok(None) => Ok(Reply::redirect("/sign-in")),
        Err(PasswordNotChanged::Store(error)) => Err(error.into()),
        Err(problem) => refused(problem.to_string()),
    }
}

fn switch_organization(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    let org = OrgId::parse(visit.form.text("organization")).ok_or(Failure::NotFound)?;
    let sessions = visit.state.sessions();
    match sessions.switch_organization(visit.token()?, signed_in, &org)? {
        Some(opened) => Ok(Reply::redirect("/").with_cookie(visit.cookie(&opened))),
        None => Err(Failure::NotFound),
    }
}
