//! The members of the organization, and adding one.

use std::collections::HashSet;

use askama::Template;
use domain::account::LinkPurpose;
use domain::id::MemberId;
use domain::key::Role;
use domain::org::{checked_email, checked_name};
use domain::usecase::{AdminError, Administration};

use super::choice::Choice;
use super::made_link::{self, MadeLink};
use super::nav::Nav;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings/members", Access::SignedIn(Role::Admin), show),
    Route::post("/settings/members", Access::Recent(Role::Admin), add),
];

struct Row {
    id: MemberId,
    name: String,
    email: String,
    role: Role,
    has_account: bool,
    has_second_factor: bool,
    is_self: bool,
    added: Time,
}

#[derive(Template)]
#[template(path = "pages/settings/members.html")]
struct Members<'a> {
    layout: Layout,
    nav: Nav,
    rows: Vec<Row>,
    name: &'a str,
    email: &'a str,
    roles: Vec<Choice>,
    problem: Option<String>,
    made: Option<MadeLink>,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, None, None)?)
}

/// The page; with what the person typed, as far as there is a problem with it.
fn page<'a>(
    visit: &'a Visit,
    problem: Option<String>,
    made: Option<MadeLink>,
) -> Result<Members<'a>, Failure> {
    let typed = |field| match made {
        None => visit.form.text(field),
        Some(_) => "",
    };
    let role = typed("role").parse().unwrap_or(Role::Member);
    Ok(Members {
        layout: Layout::new(visit, "Members", Section::Settings),
        nav: Nav::new(visit, "/settings/members"),
        rows: rows(visit)?,
        name: typed("name"),
        email: typed("email"),
        roles: Choice::roles(role),
        problem,
        made,
    })
}

fn rows(visit: &Visit) -> Result<Vec<Row>, Failure> {
    let (stores, org) = (&visit.state.stores, visit.org()?);
    let own = &visit.signed_in()?.membership.member.id;
    let with_account: HashSet<MemberId> = stores.members_with_account(org)?.into_iter().collect();
    let with_factor = stores.members_with_second_factor(org)?;
    let with_factor: HashSet<MemberId> = with_factor.into_iter().collect();
    let members = stores.members(org)?.into_iter();
    Ok(members
        .map(|member| Row {
            has_account: with_account.contains(&member.id),
            has_second_factor: with_factor.contains(&member.id),
            is_self: member.id == *own,
            id: member.id,
            name: member.name,
            email: member.email,
            role: member.role,
            added: Time::new(member.created_at),
        })
        .collect())
}

/// Adds a member and issues an invitation. The page after it is the answer to the form itself, because the link is
/// stored nowhere that a redirect could read it from.
fn add(visit: &Visit) -> Result<Reply, Failure> {
    let form = &visit.form;
    let (name, email) = (form.text("name"), form.text("email"));
    let refused = |problem: String| Reply::invalid(&page(visit, Some(problem), None)?);
    if let Err(problem) = checked_name(name) {
        return refused(format!("Name: {problem}."));
    }
    if let Err(problem) = checked_email(email) {
        return refused(format!("E-mail address: {problem}."));
    }
    let Ok(role) = form.text("role").parse::<Role>() else {
        return refused("Choose what the member may do.".to_owned());
    };
    let actor = visit.by()?;
    let plans = visit.state.settings.plans.current();
    let administration = Administration {
        stores: &*visit.state.stores,
        clock: &*visit.state.clock,
        ids: &*visit.state.ids,
        plans: &plans,
        actor: &actor,
    };
    match administration.add_member(visit.org()?.as_str(), name, email, role) {
        Ok(member) => invited(visit, &member, name),
        Err(AdminError::MemberExists(email)) => {
            refused(format!("{email} is a member of the organization already."))
        }
        Err(AdminError::Store(error)) => Err(error.into()),
        Err(other) => Err(Failure::Internal(other.to_string())),
    }
}

fn invited(visit: &Visit, member: &MemberId, name: &str) -> Result<Reply, Failure> {
    let sessions = visit.state.sessions();
    match sessions
        .one_time_links()
        .issue_invitation(visit.org()?, member, &visit.by()?)
    {
        Ok(token) => {
            let made = MadeLink::new(visit, LinkPurpose::Invitation, name, &token);
            Reply::page(&page(visit, None, Some(made))?)
        }
        Err(error) => Err(Failure::Conflict(made_link::refusal(error)?)),
    }
}
