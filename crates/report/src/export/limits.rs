//! How much of a report an export shows, so that its size and the memory it takes are bounded whatever
//! the audited pages hold.
//!
//! A report keeps up to 1,000 places of an issue, and 20 of them come with it. Forms that are read by
//! programs show more than these, in the order of the report, until there are enough in all; issues
//! after that show a few. Every form tells how many places there are.

use domain::report::{INLINE_OCCURRENCES, Issue, MAX_OCCURRENCES_PER_ISSUE};

use super::ExportFormat;

/// Places of an issue in SARIF: as many as code scanning services show.
pub const SARIF_PLACES: usize = 100;
/// Places in SARIF, of all issues together, after which each shows [`FEW_PLACES`].
pub const SARIF_PLACES_IN_ALL: usize = 10_000;
/// Rows of a CSV file, after which each issue has [`FEW_PLACES`].
pub const CSV_ROWS: usize = 20_000;
/// Places, of all issues together, in forms for people, after which each shows [`FEW_PLACES`].
pub const PLACES_IN_ALL: usize = 2_000;
/// Places of an issue when there are enough.
pub const FEW_PLACES: usize = 1;
/// Issues in HTML and Markdown.
pub const ISSUES: usize = 1_000;
/// Places of an issue in Markdown.
pub const MARKDOWN_PLACES: usize = 5;
/// Places of a check in JUnit.
pub const JUNIT_PLACES: usize = 20;
/// Bytes of the form for language models: some 8,000 tokens.
pub const LLM_BYTES: usize = 32 * 1024;
/// Characters of an excerpt.
pub const SNIPPET: usize = 400;
/// Characters of an address or a selector.
pub const ADDRESS: usize = 2_048;
/// Characters of a text.
pub const TEXT: usize = 2_000;

/// How many places of each issue a form shows at most. Those beyond the ones that come with a report
/// are shown where the caller puts them into the issue.
#[must_use]
pub fn places(format: ExportFormat, issues: &[Issue]) -> Vec<usize> {
    let (each, all) = match format {
        ExportFormat::Csv => (MAX_OCCURRENCES_PER_ISSUE, CSV_ROWS),
        ExportFormat::Sarif => (SARIF_PLACES, SARIF_PLACES_IN_ALL),
        ExportFormat::Html => (INLINE_OCCURRENCES, PLACES_IN_ALL),
        ExportFormat::Markdown => (MARKDOWN_PLACES, PLACES_IN_ALL),
        ExportFormat::Junit => (JUNIT_PLACES, PLACES_IN_ALL),
        // JSON has what the interface answers, the one for models its own measure.
        ExportFormat::Json | ExportFormat::Llm => (INLINE_OCCURRENCES, usize::MAX),
    };
    let mut left = all;
    let places = issues.iter().map(|issue| {
        let total = usize::try_from(issue.occurrences_total).unwrap_or(usize::MAX);
        let most = if left == 0 {
            FEW_PLACES
        } else {
            each.min(left.max(FEW_PLACES))
        };
        let shown = most.min(total.max(issue.occurrences.len()));
        left = left.saturating_sub(shown);
        shown
    });
    places.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{bad, report};

    fn issues(totals: &[u64]) -> Vec<Issue> {
        let report = report(&bad());
        let issue = report.issues.first().unwrap();
        let with = |&total| Issue {
            occurrences_total: total,
            occurrences: Vec::new(),
            ..issue.clone()
        };
        totals.iter().map(with).collect()
    }

    #[test]
    fn each_issue_shows_what_it_has_up_to_the_measure_of_the_form() {
        let found = issues(&[5_000, 3, 0]);
        assert_eq!(places(ExportFormat::Csv, &found), [1_000, 3, 0]);
        assert_eq!(places(ExportFormat::Sarif, &found), [100, 3, 0]);
        assert_eq!(places(ExportFormat::Json, &found), [20, 3, 0]);
    }

    #[test]
    fn all_together_are_bounded_and_no_issue_is_left_without_a_place() {
        let found = issues(&[2_000; 300]);
        let shown = places(ExportFormat::Csv, &found);
        assert_eq!(shown.len(), 300);
        assert!(shown.iter().all(|&number| number >= 1));
        assert_eq!(shown.iter().sum::<usize>(), CSV_ROWS + 280);
    }
}
