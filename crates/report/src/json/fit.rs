//! Reports and comparisons of a bounded size, whatever the audited site holds.

use api_types::report::{Cause, Issue, Occurrence, Report, ReportDiff};
use serde::Serialize;

use super::text::{UnmovingCounter, bounded, bytes_in_json};

/// Bytes of the JSON of a report or of a comparison of two, at most: what a client reads at once
/// without care, and little enough that many of them can be answered at the same time. It holds for
/// the longest form of that JSON: indented, with all characters escaped that [`unmoving`] escapes.
///
/// [`unmoving`]: super::unmoving
pub const MAX_REPORT_BYTES: usize = 2 * 1024 * 1024;

/// How much of an issue is inline.
#[derive(Debug, Clone, Copy)]
struct Step {
    causes: usize,
    occurrences: usize,
}

/// From much to the least: one cause with one occurrence. After that texts are cut.
const STEPS: [Step; 4] = [step(10, 2), step(5, 1), step(2, 1), step(1, 1)];

/// Bytes in JSON of each text of an issue where even one occurrence each takes too much.
const SHORT_TEXT: usize = 128;
/// The same of an address.
const SHORT_URL: usize = 256;
/// The same of the texts of an issue that are mostly our own.
const SHORT_DESCRIPTION: usize = 512;

const fn step(causes: usize, occurrences: usize) -> Step {
    Step {
        causes,
        occurrences,
    }
}

impl Step {
    fn apply(&self, issue: &mut Issue) {
        issue.causes.truncate(self.causes);
        for cause in &mut issue.causes {
            cause.occurrences.truncate(self.occurrences);
        }
    }
}

fn shorten(issue: &mut Issue) {
    let cut = |text: &mut String, most| *text = bounded(text, most);
    cut(&mut issue.title, SHORT_TEXT);
    cut(&mut issue.description, SHORT_DESCRIPTION);
    cut(&mut issue.recommendation, SHORT_DESCRIPTION);
    for cause in &mut issue.causes {
        cut(&mut cause.message, SHORT_TEXT);
        for occurrence in &mut cause.occurrences {
            cut(&mut occurrence.url, SHORT_URL);
            cut(&mut occurrence.message, SHORT_TEXT);
            let optional = [&mut occurrence.selector, &mut occurrence.snippet];
            for text in optional.into_iter().flatten() {
                cut(text, SHORT_TEXT);
            }
        }
    }
}

/// Leaves out causes and occurrences, first of the issues of least gain, until the report has at most
/// [`MAX_REPORT_BYTES`]. Totals say what there is.
pub(super) fn fit_report(report: &mut Report) {
    let causes = taken(report.issues.iter_mut());
    let bytes_without_causes = size(report);
    fit(
        bytes_without_causes,
        given_back(report.issues.iter_mut(), causes),
    );
}

/// Leaves out causes and occurrences, first of the issues that both reports have, then of those that
/// are fixed, then of new ones, until the comparison has at most [`MAX_REPORT_BYTES`]. Totals say what
/// there is.
pub fn fit_diff(diff: &mut ReportDiff) {
    let causes = taken(all_of(diff));
    let bytes_without_causes = size(diff);
    fit(bytes_without_causes, given_back(all_of(diff), causes));
}

fn all_of(diff: &mut ReportDiff) -> impl Iterator<Item = &mut Issue> {
    let lists = [&mut diff.new, &mut diff.fixed, &mut diff.persisting];
    lists.into_iter().flatten()
}

fn taken<'a>(issues: impl Iterator<Item = &'a mut Issue>) -> Vec<Vec<Cause>> {
    issues
        .map(|issue| std::mem::take(&mut issue.causes))
        .collect()
}

fn given_back<'a>(
    issues: impl Iterator<Item = &'a mut Issue>,
    causes: Vec<Vec<Cause>>,
) -> Vec<&'a mut Issue> {
    let issues = issues.zip(causes);
    issues
        .map(|(issue, causes)| {
            issue.causes = causes;
            issue
        })
        .collect()
}

/// Takes the issues by their weight for the reader; those at the end lose first.
fn fit(bytes_without_causes: usize, mut issues: Vec<&mut Issue>) {
    let costs: Vec<_> = issues.iter().map(|issue| IssueCost::new(issue)).collect();
    let mut shown = vec![None; issues.len()];
    let cost_of_all = |cost: &IssueCost| cost.of_step(None);
    let mut bytes = bytes_without_causes + costs.iter().map(cost_of_all).sum::<usize>();
    for step in &STEPS {
        for (shown, cost) in shown.iter_mut().zip(&costs).rev() {
            if bytes <= MAX_REPORT_BYTES {
                break;
            }
            bytes = (bytes + cost.of_step(Some(step))).saturating_sub(cost.of_step(*shown));
            *shown = Some(step);
        }
    }
    for (issue, step) in issues.iter_mut().zip(shown) {
        if let Some(step) = step {
            step.apply(issue);
        }
    }
    for issue in issues.iter_mut().rev() {
        if bytes <= MAX_REPORT_BYTES {
            break;
        }
        let before = size(issue);
        shorten(issue);
        bytes = (bytes + size(issue)).saturating_sub(before);
    }
}

/// Bytes of a cause beside its message and its occurrences, at most: names, numbers and indentation.
const CAUSE_BYTES: usize = 448;
/// Bytes of an occurrence beside its texts, at most.
const OCCURRENCE_BYTES: usize = 256;

/// What the causes of an issue take at most: for each its own bytes, and those of its occurrences.
struct IssueCost(Vec<(usize, Vec<usize>)>);

impl IssueCost {
    fn new(issue: &Issue) -> Self {
        let causes = issue.causes.iter().map(|cause| {
            let occurrences = cause.occurrences.iter().map(occurrence_cost);
            let own = CAUSE_BYTES + bytes_in_json(&cause.message);
            (own, occurrences.collect())
        });
        Self(causes.collect())
    }

    /// What is left of it after a step; all without one.
    fn of_step(&self, step: Option<&Step>) -> usize {
        let most = |of: fn(&Step) -> usize| step.map_or(usize::MAX, of);
        let causes = self.0.iter().take(most(|step| step.causes));
        let occurrences = most(|step| step.occurrences);
        causes
            .map(|(own, all)| own + all.iter().take(occurrences).sum::<usize>())
            .sum()
    }
}

fn occurrence_cost(occurrence: &Occurrence) -> usize {
    let optional = [&occurrence.selector, &occurrence.snippet];
    let optional = optional
        .into_iter()
        .flatten()
        .map(|text| bytes_in_json(text));
    OCCURRENCE_BYTES
        + bytes_in_json(&occurrence.url)
        + bytes_in_json(&occurrence.message)
        + optional.sum::<usize>()
}

fn size(value: &impl Serialize) -> usize {
    let mut counter = UnmovingCounter::default();
    // Neither counting nor wire types fail; if they did, nothing would be left out.
    let _ = serde_json::to_writer_pretty(&mut counter, value);
    counter.bytes
}
