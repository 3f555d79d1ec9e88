//! Complete and valid sample data. A test changes the fields that it is about.

mod artifact;
mod result;

use chrono::{DateTime, TimeDelta, Utc};
use domain::action::RunCoverage;
use domain::id::{IssueId, KeyId, MemberId, OrgId, ReportId, RunId, SiteId};
use domain::key::{KeySecret, Role};
use domain::plan::{PlanLimits, SELF_HOSTED};
use domain::ports::{
    CompletedRun, IdSource, JobClaim, JobKind, NewKey, NewMember, NewOrg, NewRun, NewSite, Stores,
    WorkerId,
};
use domain::report::{AuditResult, ReportPair};
use domain::run::{Device, RunOptions, RunPhase, Trigger};
use domain::score::DimensionWeights;
use domain::site::SiteHost;
use url::Url;

pub use artifact::{artifact, keep_artifacts};
pub use result::{audit_result, clean_audit_result};

/// The time at which all samples are made: 2026-11-21, 12:00 UTC.
#[must_use]
pub fn noon() -> DateTime<Utc> {
    // 20,778 and a half days after 1970-01-01.
    DateTime::from_timestamp(1_795_262_400, 0).unwrap_or_default()
}

/// An organization named Acme on the plan without caps.
#[must_use]
pub fn new_org(ids: &dyn IdSource) -> NewOrg {
    NewOrg {
        id: OrgId::make(ids),
        name: "Acme".to_owned(),
        plan: SELF_HOSTED.to_owned(),
        created_at: noon(),
    }
}

/// A member with this name, such as `ada`, at example.com.
#[must_use]
pub fn new_member(ids: &dyn IdSource, name: &str) -> NewMember {
    NewMember {
        id: MemberId::make(ids),
        name: name.to_owned(),
        email: format!("{name}@example.com"),
        role: Role::Member,
        created_at: noon(),
    }
}

/// A key that never expires, with its secret.
#[must_use]
pub fn new_key(ids: &dyn IdSource, role: Role) -> (NewKey, KeySecret) {
    let secret = KeySecret::generate(ids);
    let key = NewKey {
        id: KeyId::make(ids),
        name: "ci".to_owned(),
        prefix: secret.shown_prefix(),
        hash: secret.hash(),
        role,
        created_at: noon(),
        expires_at: None,
    };
    (key, secret)
}

/// A run of a URL, for the organization's site with its host, without caps.
///
/// # Panics
/// If the text is not a URL with a host.
#[must_use]
#[expect(clippy::expect_used, reason = "a test's URL is a literal")]
pub fn new_run(ids: &dyn IdSource, url: &str) -> NewRun {
    let url: Url = url.parse().expect("a test gives a URL");
    let host = SiteHost::from_url(&url).expect("a test gives a URL with a host");
    let mut root = url.clone();
    root.set_path("/");
    root.set_query(None);
    NewRun {
        id: RunId::make(ids),
        url: url.into(),
        site_id: None,
        new_site: NewSite {
            id: SiteId::make(ids),
            url: root.into(),
            name: host.to_string(),
            host,
        },
        trigger: Trigger::Api,
        options: RunOptions::with_max_pages(100),
        limits: PlanLimits::default(),
        now: noon(),
    }
}

/// A completed run with this result.
#[must_use]
pub fn completed_run(ids: &dyn IdSource, result: &AuditResult) -> CompletedRun {
    let reports = ReportPair::assemble(result, &DimensionWeights::default());
    CompletedRun {
        report_id: ReportId::make(ids),
        issue_ids: (reports.current.issues.iter())
            .map(|_| IssueId::make(ids))
            .collect(),
        coverage: RunCoverage::from_result(result, &reports.current, Device::Mobile),
        links: result.links.counts,
        reports,
        progress: result.coverage.progress(RunPhase::Done, 100),
    }
}

/// Claims the next due brief for 30 seconds, and starts writing it. None if no brief is due, or the database
/// fails.
#[must_use]
pub fn claim_brief(
    stores: &(impl Stores + ?Sized),
    worker: &WorkerId,
    now: DateTime<Utc>,
) -> Option<JobClaim> {
    let lease = TimeDelta::seconds(30);
    let claim = stores
        .claim_job(JobKind::Brief, worker, lease, now)
        .ok()??;
    stores.begin_brief(&claim).ok()??;
    Some(claim)
}
