//! The state of one check during an audit.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use domain::Severity;
use domain::action::{MAX_EVIDENCE_PAGES, PageKey};
use domain::id::WaiverId;
use domain::report::{Finding, FindingCause, Occurrence, Unjudged, UnjudgedCheck};
use domain::score::{CheckTally, Share, penalty};

use super::evaluate::Evaluated;
use super::issue_counts::{Address, Counted, IssueCounts, VerdictsPerSubject};
use super::page_losses::PageSums;
use super::waivers::{Accepted, Rule as WaiverRule};
use crate::bounds::{
    MAX_CAUSES, MAX_CHECK_EVIDENCE_BYTES, MAX_COUNTED_CAUSES, MAX_FINDINGS_PER_SUBJECT,
    MAX_OCCURRENCES, MAX_PRECISE_MESSAGES, PAGE_BUDGET,
};
use crate::check::{Check, Evidence, Extent, Failures, Grade, Outcome, Rule, Scope, reflowed};
use crate::outcome::cause_hash;

/// The verdicts of one check: exact totals, and a bounded number of causes and occurrences.
#[derive(Debug)]
pub(super) struct CheckState {
    pub(super) check: &'static Check,
    pub(super) applicable: u64,
    /// Subjects that fail, and how many of these fail by something that no waiver accepts.
    affected: Affected,
    /// The sum of what the failures cost, in billionths of a score.
    losses: u64,
    /// How much of the penalty it costs, if it is not the mean of what it costs on each subject.
    pub(super) reach: Option<Share>,
    /// The worst severity of the failures that no waiver accepts.
    severity: Option<Severity>,
    /// The worst severity of the failures on subjects of which waivers accept everything.
    waived_severity: Option<Severity>,
    /// The check's place in the catalogue.
    place: usize,
    pub(super) not_run: Option<&'static str>,
    cannot_tell: Option<&'static str>,
    unknown: u64,
    errored: u64,
    /// Pages on which the check was skipped because the page's time budget was used up.
    timed_out: u64,
    /// Subjects on which the check stopped at the findings limit.
    stopped: u64,
    occurrences_total: u64,
    causes: Vec<CauseState>,
    /// The index of each stored cause, by the hash of its key.
    indices: HashMap<u64, usize>,
    /// The causes that are only counted, by the hash of their keys.
    counted_causes: HashSet<u64>,
    /// Whether there were more causes than can be counted.
    has_uncounted_causes: bool,
    pages: BTreeSet<PageKey>,
    /// Causes with an occurrence that may be evicted for the first occurrence of another cause; the most recent
    /// is last.
    spare: Vec<usize>,
    occurrences: usize,
    bytes: usize,
    counted: Counted,
    /// The waivers of the check that apply.
    waivers: Arc<[WaiverRule]>,
    /// The number of occurrences that each waiver accepts, by its place in the audit.
    accepted: BTreeMap<usize, u64>,
    /// Whether an occurrence of a cause is not accepted, by the hash of its key; only if there are waivers.
    open_causes: HashMap<u64, bool>,
}

/// Subjects that fail.
#[derive(Debug, Clone, Copy, Default)]
struct Affected {
    all: u64,
    /// Those that fail by something that no waiver accepts.
    open: u64,
}

impl Affected {
    fn add(&mut self, is_open: bool) {
        self.all += 1;
        self.open += u64::from(is_open);
    }

    /// The number that a report shows: those that are open, or all if waivers accept all of them.
    const fn shown(self) -> u64 {
        if self.open == 0 { self.all } else { self.open }
    }
}

/// What a verdict did.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recorded {
    /// What it costs of the subject's score.
    pub(super) loss: Share,
    /// Whether the subject fails by something that no waiver accepts.
    pub(super) is_open: bool,
}

impl Recorded {
    const NOTHING: Self = Self {
        loss: Share::ZERO,
        is_open: false,
    };
}

#[derive(Debug)]
struct CauseState {
    key: String,
    title: Option<String>,
    affected: Affected,
    total: u64,
    waived: u64,
    occurrences: Vec<Occurrence>,
    /// Bytes reserved for the first occurrence until it is stored.
    reserved: usize,
}

impl CheckState {
    pub(super) fn new(check: &'static Check, place: usize, waivers: Arc<[WaiverRule]>) -> Self {
        Self {
            check,
            place,
            losses: 0,
            reach: None,
            severity: None,
            waived_severity: None,
            applicable: 0,
            affected: Affected::default(),
            not_run: None,
            cannot_tell: None,
            unknown: 0,
            errored: 0,
            timed_out: 0,
            stopped: 0,
            occurrences_total: 0,
            causes: Vec::new(),
            indices: HashMap::new(),
            counted_causes: HashSet::new(),
            has_uncounted_causes: false,
            pages: BTreeSet::new(),
            spare: Vec::new(),
            occurrences: 0,
            bytes: 0,
            counted: Counted::default(),
            waivers,
            accepted: BTreeMap::new(),
            open_causes: HashMap::new(),
        }
    }

