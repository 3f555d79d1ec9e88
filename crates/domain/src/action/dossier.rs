//! What briefs and handoffs are written from.

use super::{ActionItem, ObservationMode};
use crate::id::IssueId;
use crate::report::Issue;
use crate::run::Mode;

/// Causes of the issue of a dossier, at most.
pub const DOSSIER_CAUSES: usize = 200;
/// Occurrences of its only cause, at most.
pub const DOSSIER_OCCURRENCES: usize = 200;

/// An action item with what the last report that found it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Dossier {
    /// The item.
    pub item: ActionItem,
    /// The address of the root of its site, as [`Site::url`] has it.
    ///
    /// [`Site::url`]: crate::site::Site::url
    pub site_url: Option<String>,
    /// The issue of its check in that report, with at most [`DOSSIER_CAUSES`] causes and [`INLINE_OCCURRENCES`]
    /// occurrences of each, or [`DOSSIER_OCCURRENCES`] of an only cause; none for an item that a person made, and
    /// where the report is gone.
    ///
    /// [`INLINE_OCCURRENCES`]: crate::report::INLINE_OCCURRENCES
    pub issue: Option<Issue>,
    /// The id of that issue.
    pub issue_id: Option<IssueId>,
    /// How the last audit that found the item looked at pages; none for an item that a person made.
    pub found: Option<ObservationMode>,
    /// The mode in which another audit looks at the same pages in the same way; none where the report is gone.
    pub mode: Option<Mode>,
}
