//! Collects verdicts into tallies and findings.

use std::collections::BTreeMap;

use domain::report::{Finding, PageScores, UnjudgedCheck};
use domain::score::{Metric, MetricGrades, MetricTally, Share, Tallies};
use domain::waiver::{AppliedWaiver, AuditWaivers};

use super::check_state::CheckState;
use super::evaluate::{self, Evaluated, PageVerdicts, SiteOutcome};
use super::evidence_budget;
use super::issue_counts::{Address, IssueCount, IssueCounts};
use super::page_losses::PageLosses;
use super::waivers;
use super::withheld::Withheld;
use crate::bounds::MAX_COUNTED_CAUSES;
use crate::check::{Check, Grade, Need, Outcome, Scope};
use crate::site::{PageFacts, Site};

/// All verdicts of an audit. Subjects must be recorded in a fixed order, because the first evidence
/// is kept.
#[derive(Debug)]
pub(crate) struct Collector {
    checks: Vec<CheckState>,
    catalogue: Vec<&'static Check>,
    counts: IssueCounts,
    losses: PageLosses,
    withheld: Withheld,
    /// The grades of the metrics of each measured page, by its URL.
    metrics: BTreeMap<String, MetricGrades>,
    /// The number of further causes that may be counted.
    cause_room: usize,
    waivers: AuditWaivers,
}

impl Collector {
    pub(crate) fn new(checks: &[&'static Check], waivers: AuditWaivers) -> Self {
        Self {
            checks: checks
                .iter()
                .enumerate()
                .map(|(place, check)| {
                    let rules = waivers::rules_of(check.id, waivers.as_slice());
                    CheckState::new(check, place, rules)
                })
                .collect(),
            catalogue: checks.to_vec(),
            counts: IssueCounts::default(),
            losses: PageLosses::default(),
            withheld: Withheld::default(),
            metrics: BTreeMap::new(),
            cause_room: MAX_COUNTED_CAUSES,
            waivers,
        }
    }

    /// Records the verdicts of [`evaluate_visit`](super::evaluate::evaluate_visit).
    pub(crate) fn record_page(&mut self, url: &str, verdicts: PageVerdicts) {
        let page = Address::new(url);
        let number = self.losses.add_page(page.key());
        self.withheld.add(number, verdicts.withheld);
        for ((place, state), judged) in self.checks.iter_mut().enumerate().zip(verdicts.recorded) {
            let recorded = state.record(&page, judged, &mut self.counts, &mut self.cause_room);
            self.losses.record_last(place, recorded.loss);
        }
    }

    /// Records the verdicts that were withheld because a page is not indexable, of the pages that count as indexable
    /// after all. The pages must be in the order in which they were recorded.
    pub(crate) fn record_withheld(&mut self, pages: &[PageFacts]) {
        for (number, verdicts) in self.withheld.take() {
            let Some(page) = pages.get(number).filter(|page| page.is_indexable()) else {
                continue;
            };
            let address = Address::new(page.url.as_str());
            for (place, judged) in verdicts {
                let place = usize::from(place);
                let Some(state) = self.checks.get_mut(place) else {
                    continue;
                };
                let recorded =
                    state.record(&address, judged, &mut self.counts, &mut self.cause_room);
                self.losses.record_at(number, place, recorded.loss);
            }
        }
    }

    /// Evaluates a site check and records its verdicts one by one.
    pub(crate) fn evaluate_site(&mut self, check: &'static Check, site: &Site) {
        let Self {
            checks,
            counts,
            cause_room,
            losses,
            metrics,
            ..
        } = self;
        let mut checks = checks.iter_mut().enumerate();
        let Some((place, state)) = checks.find(|(_, state)| state.check.id == check.id) else {
            return;
        };
        if let Some(reason) = evaluate::not_run(check, site) {
            state.not_run = Some(reason);
            return;
        }
        let mut record = |url: &str, outcome: Outcome| {
            let subject = Address::new(url);
            if outcome.is_lost_page() {
                let is_open = !state.is_cause_waived(url);
                if is_open {
                    losses.record(subject.key(), place, Share::ONE);
                }
                return is_open;
            }
            let grade = grade_of_metric(check, &outcome);
            let judged = Evaluated::Answered(outcome);
            let recorded = state.record(&subject, judged, counts, cause_room);
            if let Some((metric, grade)) = grade {
                // A grade that waivers accept costs nothing.
                let is_accepted = grade < Grade::GOOD && !recorded.is_open;
                let counted = if is_accepted { 100 } else { grade.hundredths() };
                let page = metrics.entry(url.to_owned()).or_default();
                page.set(metric, counted);
            } else if recorded.loss > Share::ZERO && check.scope == Scope::Page {
                losses.record(subject.key(), place, recorded.loss);
            }
            recorded.is_open
        };
        match evaluate::evaluate_site(check, site, &mut record) {
            SiteOutcome::PageCheck => {}
            SiteOutcome::Recorded(reach) => {
                state.reach = reach;
                state.forget_counted();
            }
            SiteOutcome::CannotTell(reason) => {
                state.cannot_tell(reason);
                state.forget_counted();
            }
            SiteOutcome::Errored => {
                state.fail(counts, cause_room);
                losses.forget(place);
                // A page of which a metric is missing does not count.
                if check.needs(Need::Measured) {
                    metrics.clear();
                }
            }
        }
    }

    /// The number of issues on an address, by all verdicts recorded so far.
    pub(crate) fn issues_on(&self, url: &str) -> IssueCount {
        self.counts.get(url)
    }

    /// Whether the check failed on any subject, except where waivers accept it.
    pub(crate) fn failed(&self, check_id: &str) -> bool {
        self.checks
            .iter()
            .any(|state| state.check.id == check_id && state.has_open())
    }

    /// The scores of the audited page that was recorded at this place, from 0.
    pub(crate) fn audited_scores(&self, place: usize) -> PageScores {
        self.losses.audited_scores(place, &self.catalogue)
    }

    /// The scores of an address that is not an audited page.
    pub(crate) fn other_scores(&self, url: &str) -> PageScores {
        self.losses.other_scores(url, &self.catalogue)
    }

    /// The page scores added up, and the count of each check that gave a verdict.
    pub(crate) fn tallies(&self) -> Tallies {
        let sums = self.losses.sums(&self.catalogue);
        let metrics = MetricTally::of_pages(self.metrics.values().copied());
        Tallies {
            metrics: Some(metrics).filter(|metrics| metrics.pages.count > 0),
            checks: self
                .checks
                .iter()
                .filter_map(|state| state.tally(&sums))
                .collect(),
            pages: sums.totals.into_iter().collect(),
        }
    }

    /// The incomplete results with reasons. Subjects to which a check is not applicable are left
    /// out.
    pub(crate) fn unjudged(&self) -> Vec<UnjudgedCheck> {
        self.checks.iter().flat_map(CheckState::unjudged).collect()
    }

    /// The waivers, with the number of occurrences that each accepted.
    pub(crate) fn applied_waivers(&self) -> Vec<AppliedWaiver> {
        let mut counts = BTreeMap::new();
        for state in &self.checks {
            for (&place, count) in state.accepted() {
                *counts.entry(place).or_default() += count;
            }
        }
        self.waivers.clone().with_occurrences(&counts)
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

/// The grade that counts as a metric, and not as what a check costs.
fn grade_of_metric(check: &Check, outcome: &Outcome) -> Option<(Metric, Grade)> {
    match outcome {
        Outcome::Graded(grade, _) if check.needs(Need::Measured) => {
            Some((Metric::of_check(check.id)?, *grade))
        }
        _ => None,
    }
}
