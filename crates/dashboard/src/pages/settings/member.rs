//! One member: the role, one-time links, and removing the member.

use askama::Template;
use domain::account::{LinkPurpose, MemberChange, MemberNotChanged, Token};
use domain::id::MemberId;
use domain::key::Role;
use domain::org::Member;
use domain::usecase::{Issuer, LinkNotIssued};

use super::choice::Choice;
use super::made_link::{self, MadeLink};
use super::nav::Nav;
use super::sentence;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get(
        "/settings/members/{id}",
        Access::SignedIn(Role::Admin),
        show,
    ),
    Route::post(
        "/settings/members/{id}/role",
        Access::Recent(Role::Admin),
        change_role,
    ),
    Route::post(
        "/settings/members/{id}/invitation",
        Access::Recent(Role::Admin),
        invite,
    ),
    Route::post(
        "/settings/members/{id}/password-reset",
        Access::Recent(Role::Admin),
        reset_password,
    ),
    Route::post(
        "/settings/members/{id}/remove",
        Access::Recent(Role::Admin),
        remove,
    ),
];

#[derive(Template)]
#[template(path = "pages/settings/member.html")]
struct Page {
    layout: Layout,
    nav: Nav,
    member: Member,
    added: Time,
    /// Since when the member has an account; none without one.
    account: Option<Time>,
    has_second_factor: bool,
    is_self: bool,
    roles: Vec<Choice>,
    problem: Option<String>,
    made: Option<MadeLink>,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, member(visit)?, None, None)?)
}

/// The member that the path names.
fn member(visit: &Visit) -> Result<Member, Failure> {
    let id = visit.id("id", MemberId::parse)?;
    let members = visit.state.stores.members(visit.org()?)?;
    let member = members.into_iter().find(|member| member.id == id);
    member.ok_or(Failure::NotFound)
}

fn page(
    visit: &Visit,
    member: Member,
    problem: Option<String>,
    made: Option<MadeLink>,
) -> Result<Page, Failure> {
    let account = visit.state.stores.account_of(visit.org()?, &member.id)?;
    let own = &visit.signed_in()?.membership.member.id;
    Ok(Page {
        layout: Layout::new(visit, member.name.clone(), Section::Settings),
        nav: Nav::new(visit, "/settings/members"),
        added: Time::new(member.created_at),
        has_second_factor: (visit.state.stores)
            .members_with_second_factor(visit.org()?)?
            .contains(&member.id),
        account: account.map(|account| Time::new(account.created_at)),
        is_self: member.id == *own,
        roles: Choice::roles(member.role),
        member,
        problem,
        made,
    })
}

fn change_role(visit: &Visit) -> Result<Reply, Failure> {
    match visit.form.text("role").parse() {
        Ok(role) => change(visit, MemberChange::Role(role)),
        Err(_) => {
            let problem = "Choose what the member may do.".to_owned();
            Reply::invalid(&page(visit, member(visit)?, Some(problem), None)?)
        }
    }
}

fn remove(visit: &Visit) -> Result<Reply, Failure> {
    change(visit, MemberChange::Removal)
}

fn change(visit: &Visit, change: MemberChange) -> Result<Reply, Failure> {
    let id = visit.id("id", MemberId::parse)?;
    let (stores, org) = (&visit.state.stores, visit.org()?);
    match stores.change_member(org, &id, change, visit.now(), &visit.by()?)? {
        // The session of a person who changes the own membership has ended with it.
        Ok(()) if id == visit.signed_in()?.membership.member.id => Ok(Reply::redirect("/")),
        Ok(()) => Ok(Reply::redirect("/settings/members")),
        Err(MemberNotChanged::NoMember) => Err(Failure::NotFound),
        Err(refused @ MemberNotChanged::LastAdministrator) => {
            let problem = sentence(&refused.to_string());
            Reply::invalid(&page(visit, member(visit)?, Some(problem), None)?)
        }
    }
}

fn invite(visit: &Visit) -> Result<Reply, Failure> {
    let member = member(visit)?;
    let sessions = visit.state.sessions();
    let issued = sessions
        .one_time_links()
        .issue_invitation(visit.org()?, &member.id, &visit.by()?);
    after_issue(visit, member, LinkPurpose::Invitation, issued)
}

fn reset_password(visit: &Visit) -> Result<Reply, Failure> {
    let member = member(visit)?;
    let sessions = visit.state.sessions();
    let issued = sessions.one_time_links().issue_password_reset(
        visit.org()?,
        &member.id,
        Issuer::Administrator,
        &visit.by()?,
    );
    after_issue(visit, member, LinkPurpose::PasswordReset, issued)
}

/// The page with the link, which is stored nowhere that a redirect could read it from, or with why there is none.
fn after_issue(
    visit: &Visit,
    member: Member,
    purpose: LinkPurpose,
    issued: Result<Token, LinkNotIssued>,
) -> Result<Reply, Failure> {
    match issued {
        Ok(token) => {
            let made = MadeLink::new(visit, purpose, &member.name, &token);
            Reply::page(&page(visit, member, None, Some(made))?)
        }
        Err(error) => {
            let problem = made_link::refusal(error)?;
            Reply::invalid(&page(visit, member, Some(problem), None)?)
        }
    }
}
