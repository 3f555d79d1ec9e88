//! The checks that a site passed.

use std::collections::HashSet;

use domain::Dimension;
use domain::ports::CheckInfo;
use domain::report::Report;

/// The checks of a dimension that were passed.
pub struct PassedChecks {
    /// The dimension.
    pub dimension: Dimension,
    /// The id and the title of each.
    pub checks: Vec<(String, String)>,
}

/// The checks that found nothing and judged everything, by dimension; those of the catalogue, with what they look for.
#[must_use]
pub fn passed(report: &Report, catalogue: Vec<CheckInfo>) -> Vec<PassedChecks> {
    let sums = report.score.dimensions.values();
    let mut ids: HashSet<&str> = sums
        .flat_map(|sum| &sum.checks)
        .filter(|check| check.failed == 0)
        .map(|check| check.check_id.as_str())
        .collect();
    for issue in &report.issues {
        ids.remove(issue.check_id.as_str());
    }
    for check in &report.unjudged {
        ids.remove(check.check_id.as_str());
    }
    let mut groups: Vec<PassedChecks> = Vec::new();
    for info in catalogue {
        if !ids.contains(info.id.as_str()) {
            continue;
        }
        let check = (info.id, info.title);
        match groups.last_mut() {
            Some(group) if group.dimension == info.dimension => group.checks.push(check),
            _ => groups.push(PassedChecks {
                dimension: info.dimension,
                checks: vec![check],
            }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use domain::Severity;
    use testkit::{SequentialIds, sample};

    use super::*;

    fn info(id: &str, dimension: Dimension) -> CheckInfo {
        CheckInfo {
            id: id.to_owned(),
            title: format!("Title of {id}"),
            dimension,
            scope: "page".to_owned(),
            severity: Severity::Minor,
            needs_browser: false,
            documentation: String::new(),
        }
    }

    #[test]
    fn what_found_something_or_judged_not_all_is_not_passed() {
        let ids = SequentialIds::default();
        let report = sample::completed_run(&ids, &sample::audit_result())
            .reports
            .current;
        let all = report.score.dimensions.iter();
        let catalogue: Vec<_> = all
            .flat_map(|(&dimension, sum)| {
                let checks = sum.checks.iter();
                checks.map(move |check| info(&check.check_id, dimension))
            })
            .collect();
        let known = catalogue.len();
        let groups = passed(&report, catalogue);
        let passed: Vec<_> = groups.iter().flat_map(|group| &group.checks).collect();
        assert!(!passed.is_empty() && passed.len() < known);
        for (id, _) in passed {
            assert!(report.issues.iter().all(|issue| issue.check_id != *id));
            assert!(report.unjudged.iter().all(|check| check.check_id != *id));
        }
    }
}
