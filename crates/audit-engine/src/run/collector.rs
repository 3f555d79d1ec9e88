//! Gathers verdicts into tallies and findings.

use std::collections::BTreeMap;

use domain::report::{
    Finding, MAX_OCCURRENCES_PER_ISSUE, MAX_OCCURRENCES_PER_PAGE, Occurrence, SubjectKind,
    Unjudged, UnjudgedCheck,
};
use domain::score::CheckTally;

use super::issue_counts::{Address, Counted, IssueCount, IssueCounts, Judging};
use super::judge::{Judged, SiteJudged};
use crate::check::{Check, Documentation, Evidence, Outcome, Rule, Scope, reflowed};

/// All verdicts of an audit. Subjects must be recorded in a fixed order: the first are kept.
#[derive(Debug)]
pub(crate) struct Collector {
    checks: Vec<CheckState>,
    counts: IssueCounts,
}

#[derive(Debug)]
struct CheckState {
    check: &'static Check,
    applicable: u64,
    affected: u64,
    lost_hundredths: u64,
    not_run: Option<&'static str>,
    cannot_tell: Option<&'static str>,
    errored: u64,
    causes: BTreeMap<String, CauseState>,
}

#[derive(Debug, Default)]
struct CauseState {
    title: Option<String>,
    affected: u64,
    sole_lost_hundredths: u64,
    total: u64,
    occurrences: Vec<Occurrence>,
    counted: Counted,
}

impl Collector {
    pub(crate) fn new(checks: &[&'static Check]) -> Self {
        Self {
            checks: checks.iter().map(|check| CheckState::new(check)).collect(),
            counts: IssueCounts::default(),
        }
    }

    /// Records the verdicts of [`judge_page`](super::judge::judge_page), in the order of the checks.
    pub(crate) fn record_page(&mut self, url: &str, judged: Vec<Judged>) {
        let page = Address::of(url);
        for (state, judged) in self.checks.iter_mut().zip(judged) {
            state.record(&page, judged, &mut self.counts);
        }
    }

    /// Says that a check is not run on this site.
    pub(crate) fn record_not_run(&mut self, check: &Check, reason: &'static str) {
        if let Some(state) = state_of(&mut self.checks, check) {
            state.not_run = Some(reason);
        }
    }

    /// Records the verdicts of a check of the whole site.
    pub(crate) fn record_site(&mut self, check: &Check, home: &str, judged: SiteJudged) {
        let (checks, counts) = (&mut self.checks, &mut self.counts);
        let Some(state) = state_of(checks, check) else {
            return;
        };
        match judged {
            SiteJudged::Once(judged) => state.record(&Address::of(home), judged, counts),
            SiteJudged::Each(entries, cannot_tell) => {
                state.cannot_tell = state.cannot_tell.or(cannot_tell);
                for (subject, outcome) in entries {
                    let subject = Address::of(&subject.url);
                    state.record(&subject, Judged::Answered(outcome), counts);
                }
            }
        }
        state.forget_counted();
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
        self.checks
            .iter()
            .filter(|state| state.applicable > 0)
            .map(|state| CheckTally {
                check_id: state.check.id.to_owned(),
                dimension: state.check.dimension,
                weight: state.check.severity.weight(),
                applicable: state.applicable,
                affected: state.affected,
                lost_hundredths: state.lost_hundredths,
            })
            .collect()
    }

    /// Checks that gave no verdict, and why. What is merely not applicable is left out.
    pub(crate) fn unjudged(&self) -> Vec<UnjudgedCheck> {
        self.checks
            .iter()
            .filter_map(|state| {
                let unjudged = if let Some(reason) = state.not_run {
                    Unjudged::NotRun(reason.to_owned())
                } else if state.errored > 0 {
                    Unjudged::Errored(format!("it failed on {} subjects", state.errored))
                } else {
                    let reason = state.cannot_tell.filter(|_| state.applicable == 0)?;
                    Unjudged::CannotTell(reason.to_owned())
                };
                Some(UnjudgedCheck {
                    check_id: state.check.id.to_owned(),
                    dimension: state.check.dimension,
                    why: unjudged,
                })
            })
            .collect()
    }

    pub(crate) fn findings(&mut self) -> Vec<Finding> {
        self.checks
            .iter_mut()
            .flat_map(CheckState::findings)
            .collect()
    }
}

fn state_of<'a>(checks: &'a mut [CheckState], check: &Check) -> Option<&'a mut CheckState> {
    checks.iter_mut().find(|state| state.check.id == check.id)
}