    /// Whether a failure counts.
    pub(super) const fn has_open(&self) -> bool {
        self.affected.open > 0
    }

    /// The number of occurrences that each waiver accepts, by its place in the audit.
    pub(super) const fn accepted(&self) -> &BTreeMap<usize, u64> {
        &self.accepted
    }

    /// Whether waivers accept every failure with this key of its cause.
    pub(super) fn is_cause_waived(&self, key: &str) -> bool {
        !self.waivers.is_empty() && self.open_causes.get(&cause_hash(key)) == Some(&false)
    }

    /// Records a verdict, and returns what it costs of the subject's score. `cause_room` is the number of further
    /// causes that may be counted in the whole audit.
    pub(super) fn record(
        &mut self,
        subject: &Address<'_>,
        judged: Evaluated,
        counts: &mut IssueCounts,
        cause_room: &mut usize,
    ) -> Recorded {
        match judged {
            Evaluated::Errored => self.errored += 1,
            Evaluated::TimedOut => self.timed_out += 1,
            Evaluated::Answered(Outcome::NotApplicable) => {}
            Evaluated::Answered(Outcome::CannotTell(reason)) => {
                self.unknown += 1;
                self.cannot_tell = Some(reason);
            }
            Evaluated::Answered(Outcome::Passed) => self.applicable += 1,
            Evaluated::Answered(Outcome::Failed(failures)) => {
                return self.record_failures(subject, failures, counts, cause_room);
            }
            Evaluated::Answered(Outcome::Graded(grade, _)) if grade >= Grade::GOOD => {
                self.applicable += 1;
            }
            Evaluated::Answered(Outcome::Graded(grade, failures)) => {
                let extent = Share::from_hundredths(grade.hundredths()).complement();
                let failures = failures.with_extent(Extent::Part(extent));
                return self.record_failures(subject, failures, counts, cause_room);
            }
        }
        Recorded::NOTHING
    }

    /// Records that the check cannot tell for any subject.
    pub(super) fn cannot_tell(&mut self, reason: &'static str) {
        self.cannot_tell.get_or_insert(reason);
    }

    /// Discards everything recorded, because the check panicked. This is not for page checks, whose verdicts are
    /// recorded page by page and stay.
    pub(super) fn fail(&mut self, counts: &mut IssueCounts, cause_room: &mut usize) {
        *cause_room += self.counted_causes.len();
        std::mem::take(&mut self.counted).subtract_all(counts, self.check.dimension);
        *self = Self {
            errored: 1,
            ..Self::new(self.check, self.place, Arc::clone(&self.waivers))
        };
    }

    fn record_failures(
        &mut self,
        subject: &Address<'_>,
        failures: Failures,
        counts: &mut IssueCounts,
        cause_room: &mut usize,
    ) -> Recorded {
        let waivers = Arc::clone(&self.waivers);
        let accepted = Accepted::new(&waivers, self.check.id, subject.url, &failures);
        let open = failures.total().saturating_sub(accepted.total());
        let is_open = open > 0;
        self.applicable += 1;
        self.affected.add(is_open);
        for (&place, &count) in accepted.by_waiver() {
            *self.accepted.entry(place).or_default() += count;
        }
        let loss = self.count_loss(&failures, open);
        self.stopped += u64::from(failures.has_stopped());
        self.occurrences_total = self.occurrences_total.saturating_add(failures.total());
        let dimension = self.check.dimension;
        let verdicts_per_subject = self.verdicts_per_subject();
        let addresses = accepted.open_addresses(&failures);
        (self.counted).count(counts, dimension, verdicts_per_subject, subject, addresses);
        if is_open && self.check.scope == Scope::Page && self.pages.len() < MAX_EVIDENCE_PAGES {
            self.pages.insert(subject.key());
        }
        let indices = self.count_causes(subject.url, &failures, &accepted, cause_room);
        for (cause, evidence) in failures.into_kept() {
            let index = indices.get(cause).copied().flatten();
            if let Some(index) = index {
                let waiver = accepted.waiver_of(cause, evidence.url.as_deref()).cloned();
                self.store(index, subject.url, evidence, waiver);
            }
        }
        Recorded { loss, is_open }
    }

