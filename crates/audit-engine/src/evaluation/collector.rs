//! Collects verdicts into tallies and findings.

use domain::report::{Finding, UnjudgedCheck};
use domain::score::CheckTally;

use super::check_state::CheckState;
use super::evaluate::{self, Evaluated, SiteOutcome};
use super::evidence_budget;
use super::issue_counts::{Address, IssueCount, IssueCounts};
use crate::bounds::MAX_COUNTED_CAUSES;
use crate::check::Check;
use crate::site::Site;

/// All verdicts of an audit. Subjects must be recorded in a fixed order, because the first evidence
/// is kept.
#[derive(Debug)]
pub(crate) struct Collector {
    checks: Vec<CheckState>,
    counts: IssueCounts,
    /// The number of further causes that may be counted.
    cause_room: usize,
}

impl Collector {
    pub(crate) fn new(checks: &[&'static Check]) -> Self {
        Self {
            checks: checks.iter().map(|check| CheckState::new(check)).collect(),
            counts: IssueCounts::default(),
            cause_room: MAX_COUNTED_CAUSES,
        }
    }

    /// Records the verdicts of [`evaluate_page`](super::evaluate::evaluate_page), in the order of the checks.
    pub(crate) fn record_page(&mut self, url: &str, judged: Vec<Evaluated>) {
        let page = Address::new(url);
        for (state, judged) in self.checks.iter_mut().zip(judged) {
            state.record(&page, judged, &mut self.counts, &mut self.cause_room);
        }
    }

    /// Evaluates a site check and records its verdicts one by one.
    pub(crate) fn evaluate_site(&mut self, check: &'static Check, site: &Site) {
        let Self {
            checks,
            counts,
            cause_room,
        } = self;
        let Some(state) = checks.iter_mut().find(|state| state.check.id == check.id) else {
            return;
        };
        if let Some(reason) = evaluate::not_run(check, site.external_checked) {
            state.not_run = Some(reason);
            return;
        }
        let mut record = |url: &str, outcome| {
            let judged = Evaluated::Answered(outcome);
            state.record(&Address::new(url), judged, counts, cause_room);
        };
        match evaluate::evaluate_site(check, site, &mut record) {
            SiteOutcome::PageCheck => {}
            SiteOutcome::Recorded => state.forget_counted(),
            SiteOutcome::CannotTell(reason) => {
                state.cannot_tell(reason);
                state.forget_counted();
            }
            SiteOutcome::Errored => state.fail(counts, cause_room),
        }
    }

    /// The number of issues on an address, by all verdicts recorded so far.
    pub(crate) fn issues_on(&self, url: &str) -> IssueCount {
        self.counts.get(url)
    }

    /// Whether the check failed on any subject.
    pub(crate) fn failed(&self, check_id: &str) -> bool {
        self.checks
            .iter()
            .any(|state| state.check.id == check_id && state.affected > 0)
    }

    pub(crate) fn tallies(&self) -> Vec<CheckTally> {
        self.checks.iter().filter_map(CheckState::tally).collect()
    }

    /// The incomplete results with reasons. Subjects to which a check is not applicable are left
    /// out.
    pub(crate) fn unjudged(&self) -> Vec<UnjudgedCheck> {
        self.checks.iter().flat_map(CheckState::unjudged).collect()
    }

    /// Takes the findings, with the evidence that fits the report's budget.
    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        let mut findings: Vec<(u64, Finding)> = self
            .checks
            .iter_mut()
            .filter_map(|state| Some((state.cost(), state.take_finding()?)))
            .collect();
        evidence_budget::fit(&mut findings);
        findings.into_iter().map(|(_, finding)| finding).collect()
    }
}
