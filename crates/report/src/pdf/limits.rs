//! How much of a report a PDF shows, so that its size and the time it takes are bounded whatever
//! the pages audited hold. The JSON form has the rest.

use domain::report::Issue;

/// Issues in the overview that comes before all.
pub const OVERVIEW: usize = 30;
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
/// Scripts named on the last page.
pub const SCRIPTS: usize = 20;

/// For each issue, of each of its causes that are shown, how many places are.
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