    /// Adds up what failures on a subject cost, and returns it. Only `open` of them count.
    fn count_loss(&mut self, failures: &Failures, open: u64) -> Share {
        let severity = failures.severity(self.check.severity);
        let worst = match open {
            0 => &mut self.waived_severity,
            _ => &mut self.severity,
        };
        *worst = Some(worst.map_or(severity, |worst| worst.min(severity)));
        let loss = match (severity, failures.extent()) {
            _ if open == 0 => Share::ZERO,
            (Severity::Info, _) => Share::ZERO,
            (_, Extent::PageLost) => Share::ONE,
            (_, Extent::Whole) => penalty(severity),
            (_, Extent::Part(extent)) => penalty(severity).times(extent),
            (_, Extent::OfItems { judged }) => {
                penalty(severity).times(Share::half_and_half_of(open, judged))
            }
        };
        self.losses = self.losses.saturating_add(loss.billionths().into());
        loss
    }

    /// Counts the causes of a subject, and returns the index of each that is stored.
    fn count_causes(
        &mut self,
        url: &str,
        failures: &Failures,
        accepted: &Accepted<'_>,
        cause_room: &mut usize,
    ) -> Vec<Option<usize>> {
        let mut keys: HashMap<usize, &Evidence> = HashMap::new();
        for (cause, evidence) in failures.iter_with_causes() {
            keys.entry(cause).or_insert(evidence);
        }
        let mut indices = Vec::with_capacity(failures.causes().len());
        for (number, counted) in failures.causes().iter().enumerate() {
            let known = self.indices.get(&counted.hash).copied();
            let index = known.or_else(|| match keys.get(&number) {
                Some(evidence) if !self.counted_causes.contains(&counted.hash) => {
                    self.add_cause(counted.hash, url, evidence)
                }
                _ => None,
            });
            let waived = accepted.of_cause(number);
            let is_open = waived < counted.count;
            self.count_open(counted.hash, is_open);
            match index.and_then(|index| self.causes.get_mut(index)) {
                Some(cause) => {
                    cause.affected.add(is_open);
                    cause.total = cause.total.saturating_add(counted.count);
                    cause.waived = cause.waived.saturating_add(waived);
                }
                None => self.count_cause(counted.hash, cause_room),
            }
            indices.push(index);
        }
        indices
    }

