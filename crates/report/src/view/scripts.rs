//! What scripts change, as the readers of a page meet it.

use domain::report::{CrawlMode, Report};

use crate::wording::scripts::{DIFFERENCES, SAME};

/// What scripts change on the pages that a browser showed.
#[derive(Default)]
pub struct ScriptsView {
    /// What differs. Empty if nothing does, or if no browser showed the pages.
    pub rows: Vec<ScriptsRow>,
    /// What was compared on every page that a browser showed, and does not differ.
    pub same: Vec<&'static str>,
}

/// What scripts change of one thing.
#[derive(Clone)]
pub struct ScriptsRow {
    /// The number of the issue in the report, from 1.
    pub issue: usize,
    /// The check that found it.
    pub check_id: &'static str,
    /// What differs.
    pub subject: &'static str,
    /// On how many pages.
    pub extent: String,
    /// What a crawler gets that runs no scripts.
    pub without_scripts: &'static str,
    /// What Google gets.
    pub google: &'static str,
    /// What visitors get.
    pub visitors: &'static str,
}

impl ScriptsView {
    /// What scripts change, by the issues of the report. Nothing in static mode, which runs none.
    pub(crate) fn new(report: &Report) -> Self {
        if report.coverage.mode == CrawlMode::Static {
            return Self::default();
        }
        let mut view = Self::default();
        for difference in &DIFFERENCES {
            let id = difference.check_id;
            let mut issues = (1..).zip(&report.issues);
            if let Some((number, issue)) = issues.find(|(_, issue)| issue.check_id == id) {
                view.rows.push(ScriptsRow {
                    issue: number,
                    check_id: id,
                    subject: difference.subject,
                    extent: issue.extent(&report.coverage),
                    without_scripts: difference.without_scripts,
                    google: difference.google,
                    visitors: difference.visitors,
                });
            } else if is_passed(report, id) {
                view.same.push(difference.subject);
            }
        }
        view
    }

    /// The ids of the checks that compare the response with the rendered page.
    pub fn check_ids() -> impl Iterator<Item = &'static str> {
        DIFFERENCES.iter().map(|difference| difference.check_id)
    }

    /// What does not differ, as a sentence; empty if there is nothing.
    #[must_use]
    pub fn same_in_words(&self) -> String {
        match self.same.as_slice() {
            [] => String::new(),
            same => format!("{SAME}: {}.", same.join("; ")),
        }
    }
}

/// Whether a check judged something and found nothing, and nothing kept it from judging the rest.
fn is_passed(report: &Report, id: &str) -> bool {
    let mut checks = (report.score.dimensions.values()).flat_map(|sum| &sum.checks);
    checks.any(|check| check.check_id == id && check.judged > 0 && check.failed == 0)
        && !report.unjudged.iter().any(|check| check.check_id == id)
}

#[cfg(test)]
mod tests {
    use domain::report::{AuditResult, Unjudged, UnjudgedCheck};
    use testkit::{SequentialIds, sample};

    use super::*;

    /// A report with the sample's `llms-txt` issue under the id of a check of the table, and `passed` as passed.
    fn report(found: &str, passed: &str, mode: CrawlMode) -> Report {
        let mut result: AuditResult = sample::audit_result();
        result.coverage.mode = mode;
        let mut report = sample::completed_run(&SequentialIds::default(), &result)
            .reports
            .current;
        report.issues[1].check_id = found.to_owned();
        let sums = report.score.dimensions.values_mut();
        let check = sums
            .flat_map(|sum| &mut sum.checks)
            .find(|check| check.failed == 0);
        let check = check.unwrap();
        (check.check_id, check.judged) = (passed.to_owned(), 3);
        report
    }

    #[test]
    fn what_differs_is_a_row_and_what_does_not_is_named() {
        let report = report(
            "render-only-links",
            "render-changes-robots",
            CrawlMode::Rendered,
        );
        let view = ScriptsView::new(&report);
        let rows: Vec<_> = view
            .rows
            .iter()
            .map(|row| (row.issue, row.subject, row.without_scripts))
            .collect();
        assert_eq!(rows, [(2, "Links", "Not those that scripts write")]);
        assert_eq!(
            view.same_in_words(),
            "Found no difference: Robots directives."
        );
    }

    #[test]
    fn nothing_is_said_of_what_was_not_rendered_or_not_judged() {
        let report = report(
            "render-only-links",
            "render-changes-robots",
            CrawlMode::Static,
        );
        let view = ScriptsView::new(&report);
        assert!(view.rows.is_empty() && view.same.is_empty());
        let mut report = self::report("other", "render-changes-robots", CrawlMode::Rendered);
        report.unjudged.push(UnjudgedCheck {
            check_id: "render-changes-robots".to_owned(),
            dimension: domain::Dimension::Seo,
            why: Unjudged::CannotTell("A script may change it.".to_owned()),
            count: 1,
        });
        let view = ScriptsView::new(&report);
        assert_eq!((view.rows.len(), view.same_in_words()), (0, String::new()));
    }

    #[test]
    fn each_check_has_one_row() {
        let mut ids: Vec<_> = ScriptsView::check_ids().collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }
}
