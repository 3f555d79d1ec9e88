//! What `assay doctor` says of the installation.

use askama::Template;

use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::state::{Diagnosis, DiagnosisLevel};
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "pages/admin/doctor.html")]
struct Page {
    layout: Layout,
    rows: Vec<Row>,
    problems: usize,
    warnings: usize,
}

struct Row {
    diagnosis: Diagnosis,
    mark: &'static str,
    word: &'static str,
    class: &'static str,
}

impl Row {
    const fn new(diagnosis: Diagnosis) -> Self {
        let (mark, word, class) = match diagnosis.level {
            DiagnosisLevel::Fine => ("●", "ok", "good"),
            DiagnosisLevel::Warning => ("◕", "warning", "fair"),
            DiagnosisLevel::Problem => ("○", "problem", "poor"),
        };
        Self {
            diagnosis,
            mark,
            word,
            class,
        }
    }
}

/// Examines the installation as the command does, which takes a few seconds.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    visit.abandoned.check()?;
    let found = (visit.state.settings.operator.examine)();
    let number = |level| found.iter().filter(|one| one.level == level).count();
    let (problems, warnings) = (
        number(DiagnosisLevel::Problem),
        number(DiagnosisLevel::Warning),
    );
    Reply::page(&Page {
        layout: Layout::new(visit, "Examination of the installation", Section::Admin),
        problems,
        warnings,
        rows: found.into_iter().map(Row::new).collect(),
    })
}
