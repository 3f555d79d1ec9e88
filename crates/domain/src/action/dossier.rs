//! What briefs and handoffs are written from.

use super::ActionItem;
use crate::report::Issue;

/// An action item with what the last report that found it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Dossier {
    /// The item.
    pub item: ActionItem,
    /// The address of the root of its site, as [`Site::url`] has it.
    ///
    /// [`Site::url`]: crate::site::Site::url
    pub site_url: Option<String>,
    /// The issue of its check in that report with the causes and occurrences that come with a report;
    /// none for an item that a person made, and where the report is gone.
    pub issue: Option<Issue>,
}
