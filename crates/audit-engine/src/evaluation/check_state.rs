//! What is known of one check while an audit goes on.

use std::collections::{BTreeSet, HashMap, HashSet};

use domain::action::{MAX_EVIDENCE_PAGES, PageKey};
use domain::report::{Finding, FindingCause, Occurrence, SubjectKind, Unjudged, UnjudgedCheck};
use domain::score::CheckTally;

use super::issue_counts::{Address, Counted, IssueCounts, Judging};
use super::judge::Judged;
use crate::bounds::{
    MAX_CAUSES, MAX_CHECK_EVIDENCE_BYTES, MAX_COUNTED_CAUSES, MAX_FINDINGS_PER_SUBJECT,
    MAX_OCCURRENCES, PAGE_BUDGET,
};
use crate::check::{Check, Evidence, Failures, Grade, Outcome, Rule, Scope, reflowed};

/// The verdicts of one check: exact numbers, and as many causes and occurrences as are kept.
#[derive(Debug)]
pub(super) struct CheckState {
    pub(super) check: &'static Check,
    pub(super) applicable: u64,
    pub(super) affected: u64,
    pub(super) lost_hundredths: u64,
    pub(super) not_run: Option<&'static str>,
    cannot_tell: Option<&'static str>,
    unknown: u64,
    errored: u64,
    /// Pages that took too long before it was run.
    timed_out: u64,
    /// Subjects on which it stopped looking.
    stopped: u64,
    occurrences_total: u64,
    causes: Vec<CauseState>,
    /// The place of each cause kept, by the hash of its key.
    places: HashMap<u64, usize>,
    /// The causes that are counted only, by the hash of their keys.
    counted_causes: HashSet<u64>,
    /// Whether there were more causes than can be counted.
    has_uncounted_causes: bool,
    pages: BTreeSet<PageKey>,
    /// Causes whose last occurrence can be given up for the first of another cause, the last one kept last.
    spare: Vec<usize>,
    occurrences: usize,
    bytes: usize,
    counted: Counted,
}

#[derive(Debug)]
struct CauseState {
    key: String,
    title: Option<String>,
    affected: u64,
    sole_lost_hundredths: u64,
    total: u64,
    occurrences: Vec<Occurrence>,
    /// Bytes that are kept free for the first occurrence until it is there.
    reserved: usize,
}

impl CheckState {
    pub(super) fn new(check: &'static Check) -> Self {
        Self {
            check,
            applicable: 0,
            affected: 0,
            lost_hundredths: 0,
            not_run: None,
            cannot_tell: None,
            unknown: 0,
            errored: 0,
            timed_out: 0,
            stopped: 0,
            occurrences_total: 0,
            causes: Vec::new(),
            places: HashMap::new(),
            counted_causes: HashSet::new(),
            has_uncounted_causes: false,
            pages: BTreeSet::new(),
            spare: Vec::new(),
            occurrences: 0,
            bytes: 0,
            counted: Counted::default(),
        }
    }

    /// Records a verdict. `cause_room` is how many further causes may be counted in the whole audit.
    pub(super) fn record(
        &mut self,
        subject: &Address<'_>,
        judged: Judged,
        counts: &mut IssueCounts,
        cause_room: &mut usize,
    ) {
        match judged {
            Judged::Errored => self.errored += 1,
            Judged::TimedOut => self.timed_out += 1,
            Judged::Answered(Outcome::NotApplicable) => {}
            Judged::Answered(Outcome::CannotTell(reason)) => {
                self.unknown += 1;
                self.cannot_tell = Some(reason);
            }
            Judged::Answered(Outcome::Passed) => self.applicable += 1,
            Judged::Answered(Outcome::Failed(failures)) => {
                self.lose(subject, 100, failures, counts, cause_room);
            }
            Judged::Answered(Outcome::Graded(grade, failures)) => {
                let lost = 100_u64.saturating_sub(u64::from(grade.hundredths()));
                if grade >= Grade::GOOD {
                    self.applicable += 1;
                    self.lost_hundredths += lost;
                } else {
                    self.lose(subject, lost, failures, counts, cause_room);
                }
            }
        }
    }

    /// Says that nothing can be known of any subject.
    pub(super) fn cannot_tell(&mut self, reason: &'static str) {
        self.cannot_tell.get_or_insert(reason);
    }

    /// Takes back all it recorded, since it failed itself. It is no check of pages, whose verdicts are recorded one
    /// by one and stay.
    pub(super) fn fail(&mut self, counts: &mut IssueCounts, cause_room: &mut usize) {
        *cause_room += self.counted_causes.len();
        std::mem::take(&mut self.counted).take_back(counts, self.check.dimension);
        *self = Self {
            errored: 1,
            ..Self::new(self.check)
        };
    }

