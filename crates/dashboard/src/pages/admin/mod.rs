//! The installation as its operator sees it: organizations, plans, the queue and its workers, versions, and what
//! `assay doctor` says. Changes are made on the command line and in the configuration.

mod doctor;

use askama::Template;
use domain::id::OrgId;
use domain::org::Organization;
use domain::plan::{Period, Plan, Usage};
use domain::ports::{JobKind, WorkerLoad};
use domain::report::Variant;
use domain::text::{grouped, size};

use crate::failure::Failure;
use crate::format::{Time, ago};
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[
    Route::get("/admin", Access::Operator, show),
    Route::get("/admin/doctor", Access::Operator, doctor::show).on_export_threads(),
];

/// Organizations on a page.
const ORGANIZATIONS: u32 = 25;
/// Processes and kinds of jobs that are listed, at most.
const WORKERS: u32 = 100;

#[derive(Template)]
#[template(path = "pages/admin/admin.html")]
struct Page {
    layout: Layout,
    queue: Vec<(&'static str, String)>,
    workers: Vec<(String, &'static str, String)>,
    organizations: Vec<OrgRow>,
    is_continued: bool,
    /// The id behind which the next page begins.
    next: Option<OrgId>,
    plans: Vec<PlanRow>,
    versions: Vec<(&'static str, String)>,
}

/// An organization with what it has used.
struct OrgRow {
    id: String,
    name: String,
    plan: String,
    /// Whether the configuration lacks the plan.
    is_lost: bool,
    created: Time,
    sites: String,
    runs: String,
    storage: String,
    rendered: String,
}

/// A plan of the configuration.
struct PlanRow {
    name: String,
    sites: String,
    runs: String,
    storage: String,
    rendered_of_run: String,
    rendered: String,
    paid: &'static str,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let stores = &visit.state.stores;
    let after = match visit.query.given("after") {
        None => None,
        Some(text) => Some(OrgId::parse(text).ok_or(Failure::NotFound)?),
    };
    let found = stores.org_page(after.as_ref(), ORGANIZATIONS)?;
    let organizations = found.organizations.into_iter();
    let organizations = organizations.map(|organization| row(visit, organization));
    let workers = stores.worker_loads(WORKERS)?.into_iter();
    let plans = visit.state.settings.plans.current();
    Reply::page(&Page {
        layout: Layout::new(visit, "Administration", Section::Admin),
        queue: queue(visit)?,
        workers: workers.map(worker).collect(),
        organizations: organizations.collect::<Result<_, _>>()?,
        is_continued: after.is_some(),
        next: found.next,
        plans: plans.iter().map(PlanRow::new).collect(),
        versions: visit.state.settings.operator.versions.clone(),
    })
}

fn row(visit: &Visit, organization: Organization) -> Result<OrgRow, Failure> {
    let period = Period::containing(visit.now());
    let usage = visit.state.stores.usage(&organization.id, period)?;
    let Usage {
        sites,
        monthly_runs,
        storage_bytes,
        monthly_rendered_pages,
    } = usage;
    Ok(OrgRow {
        id: organization.id.to_string(),
        is_lost: visit.state.plan(&organization.plan).is_none(),
        name: organization.name,
        plan: organization.plan,
        created: Time::new(organization.created_at),
        sites: grouped(sites),
        runs: grouped(monthly_runs),
        storage: size(storage_bytes),
        rendered: grouped(monthly_rendered_pages),
    })
}

fn queue(visit: &Visit) -> Result<Vec<(&'static str, String)>, Failure> {
    let depth = visit.state.stores.queue_depth()?;
    let oldest = depth.oldest_waiting.map(|at| ago(at, visit.now()));
    let mut queue = vec![
        ("Audits in progress", grouped(depth.running)),
        ("Audits waiting", grouped(depth.waiting)),
        (
            "Longest waiting audit was queued",
            oldest.unwrap_or_else(|| "none is waiting".to_owned()),
        ),
    ];
    if visit.variant() == Variant::Current {
        queue.push(("Briefs waiting", grouped(depth.briefs_waiting)));
    }
    Ok(queue)
}

fn worker(load: WorkerLoad) -> (String, &'static str, String) {
    let kind = match load.kind {
        JobKind::Run => "audits",
        JobKind::Brief => "briefs",
        JobKind::Delivery => "webhook deliveries",
        JobKind::Schedule => "scheduled starts",
        JobKind::Retention => "deletion of old data",
    };
    (load.process, kind, grouped(load.jobs))
}

impl PlanRow {
    fn new(plan: &Plan) -> Self {
        let limit = |limit: Option<u64>, write: fn(u64) -> String| {
            limit.map_or_else(|| "no limit".to_owned(), write)
        };
        Self {
            name: plan.name.clone(),
            sites: limit(plan.limits.sites, grouped),
            runs: limit(plan.limits.monthly_runs, grouped),
            storage: limit(plan.limits.storage_bytes, size),
            rendered_of_run: limit(plan.limits.rendered_pages_per_run, grouped),
            rendered: limit(plan.limits.monthly_rendered_pages, grouped),
            paid: if plan.paid { "yes" } else { "no" },
        }
    }
}
