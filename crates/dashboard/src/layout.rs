//! The frame of every page: title, navigation, who is signed in.

use actix_web::http::StatusCode;
use askama::Template;
use domain::key::Role;
use domain::report::Variant;
use httpkit::problem::{Code, Problem};

use crate::assets;
use crate::failure::Failure;
use crate::reply::{Content, Reply};
use crate::state::DashboardState;
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
    /// The list of errors.
    Errors,
    /// Settings.
    Settings,
    /// The pages of the operator.
    Admin,
    /// None of these.
    None,
}

/// What the frame of a page says of the service.
pub(crate) struct Service<'a> {
    /// The address of the service as people know it.
    pub(crate) base_url: &'a str,
    /// Whether people can sign in.
    pub(crate) has_sign_in: bool,
}

impl<'a> Service<'a> {
    fn of(state: &'a DashboardState) -> Self {
        Self {
            base_url: &state.settings.base_url,
            has_sign_in: state.settings.has_sign_in,
        }
    }
}

/// The path of a base URL, without a slash at its end; empty where it has none.
fn root(base_url: &str) -> &str {
    let base_url = base_url.trim_end_matches('/');
    let behind_scheme = base_url.find("://").map_or(0, |at| at + 3);
    let host_and_path = base_url.get(behind_scheme..).unwrap_or_default();
    let path = host_and_path.find('/');
    path.and_then(|at| host_and_path.get(at..))
        .unwrap_or_default()
}

/// What the frame of a page shows; every template has it as `layout`.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) title: String,
    pub(crate) section: Section,
    /// Seconds after which a browser without script loads the page again; none for a page that does not change.
    pub(crate) refresh_seconds: Option<u32>,
    pub(crate) person: Option<Person>,
    /// What all addresses begin with: a path of the base URL, or nothing.
    pub(crate) root: String,
    /// Whether the navigation of pages that anybody may see is shown.
    pub(crate) is_open: bool,
    /// Whether people can sign in.
    pub(crate) has_sign_in: bool,
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
    pub(crate) is_operator: bool,
    /// Whether the organization requires a second factor that the person lacks. The page then has no navigation.
    pub(crate) lacks_second_factor: bool,
    /// The token that every form of the page carries.
    pub(crate) token: String,
}

impl Layout {
    /// The frame of a page with this title.
    pub(crate) fn new(visit: &Visit, title: impl Into<String>, section: Section) -> Self {
        let person = visit.signed_in.as_ref().zip(visit.token.as_ref());
        Self {
            person: person.map(|(signed_in, token)| Person {
                name: signed_in.account.name.clone(),
                organization: signed_in.membership.organization.name.clone(),
                role: signed_in.membership.member.role,
                has_actions: visit.variant() == Variant::Current,
                is_operator: visit.is_operator(),
                lacks_second_factor: visit.lacks_second_factor(),
                token: token.form_token(),
            }),
            is_open: false,
            ..Self::open(&Service::of(&visit.state), title, section)
        }
    }

    /// The frame of a page that anybody may see, with nobody signed in.
    pub(crate) fn open(service: &Service<'_>, title: impl Into<String>, section: Section) -> Self {
        Self {
            title: title.into(),
            section,
            refresh_seconds: None,
            person: None,
            root: root(service.base_url).to_owned(),
            is_open: true,
            has_sign_in: service.has_sign_in,
            stylesheet: assets::stylesheet(),
            script: assets::script(),
            icon: assets::icon(),
        }
    }

    /// The same with the navigation of pages that anybody may see, unless somebody is signed in.
    pub(crate) fn for_anybody(mut self) -> Self {
        self.is_open = true;
        self
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
    advice: &'a str,
    /// The code of the problem that the page shows; none for a failure of a page.
    code: Option<&'static str>,
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
        advice: &failure.advice(),
        code: None,
        request_id: &visit.request_id,
    };
    let reply = Reply::with_status(failure.status(), &page).unwrap_or_else(|_| Reply {
        content: Content::Page {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            html: UNRENDERED.to_owned(),
        },
        cookie: None,
        retry_after: None,
        afterwards: None,
    });
    reply.with_retry_after(failure.retry_after())
}

/// The page that shows a problem of any part of the service.
pub(crate) fn problem(
    service: &Service<'_>,
    problem: &Problem,
    request_id: &str,
) -> (StatusCode, String) {
    let code = problem.code();
    let (title, advice) = match code {
        Code::NotFound => (Failure::NotFound.title(), Failure::NotFound.advice()),
        Code::Internal => {
            let failure = Failure::Internal(String::new());
            (failure.title(), failure.advice())
        }
        // The title speaks of an API key, which only operations need.
        Code::Unauthorized => ("Not authorized", problem.detail().to_owned()),
        _ => (code.title(), problem.detail().to_owned()),
    };
    let page = Failed {
        layout: Layout::open(service, title, Section::None),
        advice: &advice,
        code: Some(code.as_str()),
        request_id,
    };
    let html = page.render().unwrap_or_else(|_| UNRENDERED.to_owned());
    (code.status(), html)
}

/// What is shown where a page of an error cannot be made.
const UNRENDERED: &str =
    "<!doctype html><html lang=en><title>Something went wrong</title><p>Something went wrong.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_below_the_path_of_the_base_url() {
        for (base_url, expected) in [
            ("https://assay.example", ""),
            ("https://assay.example/", ""),
            ("http://127.0.0.1:8080", ""),
            ("https://example.com/tools/assay", "/tools/assay"),
            ("https://example.com/assay/", "/assay"),
        ] {
            assert_eq!(root(base_url), expected, "{base_url}");
        }
    }
}
