use std::collections::BTreeMap;

use api_types::dimension::PerDimension;
use api_types::report as wire;
use domain::Dimension;
use domain::ports::StoredReport;
use domain::report::{ComparedIssue, ReportDiff};
use report::json::{IssueIds, compared_issue, fit_diff, measured_changes};

/// The differences between two reports, bounded in size; an issue links to the documentation of its check below
/// `base_url`.
pub(crate) fn diff(
    diff: &ReportDiff<'_>,
    (report, against): (&StoredReport, &StoredReport),
    base_url: &str,
) -> wire::ReportDiff {
    let issues = |issues: &[ComparedIssue<'_>]| {
        let issues = issues.iter();
        issues
            .map(|compared| {
                let ids = IssueIds::of_stored(compared.identity, report.report.variant);
                compared_issue(compared, ids, base_url)
            })
            .collect()
    };
    let mut wire = wire::ReportDiff {
        report_id: report.id.to_string(),
        against: against.id.to_string(),
        score_change: diff.score_change,
        subscore_changes: changes(&diff.subscore_changes),
        new: issues(&diff.new),
        fixed: issues(&diff.fixed),
        persisting: issues(&diff.persisting),
        catalogue_version_changed: diff.catalogue_version_changed,
        scoring_version_changed: diff.scoring_version_changed,
        lab: diff.lab.iter().map(measured_changes).collect(),
        performance_is_noise: diff.performance_is_noise,
    };
    fit_diff(&mut wire);
    wire
}

fn changes(changes: &BTreeMap<Dimension, i16>) -> PerDimension<i16> {
    let of = |dimension| changes.get(&dimension).copied();
    PerDimension {
        performance: of(Dimension::Performance).unwrap_or_default(),
        accessibility: of(Dimension::Accessibility).unwrap_or_default(),
        seo: of(Dimension::Seo).unwrap_or_default(),
        security: of(Dimension::Security).unwrap_or_default(),
        content: of(Dimension::Content).unwrap_or_default(),
        ai_readiness: of(Dimension::AiReadiness),
    }
}
