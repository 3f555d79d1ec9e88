//! API and agent access: the keys of the organization.

use askama::Template;
use chrono::{DateTime, TimeDelta, Utc};
use domain::id::KeyId;
use domain::key::{ApiKey, Role};
use domain::usecase::{AdminError, Administration};

use super::nav::Nav;
use crate::failure::Failure;
use crate::format::{Time, ago};
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings/api", Access::SignedIn(Role::Admin), show),
    Route::post("/settings/api", Access::Recent(Role::Admin), create),
    Route::post(
        "/settings/api/{id}/revoke",
        Access::Recent(Role::Admin),
        revoke,
    ),
];

/// The lifetimes that the form offers, in days; zero for no expiry.
const LIFETIMES: [(i64, &str); 4] = [
    (90, "90 days"),
    (365, "1 year"),
    (30, "30 days"),
    (0, "No expiry"),
];

struct Row {
    id: String,
    name: String,
    prefix: String,
    role: Role,
    created: Time,
    used: Option<String>,
    expires: Option<Time>,
    state: &'static str,
    can_be_revoked: bool,
}

impl Row {
    fn new(key: ApiKey, now: DateTime<Utc>) -> Self {
        let state = if key.revoked_at.is_some() {
            "revoked"
        } else if key.works_at(now) {
            "active"
        } else {
            "expired"
        };
        Self {
            can_be_revoked: key.revoked_at.is_none(),
            id: key.id.to_string(),
            name: key.name,
            prefix: key.prefix,
            role: key.role,
            created: Time::new(key.created_at),
            used: key.last_used_at.map(|at| ago(at, now)),
            expires: Time::optional(key.expires_at),
            state,
        }
    }
}

#[derive(Template)]
#[template(path = "pages/settings/keys.html")]
struct Keys<'a> {
    layout: Layout,
    nav: Nav,
    rows: Vec<Row>,
    roles: [Role; 3],
    lifetimes: [(i64, &'static str); 4],
    name: &'a str,
    problem: Option<String>,
    /// A key that was just made, shown this once.
    made: Option<Made<'a>>,
}

struct Made<'a> {
    secret: &'a str,
    base_url: &'a str,
    name: &'a str,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, "", None, None)?)
}

fn page<'a>(
    visit: &'a Visit,
    name: &'a str,
    problem: Option<String>,
    made: Option<Made<'a>>,
) -> Result<Keys<'a>, Failure> {
    let now = visit.now();
    let keys = visit.state.stores.keys(visit.org()?)?;
    Ok(Keys {
        layout: Layout::new(visit, "API and agent access", Section::Settings),
        nav: Nav::new(visit, "/settings/api"),
        rows: keys
            .into_iter()
            .rev()
            .map(|key| Row::new(key, now))
            .collect(),
        roles: Role::ALL,
        lifetimes: LIFETIMES,
        name,
        problem,
        made,
    })
}

/// Makes a key. The page after it is the answer to the form itself, because the secret is stored nowhere that a
/// redirect could read it from.
fn create(visit: &Visit) -> Result<Reply, Failure> {
    let form = &visit.form;
    let name = form.text("name");
    let refused =
        |problem: &str| Reply::invalid(&page(visit, name, Some(problem.to_owned()), None)?);
    let Ok(role) = form.text("role").parse::<Role>() else {
        return refused("Choose what the key may do.");
    };
    let days = form.text("days").parse::<i64>().ok();
    let Some(days) = days.filter(|days| LIFETIMES.iter().any(|(known, _)| known == days)) else {
        return refused("Choose how long the key works.");
    };
    let expires_at = (days > 0).then(|| visit.now() + TimeDelta::days(days));
    let actor = visit.by()?;
    let plans = visit.state.settings.plans.current();
    let administration = Administration {
        stores: &*visit.state.stores,
        clock: &*visit.state.clock,
        ids: &*visit.state.ids,
        plans: &plans,
        actor: &actor,
    };
    match administration.create_key(visit.org()?.as_str(), name, role, expires_at) {
        Ok(created) => {
            let made = Made {
                secret: created.secret.expose(),
                base_url: &visit.state.settings.base_url,
                name,
            };
            Reply::page(&page(visit, "", None, Some(made))?)
        }
        Err(AdminError::Name(problem)) => refused(&format!("Name: {problem}.")),
        Err(AdminError::Store(error)) => Err(error.into()),
        Err(other) => Err(Failure::Conflict(other.to_string())),
    }
}

fn revoke(visit: &Visit) -> Result<Reply, Failure> {
    let key = visit.id("id", KeyId::parse)?;
    let revoked = visit
        .state
        .stores
        .revoke_key(visit.org()?, &key, visit.now(), &visit.by()?)?;
    match revoked {
        true => Ok(Reply::redirect("/settings/api")),
        false => Err(Failure::NotFound),
    }
}
