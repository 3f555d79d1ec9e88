//! The accepted findings of a site: a list, and accepting, ending and revoking them.

use askama::Template;
use domain::action::Author;
use domain::id::{SiteId, WaiverId};
use domain::ports::{CheckInfo, CreateWaiverError};
use domain::text::{capitalized, sentence};
use domain::waiver::{
    MAX_PATH_CHARS, MAX_REASON_CHARS, Waiver, WaiverAuthor, WaiverAuthorKind, WaiverState,
};
use report::view::text::shown;

use super::nav::SiteNav;
use super::waiver_form::WaiverForm;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::pages::catalogue::catalogue;
use crate::pages::evidence::MAX_TEXT;
use crate::reply::Reply;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "pages/sites/waivers.html")]
struct Page {
    layout: Layout,
    nav: SiteNav,
    id: String,
    rows: Vec<Row>,
    checks: Vec<CheckInfo>,
    form: WaiverForm,
    most_path: usize,
    most_reason: usize,
}

/// A waiver in the list.
struct Row {
    id: String,
    check_id: String,
    /// The title of the check; empty where the catalogue does not have it any more.
    title: String,
    path: Option<String>,
    cause: Option<String>,
    reason: String,
    author: String,
    created: Option<Time>,
    expires: Option<Time>,
    is_active: bool,
}

pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, WaiverForm::new(&visit.query))?)
}

fn page(visit: &Visit, form: WaiverForm) -> Result<Page, Failure> {
    let id = visit.id("id", SiteId::parse)?;
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let waivers = stores.waivers(org, &id)?.ok_or(Failure::NotFound)?;
    let site = stores.site(org, &id, visit.variant())?;
    let site = site.ok_or(Failure::NotFound)?.site;
    let checks = catalogue(visit);
    let known = visit.state.checks.checks();
    let is_hidden = |waiver: &Waiver| {
        let is_of = |check: &CheckInfo| check.id == waiver.terms.check_id;
        known.iter().any(is_of) && !checks.iter().any(is_of)
    };
    // The newest first; the store has the oldest first.
    let shown = waivers.iter().rev().filter(|waiver| !is_hidden(waiver));
    let layout = Layout::new(visit, format!("Waivers of {}", site.name), Section::Sites);
    Ok(Page {
        nav: SiteNav::new(&site, "waivers", &layout),
        layout,
        id: id.to_string(),
        rows: shown
            .map(|waiver| Row::new(visit, waiver, &checks))
            .collect(),
        checks,
        form,
        most_path: MAX_PATH_CHARS,
        most_reason: MAX_REASON_CHARS,
    })
}

impl Row {
    fn new(visit: &Visit, waiver: &Waiver, checks: &[CheckInfo]) -> Self {
        let terms = &waiver.terms;
        let mut checks = checks.iter();
        let check = checks.find(|check| check.id == terms.check_id);
        let name = shown(&waiver.author.name, MAX_TEXT);
        Self {
            id: waiver.id.to_string(),
            check_id: terms.check_id.clone(),
            title: check.map_or_else(String::new, |check| check.title.clone()),
            path: terms.path.clone(),
            cause: terms.cause.clone(),
            reason: terms.reason.clone(),
            author: match waiver.author.kind {
                WaiverAuthorKind::Key => format!("{name} (API key)"),
                WaiverAuthorKind::Member | WaiverAuthorKind::System | WaiverAuthorKind::File => {
                    name
                }
            },
            created: Time::optional(waiver.created_at),
            expires: Time::optional(terms.expires_at),
            is_active: waiver.state(visit.now()) == WaiverState::Active,
        }
    }
}

/// Accepts findings. They cost nothing from the next audit on.
pub(super) fn create(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", SiteId::parse)?;
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let mut form = WaiverForm::new(&visit.form);
    let Some(terms) = form.terms(&catalogue(visit), visit.now()) else {
        return Reply::invalid(&page(visit, form)?);
    };
    let member = &visit.signed_in()?.membership.member;
    let author = Author::Member {
        id: member.id.clone(),
        name: member.name.clone(),
    };
    let waiver = Waiver {
        id: WaiverId::make(&*visit.state.ids),
        terms,
        author: WaiverAuthor::from(&author),
        created_at: Some(visit.now()),
    };
    match stores.create_waiver(org, &id, &waiver, &visit.by()?, None) {
        Ok(_) => Ok(Reply::redirect(path(&id))),
        Err(CreateWaiverError::NoSite) => Err(Failure::NotFound),
        Err(CreateWaiverError::Store(error)) => Err(error.into()),
        Err(error @ (CreateWaiverError::TooMany(_) | CreateWaiverError::KeyReused(_))) => {
            let problem = sentence(&capitalized(&error.to_string()));
            Reply::invalid(&page(visit, form.refused(problem))?)
        }
    }
}

/// Ends a waiver now; the list keeps it.
pub(super) fn expire(visit: &Visit) -> Result<Reply, Failure> {
    let (id, waiver) = ids(visit)?;
    let (org, stores) = (visit.org()?, &visit.state.stores);
    match stores.expire_waiver(org, &id, &waiver, visit.now(), &visit.by()?)? {
        true => Ok(Reply::redirect(path(&id))),
        false => Err(Failure::NotFound),
    }
}

/// Deletes a waiver.
pub(super) fn revoke(visit: &Visit) -> Result<Reply, Failure> {
    let (id, waiver) = ids(visit)?;
    let (org, stores) = (visit.org()?, &visit.state.stores);
    match stores.delete_waiver(org, &id, &waiver, visit.now(), &visit.by()?)? {
        true => Ok(Reply::redirect(path(&id))),
        false => Err(Failure::NotFound),
    }
}

fn ids(visit: &Visit) -> Result<(SiteId, WaiverId), Failure> {
    let site = visit.id("id", SiteId::parse)?;
    Ok((site, visit.id("waiver", WaiverId::parse)?))
}

fn path(site: &SiteId) -> String {
    format!("/sites/{site}/waivers")
}
