//! The start page: all sites, the audits under way, and a box to start one.

mod site_row;
mod start_form;
mod state_sentence;

use askama::Template;
use domain::Dimension;
use domain::key::Role;
use domain::run::{RunFilter, RunStatus};
use domain::site::SiteCursor;

use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::runs::Progress;
use crate::pages::start;
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
    let read = |status| {
        let filter = RunFilter {
            site_id: None,
            statuses: [status].into(),
        };
        let stores = &visit.state.stores;
        let page = stores.runs(visit.org()?, &filter, None, RUNS_SHOWN)?;
        let page = page.ok_or(Failure::NotFound)?;
        Ok::<_, Failure>((page.runs, page.next.is_some()))
    };
    let (runs, has_more) = running_and_queued(read, |one, other| one.id == other.id)?;
    let now = visit.now();
    let shown = runs.iter().map(|run| Progress::new(run, now)).collect();
    Ok((shown, has_more))
}

/// The running runs, then the queued ones. Queued runs are read first: a run that a worker claims between the two reads
/// is then in both, and not in neither.
fn running_and_queued<R, E>(
    mut read: impl FnMut(RunStatus) -> Result<(Vec<R>, bool), E>,
    is_same: impl Fn(&R, &R) -> bool,
) -> Result<(Vec<R>, bool), E> {
    let (queued, more_queued) = read(RunStatus::Queued)?;
    let (mut runs, more_running) = read(RunStatus::Running)?;
    for run in queued {
        if !runs.iter().any(|known| is_same(known, &run)) {
            runs.push(run);
        }
    }
    Ok((runs, more_queued || more_running))
}

/// Starts an audit, and shows its run.
fn start(visit: &Visit) -> Result<Reply, Failure> {
    let form = StartForm::new(&visit.form, &visit.state.settings);
    let options = match form.options.options() {
        Ok(options) => options,
        Err(problem) => return Reply::invalid(&page(visit, form, Some(problem))?),
    };
    match start::start(visit, form.address(), None, options)? {
        Ok(run) => Ok(Reply::redirect(format!("/runs/{run}"))),
        Err(problem) => Reply::invalid(&page(visit, form, Some(problem))?),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn a_run_that_is_claimed_between_the_reads_is_shown_once() {
        let mut runs = [("first", RunStatus::Running), ("second", RunStatus::Queued)];
        let read = |status| {
            let found = runs.iter().filter(|(_, own)| *own == status);
            let found: Vec<_> = found.map(|(id, _)| *id).collect();
            runs[1].1 = RunStatus::Running;
            Ok::<_, Infallible>((found, false))
        };
        let shown = running_and_queued(read, |one, other| one == other);
        assert_eq!(shown, Ok((vec!["first", "second"], false)));
    }
}
