//! What is different between two reports on one site.

use std::collections::BTreeMap;

use super::lab_changes::{LabPageChanges, is_noise, lab_changes};
use super::{Issue, IssueCause, KnownCauses, Report};
use super::{IssueIdentity, StoredReport};
use crate::Dimension;
use crate::score::{DimensionScore, Metric, Share};

/// Those causes of an issue that are new, fixed or persisting; never none.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedIssue<'a> {
    /// The issue, as its report has it.
    pub issue: &'a Issue,
    /// Its identity in that report.
    pub identity: &'a IssueIdentity,
    /// Those of its causes, largest first.
    pub causes: Vec<&'a IssueCause>,
}

/// What is different in a report, seen from another one of the same shape.
///
/// Of a check with more causes than are kept, a report does not name all. A cause that the other report
/// does not name, and may have nevertheless, is in none of the lists.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportDiff<'a> {
    /// The overall score less that of the other.
    pub score_change: i16,
    /// Each subscore less that of the other, for the dimensions of the report.
    pub subscore_changes: BTreeMap<Dimension, i16>,
    /// Causes that the other certainly does not have, by issue, in the order of the report.
    pub new: Vec<ComparedIssue<'a>>,
    /// Causes of the other that the report certainly does not have, by issue, in the order of the other.
    pub fixed: Vec<ComparedIssue<'a>>,
    /// Causes of the report that the other has as well, by issue, in the order of the report.
    pub persisting: Vec<ComparedIssue<'a>>,
    /// The pages that a browser measured for both, with what their values say.
    pub lab: Vec<LabPageChanges>,
    /// Whether measured values alone changed the performance score, and no more than they differ between loads of a page.
    pub performance_is_noise: bool,
    /// Whether the two were made with different catalogues of checks. What is new or gone then may
    /// be so because the catalogue changed, and not the site.
    pub catalogue_version_changed: bool,
    /// Whether the scores of the two come from different scoring models, so that their changes say nothing
    /// about the site.
    pub scoring_version_changed: bool,
}

/// Compares a report with another, cause by cause: those of one fingerprint are the same. Both have
/// to be read with all their causes ([`ReportDetail::Whole`]).
///
/// [`ReportDetail::Whole`]: crate::ports::ReportDetail::Whole
#[must_use]
pub fn diff<'a>(report: &'a StoredReport, against: &'a StoredReport) -> ReportDiff<'a> {
    let (now, before) = (&report.report, &against.report);
    let (known, still) = (
        KnownCauses::from_report(before),
        KnownCauses::from_report(now),
    );
    let changes = now.score.dimensions.keys().map(|&dimension| {
        let change = subscore(now, dimension) - subscore(before, dimension);
        (dimension, change)
    });
    let lab = lab_changes(&before.coverage.measured, &now.coverage.measured);
    ReportDiff {
        performance_is_noise: is_noise(&lab) && only_metrics_differ(now, before),
        lab,
        score_change: i16::from(now.score.overall) - i16::from(before.score.overall),
        subscore_changes: changes.collect(),
        new: compared(report, |check_id, cause| known.lacks(check_id, cause)),
        fixed: compared(against, |check_id, cause| still.lacks(check_id, cause)),
        persisting: compared(report, |check_id, cause| known.has(check_id, cause)),
        catalogue_version_changed: now.catalogue_version != before.catalogue_version,
        scoring_version_changed: now.score.version != before.score.version,
    }
}

/// Whether the performance scores of the two come from the same results of all checks but those of the metrics, and differ.
fn only_metrics_differ(now: &Report, before: &Report) -> bool {
    fn others(score: &DimensionScore) -> Vec<(&str, u64, u64, Share)> {
        let checks = score.checks.iter();
        checks
            .filter(|check| Metric::of_check(&check.check_id).is_none())
            .map(|check| {
                (
                    check.check_id.as_str(),
                    check.judged,
                    check.failed,
                    check.reach,
                )
            })
            .collect()
    }
    let [now, before] = [now, before].map(|report| &report.score.dimensions);
    let performance = Dimension::Performance;
    let Some((now, before)) = now.get(&performance).zip(before.get(&performance)) else {
        return false;
    };
    now.subscore != before.subscore
        && (now.pages, &now.cap) == (before.pages, &before.cap)
        && others(now) == others(before)
}

