//! A site: its latest scores, the history of its audits, and its schedule.

mod chart;
mod compare;
mod history_row;
mod nav;
mod schedule_form;
mod settings;
mod settings_form;
mod waiver_form;
mod waivers;

use askama::Template;
use domain::id::SiteId;
use domain::key::Role;
use domain::ports::{HistoryEntry, HistoryPage, SiteOverview};
use domain::report::Variant;
use domain::run::RunCursor;
use domain::score::Metric;
use domain::usecase;
use domain::{Confidence, Dimension};
use report::metric_abbreviation;

use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::score::Scored;
use crate::visit::Visit;
use chart::{Chart, Plotted, Point, Series};
use history_row::HistoryRow;
use nav::SiteNav;
use schedule_form::{FREQUENCIES, ScheduleForm};

pub(super) const ROUTES: &[Route] = &[
    Route::get("/sites/{id}", Access::SignedIn(Role::Read), show),
    Route::get(
        "/sites/{id}/schedule",
        Access::SignedIn(Role::Read),
        show_schedule,
    ),
    Route::post(
        "/sites/{id}/schedule",
        Access::SignedIn(Role::Admin),
        set_schedule,
    ),
    Route::get(
        "/sites/{id}/compare",
        Access::SignedIn(Role::Read),
        compare::choose,
    ),
    Route::get(
        "/sites/{id}/settings",
        Access::SignedIn(Role::Admin),
        settings::show,
    ),
    Route::post(
        "/sites/{id}/settings",
        Access::SignedIn(Role::Admin),
        settings::save,
    ),
    Route::post(
        "/sites/{id}/delete",
        Access::SignedIn(Role::Admin),
        settings::delete,
    ),
    Route::get(
        "/sites/{id}/waivers",
        Access::SignedIn(Role::Read),
        waivers::show,
    ),
    Route::post(
        "/sites/{id}/waivers",
        Access::SignedIn(Role::Member),
        waivers::create,
    ),
    Route::post(
        "/sites/{id}/waivers/{waiver}/expire",
        Access::SignedIn(Role::Member),
        waivers::expire,
    ),
    Route::post(
        "/sites/{id}/waivers/{waiver}/revoke",
        Access::SignedIn(Role::Member),
        waivers::revoke,
    ),
];

/// Runs on a page of the history.
const RUNS_ON_A_PAGE: u32 = 30;

#[derive(Template)]
#[template(path = "pages/sites/site.html")]
struct SitePage {
    layout: Layout,
    nav: SiteNav,
    id: String,
    address: String,
    has_actions: bool,
    /// The latest scores: the overall score, and the subscores with their dimensions.
    scores: Option<(Scored, Vec<(Dimension, Scored)>)>,
    open_actions: u64,
    dimensions: &'static [Dimension],
    chart: Option<Chart>,
    /// The scores that the chart can show.
    scores_shown: Vec<ShownScore>,
    /// Whether there are two reports to compare.
    has_pairs: bool,
    rows: Vec<HistoryRow>,
    is_continued: bool,
    /// The cursor of the next page.
    next: Option<String>,
    /// The schedule in a sentence, and when its next run is due.
    schedule: String,
    next_run: Option<Time>,
    frequencies: [(&'static str, &'static str); 4],
    form: ScheduleForm,
    problem: Option<String>,
}

/// A score that the chart can show.
struct ShownScore {
    label: &'static str,
    path: String,
    is_shown: bool,
}

fn id(visit: &Visit) -> Result<SiteId, Failure> {
    visit.id("id", SiteId::parse)
}

fn schedule_path(site: &SiteId) -> String {
    format!("/sites/{site}#schedule")
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, None)?)
}

/// The page; with a form that was not accepted, and why.
fn page(visit: &Visit, refused: Option<(ScheduleForm, String)>) -> Result<SitePage, Failure> {
    let (id, org, variant) = (id(visit)?, visit.org()?, visit.variant());
    let stores = &visit.state.stores;
    let site = stores.site(org, &id, variant)?.ok_or(Failure::NotFound)?;
    let after = RunCursor::decode(visit.query.text("after"));
    let history = stores.history_page(org, &id, after.as_ref(), RUNS_ON_A_PAGE)?;
    let HistoryPage { entries, next } = history.ok_or(Failure::NotFound)?;
    let schedule = stores.schedule(org, &id)?.ok_or(Failure::NotFound)?;
    let (form, problem) = match refused {
        Some((form, problem)) => (form, Some(problem)),
        None => (ScheduleForm::new(&schedule), None),
    };
    let layout = Layout::new(visit, site.site.name.clone(), Section::Sites);
    let nav = SiteNav::new(&site.site, "", &layout);
    let shown = Shown::wanted(visit);
    let rows = history_row::rows(&entries, variant);
    Ok(SitePage {
        nav,
        scores_shown: scores_shown(&id, variant, shown, &entries),
        has_pairs: rows.iter().filter(|row| row.scored.is_some()).count() > 1,
        id: id.to_string(),
        has_actions: layout.has_actions(),
        scores: scores(&site, variant),
        address: site.site.url,
        open_actions: site.open_actions,
        dimensions: variant.dimensions(),
        chart: Chart::new(&shown.plotted(), &points(&entries, variant, shown)),
        rows,
        is_continued: after.is_some(),
        next: next.as_ref().map(RunCursor::encode),
        schedule: schedule_form::in_words(&schedule),
        next_run: Time::optional(schedule.next_run_at.filter(|_| schedule.enabled)),
        frequencies: FREQUENCIES,
        form,
        problem,
        layout,
    })
}