impl CheckState {
    const fn new(check: &'static Check) -> Self {
        Self {
            check,
            applicable: 0,
            affected: 0,
            lost_hundredths: 0,
            not_run: None,
            cannot_tell: None,
            errored: 0,
            causes: BTreeMap::new(),
        }
    }

    fn record(&mut self, subject: &Address<'_>, judged: Judged, counts: &mut IssueCounts) {
        match judged {
            Judged::Errored => self.errored += 1,
            Judged::Answered(Outcome::NotApplicable) => {}
            Judged::Answered(Outcome::CannotTell(reason)) => self.cannot_tell = Some(reason),
            Judged::Answered(Outcome::Passed) => self.applicable += 1,
            Judged::Answered(Outcome::Failed(evidence)) => {
                self.lose(subject, 100, evidence, counts);
            }
            Judged::Answered(Outcome::Graded(grade, evidence)) => {
                let lost = 100_u64.saturating_sub(u64::from(grade.hundredths()));
                if grade >= crate::check::Grade::GOOD {
                    self.applicable += 1;
                    self.lost_hundredths += lost;
                } else {
                    self.lose(subject, lost, evidence, counts);
                }
            }
        }
    }

    fn lose(
        &mut self,
        subject: &Address<'_>,
        lost: u64,
        evidence: Vec<Evidence>,
        counts: &mut IssueCounts,
    ) {
        self.applicable += 1;
        self.affected += 1;
        self.lost_hundredths += lost;
        let mut by_cause: BTreeMap<String, Vec<Evidence>> = BTreeMap::new();
        for evidence in evidence {
            let key = evidence
                .cause
                .as_ref()
                .map(|cause| cause.key.clone())
                .unwrap_or_default();
            by_cause.entry(key).or_default().push(evidence);
        }
        let sole = by_cause.len() <= 1;
        let (dimension, judging) = (self.check.dimension, self.judging());
        for (key, evidence) in by_cause {
            let cause = self.causes.entry(key).or_default();
            cause
                .counted
                .count(counts, dimension, judging, subject, &evidence);
            cause.add(subject.url, evidence);
            if sole {
                cause.sole_lost_hundredths += lost;
            }
        }
    }

    const fn judging(&self) -> Judging {
        match self.check.rule {
            Rule::Page(_) => Judging::Once,
            Rule::Site(_) | Rule::Each(_) => Judging::Again,
        }
    }

    /// Frees what tells addresses that were counted from others, once nothing more is recorded.
    fn forget_counted(&mut self) {
        for cause in self.causes.values_mut() {
            cause.counted = Counted::default();
        }
    }

    fn findings(&mut self) -> Vec<Finding> {
        let docs = self.check.documentation();
        std::mem::take(&mut self.causes)
            .into_iter()
            .map(|(key, cause)| self.finding(key, cause, &docs))
            .collect()
    }

    fn finding(&self, key: String, cause: CauseState, docs: &Documentation) -> Finding {
        Finding {
            check_id: self.check.id.to_owned(),
            dimension: self.check.dimension,
            severity: self.check.severity,
            confidence: self.check.confidence,
            effort: self.check.effort.as_str().to_owned(),
            cause: key,
            title: cause.title.unwrap_or_else(|| self.check.title.to_owned()),
            why: reflowed(&docs.why),
            fix: reflowed(&docs.fix),
            references: docs.references.clone(),
            affected: cause.affected,
            applicable: self.applicable,
            subject: match self.check.scope {
                Scope::Page => SubjectKind::Page,
                Scope::Resource => SubjectKind::Resource,
                Scope::Origin => SubjectKind::Origin,
                Scope::Site => SubjectKind::Site,
            },
            sole_lost_hundredths: cause.sole_lost_hundredths,
            occurrences_total: cause.total,
            occurrences: cause.occurrences,
        }
    }
}

impl CauseState {
    fn add(&mut self, url: &str, evidence: Vec<Evidence>) {
        self.affected += 1;
        self.total += u64::try_from(evidence.len()).unwrap_or(u64::MAX);
        let room = MAX_OCCURRENCES_PER_ISSUE
            .saturating_sub(self.occurrences.len())
            .min(MAX_OCCURRENCES_PER_PAGE);
        if self.title.is_none() {
            self.title = evidence
                .iter()
                .find_map(|e| e.cause.as_ref())
                .map(|cause| cause.title.clone());
        }
        self.occurrences
            .extend(evidence.into_iter().take(room).map(|evidence| Occurrence {
                url: evidence.url.unwrap_or_else(|| url.to_owned()),
                selector: evidence.selector,
                snippet: evidence.snippet,
                line: evidence.line,
                message: evidence.message,
            }));
    }
}
