//! The causes that a report names.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;

/// The causes that a report names, by check, and whether it names all that there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownCauses(BTreeMap<String, KnownOfCheck>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownOfCheck {
    fingerprints: BTreeSet<String>,
    /// Whether the check has no other causes than these.
    is_complete: bool,
}

impl KnownCauses {
    /// The causes of a report, which has all that are kept of it.
    #[must_use]
    pub fn from_report(report: &Report) -> Self {
        Self::new(report.issues.iter().map(|issue| {
            let causes = issue.causes.iter();
            let causes = causes.map(|cause| cause.fingerprint.as_str()).collect();
            (issue.check_id.as_str(), causes, issue.causes_total)
        }))
    }

    /// The checks that found something, each once, with the fingerprints of the causes that are named and
    /// the number of all that there are.
    #[must_use]
    pub fn new<'a>(issues: impl IntoIterator<Item = (&'a str, BTreeSet<&'a str>, u64)>) -> Self {
        let known = issues.into_iter().map(|(check_id, causes, total)| {
            let known = KnownOfCheck {
                is_complete: u64::try_from(causes.len()).unwrap_or(u64::MAX) >= total,
                fingerprints: causes.into_iter().map(str::to_owned).collect(),
            };
            (check_id.to_owned(), known)
        });
        Self(known.collect())
    }

    /// Whether the report names a cause.
    #[must_use]
    pub fn has(&self, check_id: &str, fingerprint: &str) -> bool {
        self.0
            .get(check_id)
            .is_some_and(|known| known.fingerprints.contains(fingerprint))
    }

    /// Whether the report certainly does not have a cause. Where it does not name all causes of the
    /// check, nobody can tell.
    #[must_use]
    pub fn lacks(&self, check_id: &str, fingerprint: &str) -> bool {
        self.0
            .get(check_id)
            .is_none_or(|known| known.is_complete && !known.fingerprints.contains(fingerprint))
    }

    /// How many causes of these the other certainly does not have.
    #[must_use]
    pub fn not_in(&self, other: &Self) -> usize {
        let causes = self.0.iter().flat_map(|(check_id, known)| {
            let fingerprints = known.fingerprints.iter();
            fingerprints.map(move |fingerprint| (check_id, fingerprint))
        });
        causes
            .filter(|(check_id, fingerprint)| other.lacks(check_id, fingerprint))
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{finding, result};
    use super::*;
    use crate::report::Variant;
    use crate::score::DimensionWeights;

    fn known() -> KnownCauses {
        KnownCauses::new([
            ("all", BTreeSet::from(["a"]), 1),
            ("part", BTreeSet::from(["b"]), 30),
        ])
    }

    #[test]
    fn a_cause_is_missing_only_where_all_causes_of_the_check_are_named() {
        let known = known();
        assert!(known.has("all", "a") && !known.lacks("all", "a"));
        assert!(!known.has("all", "x") && known.lacks("all", "x"));
        assert!(known.has("part", "b") && !known.lacks("part", "b"));
        assert!(!known.has("part", "x"));
        assert!(!known.lacks("part", "x"), "it may be among the 29 others");
        assert!(!known.has("other", "x") && known.lacks("other", "x"));
    }

    #[test]
    fn what_the_other_may_have_is_not_counted_as_missing() {
        let others = KnownCauses::new([
            ("all", BTreeSet::from(["a", "c"]), 2),
            ("part", BTreeSet::from(["d"]), 1),
        ]);
        assert_eq!(
            others.not_in(&known()),
            1,
            "c of `all`, and not d of `part`"
        );
        assert_eq!(known().not_in(&others), 1, "b of `part`");
    }

    #[test]
    fn the_causes_of_a_report_are_those_that_it_keeps() {
        let mut cut = finding("cut").with_causes(&["/a", "/b"]);
        cut.causes_total = 3;
        let result = result(vec![cut, finding("whole")]);
        let report = Report::assemble(&result, Variant::Current, &DimensionWeights::default());
        let known = KnownCauses::from_report(&report);
        for issue in &report.issues {
            let mut causes = issue.causes.iter();
            assert!(causes.all(|cause| known.has(&issue.check_id, &cause.fingerprint)));
        }
        assert!(!known.lacks("cut", "x"));
        assert!(known.lacks("whole", "x"));
    }
}
