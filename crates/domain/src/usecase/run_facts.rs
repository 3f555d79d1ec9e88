//! What a run saw that its report does not have.

use super::Artifacts;
use crate::id::{OrgId, RunId};
use crate::ports::{ObjectStore, ReportStore, RunStore, StoreError, Stores};
use crate::report::{PageListing, PageVisit, RunFacts, StoredReport};

/// Pages that are read at once.
const PAGES_AT_ONCE: u32 = 1_000;

/// What the run of a stored report saw: its pages, of which at most [`MAX_PAGES_BYTES`] are stored, and what
/// [`run_facts_without_visits`] has.
///
/// [`MAX_PAGES_BYTES`]: crate::report::MAX_PAGES_BYTES
///
/// # Errors
/// When the database fails.
pub fn run_facts(
    stores: &dyn Stores,
    objects: &dyn ObjectStore,
    org: &OrgId,
    stored: &StoredReport,
) -> Result<RunFacts, StoreError> {
    Ok(RunFacts {
        visits: visits(stores, org, stored)?,
        ..run_facts_without_visits(stores, objects, org, stored)?
    })
}

/// How long the run of a stored report took, unless it is gone, and its [first pictures](crate::artifact::embedded_count), as far
/// as `objects` has them now.
///
/// # Errors
/// When the database fails.
pub fn run_facts_without_visits(
    stores: &dyn Stores,
    objects: &dyn ObjectStore,
    org: &OrgId,
    stored: &StoredReport,
) -> Result<RunFacts, StoreError> {
    let artifacts = Artifacts {
        records: stores,
        objects,
    };
    Ok(RunFacts {
        pictures: artifacts.of_report(org, &stored.id)?,
        visits: Vec::new(),
        duration_ms: run_duration_ms(stores, org, &stored.run_id)?,
    })
}

/// How long a run took; none if it is gone or has not ended.
///
/// # Errors
/// When the database fails.
pub fn run_duration_ms(
    stores: &(impl RunStore + ?Sized),
    org: &OrgId,
    run: &RunId,
) -> Result<Option<u64>, StoreError> {
    let run = stores.run(org, run)?;
    let span = run.and_then(|run| Some(run.state.finished_at()? - run.state.started_at()?));
    Ok(span.map(|span| u64::try_from(span.num_milliseconds()).unwrap_or_default()))
}

fn visits(
    stores: &(impl ReportStore + ?Sized),
    org: &OrgId,
    stored: &StoredReport,
) -> Result<Vec<PageVisit>, StoreError> {
    let listing = PageListing::all(stored.report.variant);
    let mut visits = Vec::new();
    let mut after = None;
    loop {
        let Some(page) = stores.pages(org, &stored.id, &listing, after, PAGES_AT_ONCE)? else {
            return Ok(visits);
        };
        visits.extend(page.visits);
        after = page.next;
        if after.is_none() {
            return Ok(visits);
        }
    }
}
