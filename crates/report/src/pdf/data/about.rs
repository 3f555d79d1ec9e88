//! The last page: what made the document, and what it could not show.

use domain::report::Report;
use domain::text::capitalized;
use typst::foundations::{IntoValue, Value};

use super::super::facts::PdfFacts;
use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::wording::counted;

/// How many missing characters are named for each script.
const NAMED: usize = 8;

pub(super) fn about(set: &mut Typesetter<'_>, report: &Report, facts: &PdfFacts) -> Value {
    let product = facts.product();
    let date = facts.date();
    let report_id = facts.report_id.as_deref().unwrap_or("none");
    let rows = [
        ("Created by", product.as_str()),
        ("Created on", date.as_str()),
        ("Report", report_id),
        ("Engine", report.engine_version.as_str()),
        ("Catalogue of checks", report.catalogue_version.as_str()),
    ];
    let rows = rows.map(|(label, text)| {
        dict([
            ("label", label.into_value()),
            ("text", set.words(text, limits::MESSAGE)),
        ])
    });
    if !facts.has_appendix {
        return dict([
            ("rows", array(rows)),
            ("limits", short(report).into_value()),
        ]);
    }
    let limits = format!(
        "The appendix shows at most {} causes per issue with {} occurrences of \
         each, or {} occurrences of a single cause (after {} occurrences in total, {} causes with one occurrence), {} \
         characters of a snippet and {} of a URL. The JSON format of the report contains more, and \
         the lists of the HTTP API contain everything that is stored.",
        limits::CAUSES,
        limits::PLACES_OF_CAUSE,
        limits::PLACES_OF_ONLY,
        limits::PLACES,
        limits::FEW_CAUSES,
        limits::SNIPPET,
        limits::URL,
    );
    dict([("rows", array(rows)), ("limits", limits.into_value())])
}

/// What a document without an appendix leaves out.
fn short(report: &Report) -> String {
    format!(
        "This document has at most {} pages. The HTML format of the report lists the pages, the checks that passed \
         and more occurrences of the {}; an appendix with the evidence and the calculation of the scores is added on \
         request.",
        limits::PAGES,
        counted(report.issues.len(), "issue", "issues"),
    )
}

/// The scripts of characters that no font has.
pub(super) fn missing(set: &Typesetter<'_>) -> Value {
    let scripts = set.missing();
    let rows = scripts
        .iter()
        .take(limits::SCRIPTS)
        .map(|(script, characters)| {
            let named = characters.iter().take(NAMED);
            let mut named: Vec<_> = named
                .map(|&character| format!("U+{:04X}", u32::from(character)))
                .collect();
            if characters.len() > NAMED {
                named.push("…".to_owned());
            }
            let number = counted(characters.len(), "character", "characters");
            dict([
                (
                    "script",
                    capitalized(&script.replace('_', " ")).into_value(),
                ),
                ("number", number.into_value()),
                ("named", named.join(" ").into_value()),
            ])
        });
    array(rows.collect::<Vec<_>>())
}
