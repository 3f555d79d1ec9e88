//! The audits that looked for an item.

use domain::id::ActionId;
use domain::ports::Sighting;

use super::evidence::extent;
use crate::failure::Failure;
use crate::format::Time;
use crate::visit::Visit;

/// Audits that are shown; the site's own page has all.
const LIMIT: u32 = 10;

/// An audit of the item's site.
pub(super) struct Audit {
    pub(super) report_path: String,
    pub(super) at: Time,
    /// The path of the issue and how often it was found; none where it was not found.
    pub(super) found: Option<(String, String)>,
}

/// The latest audits of the item's site, newest first; none for an item that a person made.
pub(super) fn audits(visit: &Visit, id: &ActionId) -> Result<Vec<Audit>, Failure> {
    let sightings = visit.state.stores.sightings(visit.org()?, id, LIMIT)?;
    Ok(sightings.iter().map(audit).collect())
}

fn audit(sighting: &Sighting) -> Audit {
    let report_path = format!("/reports/{}", sighting.report_id);
    let found = sighting.found.as_ref().map(|issue| {
        let path = format!("{report_path}/issues/{}", issue.issue_id);
        let affected = (issue.affected, issue.affected_pages);
        let extent = extent(issue.subject, issue.occurrences_total, affected);
        (path, extent)
    });
    Audit {
        at: Time::new(sighting.created_at),
        found,
        report_path,
    }
}
