//! Items of what a report found, and the same of a site that is harmless.

use std::collections::HashMap;

use audit_engine::checks;
use chrono::DateTime;
use domain::action::{
    ActionItem, ActionStatus, AuditFacts, BriefStatus, Description, Dossier, Priority, Title,
};
use domain::id::{ActionId, IssueId, OrgId, ReportId, SiteId};
use domain::ports::CheckGuide;
use domain::report::{INLINE_CAUSES, INLINE_OCCURRENCES, Issue, Report};
use testkit::SequentialIds;

/// A dossier for every check that found anything, in the order of the report.
pub(crate) fn dossiers(report: &Report) -> Vec<Dossier> {
    let ids = SequentialIds::default();
    let issues = report.issues.iter();
    let dossiers = issues.map(|issue| Dossier {
        item: item(issue, &ids),
        site_url: Some("https://example.com/".to_owned()),
        issue: Some(inline(issue)),
        issue_id: Some(IssueId::make(&ids)),
        found: None,
        mode: None,
    });
    dossiers.collect()
}

/// The issue with what comes with a report.
fn inline(issue: &Issue) -> Issue {
    let mut shown = issue.clone();
    shown.causes.truncate(INLINE_CAUSES);
    for cause in &mut shown.causes {
        cause.occurrences.truncate(INLINE_OCCURRENCES);
    }
    shown
}

fn item(issue: &Issue, ids: &SequentialIds) -> ActionItem {
    let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    ActionItem {
        id: ActionId::make(ids),
        org_id: OrgId::make(ids),
        title: Title::of_finding(&issue.title),
        description: Description::of_issue(issue),
        status: ActionStatus::Open,
        priority: Priority::High,
        assignee: None,
        due_date: None,
        site_id: Some(SiteId::make(ids)),
        audit: Some(AuditFacts {
            check_id: issue.check_id.clone(),
            dimension: issue.dimension,
            severity: issue.severity,
            report_id: ReportId::make(ids),
            affected_pages: issue.affected_pages,
        }),
        comment_count: 0,
        brief_status: BriefStatus::Ready,
        created_at: now,
        updated_at: now,
        resolved_at: None,
        verified_at: None,
    }
}

/// The documentation of a dossier's check.
pub(crate) fn docs(dossier: &Dossier) -> CheckGuide {
    let check = checks::find(&dossier.issue.as_ref().unwrap().check_id).unwrap();
    let docs = check.documentation();
    CheckGuide {
        title: check.title.to_owned(),
        what: docs.what,
        why: docs.why,
        fix: docs.fix,
        limits: docs.limits,
        references: docs.references,
    }
}

/// The report with every text of the site replaced: equal ones by equal, different by different ones.
pub(crate) fn harmless(report: &Report) -> Report {
    let mut known: HashMap<String, String> = HashMap::new();
    let mut calm = |text: &mut String| {
        let next = format!("harmless {}", known.len());
        *text = known.entry(text.clone()).or_insert(next).clone();
    };
    let mut report = report.clone();
    for issue in &mut report.issues {
        calm(&mut issue.title);
        for cause in &mut issue.causes {
            calm(&mut cause.key);
            calm(&mut cause.message);
        }
        let causes = issue.causes.iter_mut();
        for place in causes.flat_map(|cause| &mut cause.occurrences) {
            calm(&mut place.url);
            calm(&mut place.message);
            place.selector.iter_mut().for_each(&mut calm);
            place.snippet.iter_mut().for_each(&mut calm);
        }
    }
    report
}
