//! Test fixtures: stores with initial data.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use domain::action::{
    ActionFilter, ActionItem, ActionStatus, BriefStatus, Description, Priority, Title,
};
use domain::audit_log::Actor;
use domain::id::{ActionId, OrgId, ReportId};
use domain::plan::{Period, Usage};
use domain::ports::{
    Claim, CompletedRun, HandBack, LeaseStatus, NewCause, NewOccurrence, NewPage, QueueRules,
    StartedRun, Stores, WorkerId,
};
use domain::report::{
    AuditResult, Issue, IssueCause, PageDetails, PageScores, PageVisit, Report, ReportPair, Variant,
};
use domain::run::{Mode, Run, RunError, RunState};
use domain::score::Share;
use testkit::{SequentialIds, sample};

pub(crate) const RULES: QueueRules = QueueRules::DEFAULT;

/// A time of the test: seconds after noon.
pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    sample::noon() + TimeDelta::seconds(seconds)
}

pub(crate) fn worker(name: &str) -> WorkerId {
    WorkerId(name.to_owned())
}

/// A failure that is not internal.
pub(crate) fn blocked() -> RunError {
    RunError {
        code: domain::FailureCode::Blocked,
        message: "The site turns automated visitors away.".to_owned(),
    }
}

/// Stores, ids, and shorthands.
pub(crate) struct Fixture<'a> {
    pub(crate) stores: &'a dyn Stores,
    pub(crate) ids: SequentialIds,
}

impl<'a> Fixture<'a> {
    pub(crate) fn new(stores: &'a dyn Stores) -> Self {
        Self {
            stores,
            ids: SequentialIds::default(),
        }
    }

    /// Stores with an organization.
    pub(crate) fn with_org(stores: &'a dyn Stores) -> (Self, OrgId) {
        let world = Self::new(stores);
        let org = world.org();
        (world, org)
    }

    /// Stores with one organization and one run of it, claimed at noon.
    pub(crate) fn with_claim(stores: &'a dyn Stores) -> (Self, OrgId, Claim) {
        let (world, org) = Self::with_org(stores);
        world.start(&org, "https://example.com/");
        let claim = world.claim(at(0));
        (world, org, claim)
    }

    pub(crate) fn org(&self) -> OrgId {
        let org = sample::new_org(&self.ids);
        self.stores.create_org(&org, &Actor::CommandLine).unwrap();
        org.id
    }

    /// Starts a run at noon.
    pub(crate) fn start(&self, org: &OrgId, url: &str) -> StartedRun {
        self.start_at(org, url, at(0))
    }

    pub(crate) fn start_at(&self, org: &OrgId, url: &str, now: DateTime<Utc>) -> StartedRun {
        let run = domain::ports::NewRun {
            now,
            ..sample::new_run(&self.ids, url)
        };
        self.stores.start_run(org, &run).unwrap()
    }

    /// Starts a run in this mode.
    pub(crate) fn start_in(&self, org: &OrgId, url: &str, mode: Mode) -> StartedRun {
        let mut run = sample::new_run(&self.ids, url);
        run.options.mode = mode;
        self.stores.start_run(org, &run).unwrap()
    }

    /// Claims a run, which must exist.
    pub(crate) fn claim(&self, now: DateTime<Utc>) -> Claim {
        self.try_claim(now).unwrap()
    }

    pub(crate) fn try_claim(&self, now: DateTime<Utc>) -> Option<Claim> {
        self.stores.claim(&worker("w1"), &RULES, now).unwrap()
    }

    /// Ends an attempt with an internal failure.
    pub(crate) fn fault(&self, claim: &Claim, now: DateTime<Utc>) {
        let held = self.stores.hand_back(claim, HandBack::Fault, now).unwrap();
        assert_eq!(held, LeaseStatus::Held);
    }

    /// Returns the stored run of a claim.
    pub(crate) fn run(&self, claim: &Claim) -> Run {
        let run = self.stores.run(&claim.org_id, &claim.run_id).unwrap();
        run.unwrap()
    }

