//! The calculation of the scores, step by step, so that a person can check it with a pocket calculator.

use askama::Template;
use domain::Severity;
use domain::id::ReportId;
use domain::ports::{ReportDetail, StoredReport};
use domain::report::{PageListing, PageOrder, PageSort};
use domain::text::grouped;
use report::export::Scored as Scoring;
use report::view::text::shown;
use report::view::{
    OverallView, ReportView, StepView, SumView, TermView, UNJUDGED_HEADING, UNJUDGED_MEANING,
    overall_sum, severity_mark,
};

use super::header::Header;
use super::pages::{mean_score, view};
use super::unjudged::Unjudged;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::evidence::{Address, MAX_TEXT};
use crate::reply::Reply;
use crate::score::Scored;
use crate::visit::Visit;

/// The number of pages with the lowest scores that are shown.
const WORST: u32 = 10;

#[derive(Template)]
#[template(path = "pages/reports/score.html")]
struct Page<'a> {
    layout: Layout,
    header: Header,
    explanation: &'static str,
    overall: Scored,
    /// None in reports of the first scoring model.
    calculation: Option<OverallView>,
    sums: Vec<Sum<'a>>,
    worst: Vec<WorstPage>,
    unjudged: Vec<Unjudged>,
    /// The versions of the scoring model, the engine and the catalogue.
    versions: [(&'static str, String); 3],
}

/// The calculation of a dimension.
struct Sum<'a> {
    name: &'static str,
    label: &'static str,
    scored: Scored,
    start: String,
    mean: String,
    has_steps: bool,
    steps: Vec<Step<'a>>,
    cap: Option<Cap<'a>>,
    unrounded: String,
    /// What lowers the page scores, and in the first scoring model the checks of the site too.
    terms: Vec<Term<'a>>,
    passed: String,
}

/// A page with one of the lowest scores.
struct WorstPage {
    address: Address,
    /// The address of its own view.
    view: String,
    score: u8,
    issues: String,
}

/// A check that the mean of the page scores is multiplied by.
struct Step<'a> {
    check_id: &'a str,
    severity: Severity,
    mark: &'static str,
    extent: String,
    penalty: String,
    reach: String,
    factor: String,
    result: String,
}

/// A check in a table of costs.
struct Term<'a> {
    check_id: &'a str,
    severity: Severity,
    mark: &'static str,
    view: TermView<'a>,
}

/// The most that a dimension can have.
struct Cap<'a> {
    check_id: &'a str,
    maximum: u8,
    reason: String,
    is_binding: bool,
}

impl<'a> Sum<'a> {
    /// The calculation; in an earlier scoring model all checks are terms of one sum.
    fn new(sum: SumView<'a>, is_earlier: bool) -> Self {
        let score = sum.score;
        let has_steps = !sum.steps.is_empty();
        let terms = sum.terms.into_iter();
        Self {
            name: sum.dimension.as_str(),
            label: sum.dimension.label(),
            scored: Scored::new(score.subscore),
            start: sum.start,
            mean: sum.mean,
            has_steps,
            steps: sum.steps.iter().map(Step::new).collect(),
            cap: score.cap.as_ref().map(|cap| Cap {
                check_id: &cap.check_id,
                maximum: cap.maximum,
                reason: shown(&cap.reason, MAX_TEXT),
                is_binding: score.binding_cap().is_some(),
            }),
            unrounded: sum.unrounded,
            // Those that are steps are in the table of steps.
            terms: terms
                .filter(|term| term.is_of_pages || is_earlier)
                .map(Term::new)
                .collect(),
            passed: sum.passed,
        }
    }
}

impl<'a> Step<'a> {
    fn new(step: &StepView<'a>) -> Self {
        let check = step.check;
        Self {
            check_id: &check.check_id,
            severity: check.severity,
            mark: severity_mark(check.severity),
            extent: format!("{} of {}", check.failed, check.judged),
            penalty: step.penalty.clone(),
            reach: step.reach.clone(),
            factor: step.factor.clone(),
            result: step.result.clone(),
        }
    }
}

impl<'a> Term<'a> {
    const fn new(view: TermView<'a>) -> Self {
        Self {
            check_id: view.check_id,
            severity: view.severity,
            mark: severity_mark(view.severity),
            view,
        }
    }
}

/// Shows the calculation. It reads the report without its evidence.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ReportId::parse)?;
    let (stores, detail) = (&visit.state.stores, ReportDetail::Issues);
    let stored = stores.report(visit.org()?, &id, visit.variant(), detail)?;
    let stored = stored.ok_or(Failure::NotFound)?;
    let header = Header::new(visit, &stored)?;
    let worst = worst(visit, &stored)?;
    Reply::page(&page(visit, &stored, header, worst))
}

/// The pages with the lowest scores, without those with a score of 100.
fn worst(visit: &Visit, stored: &StoredReport) -> Result<Vec<WorstPage>, Failure> {
    let variant = visit.variant();
    let listing = PageListing {
        order: PageOrder {
            sort: PageSort::Score,
            descending: false,
        },
        ..PageListing::all(variant)
    };
    let (stores, org) = (&visit.state.stores, visit.org()?);
    let found = stores.pages(org, &stored.id, &listing, None, WORST)?;
    let visits = found.map(|page| page.visits).unwrap_or_default();
    let worst = visits.iter().filter_map(|page| {
        let score = mean_score(page, variant).filter(|score| *score < 100)?;
        Some(WorstPage {
            address: Address::new(&page.url),
            view: view(stored.id.as_str(), &page.url),
            score,
            issues: grouped(page.issues_in(variant).into()),
        })
    });
    Ok(worst.collect())
}

fn page<'a>(
    visit: &Visit,
    stored: &'a StoredReport,
    header: Header,
    worst: Vec<WorstPage>,
) -> Page<'a> {
    let report = &stored.report;
    let view = ReportView::new(report, &Scoring::Whole, "", &[]);
    let title = format!("Score of {}", header.host);
    let calculation = overall_sum(report);
    let is_earlier = calculation.is_none();
    let sums = view.sums.into_iter();
    Page {
        layout: Layout::new(visit, title, Section::Sites),
        explanation: view.explanation,
        overall: Scored::new(report.score.overall),
        calculation,
        sums: sums.map(|sum| Sum::new(sum, is_earlier)).collect(),
        worst,
        unjudged: view.unjudged.iter().map(Unjudged::new).collect(),
        versions: [
            ("Scoring model", report.score.version.to_string()),
            ("Engine", report.engine_version.clone()),
            ("Catalogue of checks", report.catalogue_version.clone()),
        ],
        header,
    }
}
