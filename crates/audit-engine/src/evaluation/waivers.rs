//! Which failures the waivers of an audit accept.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use domain::action::PageKey;
use domain::id::WaiverId;
use domain::report::fingerprint;
use domain::waiver::{AppliedWaiver, WaiverState};
use url::Url;

use crate::check::{Evidence, Failures};
use crate::gather::robots::{Pattern, RobotsPath};

/// A waiver of one check.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// The place of the waiver in the audit.
    place: usize,
    id: WaiverId,
    path: Option<Pattern>,
    cause: Option<String>,
}

/// The waivers of a check that apply, in their order.
pub(super) fn rules_of(check_id: &str, waivers: &[AppliedWaiver]) -> Arc<[Rule]> {
    let active = waivers
        .iter()
        .enumerate()
        .filter(|(_, applied)| applied.state == WaiverState::Active);
    active
        .filter(|(_, applied)| applied.waiver.terms.check_id == check_id)
        .map(|(place, applied)| Rule {
            place,
            id: applied.waiver.id.clone(),
            path: applied.waiver.terms.path.as_deref().map(Pattern::new),
            cause: applied.waiver.terms.cause.clone(),
        })
        .collect()
}

impl Rule {
    /// Whether it accepts a failure with this fingerprint at this path. An unknown fingerprint or path matches only
    /// a waiver that does not name one.
    fn accepts(&self, fingerprint: Option<&str>, path: Option<&RobotsPath>) -> bool {
        let matches_path = match (&self.path, path) {
            (None, _) => true,
            (Some(pattern), Some(path)) => pattern.matches(path),
            (Some(_), None) => false,
        };
        matches_path && (self.cause.is_none() || self.cause.as_deref() == fingerprint)
    }
}

/// What waivers accept of the failures on one subject.
///
/// Failures are matched in groups of one cause at one address. The key of a cause and the URL of an address are known
/// if evidence with them is stored; the first evidence of each cause and at each address is, within the bounds of
/// [`Failures`]. What is beyond them is accepted only by waivers that do not name a cause or a path.
#[derive(Debug, Default)]
pub(super) struct Accepted<'a> {
    groups: HashMap<(usize, Option<PageKey>), &'a Rule>,
    by_waiver: BTreeMap<usize, u64>,
    by_cause: HashMap<usize, u64>,
    total: u64,
}

impl<'a> Accepted<'a> {
    pub(super) fn new(
        rules: &'a [Rule],
        check_id: &str,
        subject_url: &str,
        failures: &Failures,
    ) -> Self {
        let mut accepted = Self::default();
        if rules.is_empty() {
            return accepted;
        }
        let names_cause = rules.iter().any(|rule| rule.cause.is_some());
        let mut fingerprints: HashMap<usize, String> = HashMap::new();
        let mut paths = HashMap::from([(None, path_of(subject_url))]);
        for (cause, evidence) in failures.iter_with_causes() {
            if names_cause {
                let fingerprint = || fingerprint(check_id, evidence.cause_key());
                fingerprints.entry(cause).or_insert_with(fingerprint);
            }
            if let Some(url) = &evidence.url {
                paths
                    .entry(address_of(evidence))
                    .or_insert_with(|| path_of(url));
            }
        }
        for (cause, address, count) in failures.groups() {
            let fingerprint = fingerprints.get(&cause).map(String::as_str);
            let path = paths.get(&address).and_then(Option::as_ref);
            let mut matching = rules.iter();
            let Some(rule) = matching.find(|rule| rule.accepts(fingerprint, path)) else {
                continue;
            };
            accepted.groups.insert((cause, address), rule);
            *accepted.by_waiver.entry(rule.place).or_default() += count;
            *accepted.by_cause.entry(cause).or_default() += count;
            accepted.total += count;
        }
        accepted
    }

    /// The number of failures that are accepted.
    pub(super) const fn total(&self) -> u64 {
        self.total
    }

    /// The number of failures that each waiver accepts, by its place in the audit.
    pub(super) const fn by_waiver(&self) -> &BTreeMap<usize, u64> {
        &self.by_waiver
    }

    /// The number of failures with this cause that are accepted.
    pub(super) fn of_cause(&self, cause: usize) -> u64 {
        self.by_cause.get(&cause).copied().unwrap_or_default()
    }

    /// The waiver that accepts a failure with this cause and this URL of its own.
    pub(super) fn waiver_of(&self, cause: usize, url: Option<&str>) -> Option<&WaiverId> {
        if self.groups.is_empty() {
            return None;
        }
        let address = url.map(PageKey::from_url);
        self.groups.get(&(cause, address)).map(|rule| &rule.id)
    }

    /// The addresses with failures that are not accepted; `None` is the subject's address.
    pub(super) fn open_addresses(
        &self,
        failures: &Failures,
    ) -> impl Iterator<Item = Option<PageKey>> + use<> {
        let addresses: BTreeSet<_> = if self.groups.is_empty() {
            failures.addresses().collect()
        } else {
            let open = failures
                .groups()
                .filter(|(cause, address, _)| !self.groups.contains_key(&(*cause, *address)));
            open.map(|(_, address, _)| address).collect()
        };
        addresses.into_iter()
    }
}

fn address_of(evidence: &Evidence) -> Option<PageKey> {
    evidence.url.as_deref().map(PageKey::from_url)
}

fn path_of(url: &str) -> Option<RobotsPath> {
    Url::parse(url).ok().map(|url| RobotsPath::from(&url))
}

#[cfg(test)]
mod tests;
