//! How much of a report an export shows, so that its size and the memory it takes are bounded whatever
//! the audited pages hold.
//!
//! A report keeps up to 1,000 causes and 1,000 places of an issue, and of all issues together 4 MiB of
//! text. Forms for people show the largest causes with their first places, forms for programs more of
//! them, in the order of the report, until there are enough in all; issues after that show one cause
//! with one place. Every form says how many causes and places there are.

use domain::report::{Issue, IssueCause};

/// Results in SARIF, one for each cause: as many as code scanning services show.
pub const SARIF_RESULTS: usize = 5_000;
/// Places of a cause in SARIF: as many as code scanning services show.
pub const SARIF_PLACES: usize = 100;
/// Places in SARIF, of all causes together, after which each shows one.
pub const SARIF_PLACES_IN_ALL: usize = 10_000;
/// Rows of a CSV file, after which each issue has one.
pub const CSV_ROWS: usize = 20_000;
/// Causes, and places, of all issues together, in forms for people, after which each issue shows one.
pub const PLACES_IN_ALL: usize = 2_000;
/// Places in HTML of the only cause of an issue.
pub const HTML_PLACES: usize = 20;
/// Rows in HTML of the table of pages; all pages are in the list of the API.
pub const HTML_PAGES: usize = 1_000;
/// Issues in HTML that stand under "Do first".
pub const HTML_FIRST: usize = 10;
/// Checks that passed in HTML, of each dimension.
pub const HTML_PASSED: usize = 500;
/// Statuses with a bar of their own.
pub const STATUS_BARS: usize = 10;
/// Depths with a bar of their own.
pub const DEPTH_BARS: usize = 12;
/// Rectangles of the treemap of weights.
pub const WEIGHT_CELLS: usize = 20;
/// Characters of a page's title.
pub const TITLE: usize = 120;
/// Causes of an issue in Markdown.
pub const MARKDOWN_CAUSES: usize = 5;
/// Places in Markdown of each of several causes.
pub const MARKDOWN_PLACES_OF_CAUSE: usize = 2;
/// Places in Markdown of the only cause of an issue.
pub const MARKDOWN_PLACES: usize = 5;
/// Causes of a check in JUnit.
pub const JUNIT_CAUSES: usize = 10;
/// Places in JUnit of each of several causes.
pub const JUNIT_PLACES_OF_CAUSE: usize = 2;
/// Places in JUnit of the only cause of a check.
pub const JUNIT_PLACES: usize = 20;
/// Bytes of the form for language models: some 8,000 tokens.
pub const LLM_BYTES: usize = 32 * 1024;
/// Characters of an excerpt.
pub const SNIPPET: usize = 400;
/// Characters of an address or a selector.
pub const ADDRESS: usize = 2_048;
/// Characters of a text.
pub const TEXT: usize = 2_000;

/// How much a format shows of an issue, and of all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EvidenceLimits {
    pub(super) causes: usize,
    /// Places of each of several causes.
    pub(super) places: usize,
    /// Places of the only cause.
    pub(super) places_of_only: usize,
    pub(super) causes_in_all: usize,
    pub(super) places_in_all: usize,
    /// Whether each place is as much as a cause, since it has a row of its own.
    pub(super) is_of_rows: bool,
}

impl EvidenceLimits {
    pub(crate) const fn for_people(causes: usize, places: usize, places_of_only: usize) -> Self {
        Self {
            causes,
            places,
            places_of_only,
            causes_in_all: PLACES_IN_ALL,
            places_in_all: PLACES_IN_ALL,
            is_of_rows: false,
        }
    }
}

impl EvidenceLimits {
    /// For each issue, of each of its causes that are shown, how many places are.
    pub(crate) fn shares(mut self, issues: &[Issue]) -> Vec<Vec<usize>> {
        issues.iter().map(|issue| self.share(issue)).collect()
    }

    /// What an issue gets of what is left.
    fn share(&mut self, issue: &Issue) -> Vec<usize> {
        let causes = self.causes.min(self.causes_in_all.max(1));
        let places = match issue.causes.as_slice() {
            [_] => self.places_of_only,
            _ => self.places,
        };
        let shown = issue.causes.iter().take(causes);
        let shown: Vec<_> = shown
            .map(|cause| self.share_of_cause(cause, places))
            .collect();
        let used = match self.is_of_rows {
            true => shown.iter().map(|&places| places.max(1)).sum(),
            false => shown.len(),
        };
        self.causes_in_all = self.causes_in_all.saturating_sub(used);
        shown
    }

    fn share_of_cause(&mut self, cause: &IssueCause, most: usize) -> usize {
        let most = most.min(self.places_in_all.max(1));
        let shown = cause.occurrences.len().min(most);
        self.places_in_all = self.places_in_all.saturating_sub(shown);
        shown
    }
}