fn scores(site: &SiteOverview, variant: Variant) -> Option<(Scored, Vec<(Dimension, Scored)>)> {
    let scores = site.latest_scores.as_ref()?;
    let subscores = scores.subscores(variant);
    let subscores = subscores.map(|(dimension, score)| (dimension, Scored::new(score)));
    Some((Scored::new(scores.overall(variant)), subscores.collect()))
}

/// What the chart shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// The overall score.
    Overall,
    /// The score of a dimension.
    Dimension(Dimension),
    /// What a browser measured of the start page.
    Metric(Metric),
}

impl Shown {
    /// What the query asks for.
    fn wanted(visit: &Visit) -> Self {
        let (score, metric) = (visit.query.text("score"), visit.query.text("metric"));
        let dimension = Dimension::named(score)
            .filter(|dimension| visit.variant().dimensions().contains(dimension));
        match (dimension, Metric::of_check(metric)) {
            (Some(dimension), _) => Self::Dimension(dimension),
            (None, Some(metric)) => Self::Metric(metric),
            (None, None) => Self::Overall,
        }
    }

    fn plotted(self) -> Plotted {
        match self {
            Self::Overall => Plotted::Score("Overall score".to_owned()),
            Self::Dimension(dimension) => Plotted::Score(format!("{} score", dimension.label())),
            Self::Metric(metric) => Plotted::Metric(metric),
        }
    }
}

/// The overall score and those of the dimensions, with the address of their chart; and the metrics, if a browser measured the
/// start page in one of the audits.
fn scores_shown(
    site: &SiteId,
    variant: Variant,
    shown: Shown,
    entries: &[HistoryEntry],
) -> Vec<ShownScore> {
    let link = |label, query: &str, what| ShownScore {
        label,
        path: format!("/sites/{site}{query}#history"),
        is_shown: shown == what,
    };
    let dimensions = variant.dimensions().iter().map(|dimension| {
        let query = format!("?score={}", dimension.as_str());
        link(dimension.label(), &query, Shown::Dimension(*dimension))
    });
    let metrics = Metric::ALL.into_iter().map(|metric| {
        let query = format!("?metric={}", metric.check_id());
        link(metric_abbreviation(metric), &query, Shown::Metric(metric))
    });
    let is_measured = entries.iter().any(|entry| entry.lab.is_some());
    let overall = link("Overall", "", Shown::Overall);
    let scores = std::iter::once(overall).chain(dimensions);
    scores.chain(metrics.filter(|_| is_measured)).collect()
}

/// The audits of a page of the history that have what the chart shows, oldest first.
fn points(entries: &[HistoryEntry], variant: Variant, shown: Shown) -> Vec<Point> {
    let points = entries.iter().rev().filter_map(|entry| {
        let at = entry.run.created_at;
        if let Shown::Metric(metric) = shown {
            let page = entry.lab.as_ref()?;
            return Some(Point {
                at,
                value: page.metrics.value(metric)?,
                series: Series::Profile(page.profile),
                is_steady: page.confidence != Confidence::Low,
            });
        }
        let scores = entry.scores.as_ref()?;
        let mut subscores = scores.subscores(variant);
        let score = match shown {
            Shown::Dimension(wanted) => subscores.find(|(dimension, _)| *dimension == wanted)?.1,
            Shown::Overall | Shown::Metric(_) => scores.overall(variant),
        };
        Some(Point {
            at,
            value: score.into(),
            series: Series::Model(scores.version),
            is_steady: true,
        })
    });
    points.collect()
}

/// The schedule has no page of its own.
fn show_schedule(visit: &Visit) -> Result<Reply, Failure> {
    let id = id(visit)?;
    let schedule = visit.state.stores.schedule(visit.org()?, &id)?;
    schedule.ok_or(Failure::NotFound)?;
    Ok(Reply::redirect(schedule_path(&id)))
}

/// Gives the site another schedule.
fn set_schedule(visit: &Visit) -> Result<Reply, Failure> {
    let id = id(visit)?;
    let form = ScheduleForm::sent(&visit.form);
    let change = match form.change() {
        Ok(change) => change,
        Err(problem) => return Reply::invalid(&page(visit, Some((form, problem)))?),
    };
    let (stores, clock) = (&*visit.state.stores, &*visit.state.clock);
    let set = usecase::set_schedule(stores, clock, visit.org()?, &id, &change, &visit.by()?)?;
    set.ok_or(Failure::NotFound)?;
    Ok(Reply::redirect(schedule_path(&id)))
}
