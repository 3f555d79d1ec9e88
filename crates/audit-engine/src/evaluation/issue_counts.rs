//! The number of issues on each address of a site.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use domain::Dimension;
use domain::action::PageKey;
use domain::report::Variant;

use crate::bounds::MAX_COUNTED_ADDRESSES;

/// The number of issues on an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct IssueCount {
    /// The number in the current report.
    pub(crate) current: u32,
    /// The number in the legacy variant's report.
    pub(crate) legacy: u32,
}

/// The issue counts of all addresses with issues, including occurrences that are not stored.
///
/// An issue counts for an address if one of its occurrences is there. An occurrence is at the
/// evidence's own URL if it has one, and otherwise at the subject's URL. Addresses are stored as keys
/// of a few dozen bytes each.
#[derive(Debug, Default)]
pub(crate) struct IssueCounts(HashMap<PageKey, IssueCount>);

impl IssueCounts {
    /// The issue count of an address.
    pub(crate) fn get(&self, url: &str) -> IssueCount {
        self.0
            .get(&PageKey::from_url(url))
            .copied()
            .unwrap_or_default()
    }

    fn subtract(&mut self, address: PageKey, dimension: Dimension) {
        if let Some(count) = self.0.get_mut(&address) {
            count.current = count.current.saturating_sub(1);
            if Variant::Legacy.dimensions().contains(&dimension) {
                count.legacy = count.legacy.saturating_sub(1);
            }
        }
    }

    fn add(&mut self, address: PageKey, dimension: Dimension) {
        if self.0.len() >= MAX_COUNTED_ADDRESSES && !self.0.contains_key(&address) {
            return;
        }
        let count = self.0.entry(address).or_default();
        count.current = count.current.saturating_add(1);
        if Variant::Legacy.dimensions().contains(&dimension) {
            count.legacy = count.legacy.saturating_add(1);
        }
    }
}

/// The address of a subject. Its key is computed on first use.
#[derive(Debug)]
pub(crate) struct Address<'a> {
    pub(crate) url: &'a str,
    key: OnceCell<PageKey>,
}

impl<'a> Address<'a> {
    pub(crate) const fn new(url: &'a str) -> Self {
        Self {
            url,
            key: OnceCell::new(),
        }
    }

    pub(crate) fn key(&self) -> PageKey {
        *self.key.get_or_init(|| PageKey::from_url(self.url))
    }
}

/// How many verdicts a check may give for one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VerdictsPerSubject {
    /// One: it is a page check, and each page is crawled once.
    One,
    /// Possibly several.
    Many,
}

/// The addresses for which an issue was already counted. For a page check it contains only addresses
/// other than the page's own, so that it stays small on a site of any size.
#[derive(Debug, Default)]
pub(crate) struct Counted(HashSet<PageKey>);

impl Counted {
    /// Adds an address, and returns whether it is new; at the size limit no address is new.
    fn is_new(&mut self, key: PageKey) -> bool {
        self.0.len() < MAX_COUNTED_ADDRESSES && self.0.insert(key)
    }

    /// Subtracts one issue from every address for which it was counted.
    pub(crate) fn subtract_all(self, counts: &mut IssueCounts, dimension: Dimension) {
        for key in self.0 {
            counts.subtract(key, dimension);
        }
    }