    fn lose(
        &mut self,
        subject: &Address<'_>,
        lost: u64,
        failures: Failures,
        counts: &mut IssueCounts,
        cause_room: &mut usize,
    ) {
        self.applicable += 1;
        self.affected += 1;
        self.lost_hundredths += lost;
        self.stopped += u64::from(failures.has_stopped());
        self.occurrences_total = self.occurrences_total.saturating_add(failures.total());
        let dimension = self.check.dimension;
        let judging = self.judging();
        (self.counted).count(counts, dimension, judging, subject, &failures);
        if self.check.scope == Scope::Page && self.pages.len() < MAX_EVIDENCE_PAGES {
            self.pages.insert(subject.key());
        }
        let places = self.count_causes(subject.url, lost, &failures, cause_room);
        for (cause, evidence) in failures.into_kept() {
            let place = places.get(cause).copied().flatten();
            if let Some(place) = place {
                self.keep(place, subject.url, evidence);
            }
        }
    }

    /// Counts the causes of a subject, and answers the place of each that is kept.
    fn count_causes(
        &mut self,
        url: &str,
        lost: u64,
        failures: &Failures,
        cause_room: &mut usize,
    ) -> Vec<Option<usize>> {
        let is_sole = failures.causes().len() <= 1;
        let mut keys: HashMap<usize, &Evidence> = HashMap::new();
        for (cause, evidence) in failures.iter_with_causes() {
            keys.entry(cause).or_insert(evidence);
        }
        let mut places = Vec::with_capacity(failures.causes().len());
        for (number, counted) in failures.causes().iter().enumerate() {
            let known = self.places.get(&counted.hash).copied();
            let place = known.or_else(|| match keys.get(&number) {
                Some(evidence) if !self.counted_causes.contains(&counted.hash) => {
                    self.add_cause(counted.hash, url, evidence)
                }
                _ => None,
            });
            match place.and_then(|place| self.causes.get_mut(place)) {
                Some(cause) => {
                    cause.affected += 1;
                    cause.total = cause.total.saturating_add(counted.count);
                    if is_sole {
                        cause.sole_lost_hundredths += lost;
                    }
                }
                None => self.count_cause(counted.hash, cause_room),
            }
            places.push(place);
        }
        places
    }

    fn count_cause(&mut self, hash: u64, cause_room: &mut usize) {
        if self.counted_causes.contains(&hash) {
            return;
        }
        match cause_room.checked_sub(1) {
            Some(room) => {
                *cause_room = room;
                self.counted_causes.insert(hash);
            }
            None => self.has_uncounted_causes = true,
        }
    }

    /// Adds a cause, where there is room for it and for its first occurrence.
    fn add_cause(&mut self, hash: u64, url: &str, evidence: &Evidence) -> Option<usize> {
        let (key, title) = (evidence.cause_key(), evidence.cause.as_ref());
        let title = title.map(|cause| cause.title.clone());
        let title_bytes = title.as_ref().map_or(0, String::len);
        let bytes = key.len() + title_bytes + std::mem::size_of::<CauseState>();
        let is_first = self.causes.is_empty();
        let reserved = url.len() + evidence.text_bytes();
        if self.causes.len() >= MAX_CAUSES || !(is_first || self.make_room(bytes + reserved)) {
            return None;
        }
        self.bytes += bytes + reserved;
        let place = self.causes.len();
        self.places.insert(hash, place);
        self.causes.push(CauseState {
            key: key.to_owned(),
            title,
            affected: 0,
            sole_lost_hundredths: 0,
            total: 0,
            occurrences: Vec::new(),
            reserved,
        });
        Some(place)
    }

    /// Keeps an occurrence where there is room. The first of a cause takes the place of what is spare.
    fn keep(&mut self, place: usize, url: &str, evidence: Evidence) {
        let occurrence = Occurrence {
            url: evidence.url.unwrap_or_else(|| url.to_owned()),
            selector: evidence.selector,
            snippet: evidence.snippet,
            line: evidence.line,
            message: evidence.message,
        };
        let bytes = occurrence.text_bytes();
        let cause = self.causes.get_mut(place);
        let mut is_first = false;
        if let Some(cause) = cause.filter(|cause| cause.occurrences.is_empty()) {
            is_first = true;
            self.bytes -= std::mem::take(&mut cause.reserved);
        }
        let has_room = if is_first {
            self.occurrences == 0 || self.make_room(bytes)
        } else {
            self.occurrences < MAX_OCCURRENCES && self.bytes + bytes <= MAX_CHECK_EVIDENCE_BYTES
        };
        let Some(cause) = self.causes.get_mut(place) else {
            return;
        };
        if !has_room {
            return;
        }
        cause.occurrences.push(occurrence);
        self.bytes += bytes;
        self.occurrences += 1;
        if !is_first {
            self.spare.push(place);
        }
    }

