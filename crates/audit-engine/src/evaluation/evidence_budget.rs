//! The evidence budget of a run.

use domain::report::Finding;

use crate::bounds::{MAX_EVIDENCE_BYTES, MIN_CHECK_EVIDENCE_BYTES};

/// Reduces the evidence of findings, each with its check's cost, to [`MAX_EVIDENCE_BYTES`] in total. The checks
/// with the lowest cost keep fewer causes and occurrences, at least [`MIN_CHECK_EVIDENCE_BYTES`] and one of each.
/// Totals do not change.
pub(super) fn fit(findings: &mut [(u64, Finding)]) {
    let sizes = findings.iter().map(|(_, finding)| finding.evidence_bytes());
    let mut total: usize = sizes.sum();
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|index| findings.get(*index).map(|(cost, _)| *cost));
    for index in order {
        if total <= MAX_EVIDENCE_BYTES {
            return;
        }
        let Some((_, finding)) = findings.get_mut(index) else {
            continue;
        };
        let before = finding.evidence_bytes();
        let others = total - before;
        let most = MAX_EVIDENCE_BYTES.saturating_sub(others);
        finding.cut_evidence(most.max(MIN_CHECK_EVIDENCE_BYTES));
        total = others + finding.evidence_bytes();
    }
}

#[cfg(test)]
mod tests {
    use domain::SubjectKind;
    use domain::report::{FindingCause, Occurrence};
    use domain::{Confidence, Dimension, Severity};

    use super::*;

    fn finding(check_id: &str, causes: usize, message: usize) -> Finding {
        let occurrence = Occurrence {
            url: "https://e.com/".to_owned(),
            selector: None,
            snippet: None,
            line: None,
            message: "x".repeat(message),
            waiver: None,
            artifact: None,
        };
        Finding {
            check_id: check_id.to_owned(),
            dimension: Dimension::Seo,
            severity: Severity::Minor,
            confidence: Confidence::High,
            effort: "small".to_owned(),
            title: String::new(),
            why: String::new(),
            fix: String::new(),
            references: Vec::new(),
            affected: 1,
            applicable: 1,
            subject: SubjectKind::Page,
            pages: std::collections::BTreeSet::new(),
            occurrences_total: 10,
            causes_total: 10,
            causes: (0..causes)
                .map(|number| FindingCause {
                    key: format!("{number:05}"),
                    title: String::new(),
                    affected: 1,
                    occurrences_total: 2,
                    occurrences: vec![occurrence.clone(); 2],
                    waived: 0,
                })
                .collect(),
            waived: 0,
        }
    }

    #[test]
    fn the_checks_with_the_lowest_cost_keep_less_evidence() {
        let mut findings: Vec<_> = (0_u64..100)
            .map(|cost| (cost, finding(&cost.to_string(), 100, 400)))
            .collect();
        fit(&mut findings);
        let total: usize = findings.iter().map(|(_, one)| one.evidence_bytes()).sum();
        assert!(total <= MAX_EVIDENCE_BYTES, "{total}");
        assert!(total > MAX_EVIDENCE_BYTES - 200_000, "{total}");
        let causes = |index: usize| findings[index].1.causes.len();
        assert_eq!(causes(99), 100);
        assert!(causes(0) < 40 && causes(0) > 0, "{}", causes(0));
        assert_eq!(findings[0].1.causes_total, 10);
    }

    #[test]
    fn little_evidence_is_not_reduced() {
        let mut findings = vec![(0, finding("a", 10, 10)), (1, finding("b", 10, 10))];
        let before = findings.clone();
        fit(&mut findings);
        assert_eq!(findings, before);
    }
}
