//! Which audit a report is of.

use domain::ports::StoredReport;
use domain::text::count;
use domain::usecase::run_duration_ms;
use report::view::duration;
use report::view::text::{host, shown};

use crate::failure::Failure;
use crate::format::Time;
use crate::pages::evidence::{Address, MAX_TEXT};
use crate::visit::Visit;

/// The site, the run, the address and the time of a report.
pub(super) struct Header {
    pub(super) report_id: String,
    pub(super) run_id: String,
    pub(super) site_id: String,
    /// The name that people gave the site.
    pub(super) site: String,
    pub(super) host: String,
    pub(super) address: Address,
    pub(super) created: Time,
    /// "2 min 5 s"; none where the run is gone.
    pub(super) duration: Option<String>,
    /// "12 pages"
    pub(super) pages: String,
}

impl Header {
    /// The header of a report.
    pub(super) fn new(visit: &Visit, stored: &StoredReport) -> Result<Self, Failure> {
        let (org, stores) = (visit.org()?, &visit.state.stores);
        let span = run_duration_ms(&**stores, org, &stored.run_id)?;
        let site = stores.site(org, &stored.site_id, visit.variant())?;
        let host = shown(host(&stored.report.url), MAX_TEXT);
        Ok(Self {
            report_id: stored.id.to_string(),
            run_id: stored.run_id.to_string(),
            site_id: stored.site_id.to_string(),
            site: site.map_or_else(|| host.clone(), |found| found.site.name),
            host,
            address: Address::new(&stored.report.url),
            created: Time::new(stored.created_at),
            duration: span.map(duration),
            pages: count(stored.report.coverage.pages_audited, "page", "pages"),
        })
    }
}
