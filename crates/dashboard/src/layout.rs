//! The frame of every page: title, navigation, who is signed in.

use actix_web::http::StatusCode;
use askama::Template;
use domain::key::Role;
use domain::report::Variant;

use crate::assets;
use crate::failure::Failure;
use crate::reply::{Content, Reply};
use crate::visit::Visit;

/// A section of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Sites, runs and reports.
    Sites,
    /// Action items.
    Actions,
    /// The catalogue of checks.
    Checks,
    /// Settings.
    Settings,
    /// None of these.
    None,
}

/// What the frame of a page shows; every template has it as `layout`.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) title: String,
    pub(crate) section: Section,
    /// Seconds after which a browser without script loads the page again; none for a page that does not change.
    pub(crate) refresh_seconds: Option<u32>,
    pub(crate) person: Option<Person>,
    pub(crate) stylesheet: &'static str,
    pub(crate) script: &'static str,
    pub(crate) icon: &'static str,
}

/// Who is signed in.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) organization: String,
    pub(crate) role: Role,
    pub(crate) has_actions: bool,
    /// The token that every form of the page carries.
    pub(crate) token: String,
}

impl Layout {
    /// The frame of a page with this title.
    pub(crate) fn new(visit: &Visit, title: impl Into<String>, section: Section) -> Self {
        let person = visit.signed_in.as_ref().zip(visit.token.as_ref());
        Self {
            title: title.into(),
            section,
            refresh_seconds: None,
            person: person.map(|(signed_in, token)| Person {
                name: signed_in.account.name.clone(),
                organization: signed_in.membership.organization.name.clone(),
                role: signed_in.membership.member.role,
                has_actions: visit.variant() == Variant::Current,
                token: token.form_token(),
            }),
            stylesheet: assets::stylesheet(),
            script: assets::script(),
            icon: assets::icon(),
        }
    }

    /// The same for a page that browsers without script load again after some seconds.
    pub(crate) fn refreshed_every(mut self, seconds: u32) -> Self {
        self.refresh_seconds = Some(seconds);
        self
    }

    /// Whether the navigation marks this section as the current one.
    pub(crate) fn is_in(&self, section: Section) -> bool {
        self.section == section
    }

    /// The token that every form of the page carries; empty where nobody is signed in.
    pub(crate) fn token(&self) -> &str {
        self.person
            .as_ref()
            .map_or("", |person| person.token.as_str())
    }

    /// Whether the variant has action items.
    pub(crate) fn has_actions(&self) -> bool {
        self.person
            .as_ref()
            .is_some_and(|person| person.has_actions)
    }

    /// Whether the person has at least the role `member`.
    pub(crate) fn may_work(&self) -> bool {
        self.person
            .as_ref()
            .is_some_and(|person| person.role.allows(Role::Member))
    }

    /// Whether the person has the role `admin`.
    pub(crate) fn may_administer(&self) -> bool {
        self.person
            .as_ref()
            .is_some_and(|person| person.role.allows(Role::Admin))
    }
}

#[derive(Template)]
#[template(path = "pages/failed.html")]
struct Failed<'a> {
    layout: Layout,
    advice: String,
    request_id: &'a str,
}

/// The page that says what went wrong.
pub(crate) fn failed(visit: &Visit, failure: &Failure) -> Reply {
    if let Failure::Internal(cause) = failure {
        tracing::error!(
            request.id = visit.request_id,
            error = cause.as_str(),
            "dashboard page failed"
        );
    }
    let page = Failed {
        layout: Layout::new(visit, failure.title(), Section::None),
        advice: failure.advice(),
        request_id: &visit.request_id,
    };
    let reply = Reply::with_status(failure.status(), &page).unwrap_or_else(|_| Reply {
        content: Content::Page {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            html: "<!doctype html><html lang=en><title>Something went wrong</title><p>Something went wrong."
                .to_owned(),
        },
        cookie: None,
        retry_after: None,
        afterwards: None,
    });
    reply.with_retry_after(failure.retry_after())
}