/// The issues of a report with those of their causes that are asked for, where there are any.
fn compared(
    stored: &StoredReport,
    is_wanted: impl Fn(&str, &str) -> bool,
) -> Vec<ComparedIssue<'_>> {
    let issues = stored.report.issues.iter().zip(&stored.issues);
    issues
        .filter_map(|(issue, identity)| {
            let causes: Vec<_> = issue
                .causes
                .iter()
                .filter(|cause| is_wanted(&issue.check_id, &cause.fingerprint))
                .collect();
            (!causes.is_empty()).then_some(ComparedIssue {
                issue,
                identity,
                causes,
            })
        })
        .collect()
}

/// A subscore; 100 where nothing was judged, as everywhere.
fn subscore(report: &Report, dimension: Dimension) -> i16 {
    let score = report.score.dimensions.get(&dimension);
    score.map_or(100, |score| i16::from(score.subscore))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::super::testing::{finding, result};
    use super::*;
    use crate::Confidence;
    use crate::id::{IssueId, ReportId, RunId, SiteId};
    use crate::report::{
        Finding, LabChangeKind, LabMetrics, LabProfile, LabSpread, PageMeasurement, Variant,
    };
    use crate::score::{DimensionWeights, MetricGrades, MetricTally};

    /// The report on these findings; its issues are numbered from the worst on.
    fn stored(findings: Vec<Finding>, variant: Variant) -> StoredReport {
        let result = result(findings);
        let report = Report::assemble(&result, variant, &DimensionWeights::default());
        let ulid = |number: usize| format!("{number:026}");
        let issues = (0..report.issues.len()).map(|number| IssueIdentity {
            issue_id: IssueId::parse(&format!("iss_{}", ulid(number))).unwrap(),
            action_id: None,
        });
        StoredReport {
            id: ReportId::parse(&format!("rep_{}", ulid(1))).unwrap(),
            run_id: RunId::parse(&format!("run_{}", ulid(1))).unwrap(),
            site_id: SiteId::parse(&format!("site_{}", ulid(1))).unwrap(),
            created_at: DateTime::UNIX_EPOCH,
            issues: issues.collect(),
            report,
        }
    }

    fn ids<'a>(issues: &[ComparedIssue<'a>]) -> Vec<&'a str> {
        let issues = issues.iter();
        issues
            .map(|compared| compared.issue.check_id.as_str())
            .collect()
    }

    fn keys<'a>(issues: &[ComparedIssue<'a>]) -> Vec<&'a str> {
        let causes = issues.iter().flat_map(|compared| &compared.causes);
        causes.map(|cause| cause.key.as_str()).collect()
    }

    #[test]
    fn issues_come_in_the_order_of_their_report() {
        let before = stored(
            ["gone-b", "gone-a", "stays-b", "stays-a"]
                .map(finding)
                .to_vec(),
            Variant::Current,
        );
        let now = stored(
            ["stays-b", "new-b", "stays-a", "new-a"]
                .map(finding)
                .to_vec(),
            Variant::Current,
        );
        let diff = diff(&now, &before);
        assert_eq!(ids(&diff.new), ["new-a", "new-b"]);
        assert_eq!(ids(&diff.fixed), ["gone-a", "gone-b"]);
        assert_eq!(ids(&diff.persisting), ["stays-a", "stays-b"]);
        for compared in diff.persisting {
            let issues = &now.report.issues;
            let position = issues.iter().position(|known| known == compared.issue);
            assert_eq!(compared.identity, &now.issues[position.unwrap()]);
        }
    }

    #[test]
    fn the_causes_of_a_check_are_told_apart_by_fingerprint() {
        let with = |keys: &[&str]| {
            stored(
                vec![finding("broken-link").with_causes(keys)],
                Variant::Current,
            )
        };
        let (before, now) = (with(&["/gone", "/stays"]), with(&["/new", "/stays"]));
        let diff = diff(&now, &before);
        assert_eq!(ids(&diff.new), ["broken-link"]);
        assert_eq!(keys(&diff.new), ["/new"]);
        assert_eq!(keys(&diff.fixed), ["/gone"]);
        assert_eq!(keys(&diff.persisting), ["/stays"]);
    }

    #[test]
    fn a_cause_that_the_other_may_have_is_in_no_list() {
        let with = |keys: &[&str], total| {
            let mut finding = finding("broken-link").with_causes(keys);
            finding.causes_total = total;
            stored(vec![finding], Variant::Current)
        };
        let (cut, whole) = (with(&["/a", "/stays"], 3), with(&["/b", "/stays"], 2));
        let diff_of_cut = diff(&cut, &whole);
        assert_eq!(keys(&diff_of_cut.new), ["/a"]);
        assert!(keys(&diff_of_cut.fixed).is_empty());
        assert_eq!(keys(&diff_of_cut.persisting), ["/stays"]);
        let diff_of_whole = diff(&whole, &cut);
        assert!(keys(&diff_of_whole.new).is_empty());
        assert_eq!(keys(&diff_of_whole.fixed), ["/a"]);
        assert_eq!(keys(&diff_of_whole.persisting), ["/stays"]);
    }

    #[test]
    fn changes_are_what_is_gained_since_the_other() {
        let worse = stored(vec![finding("a").on(10)], Variant::Current);
        let better = stored(Vec::new(), Variant::Current);
        let gained = diff(&better, &worse);
        assert!(gained.score_change > 0);
        assert!(gained.subscore_changes[&Dimension::Accessibility] > 0);
        assert_eq!(gained.subscore_changes[&Dimension::Seo], 0);
        let lost = diff(&worse, &better);
        assert_eq!(lost.score_change, -gained.score_change);
    }

    #[test]
    fn a_report_differs_in_nothing_from_itself() {
        let report = stored(vec![finding("a"), finding("b")], Variant::Legacy);
        let same = diff(&report, &report);
        assert_eq!(same.score_change, 0);
        assert_eq!(same.subscore_changes.len(), 5);
        assert!(same.subscore_changes.values().all(|&change| change == 0));
        assert_eq!((same.new.len(), same.fixed.len()), (0, 0));
        assert_eq!(ids(&same.persisting), ["a", "b"]);
        assert!(!same.catalogue_version_changed && !same.scoring_version_changed);
    }

    /// The report on a site whose start page was loaded three times with these paints, and graded so.
    fn measured(paints: [u32; 3], grade: u8, findings: Vec<Finding>) -> StoredReport {
        let lcp = |lcp_ms| LabMetrics {
            lcp_ms: Some(lcp_ms),
            ..LabMetrics::default()
        };
        let mut grades = MetricGrades::default();
        for metric in Metric::ALL {
            grades.set(metric, grade);
        }
        let mut result = result(findings);
        result.tallies.metrics = Some(MetricTally::of_pages([grades]));
        result.coverage.measured = vec![PageMeasurement {
            url: result.url.clone(),
            profile: LabProfile::Desktop,
            runs: 3,
            metrics: lcp(paints[1]),
            spread: LabSpread::of(&paints.map(lcp)),
            score: grades.score(),
            confidence: Confidence::High,
            benchmark: 1_500,
        }];
        let mut stored = stored(Vec::new(), Variant::Current);
        stored.report = Report::assemble(&result, Variant::Current, &DimensionWeights::default());
        stored
    }

    #[test]
    fn a_performance_score_that_measured_values_alone_change_within_their_spread_is_noise() {
        let before = measured([900, 1_000, 1_200], 90, Vec::new());
        let noise = measured([1_000, 1_100, 1_300], 80, Vec::new());
        let slower = measured([1_300, 1_400, 1_500], 80, Vec::new());
        let compared = diff(&noise, &before);
        assert!(compared.subscore_changes[&Dimension::Performance] < 0);
        assert!(compared.performance_is_noise);
        assert_eq!(compared.lab[0].changes[0].kind, LabChangeKind::WithinSpread);
        let compared = diff(&slower, &before);
        assert!(!compared.performance_is_noise);
        assert_eq!(compared.lab[0].changes[0].kind, LabChangeKind::Changed);
        // Something else changed the score as well.
        let mut slow = finding("slow-response").on(5);
        slow.dimension = Dimension::Performance;
        let other = measured([1_000, 1_100, 1_300], 80, vec![slow]);
        assert!(!diff(&other, &before).performance_is_noise);
    }

    #[test]
    fn another_scoring_model_is_marked() {
        let mut before = stored(Vec::new(), Variant::Current);
        before.report.score.version = 1;
        let now = stored(Vec::new(), Variant::Current);
        assert!(diff(&now, &before).scoring_version_changed);
    }

    #[test]
    fn another_catalogue_is_marked() {
        let before = stored(Vec::new(), Variant::Current);
        let mut now = before.clone();
        now.report.catalogue_version = "2".to_owned();
        assert!(diff(&now, &before).catalogue_version_changed);
    }
}
