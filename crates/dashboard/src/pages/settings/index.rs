//! The organization: its name, its plan and what it has used of it.

use askama::Template;
use domain::key::Role;
use domain::org::Organization;
use domain::plan::{Period, Plan, PlanLimits, Usage};
use domain::text::{grouped, size};
use domain::usecase::SecondFactorNotRequired;

use super::nav::Nav;
use super::required_factor::RequiredFactor;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings", Access::SignedIn(Role::Read), show),
    Route::post(
        "/settings/required-second-factor",
        Access::Recent(Role::Admin),
        require_second_factor,
    ),
];

/// A line of the usage.
struct Used {
    what: &'static str,
    used: String,
    /// None without a limit.
    limit: Option<String>,
    is_full: bool,
}

#[derive(Template)]
#[template(path = "pages/settings/index.html")]
struct Index<'a> {
    layout: Layout,
    nav: Nav,
    organization: &'a Organization,
    created: Time,
    role: Role,
    /// None where the configuration does not have the plan.
    plan: Option<Plan>,
    usage: Vec<Used>,
    /// Pages of an audit that a browser renders at most.
    rendered_of_audit: Option<String>,
    period_ends: Time,
    /// `None` if the person may not change it.
    required_factor: Option<RequiredFactor>,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, None)?)
}

fn page(visit: &Visit, problem: Option<String>) -> Result<Index<'_>, Failure> {
    let membership = &visit.signed_in()?.membership;
    let organization = &membership.organization;
    let period = Period::containing(visit.now());
    let usage = visit.state.stores.usage(&organization.id, period)?;
    let plan = visit.state.plan(&organization.plan);
    let limits = plan.as_ref().map(|plan| plan.limits).unwrap_or_default();
    Ok(Index {
        layout: Layout::new(visit, "Organization", Section::Settings),
        nav: Nav::new(visit, "/settings"),
        organization,
        created: Time::new(organization.created_at),
        role: membership.member.role,
        plan,
        usage: used(usage, limits),
        rendered_of_audit: limits.rendered_pages_per_run.map(grouped),
        period_ends: Time::new(period.end()),
        required_factor: visit
            .may(Role::Admin)
            .then(|| RequiredFactor::new(visit, problem))
            .transpose()?,
    })
}

fn require_second_factor(visit: &Visit) -> Result<Reply, Failure> {
    let is_required = match visit.form.text("second-factor") {
        "required" => true,
        "optional" => false,
        _ => {
            let problem = "Choose whether a second factor is required.".to_owned();
            return Reply::invalid(&page(visit, Some(problem))?);
        }
    };
    let sessions = visit.state.sessions();
    match sessions.require_second_factor(visit.signed_in()?, is_required) {
        Ok(()) => Ok(Reply::redirect("/settings")),
        Err(SecondFactorNotRequired::Store(error)) => Err(error.into()),
        Err(refused @ SecondFactorNotRequired::NoneOfOneself) => {
            Reply::invalid(&page(visit, Some(refused.to_string()))?)
        }
    }
}

fn used(usage: Usage, limits: PlanLimits) -> Vec<Used> {
    let line = |what, used: u64, limit: Option<u64>, write: fn(u64) -> String| Used {
        what,
        used: write(used),
        limit: limit.map(write),
        is_full: limit.is_some_and(|limit| used >= limit),
    };
    vec![
        line("Sites", usage.sites, limits.sites, grouped),
        line(
            "Audits this month",
            usage.monthly_runs,
            limits.monthly_runs,
            grouped,
        ),
        line(
            "Stored data",
            usage.storage_bytes,
            limits.storage_bytes,
            size,
        ),
        line(
            "Pages rendered in a browser this month",
            usage.monthly_rendered_pages,
            limits.monthly_rendered_pages,
            grouped,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_reached_is_marked() {
        let usage = Usage {
            sites: 3,
            monthly_runs: 7,
            storage_bytes: 0,
            monthly_rendered_pages: 5,
        };
        let limits = PlanLimits {
            sites: Some(3),
            monthly_runs: Some(8),
            storage_bytes: None,
            rendered_pages_per_run: None,
            monthly_rendered_pages: Some(5),
        };
        let full: Vec<_> = used(usage, limits)
            .iter()
            .map(|line| line.is_full)
            .collect();
        assert_eq!(full, [true, false, false, true]);
    }
}