    /// Gives up spare occurrences until one more with this number of bytes fits; false where it never does.
    fn make_room(&mut self, bytes: usize) -> bool {
        while self.occurrences >= MAX_OCCURRENCES || self.bytes + bytes > MAX_CHECK_EVIDENCE_BYTES {
            let Some(place) = self.spare.pop() else {
                return false;
            };
            let cause = self.causes.get_mut(place);
            if let Some(given_up) = cause.and_then(|cause| cause.occurrences.pop()) {
                self.bytes = self.bytes.saturating_sub(given_up.text_bytes());
                self.occurrences -= 1;
            }
        }
        true
    }

    const fn judging(&self) -> Judging {
        match self.check.rule {
            Rule::Page(_) | Rule::Summary(..) => Judging::Once,
            Rule::Site(_) | Rule::Each(_) => Judging::Again,
        }
    }

    /// Frees what tells addresses that were counted from others, once nothing more is recorded.
    pub(super) fn forget_counted(&mut self) {
        self.counted = Counted::default();
    }

    /// Its tally; none where it applied to nothing.
    pub(super) fn tally(&self) -> Option<CheckTally> {
        (self.applicable > 0).then(|| CheckTally {
            check_id: self.check.id.to_owned(),
            dimension: self.check.dimension,
            weight: self.check.severity.weight(),
            applicable: self.applicable,
            affected: self.affected,
            lost_hundredths: self.lost_hundredths,
        })
    }

    /// What it could not judge, and why. What is merely not applicable is left out.
    pub(super) fn unjudged(&self) -> Vec<UnjudgedCheck> {
        let mut found = Vec::new();
        let mut add = |why, count| {
            found.push(UnjudgedCheck {
                check_id: self.check.id.to_owned(),
                dimension: self.check.dimension,
                why,
                count,
            });
        };
        if let Some(reason) = self.not_run {
            add(Unjudged::NotRun(reason.to_owned()), 1);
        } else if self.errored > 0 {
            let text = format!("it failed on {} subjects", self.errored);
            add(Unjudged::Errored(text), self.errored);
        } else if let Some(reason) = self.cannot_tell.filter(|_| self.applicable == 0) {
            add(Unjudged::CannotTell(reason.to_owned()), self.unknown.max(1));
        }
        if self.timed_out > 0 {
            let text = format!(
                "it was not run on pages that took longer than {} s",
                PAGE_BUDGET.as_secs()
            );
            add(Unjudged::Limited(text), self.timed_out);
        }
        if self.stopped > 0 {
            let text = format!(
                "it stopped looking after {MAX_FINDINGS_PER_SUBJECT} findings on one subject"
            );
            add(Unjudged::Limited(text), self.stopped);
        }
        if self.has_uncounted_causes {
            let text =
                format!("causes are not counted beyond {MAX_COUNTED_CAUSES} of the whole audit");
            add(Unjudged::Limited(text), 1);
        }
        found
    }

    /// How much the check costs its dimension: what decides whose evidence stays where not all can.
    pub(super) fn cost(&self) -> u64 {
        let weight = u64::from(self.check.severity.weight());
        let lost = self
            .lost_hundredths
            .saturating_mul(weight)
            .saturating_mul(1_000);
        lost / self.applicable.max(1)
    }

    /// What it found; none where it found nothing. Nothing is kept of it here.
    pub(super) fn take_finding(&mut self) -> Option<Finding> {
        let causes = std::mem::take(&mut self.causes);
        if causes.is_empty() {
            return None;
        }
        let kept = u64::try_from(causes.len()).unwrap_or(u64::MAX);
        let counted = u64::try_from(self.counted_causes.len()).unwrap_or(u64::MAX);
        let docs = self.check.documentation();
        let mut causes: Vec<_> = causes
            .into_iter()
            .map(|cause| cause.into_finding_cause(self.check))
            .collect();
        causes.sort_by(|one, other| one.key.cmp(&other.key));
        Some(Finding {
            check_id: self.check.id.to_owned(),
            dimension: self.check.dimension,
            severity: self.check.severity,
            confidence: self.check.confidence,
            effort: self.check.effort.as_str().to_owned(),
            title: self.check.title.to_owned(),
            why: reflowed(&docs.why),
            fix: reflowed(&docs.fix),
            references: docs.references,
            affected: self.affected,
            applicable: self.applicable,
            subject: match self.check.scope {
                Scope::Page => SubjectKind::Page,
                Scope::Resource => SubjectKind::Resource,
                Scope::Origin => SubjectKind::Origin,
                Scope::Site => SubjectKind::Site,
            },
            pages: std::mem::take(&mut self.pages),
            occurrences_total: self.occurrences_total,
            causes_total: kept.saturating_add(counted),
            causes,
        })
    }
}

impl CauseState {
    fn into_finding_cause(self, check: &Check) -> FindingCause {
        FindingCause {
            key: self.key,
            title: self.title.unwrap_or_else(|| check.title.to_owned()),
            affected: self.affected,
            sole_lost_hundredths: self.sole_lost_hundredths,
            occurrences_total: self.total,
            occurrences: self.occurrences,
        }
    }
}

#[cfg(test)]
mod tests;
