//! How much text of causes and occurrences is read back.

use super::{IssueCause, MAX_EVIDENCE_BYTES, MAX_OCCURRENCES, Occurrence};

/// The text of causes and occurrences that may still be read of a report: [`MAX_EVIDENCE_BYTES`] in
/// all, and [`MAX_OCCURRENCES`] occurrences of each issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceBudget {
    bytes: usize,
    occurrences: usize,
}

impl EvidenceBudget {
    /// The budget of a whole report.
    #[must_use]
    pub const fn of_report() -> Self {
        Self {
            bytes: MAX_EVIDENCE_BYTES,
            occurrences: MAX_OCCURRENCES,
        }
    }

    /// Begins the next issue.
    pub const fn begin_issue(&mut self) {
        self.occurrences = MAX_OCCURRENCES;
    }

    /// Whether all bytes are used up.
    #[must_use]
    pub const fn is_used_up(&self) -> bool {
        self.bytes == 0
    }

    /// Whether a cause fits. One that does not uses up the budget, so that nothing behind it is
    /// read.
    #[must_use]
    pub fn take_cause(&mut self, cause: &IssueCause) -> bool {
        self.take_bytes(cause.key.len() + cause.message.len())
    }

    /// Whether an occurrence fits. One that is too long uses up the budget; of an issue with too
    /// many the others are left out.
    #[must_use]
    pub fn take_occurrence(&mut self, occurrence: &Occurrence) -> bool {
        let Some(left) = self.occurrences.checked_sub(1) else {
            return false;
        };
        self.occurrences = left;
        let optional = [&occurrence.selector, &occurrence.snippet];
        let optional = optional.into_iter().flatten().map(String::len);
        let bytes = occurrence.url.len() + occurrence.message.len() + optional.sum::<usize>();
        self.take_bytes(bytes)
    }

    fn take_bytes(&mut self, bytes: usize) -> bool {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.unwrap_or_default();
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occurrence(message: String) -> Occurrence {
        Occurrence {
            url: String::new(),
            selector: None,
            snippet: None,
            line: None,
            message,
            waiver: None,
            artifact: None,
        }
    }

    #[test]
    fn each_issue_has_a_thousand_occurrences() {
        let mut budget = EvidenceBudget::of_report();
        for _ in 0..2 {
            budget.begin_issue();
            let short = occurrence("Short.".to_owned());
            let taken = (0..MAX_OCCURRENCES + 5).filter(|_| budget.take_occurrence(&short));
            assert_eq!(taken.count(), MAX_OCCURRENCES);
        }
        assert!(!budget.is_used_up());
    }

    #[test]
    fn behind_what_does_not_fit_nothing_is_read() {
        let mut budget = EvidenceBudget::of_report();
        let half = occurrence("x".repeat(MAX_EVIDENCE_BYTES / 2 + 1));
        assert!(budget.take_occurrence(&half));
        assert!(!budget.take_occurrence(&half));
        assert!(budget.is_used_up());
        assert!(!budget.take_occurrence(&occurrence("x".to_owned())));
    }
}
