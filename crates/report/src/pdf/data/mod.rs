//! A report as the values that the template sets.

mod about;
mod coverage;
mod issues;
mod scores;

use std::collections::BTreeSet;

use domain::report::Report;
use domain::text::first_sentence;
use typst::foundations::{Dict, IntoValue, Str, Value};

use super::facts::PdfFacts;
use super::fonts::PdfFonts;
use super::limits;
use super::typeset::{Typesetter, Without, dict};
use crate::scored::Scored;
use crate::view::ReportView;
use crate::wording::coverage::sentences_in_short;
use crate::wording::title;

/// Everything the template needs, under `sys.inputs.report`.
pub(super) fn inputs(
    report: &Report,
    facts: &PdfFacts,
    fonts: &PdfFonts,
    without: &Without,
) -> Dict {
    let mut set = Typesetter::new(fonts, without);
    let value = document(&mut set, report, facts);
    [(Str::from("report"), value)].into_iter().collect()
}

/// The characters that no font has.
pub(super) fn missing(report: &Report, facts: &PdfFacts, fonts: &PdfFonts) -> BTreeSet<char> {
    let without = Without::These(BTreeSet::new());
    let mut set = Typesetter::new(fonts, &without);
    document(&mut set, report, facts);
    set.into_missing()
}

fn document(set: &mut Typesetter<'_>, report: &Report, facts: &PdfFacts) -> Value {
    let site = set.line(&facts.site_name, limits::NAME);
    let product = set.line(&facts.product(), limits::NAME);
    let report_id = facts.report_id.as_deref().unwrap_or_default();
    let shares = limits::shares(&report.issues);
    let view = ReportView::new(report, &Scored::Whole, &facts.help_base_url, &shares);
    let (opening, rest) = opening(&view.summary);
    dict([
        ("title", title(&site).into_value()),
        ("site", set.words(&facts.site_name, limits::NAME)),
        ("url", set.code(&report.url, limits::URL)),
        ("date", facts.date().into_value()),
        ("product", product.into_value()),
        ("report-id", set.code(report_id, limits::NAME)),
        ("opening", set.words(&opening, limits::PARAGRAPH)),
        ("rest", set.words(&rest, limits::PARAGRAPH)),
        ("scores", scores::scores(set, &view)),
        ("severities", issues::severities(&view)),
        ("seen", sentences_in_short(&report.coverage).into_value()),
        ("coverage", coverage::coverage(set, report)),
        ("issues", issues::issues(set, &view)),
        ("sums", scores::sums(set, report, &view)),
        ("unjudged", coverage::unjudged(set, &view)),
        ("about", about::about(set, report, facts)),
        // Last, when all else has been set.
        ("missing", about::missing(set)),
    ])
}

/// The first sentence of a text, and what follows it.
fn opening(text: &str) -> (String, String) {
    let first = first_sentence(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.strip_prefix(&first) {
        Some(rest) => (first, rest.trim().to_owned()),
        None => (line, String::new()),
    }
}