    pub(crate) fn state(&self, claim: &Claim) -> RunState {
        self.run(claim).state
    }

    pub(crate) fn usage(&self, org: &OrgId, time: DateTime<Utc>) -> Usage {
        self.stores.usage(org, Period::containing(time)).unwrap()
    }

    /// Writes all causes and occurrences of a result in batches, and completes the run.
    pub(crate) fn complete(
        &self,
        claim: &Claim,
        result: &AuditResult,
        now: DateTime<Utc>,
    ) -> CompletedRun {
        let completed = sample::completed_run(&self.ids, result);
        for batch in causes(&completed.reports).chunks(500) {
            let held = self.stores.write_causes(claim, batch).unwrap();
            assert_eq!(held, LeaseStatus::Held);
        }
        for batch in occurrences(&completed.reports).chunks(500) {
            let held = self.stores.write_occurrences(claim, batch).unwrap();
            assert_eq!(held, LeaseStatus::Held);
        }
        let held = self
            .stores
            .complete(claim, &completed, &self.ids, now)
            .unwrap();
        assert_eq!(held, LeaseStatus::Held);
        completed
    }

    /// Audits example.com: the run starts at a time and completes ten seconds later.
    pub(crate) fn audited(
        &self,
        org: &OrgId,
        result: &AuditResult,
        second: i64,
    ) -> (Claim, CompletedRun) {
        let started = self.start_at(org, "https://example.com/", at(second));
        let claim = self.claim(at(second));
        assert_eq!(claim.run_id, started.run_id);
        let completed = self.complete(&claim, result, at(second + 10));
        (claim, completed)
    }

    /// An open item that a person created at noon; it is not stored.
    pub(crate) fn new_item(&self, org: &OrgId, title: &str) -> ActionItem {
        ActionItem {
            id: ActionId::make(&self.ids),
            org_id: org.clone(),
            title: Title::parse(title).unwrap(),
            description: Description::default(),
            status: ActionStatus::Open,
            priority: Priority::Medium,
            assignee: None,
            due_date: None,
            site_id: None,
            audit: None,
            comment_count: 0,
            brief_status: BriefStatus::None,
            created_at: at(0),
            updated_at: at(0),
            resolved_at: None,
            verified_at: None,
        }
    }

    /// Stores an item that a person created.
    pub(crate) fn item(&self, org: &OrgId, title: &str) -> ActionItem {
        let item = self.new_item(org, title);
        let made = self.stores.create_action(org, &item, &Actor::CommandLine);
        assert_eq!(made, Ok(()));
        item
    }

    /// All items of an organization.
    pub(crate) fn items(&self, org: &OrgId) -> Vec<ActionItem> {
        let all = ActionFilter::all(Variant::Current);
        let page = self.stores.actions(org, &all, None, 1_000).unwrap();
        assert_eq!(page.next, None);
        page.items
    }

    /// Returns the audit log lines of an event: subject and detail.
    pub(crate) fn logged(&self, org: &OrgId, event: &str) -> Vec<(String, String)> {
        let log = self.stores.audit_log(org).unwrap().into_iter();
        log.filter(|line| line.event == event)
            .map(|line| (line.subject, line.detail))
            .collect()
    }

    /// Starts a run of the URL, claims it and completes it without a finding.
    pub(crate) fn completed(
        &self,
        org: &OrgId,
        url: &str,
        now: DateTime<Utc>,
    ) -> (Claim, ReportId) {
        let started = self.start_at(org, url, now);
        let claim = self.claim(now);
        assert_eq!(claim.run_id, started.run_id);
        let completed = self.complete(&claim, &sample::clean_audit_result(), now);
        (claim, completed.report_id)
    }
}

/// All causes with their positions: of the cause, of its issue, and within its issue.
fn placed_causes(issues: &[Issue]) -> impl Iterator<Item = (u32, u32, u32, &IssueCause)> {
    let causes = (0..).zip(issues).flat_map(|(issue, content)| {
        let causes = (0..).zip(&content.causes);
        causes.map(move |(ordinal, cause)| (issue, ordinal, cause))
    });
    (0..)
        .zip(causes)
        .map(|(position, (issue, ordinal, cause))| (position, issue, ordinal, cause))
}

