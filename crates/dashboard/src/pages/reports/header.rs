//! Which audit a report is of.

use chrono::TimeDelta;
use domain::ports::StoredReport;
use domain::text::count;
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
        let run = stores.run(org, &stored.run_id)?;
        let span = run.and_then(|run| Some(run.state.finished_at()? - run.state.started_at()?));
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

/// How long an audit took: `45 s`, `2 min 5 s`, `1 h 3 min`.
fn duration(span: TimeDelta) -> String {
    let seconds = span.num_seconds().max(0);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min {seconds} s"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        for (seconds, text) in [
            (-1, "0 s"),
            (59, "59 s"),
            (125, "2 min 5 s"),
            (3_780, "1 h 3 min"),
        ] {
            assert_eq!(duration(TimeDelta::seconds(seconds)), text);
        }
    }
}