    /// Remembers whether an occurrence of the cause is not accepted. Causes beyond the bound count as not accepted.
    fn count_open(&mut self, hash: u64, is_open: bool) {
        if self.waivers.is_empty() {
            return;
        }
        if let Some(known) = self.open_causes.get_mut(&hash) {
            *known |= is_open;
        } else if self.open_causes.len() < MAX_COUNTED_CAUSES {
            self.open_causes.insert(hash, is_open);
        }
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

    /// Stores a cause, if there is room for it and for its first occurrence.
    fn add_cause(&mut self, hash: u64, url: &str, evidence: &Evidence) -> Option<usize> {
        let (key, title) = (evidence.cause_key(), evidence.cause.as_ref());
        let title = title.map(|cause| cause.title.clone());
        let title_bytes = title.as_ref().map_or(0, String::len);
        let bytes = key.len() + title_bytes + std::mem::size_of::<CauseState>();
        let is_first = self.causes.is_empty();
        let reserved = url.len() + evidence.text_bytes();
        if self.causes.len() >= MAX_CAUSES || !(is_first || self.evict_spare(bytes + reserved)) {
            return None;
        }
        self.bytes += bytes + reserved;
        let index = self.causes.len();
        self.indices.insert(hash, index);
        self.causes.push(CauseState {
            key: key.to_owned(),
            title,
            affected: Affected::default(),
            total: 0,
            waived: 0,
            occurrences: Vec::new(),
            reserved,
        });
        Some(index)
    }

    /// Stores an occurrence if there is room. The first occurrence of a cause evicts spare ones.
    fn store(&mut self, index: usize, url: &str, mut evidence: Evidence, waiver: Option<WaiverId>) {
        if self.occurrences < MAX_PRECISE_MESSAGES {
            evidence.make_precise();
        }
        let occurrence = Occurrence {
            url: evidence.url.unwrap_or_else(|| url.to_owned()),
            selector: evidence.selector,
            snippet: evidence.snippet,
            line: evidence.line,
            message: evidence.message,
            waiver,
            artifact: None,
        };
        let bytes = occurrence.text_bytes();
        let cause = self.causes.get_mut(index);
        let mut is_first = false;
        if let Some(cause) = cause.filter(|cause| cause.occurrences.is_empty()) {
            is_first = true;
            self.bytes -= std::mem::take(&mut cause.reserved);
        }
        let has_room = if is_first {
            self.occurrences == 0 || self.evict_spare(bytes)
        } else {
            self.occurrences < MAX_OCCURRENCES && self.bytes + bytes <= MAX_CHECK_EVIDENCE_BYTES
        };
        let Some(cause) = self.causes.get_mut(index) else {
            return;
        };
        if !has_room {
            return;
        }
        cause.occurrences.push(occurrence);
        self.bytes += bytes;
        self.occurrences += 1;
        if !is_first {
            self.spare.push(index);
        }
    }

    /// Evicts spare occurrences until one more with this number of bytes fits; false if it cannot fit.
    fn evict_spare(&mut self, bytes: usize) -> bool {
        while self.occurrences >= MAX_OCCURRENCES || self.bytes + bytes > MAX_CHECK_EVIDENCE_BYTES {
            let Some(index) = self.spare.pop() else {
                return false;
            };
            let cause = self.causes.get_mut(index);
            if let Some(evicted) = cause.and_then(|cause| cause.occurrences.pop()) {
                self.bytes = self.bytes.saturating_sub(evicted.text_bytes());
                self.occurrences -= 1;
            }
        }
        true
    }

    const fn verdicts_per_subject(&self) -> VerdictsPerSubject {
        match self.check.rule {
            Rule::Page(_) | Rule::Summary(..) => VerdictsPerSubject::One,
            Rule::Site(_) | Rule::Each(_) => VerdictsPerSubject::Many,
        }
    }

    /// Frees the set of counted addresses after the last verdict.
    pub(super) fn forget_counted(&mut self) {
        self.counted = Counted::default();
    }

    /// The check's tally; `None` if the check was not applicable to any subject.
    pub(super) fn tally(&self, sums: &PageSums) -> Option<CheckTally> {
        (self.applicable > 0).then(|| CheckTally {
            check_id: self.check.id.to_owned(),
            dimension: self.check.dimension,
            subject: self.check.scope.into(),
            severity: self.worst_severity(),
            judged: self.applicable,
            failed: self.affected.open,
            reach: self.reach.unwrap_or_else(|| self.mean_loss()),
            page_gain: sums.gains.get(&self.place).copied().unwrap_or_default(),
        })
    }

    /// The worst severity of its failures that no waiver accepts; the check's own if there are none.
    fn worst_severity(&self) -> Severity {
        self.severity.unwrap_or(self.check.severity)
    }

    /// The severity of its finding: that of what waivers accept if there is nothing else.
    fn shown_severity(&self) -> Severity {
        let shown = self.severity.or(self.waived_severity);
        shown.unwrap_or(self.check.severity)
    }

    /// How much of the penalty it costs: the mean of what it costs on each subject.
    fn mean_loss(&self) -> Share {
        let penalty = u64::from(penalty(self.worst_severity()).billionths());
        if penalty == 0 {
            return Share::from_ratio(self.affected.open, self.applicable);
        }
        Share::from_ratio(self.losses, self.applicable.saturating_mul(penalty))
    }

    /// The check's incomplete results with reasons. Subjects to which it is not applicable are left out.
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
            let text = format!("it crashed on {} subjects", self.errored);
            add(Unjudged::Errored(text), self.errored);
        } else if let Some(reason) = self.cannot_tell
            && (self.unknown > 0 || self.applicable == 0)
        {
            add(Unjudged::CannotTell(reason.to_owned()), self.unknown.max(1));
        }
        if self.timed_out > 0 {
            let text = format!(
                "it was skipped on pages that took longer than {} s",
                PAGE_BUDGET.as_secs()
            );
            add(Unjudged::Limited(text), self.timed_out);
        }
        if self.stopped > 0 {
            let text =
                format!("it stopped after {MAX_FINDINGS_PER_SUBJECT} findings on one subject");
            add(Unjudged::Limited(text), self.stopped);
        }
        if self.has_uncounted_causes {
            let text = format!(
                "causes beyond the first {MAX_COUNTED_CAUSES} of the audit are not counted"
            );
            add(Unjudged::Limited(text), 1);
        }
        found
    }

    /// How much the check costs its dimension's score, in billionths. It decides whose evidence stays if there is
    /// too much.
    pub(super) fn cost(&self) -> u64 {
        match self.reach {
            Some(reach) => penalty(self.worst_severity())
                .times(reach)
                .billionths()
                .into(),
            None => self.losses / self.applicable.max(1),
        }
    }

    /// Takes the check's finding; `None` if it found nothing. The stored evidence is moved out.
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
            severity: self.shown_severity(),
            confidence: self.check.confidence,
            effort: self.check.effort.as_str().to_owned(),
            title: self.check.title.to_owned(),
            why: reflowed(&docs.why),
            fix: reflowed(&docs.fix),
            references: docs.references,
            affected: self.affected.shown(),
            applicable: self.applicable,
            subject: self.check.scope.into(),
            pages: std::mem::take(&mut self.pages),
            occurrences_total: self.occurrences_total,
            waived: self.accepted.values().sum(),
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
            affected: self.affected.shown(),
            occurrences_total: self.total,
            waived: self.waived,
            occurrences: self.occurrences,
        }
    }
}

#[cfg(test)]
mod tests;