    /// Counts one issue for each address with a failure of this subject; `None` is the subject's address.
    pub(crate) fn count(
        &mut self,
        counts: &mut IssueCounts,
        dimension: Dimension,
        verdicts_per_subject: VerdictsPerSubject,
        subject: &Address<'_>,
        addresses: impl Iterator<Item = Option<PageKey>>,
    ) {
        let mut own = false;
        for address in addresses {
            match address.filter(|key| *key != subject.key()) {
                None => own = true,
                Some(key) => {
                    if self.is_new(key) {
                        counts.add(key, dimension);
                    }
                }
            }
        }
        if own && (verdicts_per_subject == VerdictsPerSubject::One || self.is_new(subject.key())) {
            counts.add(subject.key(), dimension);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Evidence, Failures};

    const A: &str = "https://example.com/a";
    const B: &str = "https://example.com/b";

    fn count(
        verdicts_per_subject: VerdictsPerSubject,
        calls: &[(&str, &[Option<&str>])],
    ) -> (u32, u32) {
        let (mut counted, mut counts) = (Counted::default(), IssueCounts::default());
        for (subject, places) in calls {
            let failures: Failures = places
                .iter()
                .map(|place| match place {
                    Some(url) => Evidence::here().at(*url),
                    None => Evidence::here(),
                })
                .collect();
            counted.count(
                &mut counts,
                Dimension::Seo,
                verdicts_per_subject,
                &Address::new(subject),
                failures.addresses(),
            );
        }
        (counts.get(A).current, counts.get(B).current)
    }

    #[test]
    fn an_issue_counts_once_per_address() {
        let calls: &[(&str, &[_])] = &[(A, &[None, None, Some(A)])];
        assert_eq!(count(VerdictsPerSubject::One, calls), (1, 0));
        assert_eq!(count(VerdictsPerSubject::Many, calls), (1, 0));
    }

    #[test]
    fn subtracted_issues_no_longer_count() {
        let (mut counted, mut counts) = (Counted::default(), IssueCounts::default());
        counts.add(PageKey::from_url(A), Dimension::Seo);
        let failures: Failures = [Evidence::here(), Evidence::here().at(B)]
            .into_iter()
            .collect();
        let subject = Address::new(A);
        counted.count(
            &mut counts,
            Dimension::Seo,
            VerdictsPerSubject::Many,
            &subject,
            failures.addresses(),
        );
        assert_eq!((counts.get(A).current, counts.get(B).current), (2, 1));
        counted.subtract_all(&mut counts, Dimension::Seo);
        assert_eq!((counts.get(A).current, counts.get(B).current), (1, 0));
    }

    #[test]
    fn addresses_without_stored_evidence_count() {
        let (mut counted, mut counts) = (Counted::default(), IssueCounts::default());
        let url = |number: usize| format!("{A}/{}/{number}", "x".repeat(1_000));
        let failures: Failures = (0..1_000)
            .map(|number| Evidence::here().at(url(number)))
            .collect();
        assert!(failures.len() < 1_000);
        let subject = Address::new(B);
        counted.count(
            &mut counts,
            Dimension::Seo,
            VerdictsPerSubject::Many,
            &subject,
            failures.addresses(),
        );
        assert!((0..1_000).all(|number| counts.get(&url(number)).current == 1));
        assert_eq!(counts.get(B).current, 0);
    }

    #[test]
    fn addresses_beyond_the_bound_are_not_counted() {
        let (mut counted, mut counts) = (Counted::default(), IssueCounts::default());
        let key = |number: usize| PageKey::parse(&format!("{number:032x}")).unwrap();
        for number in 0..=MAX_COUNTED_ADDRESSES {
            counts.add(key(number), Dimension::Seo);
            counted.is_new(key(number));
        }
        assert_eq!(counts.0.len(), MAX_COUNTED_ADDRESSES);
        assert_eq!(counted.0.len(), MAX_COUNTED_ADDRESSES);
        counts.add(key(0), Dimension::Seo);
        assert_eq!(counts.0[&key(0)].current, 2);
    }

    #[test]
    fn evidence_with_its_own_url_counts_there() {
        let calls: &[(&str, &[_])] = &[(A, &[Some(B)]), (B, &[None]), (A, &[Some(B)])];
        assert_eq!(count(VerdictsPerSubject::Many, calls), (0, 1));
    }

    #[test]
    fn fragments_do_not_distinguish_addresses() {
        let calls: &[(&str, &[_])] = &[(A, &[Some("https://example.com/b#x"), Some(B)])];
        assert_eq!(count(VerdictsPerSubject::One, calls), (0, 1));
    }

    #[test]
    fn ai_readiness_is_not_counted_for_the_legacy_variant() {
        let mut counts = IssueCounts::default();
        counts.add(PageKey::from_url(A), Dimension::AiReadiness);
        counts.add(PageKey::from_url(A), Dimension::Seo);
        let count = counts.get(A);
        assert_eq!((count.current, count.legacy), (2, 1));
    }
}
