//! The person's own account: name, e-mail address, password, and the organizations it belongs to.

use askama::Template;
use domain::account::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS};
use domain::id::{AccountId, OrgId};
use domain::key::Role;
use domain::org::MAX_NAME_CHARS;
use domain::ports::Membership;
use domain::usecase::{AccountNotChanged, PasswordNotChanged};

use super::nav::Nav;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings/account", Access::SignedIn(Role::Read), show).without_second_factor(),
    Route::post(
        "/settings/account/name",
        Access::SignedIn(Role::Read),
        change_name,
    ),
    Route::post(
        "/settings/account/email",
        Access::Recent(Role::Read),
        change_email,
    ),
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
    )
    .without_second_factor(),
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
    /// By which the configuration names operators.
    account_id: &'a AccountId,
    /// As it was typed where it was not accepted.
    name: &'a str,
    /// The same of the address.
    email: &'a str,
    /// The address that the person signs in with.
    username: &'a str,
    password_changed: Time,
    rows: Vec<Row>,
    most_of_name: usize,
    least: usize,
    most: usize,
    problems: Problems,
    /// What was changed just now.
    notice: Option<&'static str>,
}

/// Why a form was not accepted, beside the form.
#[derive(Default)]
struct Problems {
    name: Option<String>,
    email: Option<String>,
    password: Option<String>,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, Problems::default())?)
}

fn page(visit: &Visit, problems: Problems) -> Result<Page<'_>, Failure> {
    let signed_in = visit.signed_in()?;
    let account = &signed_in.account;
    let memberships = visit.state.stores.memberships(&account.id)?.into_iter();
    Ok(Page {
        layout: Layout::new(visit, "Your account", Section::Settings),
        nav: Nav::new(visit, "/settings/account"),
        account_id: &account.id,
        name: match problems.name {
            Some(_) => visit.form.text("name"),
            None => &account.name,
        },
        email: match problems.email {
            Some(_) => visit.form.text("email"),
            None => &account.email,
        },
        username: &account.email,
        password_changed: Time::new(account.password_changed_at),
        rows: memberships
            .map(|membership| Row::new(membership, &signed_in.session.org_id))
            .collect(),
        most_of_name: MAX_NAME_CHARS,
        least: MIN_PASSWORD_CHARS,
        most: MAX_PASSWORD_CHARS,
        problems,
        notice: match visit.query.text("changed") {
            "name" => Some("The name was changed."),
            "email" => Some("The e-mail address was changed. All other sessions have ended."),
            "password" => Some("The password was changed. All other sessions have ended."),
            _ => None,
        },
    })
}

fn change_name(visit: &Visit) -> Result<Reply, Failure> {
    let sessions = visit.state.sessions();
    match sessions.change_name(visit.signed_in()?, visit.form.text("name")) {
        Ok(()) => Ok(Reply::redirect("/settings/account?changed=name")),
        Err(AccountNotChanged::Store(error)) => Err(error.into()),
        Err(problem) => Reply::invalid(&page(
            visit,
            Problems {
                name: Some(format!("Name: {problem}.")),
                ..Problems::default()
            },
        )?),
    }
}

fn change_email(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    // A refusal tells that somebody has the address, so nobody may try many. Counted by the id, which stays.
    let throttle = &visit.state.throttle;
    if let Err(wait) = throttle.count(signed_in.account.id.as_str(), visit.client) {
        let problems = Problems {
            email: Some(Failure::TooMany(wait).beside_form()),
            ..Problems::default()
        };
        return Reply::too_many(wait, &page(visit, problems)?);
    }
    let sessions = visit.state.sessions();
    match sessions.change_email(visit.token()?, signed_in, visit.form.text("email")) {
        Ok(Some(opened)) => {
            Ok(Reply::redirect("/settings/account?changed=email")
                .with_cookie(visit.cookie(&opened)))
        }
        // The address is changed, but another request ended this session.
        Ok(None) => Ok(Reply::redirect("/sign-in")),
        Err(AccountNotChanged::Store(error)) => Err(error.into()),
        Err(problem) => Reply::invalid(&page(
            visit,
            Problems {
                email: Some(match problem {
                    AccountNotChanged::EmailInUse(_) => {
                        "This address cannot be used. Choose another one.".to_owned()
                    }
                    other => format!("E-mail address: {other}."),
                }),
                ..Problems::default()
            },
        )?),
    }
}

fn change_password(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    let throttle = &visit.state.throttle;
    if let Err(wait) = throttle.count(&signed_in.account.email, visit.client) {
        let problems = Problems {
            password: Some(Failure::TooMany(wait).beside_form()),
            ..Problems::default()
        };
        return Reply::too_many(wait, &page(visit, problems)?);
    }
    let form = &visit.form;
    let (current, new) = (form.raw("current-password"), form.raw("new-password"));
    let refused = |problem: String| {
        Reply::invalid(&page(
            visit,
            Problems {
                password: Some(problem),
                ..Problems::default()
            },
        )?)
    };
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
