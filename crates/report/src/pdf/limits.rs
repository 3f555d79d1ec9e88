//! How much of a report a PDF shows, so that its size and the time it takes are bounded whatever
//! the pages audited hold. The JSON form has the rest.

use domain::report::Issue;

/// Pages without the appendix, at most, whatever the report holds.
pub const PAGES: usize = 20;
/// Issues on the first page.
pub const FIRST: usize = 12;
/// Rows of the table of the issues without an entry.
pub const FURTHER: usize = 100;
/// Characters of a paragraph in an entry.
pub const SHORT_PARAGRAPH: usize = 700;
/// Paragraphs of a text in an entry.
pub const SHORT_PARAGRAPHS: usize = 6;
/// Characters of a title in a row.
pub const TITLE: usize = 120;

/// How many issues have an entry of their own, and how many causes each shows, with one place each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Detail {
    pub(super) entries: usize,
    pub(super) causes: usize,
    pub(super) further: usize,
}

/// The most detailed first. The first that fits into [`PAGES`] is taken.
pub(super) const DETAILS: [Detail; 6] = [
    Detail {
        entries: 60,
        causes: 3,
        further: FURTHER,
    },
    Detail {
        entries: 40,
        causes: 2,
        further: FURTHER,
    },
    Detail {
        entries: 30,
        causes: 1,
        further: FURTHER,
    },
    Detail {
        entries: 20,
        causes: 1,
        further: FURTHER,
    },
    Detail {
        entries: 10,
        causes: 1,
        further: FURTHER,
    },
    Detail {
        entries: 3,
        causes: 1,
        further: 40,
    },
];
/// Causes of an issue.
pub const CAUSES: usize = 10;
/// Places of each of several causes.
pub const PLACES_OF_CAUSE: usize = 2;
/// Places of the only cause of an issue.
pub const PLACES_OF_ONLY: usize = 20;
/// Places of all issues together, in the order of the report, after which an issue shows only
/// [`FEW_CAUSES`] with one place each.
pub const PLACES: usize = 300;
/// Causes of an issue after [`PLACES`].
pub const FEW_CAUSES: usize = 2;
/// Characters of a snippet.
pub const SNIPPET: usize = 240;
/// Characters of a selector.
pub const SELECTOR: usize = 160;
/// Characters of a URL.
pub const URL: usize = 300;
/// Characters of a message, a title or a reason.
pub const MESSAGE: usize = 400;
/// Characters of a name: of a site, a check, a version.
pub const NAME: usize = 120;
/// Characters of a paragraph of text.
pub const PARAGRAPH: usize = 1_500;
/// Paragraphs and list items of a text.
pub const PARAGRAPHS: usize = 20;
/// References of an issue.
pub const REFERENCES: usize = 12;
/// Rows of a table.
pub const ROWS: usize = 400;
/// Reasons why addresses were not requested, or checks not judged.
pub const REASONS: usize = 20;
/// Checks that are named with a reason.
pub const CHECKS: usize = 80;
/// Characters of a reason.
pub const REASON: usize = 200;
/// Pictures of pages.
pub const PAGE_PICTURES: usize = 6;
/// Pictures of elements, each at the first place that has it.
pub const ELEMENT_PICTURES: usize = 12;
/// Measured pages.
pub const MEASURED: usize = 20;
/// Scripts named on the last page.
pub const SCRIPTS: usize = 20;

/// The same for the entries before the appendix, each cause with one place.
pub(super) fn short_shares(issues: &[Issue], detail: Detail) -> Vec<Vec<usize>> {
    let shares = issues.iter().enumerate().map(|(place, issue)| {
        let causes = if place < detail.entries {
            detail.causes
        } else {
            0
        };
        vec![1; issue.causes.len().min(causes)]
    });
    shares.collect()
}

/// For each issue of the appendix, of each of its causes that are shown, how many places are.
pub(super) fn shares(issues: &[Issue]) -> Vec<Vec<usize>> {
    let mut places_left = PLACES;
    issues
        .iter()
        .map(|issue| {
            let (causes, places) = match issue.causes.len() {
                _ if places_left == 0 => (FEW_CAUSES, 1),
                1 => (1, PLACES_OF_ONLY),
                _ => (CAUSES, PLACES_OF_CAUSE),
            };
            let shown = issue.causes.iter().take(causes);
            let shown = shown.map(|cause| {
                let places = places.min(cause.occurrences.len());
                places_left = places_left.saturating_sub(places);
                places
            });
            shown.collect()
        })
        .collect()
}
