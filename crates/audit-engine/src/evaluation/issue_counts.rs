//! In how many issues the addresses of a site occur.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use domain::Dimension;
use domain::action::PageKey;
use domain::report::Variant;

use crate::bounds::MAX_COUNTED_ADDRESSES;
use crate::check::Failures;

/// In how many issues an address occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct IssueCount {
    /// Those of the report.
    pub(crate) current: u32,
    /// Those of the older variant's report.
    pub(crate) legacy: u32,
}

/// The numbers of all addresses that occur in issues, whether or not the occurrences are kept.
///
/// An issue counts for an address where one of its occurrences stands at that address: that of the
/// subject that was judged, or, where evidence names a URL of its own, that URL and not the subject's.
/// Addresses are kept as keys, a few dozen bytes each.
#[derive(Debug, Default)]
pub(crate) struct IssueCounts(HashMap<PageKey, IssueCount>);

impl IssueCounts {
    /// The number of an address.
    pub(crate) fn of(&self, url: &str) -> IssueCount {
        self.0.get(&PageKey::of(url)).copied().unwrap_or_default()
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

/// What a verdict is about, its key made when it is first needed.
#[derive(Debug)]
pub(crate) struct Address<'a> {
    pub(crate) url: &'a str,
    key: OnceCell<PageKey>,
}

impl<'a> Address<'a> {
    pub(crate) const fn of(url: &'a str) -> Self {
        Self {
            url,
            key: OnceCell::new(),
        }
    }

    pub(crate) fn key(&self) -> PageKey {
        *self.key.get_or_init(|| PageKey::of(self.url))
    }
}

/// How often a check may judge one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judging {
    /// Once: a check of pages, and each page is crawled once.
    Once,
    /// More often, as far as can be known here.
    Again,
}

/// The addresses that one issue was counted for already. Of a check of pages it holds only those
/// that are not the judged page's own, so that it stays empty on a site of any size.
#[derive(Debug, Default)]
pub(crate) struct Counted(HashSet<PageKey>);

impl Counted {
    /// Notes an address, and tells whether it was not known; beyond the bound none is new.
    fn is_new(&mut self, key: PageKey) -> bool {
        self.0.len() < MAX_COUNTED_ADDRESSES && self.0.insert(key)
    }

    /// Takes back one issue of every address that it was counted for.
    pub(crate) fn take_back(self, counts: &mut IssueCounts, dimension: Dimension) {
        for key in self.0 {
            counts.subtract(key, dimension);
        }
    }

    /// Counts one issue for the addresses at which something was found about a subject.
    pub(crate) fn count(
        &mut self,
        counts: &mut IssueCounts,
        dimension: Dimension,
        judging: Judging,
        subject: &Address<'_>,
        failures: &Failures,
    ) {
        let mut own = false;
        for address in failures.addresses() {
            match address.filter(|key| *key != subject.key()) {
                None => own = true,
                Some(key) => {
                    if self.is_new(key) {
                        counts.add(key, dimension);
                    }
                }
            }
        }
        if own && (judging == Judging::Once || self.is_new(subject.key())) {
            counts.add(subject.key(), dimension);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Evidence;

    const A: &str = "https://example.com/a";
    const B: &str = "https://example.com/b";

    fn count(judging: Judging, calls: &[(&str, &[Option<&str>])]) -> (u32, u32) {
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
                judging,
                &Address::of(subject),
                &failures,
            );
        }
        (counts.of(A).current, counts.of(B).current)
    }

    #[test]
    fn an_issue_counts_once_for_an_address_however_often_it_occurs_there() {
        let calls: &[(&str, &[_])] = &[(A, &[None, None, Some(A)])];
        assert_eq!(count(Judging::Once, calls), (1, 0));
        assert_eq!(count(Judging::Again, calls), (1, 0));
    }

    #[test]
    fn what_is_taken_back_counts_no_longer() {
        let (mut counted, mut counts) = (Counted::default(), IssueCounts::default());
        counts.add(PageKey::of(A), Dimension::Seo);
        let failures: Failures = [Evidence::here(), Evidence::here().at(B)]
            .into_iter()
            .collect();
        let subject = Address::of(A);
        counted.count(
            &mut counts,
            Dimension::Seo,
            Judging::Again,
            &subject,
            &failures,
        );
        assert_eq!((counts.of(A).current, counts.of(B).current), (2, 1));
        counted.take_back(&mut counts, Dimension::Seo);
        assert_eq!((counts.of(A).current, counts.of(B).current), (1, 0));
    }

    #[test]
    fn addresses_beyond_the_evidence_kept_count() {
        let (mut counted, mut counts) = (Counted::default(), IssueCounts::default());
        let url = |number: usize| format!("{A}/{}/{number}", "x".repeat(1_000));
        let failures: Failures = (0..1_000)
            .map(|number| Evidence::here().at(url(number)))
            .collect();
        assert!(failures.len() < 1_000);
        let subject = Address::of(B);
        counted.count(
            &mut counts,
            Dimension::Seo,
            Judging::Again,
            &subject,
            &failures,
        );
        assert!((0..1_000).all(|number| counts.of(&url(number)).current == 1));
        assert_eq!(counts.of(B).current, 0);
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
    fn evidence_with_a_url_of_its_own_counts_there() {
        let calls: &[(&str, &[_])] = &[(A, &[Some(B)]), (B, &[None]), (A, &[Some(B)])];
        assert_eq!(count(Judging::Again, calls), (0, 1));
    }

    #[test]
    fn a_fragment_makes_no_other_address() {
        let calls: &[(&str, &[_])] = &[(A, &[Some("https://example.com/b#x"), Some(B)])];
        assert_eq!(count(Judging::Once, calls), (0, 1));
    }

    #[test]
    fn ai_readiness_is_not_counted_for_the_older_variant() {
        let mut counts = IssueCounts::default();
        counts.add(PageKey::of(A), Dimension::AiReadiness);
        counts.add(PageKey::of(A), Dimension::Seo);
        let count = counts.of(A);
        assert_eq!((count.current, count.legacy), (2, 1));
    }
}
