//! The start page: all sites, the audits under way, and a box to start one.

mod site_row;
mod start_form;
mod state_sentence;

use askama::Template;
use domain::Dimension;
use domain::key::Role;
use domain::ports::StartRunError;
use domain::run::{RunFilter, RunStatus};
use domain::site::SiteCursor;
use domain::text::{capitalized, sentence};
use domain::usecase::{self, StartAudit, StartAuditError, StartAuditPolicy};

use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::runs::Progress;
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;
use site_row::SiteRow;
use start_form::StartForm;

pub(super) const ROUTES: &[Route] = &[
    Route::get("/", Access::SignedIn(Role::Read), show),
    Route::post("/", Access::SignedIn(Role::Member), start),
    Route::get("/sites", Access::SignedIn(Role::Read), |_| {
        Ok(Reply::redirect("/"))
    }),
];

/// Sites on a page.
const SITES_ON_A_PAGE: u32 = 50;
/// Runs of each state that are shown as under way.
const RUNS_SHOWN: u32 = 10;

#[derive(Template)]
#[template(path = "pages/home/home.html")]
struct Home {
    layout: Layout,
    has_actions: bool,
    /// The state of all sites in one sentence; none where there is no site.
    state: Option<String>,
    dimensions: &'static [Dimension],
    rows: Vec<SiteRow>,
    /// Whether this is not the first page of the sites.
    is_continued: bool,
    /// The cursor of the next page.
    next: Option<String>,
    under_way: Vec<Progress>,
    /// Whether more runs are under way than are shown.
    has_more_under_way: bool,
    form: StartForm,
    problem: Option<String>,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let form = StartForm::new(&visit.query, &visit.state.settings);
    Reply::page(&page(visit, form, None)?)
}

fn page(visit: &Visit, form: StartForm, problem: Option<String>) -> Result<Home, Failure> {
    let (org, variant, stores) = (visit.org()?, visit.variant(), &visit.state.stores);
    let after = SiteCursor::decode(visit.query.text("after"));
    let totals = stores.site_totals(org, variant)?;
    let sites = stores.site_cards(org, variant, after.as_ref(), SITES_ON_A_PAGE)?;
    let (under_way, has_more_under_way) = under_way(visit)?;
    let layout = Layout::new(visit, "Sites", Section::Sites);
    let has_actions = layout.has_actions();
    Ok(Home {
        state: state_sentence::state_sentence(&totals, has_actions),
        has_actions,
        dimensions: variant.dimensions(),
        rows: sites
            .cards
            .into_iter()
            .map(|card| SiteRow::new(card, variant))
            .collect(),
        is_continued: after.is_some(),
        next: sites.next.as_ref().map(SiteCursor::encode),
        under_way,
        has_more_under_way,
        form,
        problem,
        layout,
    })
}

/// The runs that are running or wait, and whether there are more.
fn under_way(visit: &Visit) -> Result<(Vec<Progress>, bool), Failure> {
    let (mut shown, mut has_more) = (Vec::new(), false);
    for status in [RunStatus::Running, RunStatus::Queued] {
        let filter = RunFilter {
            site_id: None,
            statuses: [status].into(),
        };
        let stores = &visit.state.stores;
        let page = stores.runs(visit.org()?, &filter, None, RUNS_SHOWN)?;
        let page = page.ok_or(Failure::NotFound)?;
        has_more |= page.next.is_some();
        let now = visit.now();
        shown.extend(page.runs.iter().map(|run| Progress::new(run, now)));
    }
    Ok((shown, has_more))
}

/// Starts an audit, and shows its run.
fn start(visit: &Visit) -> Result<Reply, Failure> {
    let settings = &visit.state.settings;
    let form = StartForm::new(&visit.form, settings);
    let options = match form.options() {
        Ok(options) => options,
        Err(problem) => return Reply::invalid(&page(visit, form, Some(problem))?),
    };
    let organization = &visit.signed_in()?.membership.organization;
    let plan = visit
        .state
        .plan(&organization.plan)
        .ok_or_else(|| Failure::Internal(format!("no plan is named {}", organization.plan)))?;
    let request = StartAudit {
        url: form.address(),
        site_id: None,
        options,
        refused: Vec::new(),
        trigger: domain::run::Trigger::Dashboard,
        by: visit.by()?,
    };
    let policy = StartAuditPolicy {
        allow: &settings.allow_targets,
        bounds: settings.bounds,
        default_max_pages: settings.default_max_pages,
        limits: plan.limits,
    };
    let (stores, clock, ids) = (&*visit.state.stores, &*visit.state.clock, &*visit.state.ids);
    match usecase::start_audit(stores, clock, ids, &policy, visit.org()?, request, None) {
        Ok(domain::idempotency::Idempotent::Executed(started)) => {
            (settings.on_run_started)();
            Ok(Reply::redirect(format!("/runs/{}", started.run_id)))
        }
        // A form has no idempotency key.
        Ok(domain::idempotency::Idempotent::Replayed(_)) => Ok(Reply::redirect("/")),
        Err(error) => Reply::invalid(&page(visit, form, Some(problem(error)?))?),
    }
}

/// Why an audit is not started, for the person who asked for it.
fn problem(error: StartAuditError) -> Result<String, Failure> {
    match error {
        StartAuditError::Target(error, _) => {
            let message = in_words(&error);
            Ok(match error.allow_flag() {
                Some(flag) => format!("{message} The operator can allow it with `{flag}`."),
                None => message,
            })
        }
        StartAuditError::Options(wrong) => {
            let wrong = wrong.iter().map(|error| {
                let label = start_form::label(&error.field());
                format!("{label}: {}", sentence(&error.to_string()))
            });
            Ok(wrong.collect::<Vec<_>>().join(" "))
        }
        StartAuditError::Start(StartRunError::SiteNotFound) => Err(Failure::NotFound),
        StartAuditError::Start(StartRunError::Store(error)) => Err(error.into()),
        StartAuditError::Start(
            error @ (StartRunError::OtherHost { .. }
            | StartRunError::LimitHit(_)
            | StartRunError::KeyReused(_)),
        ) => Ok(in_words(&error)),
    }
}

fn in_words(error: &impl ToString) -> String {
    sentence(&capitalized(&error.to_string()))
}
