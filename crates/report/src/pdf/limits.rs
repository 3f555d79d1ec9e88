//! How much of a report a PDF shows, so that its size and the time it takes are bounded whatever
//! the pages audited hold. The JSON form has the rest.

/// Issues shown.
pub const ISSUES: usize = 500;
/// Issues in the overview that comes before them.
pub const OVERVIEW: usize = 30;
/// Places of all issues together, worst first, after which an issue shows only [`FEW_PLACES`].
pub const PLACES: usize = 300;
/// Places of an issue after [`PLACES`].
pub const FEW_PLACES: usize = 2;
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
