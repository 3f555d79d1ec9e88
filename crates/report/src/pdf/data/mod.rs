//! A report as the values that the template sets.

mod about;
mod brand;
mod coverage;
mod issues;
mod pictures;
mod scores;

use std::collections::BTreeSet;

use domain::report::Report;
use domain::text::count;
use typst::foundations::{Dict, IntoValue, Str, Value};

use pictures::Pictures;

use super::facts::PdfFacts;
use super::fonts::PdfFonts;
use super::typeset::{Typesetter, Without, dict};
use super::{Form, limits};
use crate::scored::Scored;
use crate::view::{ReportView, duration};
use crate::wording::coverage::{mode, stop};
use crate::wording::title;

/// Everything the template needs, under `sys.inputs.report`.
pub(super) fn inputs(
    report: &Report,
    facts: &PdfFacts,
    fonts: &PdfFonts,
    form: Form,
    without: &Without,
) -> Dict {
    let mut set = Typesetter::new(fonts, without);
    let value = document(&mut set, report, facts, form);
    [(Str::from("report"), value)].into_iter().collect()
}

/// The characters that no font has.
pub(super) fn missing(report: &Report, facts: &PdfFacts, fonts: &PdfFonts) -> BTreeSet<char> {
    let without = Without::These(BTreeSet::new());
    let mut set = Typesetter::new(fonts, &without);
    let [detail, ..] = limits::DETAILS;
    let form = Form {
        detail,
        has_appendix: facts.has_appendix,
    };
    document(&mut set, report, facts, form);
    set.into_missing()
}

fn document(set: &mut Typesetter<'_>, report: &Report, facts: &PdfFacts, form: Form) -> Value {
    let site = set.line(&facts.site_name, limits::NAME);
    let product = set.line(&facts.product(), limits::NAME);
    let shares = limits::short_shares(&report.issues, form.detail);
    let view = ReportView::new(report, &Scored::Whole, &facts.help_base_url, &shares);
    let mut pictures = Pictures::new(&facts.pictures);
    let entries = issues::entries(set, &view, form.detail.entries, &mut pictures);
    let appendix = match form.has_appendix {
        true => appendix(set, report, facts),
        false => Value::None,
    };
    dict([
        ("title", title(&site).into_value()),
        ("site", set.words(&facts.site_name, limits::NAME)),
        ("url", set.code(&report.url, limits::URL)),
        ("date", facts.date().into_value()),
        ("product", product.into_value()),
        ("brand", brand::brand(set, facts)),
        ("seen", seen(report, facts).into_value()),
        ("scores", scores::scores(set, &view)),
        ("severities", issues::severities(&view)),
        ("first", issues::first(set, &view)),
        ("entries", entries),
        ("further", issues::further(set, &view, form.detail)),
        ("total", view.issues.len().into_value()),
        ("pictures", pictures.of_pages(set)),
        ("coverage", coverage::coverage(set, report)),
        ("scripts", coverage::scripts(&view)),
        ("unjudged", coverage::unjudged(set, &view)),
        ("appendix", appendix),
        ("about", about::about(set, report, facts)),
        // Last, when all else has been set.
        ("missing", about::missing(set)),
    ])
}

/// All issues with their evidence, and the calculation of the scores.
fn appendix(set: &mut Typesetter<'_>, report: &Report, facts: &PdfFacts) -> Value {
    let shares = limits::shares(&report.issues);
    let view = ReportView::new(report, &Scored::Whole, &facts.help_base_url, &shares);
    dict([
        ("issues", issues::all(set, &view)),
        ("sums", scores::sums(set, report, &view)),
    ])
}

/// "692 pages in 3.2 s (static HTML). The crawl stopped at the page limit."
fn seen(report: &Report, facts: &PdfFacts) -> String {
    let coverage = &report.coverage;
    let pages = count(coverage.pages_audited, "page", "pages");
    let span = facts.duration_ms.map(duration);
    let span = span.map_or_else(String::new, |span| format!(" in {span}"));
    let audited = format!("{pages}{span} ({})", mode(coverage));
    match coverage.stopped_by {
        None => audited,
        Some(stopped) => format!("{audited}. {}", stop(stopped).trim_end_matches('.')),
    }
}
