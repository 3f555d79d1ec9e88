//! Gathers verdicts into tallies and findings.

use domain::report::{Finding, UnjudgedCheck};
use domain::score::CheckTally;

use super::check_state::CheckState;
use super::evidence_budget;
use super::issue_counts::{Address, IssueCount, IssueCounts};
use super::judge::{self, Judged, SiteJudged};
use crate::bounds::MAX_COUNTED_CAUSES;
use crate::check::Check;
use crate::site::Site;

/// All verdicts of an audit. Subjects must be recorded in a fixed order: the first are kept.
#[derive(Debug)]
pub(crate) struct Collector {
    checks: Vec<CheckState>,
    counts: IssueCounts,
    /// How many further causes may be counted.
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

    /// Records the verdicts of [`judge_page`](super::judge::judge_page), in the order of the checks.
    pub(crate) fn record_page(&mut self, url: &str, judged: Vec<Judged>) {
        let page = Address::of(url);
        for (state, judged) in self.checks.iter_mut().zip(judged) {
            state.record(&page, judged, &mut self.counts, &mut self.cause_room);
        }
    }

    /// Judges the site by a check that is no page check, and records its verdicts as they come.
    pub(crate) fn judge_site(&mut self, check: &'static Check, site: &Site) {
        let Self {
            checks,
            counts,
            cause_room,
        } = self;
        let Some(state) = checks.iter_mut().find(|state| state.check.id == check.id) else {
            return;
        };
        if let Some(reason) = judge::not_run(check, site.external_checked) {
            state.not_run = Some(reason);
            return;
        }
        let mut record = |url: &str, outcome| {
            let judged = Judged::Answered(outcome);
            state.record(&Address::of(url), judged, counts, cause_room);
        };
        match judge::judge_site(check, site, &mut record) {
            SiteJudged::NotOfSites => {}
            SiteJudged::Recorded => state.forget_counted(),
            SiteJudged::CannotTell(reason) => {
                state.cannot_tell(reason);
                state.forget_counted();
            }
            SiteJudged::Errored => state.fail(counts, cause_room),
        }
    }

    /// In how many issues an address occurs, by all verdicts recorded so far.
    pub(crate) fn issues_on(&self, url: &str) -> IssueCount {
        self.counts.of(url)
    }

    /// Whether the check found anything.
    pub(crate) fn failed(&self, check_id: &str) -> bool {
        self.checks
            .iter()
            .any(|state| state.check.id == check_id && state.affected > 0)
    }

    pub(crate) fn tallies(&self) -> Vec<CheckTally> {
        self.checks.iter().filter_map(CheckState::tally).collect()
    }

    /// What could not be judged, and why. What is merely not applicable is left out.
    pub(crate) fn unjudged(&self) -> Vec<UnjudgedCheck> {
        self.checks.iter().flat_map(CheckState::unjudged).collect()
    }

    /// What was found, with as much evidence as a report keeps.
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