/// All causes of a report, as they are stored.
pub(crate) fn causes(reports: &ReportPair) -> Vec<NewCause> {
    let legacy: HashMap<_, _> = placed_causes(&reports.legacy.issues)
        .map(|(.., cause)| (&cause.fingerprint, cause.score_impact))
        .collect();
    placed_causes(&reports.current.issues)
        .map(|(position, issue, ordinal, cause)| NewCause {
            position,
            issue,
            ordinal,
            cause: IssueCause {
                occurrences: Vec::new(),
                ..cause.clone()
            },
            score_impact_legacy: legacy.get(&cause.fingerprint).copied(),
        })
        .collect()
}

/// All occurrences of a report, as they are stored.
pub(crate) fn occurrences(reports: &ReportPair) -> Vec<NewOccurrence> {
    placed_causes(&reports.current.issues)
        .flat_map(|(position, .., cause)| {
            let occurrences = (0..).zip(&cause.occurrences);
            occurrences.map(move |(ordinal, occurrence)| NewOccurrence {
                cause: position,
                ordinal,
                occurrence: occurrence.clone(),
            })
        })
        .collect()
}

/// The number of occurrences included in a report.
pub(crate) fn occurrences_in(report: &Report) -> usize {
    let causes = report.issues.iter().flat_map(|issue| &issue.causes);
    causes.map(|cause| cause.occurrences.len()).sum()
}

/// Scores of a page that counts in three dimensions, with every digit and both ends of the scale.
pub(crate) fn page_scores() -> PageScores {
    PageScores([
        Some(Share::from_billionths(987_654_321)),
        None,
        None,
        Some(Share::ONE),
        None,
        Some(Share::ZERO),
    ])
}

/// `count` pages of every kind, as they are stored.
pub(crate) fn pages(count: u32) -> Vec<NewPage> {
    let page = |position: u32| NewPage {
        position,
        visit: PageVisit {
            url: format!("https://example.com/{position}"),
            status: (!position.is_multiple_of(5)).then_some(200),
            depth: (!position.is_multiple_of(3)).then_some(position),
            title: (!position.is_multiple_of(4)).then(|| format!("Page {position}")),
            bytes: (position % 4 > 1).then_some(u64::from(position) * 1_000),
            audited: position.is_multiple_of(2),
            leads_to: (position % 7 == 1).then(|| "https://example.com/".to_owned()),
            details: PageDetails {
                description: (!position.is_multiple_of(3)).then(|| format!("About {position}")),
                h1: (!position.is_multiple_of(4)).then(|| "Heading".to_owned()),
                canonical: (!position.is_multiple_of(5)).then(|| "https://example.com/".to_owned()),
                indexable: (!position.is_multiple_of(3)).then_some(position % 3 > 1),
                language: (!position.is_multiple_of(7)).then(|| "en".to_owned()),
                words: (!position.is_multiple_of(6)).then_some(position * 7 % 50),
                transfer_bytes: (!position.is_multiple_of(5))
                    .then_some(u64::from(position * 11 % 500)),
                response_ms: (!position.is_multiple_of(4)).then_some(position * 13 % 300),
                links_in: (!position.is_multiple_of(3)).then_some(position * 17 % 40),
                links_out: (!position.is_multiple_of(2)).then_some(position * 19 % 60),
            },
            scores: page_scores(),
            issues: position % 11,
            issues_legacy: position % 10,
        },
    };
    (0..count).map(page).collect()
}

/// Runs a function on several threads concurrently, and collects the results.
pub(crate) fn at_once<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let begin = std::sync::Barrier::new(threads);
    let (begin, work) = (&begin, &work);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|number| {
                scope.spawn(move || {
                    begin.wait();
                    work(number)
                })
            })
            .collect();
        let done = running.into_iter().map(|thread| thread.join().unwrap());
        done.collect()
    })
}
