//! The life cycle of runs, as far as the two databases differ.

use std::collections::BTreeMap;
use std::sync::Barrier;

use crate::support::{Ids, TestDatabase, after, new_org, new_run, noon};
use chrono::TimeDelta;
use domain::SubjectKind;
use domain::action::{PageKey, RunCoverage};
use domain::id::{IssueId, OrgId, ReportId};
use domain::plan::{LimitHit, Period, PlanLimits};
use domain::ports::{
    Claim, CompletedRun, Health, JobQueue, LeaseStatus, NewCause, NewOccurrence, OrgStore,
    QueueRules, ReportDetail, ReportStore, RunStore, SiteStore, StartRunError, WorkerId,
};
use domain::report::{
    AuditResult, Coverage, CrawlMode, Finding, FindingCause, INLINE_OCCURRENCES, LabMetrics,
    LabProfile, LabSpread, Occurrence, PageMeasurement, ReportPair, StoppedBy, Unjudged,
    UnjudgedCheck, Variant,
};
use domain::run::{Device, RunError, RunPhase, RunProgress, RunStatus};
use domain::score::{Cap, DimensionWeights, Metric, MetricGrades, MetricTally, Share, Tallies};
use domain::{Confidence, Dimension, Severity};
use storage::Database;

const RULES: QueueRules = QueueRules::DEFAULT;

fn worker(name: &str) -> WorkerId {
    WorkerId(name.to_owned())
}

/// Runs a test on each database, migrated and with an organization.
fn on_all(test: impl Fn(&Database, &OrgId)) {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        test(&database, &org);
    }
}

fn claimed(database: &Database, org: &OrgId) -> Claim {
    database.start_run(org, &new_run("example.com")).unwrap();
    database
        .claim(&worker("a"), &RULES, after(1))
        .unwrap()
        .unwrap()
}

fn occurrence(number: usize) -> Occurrence {
    Occurrence {
        url: format!("https://example.com/{number}"),
        selector: number.is_multiple_of(2).then(|| "main > img".to_owned()),
        snippet: Some("<img src=\"a.png\">".to_owned()),
        line: u32::try_from(number).ok(),
        message: "The image has no alt attribute.".to_owned(),
        waiver: None,
        artifact: None,
    }
}

fn finding(check_id: &str, dimension: Dimension, occurrences: usize) -> Finding {
    Finding {
        check_id: check_id.to_owned(),
        dimension,
        severity: Severity::Serious,
        confidence: Confidence::Medium,
        effort: "small".to_owned(),
        title: format!("Finding of {check_id}"),
        why: "People are hindered.".to_owned(),
        fix: "Repair it.".to_owned(),
        references: vec!["WCAG 2.2, 1.1.1".to_owned()],
        affected: 1,
        applicable: 3,
        subject: SubjectKind::Page,
        pages: [PageKey::from_url("https://example.com/0")].into(),
        occurrences_total: 5_000,
        causes_total: 1,
        causes: vec![FindingCause {
            key: String::new(),
            title: format!("Finding of {check_id}"),
            affected: 1,
            occurrences_total: 5_000,
            occurrences: (0..occurrences).map(occurrence).collect(),
            waived: 0,
        }],
        waived: 0,
    }
}

/// Two measured pages with a grade of 97 hundredths in each metric.
fn metrics() -> MetricTally {
    let mut grades = MetricGrades::default();
    for metric in Metric::ALL {
        grades.set(metric, 97);
    }
    MetricTally::of_pages([grades, grades])
}

fn result() -> AuditResult {
    let findings = vec![
        finding("image-alt", Dimension::Accessibility, 70),
        finding("llms-txt", Dimension::AiReadiness, 1),
        finding("noindex", Dimension::Seo, 0),
    ];
    let unjudged = |dimension, why| UnjudgedCheck {
        check_id: "lcp".to_owned(),
        dimension,
        why,
        count: 3,
    };
    AuditResult {
        requested_url: "https://example.com/".to_owned(),
        url: "https://example.com/start".to_owned(),
        coverage: Coverage {
            mode: CrawlMode::Static,
            complete: false,
            stopped_by: Some(StoppedBy::PageCap),
            pages_discovered: 9,
            pages_fetched: 4,
            pages_audited: 3,
            pages_rendered: 0,
            measured: vec![PageMeasurement {
                url: "https://example.com/start".to_owned(),
                profile: LabProfile::Desktop,
                runs: 3,
                metrics: LabMetrics {
                    ttfb_ms: Some(80),
                    fcp_ms: Some(400),
                    lcp_ms: Some(900),
                    cls_thousandths: Some(12),
                    tbt_ms: Some(0),
                    speed_index_ms: None,
                    inp_proxy_ms: Some(30),
                    main_thread_ms: Some(250),
                },
                spread: LabSpread::of(&[
                    LabMetrics {
                        lcp_ms: Some(850),
                        ..LabMetrics::default()
                    },
                    LabMetrics {
                        lcp_ms: Some(1_000),
                        tbt_ms: Some(20),
                        ..LabMetrics::default()
                    },
                ]),
                score: Some(Share::from_hundredths(97)),
                confidence: Confidence::High,
                benchmark: 1_500,
            }],
            requests: 12,
            skipped: vec![("robots".to_owned(), 2)],
        },
        tallies: Tallies {
            metrics: Some(metrics()),
            ..Tallies::of_findings(3, &findings)
        },
        caps: vec![Cap {
            dimension: Dimension::Seo,
            maximum: 10,
            check_id: "noindex".to_owned(),
            reason: "no page can be indexed".to_owned(),
        }],
        findings,
        unjudged: vec![
            unjudged(Dimension::AiReadiness, Unjudged::CannotTell("x".to_owned())),
            unjudged(
                Dimension::Performance,
                Unjudged::NotRun("no browser".to_owned()),
            ),
        ],
        pages: Vec::new(),
        links: domain::report::SiteLinks::default(),
        artifacts: Vec::new(),
        catalogue: Vec::new(),
        engine_version: "0.1.0".to_owned(),
        catalogue_version: "7".to_owned(),
        waivers: Vec::new(),
    }
}

fn completed(result: &AuditResult) -> CompletedRun {
    let weights = DimensionWeights {
        security: 0,
        seo: 3,
        ..DimensionWeights::EQUAL
    };
    let reports = ReportPair::assemble(result, &weights);
    CompletedRun {
        report_id: ReportId::make(&Ids),
        issue_ids: (reports.current.issues.iter())
            .map(|_| IssueId::make(&Ids))
            .collect(),
        coverage: RunCoverage::from_result(result, &reports.current, Device::Mobile),
        links: result.links.counts,
        reports,
        progress: RunProgress {
            phase: RunPhase::Done,
            pages_discovered: 9,
            pages_fetched: 4,
            pages_audited: 3,
            pages_rendered: 0,
            pages_measured: None,
            seconds_left: None,
            percent: 100,
        },
    }
}

/// The only cause of each issue.
fn causes(completed: &CompletedRun) -> Vec<NewCause> {
    let legacy = &completed.reports.legacy.issues;
    (0_u32..)
        .zip((completed.reports.current.issues.iter()).flat_map(|issue| &issue.causes))
        .map(|(position, cause)| NewCause {
            position,
            issue: position,
            ordinal: 0,
            cause: cause.clone(),
            score_impact_legacy: (legacy.iter().flat_map(|issue| &issue.causes))
                .find(|known| known.fingerprint == cause.fingerprint)
                .map(|known| known.score_impact),
        })
        .collect()
}

fn occurrences(completed: &CompletedRun) -> Vec<NewOccurrence> {
    let causes = completed.reports.current.issues.iter();
    (0_u32..)
        .zip(causes.flat_map(|issue| &issue.causes))
        .flat_map(|(cause, content)| {
            (0_u32..)
                .zip(&content.occurrences)
                .map(move |(ordinal, occurrence)| NewOccurrence {
                    cause,
                    ordinal,
                    occurrence: occurrence.clone(),
                })
        })
        .collect()
}

#[test]
fn a_run_goes_from_start_to_report() {
    on_all(|database, org| {
        let claim = claimed(database, org);
        let completed = completed(&result());
        let batch = occurrences(&completed);
        // The worker may not know that the first attempt succeeded.
        for _ in 0..2 {
            let causes = causes(&completed);
            assert_eq!(
                database.write_causes(&claim, &causes).unwrap(),
                LeaseStatus::Held
            );
            assert_eq!(
                database.write_occurrences(&claim, &batch).unwrap(),
                LeaseStatus::Held
            );
        }
        let held = database
            .complete(&claim, &completed, &crate::support::Ids, after(60))
            .unwrap();
        assert_eq!(held, LeaseStatus::Held);

        let run = database.run(org, &claim.run_id).unwrap().unwrap();
        assert_eq!(run.state.status(), RunStatus::Completed);
        assert_eq!(run.report_id(), Some(&completed.report_id));
        assert_eq!(run.progress, completed.progress);
        for (variant, mut expected) in [
            (Variant::Current, completed.reports.current.clone()),
            (Variant::Legacy, completed.reports.legacy.clone()),
        ] {
            for issue in &mut expected.issues {
                issue.pages.clear();
                issue.causes[0].occurrences.truncate(INLINE_OCCURRENCES);
            }
            let stored = database
                .report(org, &completed.report_id, variant, ReportDetail::Inline)
                .unwrap();
            let stored = stored.unwrap();
            assert_eq!(stored.report, expected);
            assert_eq!(stored.run_id, claim.run_id);
            assert_eq!(stored.created_at, after(60));
            assert_eq!(stored.issues.len(), expected.issues.len());
        }
        let sites = database.sites(org, Variant::Current).unwrap();
        assert_eq!(sites[0].latest_run, Some(run));
        assert_eq!(sites[0].latest_scores, Some(completed.reports.scores()));
        let history = database.history(org, &claim.site_id, 5).unwrap().unwrap();
        assert_eq!(history[0].scores, sites[0].latest_scores);
        assert_eq!(history[0].lab.as_ref(), result().coverage.measured.first());
        let schedule = database.schedule(org, &claim.site_id).unwrap().unwrap();
        assert!(!schedule.enabled);
        database.ready().unwrap();
    });
}

#[test]
fn rows_of_a_lost_epoch_are_removed() {
    on_all(|database, org| {
        let stale = claimed(database, org);
        let completed = completed(&result());
        let batch = occurrences(&completed);
        let causes = causes(&completed);
        assert_eq!(
            database.write_causes(&stale, &causes),
            Ok(LeaseStatus::Held)
        );
        assert_eq!(
            database.write_occurrences(&stale, &batch),
            Ok(LeaseStatus::Held)
        );
        let later = after(1) + RULES.lease;
        let claim = database.claim(&worker("a-2"), &RULES, later).unwrap();
        let claim = claim.unwrap();
        assert_eq!((claim.epoch, claim.attempt, claim.alone), (2, 1, true));
        for lost in [
            database.write_causes(&stale, &causes),
            database.write_occurrences(&stale, &batch),
            database.complete(&stale, &completed, &crate::support::Ids, later),
            database.fail(&stale, &RunError::internal(), later),
            database.hand_back(&stale, domain::ports::HandBack::Stopped, later),
            database.heartbeat(&stale, &completed.progress, &RULES, later),
        ] {
            assert_eq!(lost, Ok(LeaseStatus::Lost));
        }
        assert_eq!(
            database.complete(&claim, &completed, &crate::support::Ids, later),
            Ok(LeaseStatus::Held)
        );
        let stored = database.report(
            org,
            &completed.report_id,
            Variant::Current,
            ReportDetail::Inline,
        );
        let issues = stored.unwrap().unwrap().report.issues;
        assert!(issues.iter().all(|issue| issue.causes.is_empty()));
    });
}

#[test]
fn nothing_is_done_under_a_claim_that_was_given_back() {
    on_all(|database, org| {
        let claim = claimed(database, org);
        assert_eq!(
            database.hand_back(&claim, domain::ports::HandBack::Stopped, after(2)),
            Ok(LeaseStatus::Held)
        );
        assert_eq!(
            database.hand_back(&claim, domain::ports::HandBack::Stopped, after(2)),
            Ok(LeaseStatus::Lost)
        );
        let again = database.claim(&worker("a-2"), &RULES, after(2)).unwrap();
        let again = again.unwrap();
        assert_eq!((again.epoch, again.attempt), (2, 1));
        let run = database.run(org, &again.run_id).unwrap().unwrap();
        assert_eq!(run.state.started_at(), Some(after(1)));
    });
}

#[test]
fn a_run_that_fails_internally_is_not_counted() {
    on_all(|database, org| {
        let claim = claimed(database, org);
        let month = Period::containing(noon());
        assert_eq!(database.usage(org, month).unwrap().monthly_runs, 1);
        let next_month = noon() + TimeDelta::days(30);
        let failed = database.fail(&claim, &RunError::internal(), next_month);
        assert_eq!(failed, Ok(LeaseStatus::Held));
        assert_eq!(database.usage(org, month).unwrap().monthly_runs, 0);
    });
}

#[test]
fn reaping_ends_each_run_once() {
    on_all(|database, org| {
        let late = claimed(database, org);
        let alive = late.deadline_at;
        let beat = database.heartbeat(&late, &RunProgress::QUEUED, &RULES, alive);
        assert_eq!(beat, Ok(LeaseStatus::Held));
        let rules = QueueRules {
            max_attempts: 1,
            ..RULES
        };
        database.start_run(org, &new_run("example.com")).unwrap();
        let dead = database.claim(&worker("a-2"), &rules, after(2)).unwrap();
        let fault = domain::ports::HandBack::Fault;
        let held = database.hand_back(dead.as_ref().unwrap(), fault, after(3));
        assert_eq!(held, Ok(LeaseStatus::Held));
        let now = alive + TimeDelta::seconds(1);
        let reaped = database.reap(&rules, now).unwrap();
        assert_eq!((reaped.past_deadline, reaped.given_up), (1, 1));
        assert_eq!(database.reap(&rules, now).unwrap(), Default::default());
        let run = |id| database.run(org, id).unwrap().unwrap();
        let code = |id| run(id).state.error().unwrap().clone();
        assert_eq!(code(&late.run_id), RunError::past_deadline());
        assert_eq!(code(&dead.unwrap().run_id), RunError::internal());
    });
}

#[test]
fn a_run_that_cannot_be_read_is_ended_and_the_next_is_claimed() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let start = || database.start_run(&org, &new_run("example.com")).unwrap();
        let (unreadable, next) = (start().run_id, start().run_id);
        let turbo = r#"{"max_pages":1,"max_depth":null,"mode":"turbo","device":"desktop","include":[],"exclude":[]}"#;
        let set_options = |options: &str| {
            place.execute(&format!(
                "UPDATE runs SET options = '{options}' WHERE id = '{unreadable}'"
            ))
        };
        set_options(turbo).unwrap();

        let claim = database.claim(&worker("a"), &RULES, after(1)).unwrap();
        assert_eq!(claim.unwrap().run_id, next);
        assert_eq!(database.claim(&worker("a-2"), &RULES, after(1)), Ok(None));
        let month = Period::containing(noon());
        assert_eq!(database.usage(&org, month).unwrap().monthly_runs, 1);
        set_options(&turbo.replace("turbo", "static")).unwrap();
        let run = database.run(&org, &unreadable).unwrap().unwrap();
        assert_eq!(run.state.error(), Some(&RunError::internal()));
    }
}

#[test]
fn a_run_that_cannot_be_ended_does_not_block_the_reaper() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let rules = QueueRules {
            max_attempts: 1,
            ..RULES
        };
        let fault = domain::ports::HandBack::Fault;
        let claims: Vec<Claim> = (0..3).map(|_| claimed(&database, &org)).collect();
        // A run that has ended but still has a job.
        place
            .execute(&format!(
                "UPDATE runs SET status = 'completed', finished_at = started_at WHERE id = '{}'",
                claims[0].run_id
            ))
            .unwrap();
        for claim in &claims {
            let held = database.hand_back(claim, fault, after(2));
            assert_eq!(held, Ok(LeaseStatus::Held));
        }
        let reaped = database.reap(&rules, after(1) + RULES.lease);
        assert!(reaped.is_err(), "{reaped:?}");
        for claim in &claims[1..] {
            let run = database.run(&org, &claim.run_id).unwrap().unwrap();
            assert_eq!(run.state.error(), Some(&RunError::internal()));
        }
    }
}

#[test]
fn concurrent_claims_claim_each_run_once() {
    const RUNS: usize = 40;
    on_all(|database, org| {
        for _ in 0..RUNS {
            database.start_run(org, &new_run("example.com")).unwrap();
        }
        let together = Barrier::new(4);
        let claims: Vec<Claim> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|number| {
                    let (name, together) = (worker(&format!("w-{number}")), &together);
                    scope.spawn(move || {
                        together.wait();
                        std::iter::from_fn(|| database.claim(&name, &RULES, after(1)).unwrap())
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            let done = workers.into_iter().map(|worker| worker.join().unwrap());
            done.flatten().collect()
        });
        let mut by_run = BTreeMap::new();
        for claim in &claims {
            *by_run.entry(claim.run_id.clone()).or_insert(0) += 1;
            assert_eq!(claim.epoch, 1);
        }
        assert_eq!(by_run.len(), RUNS);
        assert!(by_run.values().all(|count| *count == 1), "{by_run:?}");
    });
}

#[test]
fn only_one_of_concurrent_starts_gets_the_last_site() {
    on_all(|database, org| {
        let limits = PlanLimits {
            sites: Some(2),
            monthly_runs: None,
            ..PlanLimits::default()
        };
        database.start_run(org, &new_run("first.example")).unwrap();
        let together = Barrier::new(20);
        let started: usize = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..20)
                .map(|number| {
                    let mut run = new_run(&format!("host-{number}.example"));
                    run.limits = limits;
                    let together = &together;
                    scope.spawn(move || {
                        together.wait();
                        match database.start_run(org, &run) {
                            Ok(_) => 1,
                            Err(StartRunError::LimitHit(LimitHit::Sites(2))) => 0,
                            Err(other) => panic!("{other:?}"),
                        }
                    })
                })
                .collect();
            starts.into_iter().map(|start| start.join().unwrap()).sum()
        });
        assert_eq!(started, 1);
        let usage = database.usage(org, Period::containing(noon())).unwrap();
        assert_eq!((usage.sites, usage.monthly_runs), (2, 2));
    });
}

#[test]
fn nul_in_what_a_site_says_is_replaced() {
    on_all(|database, org| {
        let claim = claimed(database, org);
        let mut result = result();
        result.findings[0].title = "a\0b".to_owned();
        result.findings[0].causes[0].occurrences[0].message = "c\0d".to_owned();
        let completed = completed(&result);
        let causes = causes(&completed);
        assert_eq!(
            database.write_causes(&claim, &causes),
            Ok(LeaseStatus::Held)
        );
        let batch = occurrences(&completed);
        assert_eq!(
            database.write_occurrences(&claim, &batch),
            Ok(LeaseStatus::Held)
        );
        assert_eq!(
            database.complete(&claim, &completed, &crate::support::Ids, after(9)),
            Ok(LeaseStatus::Held)
        );
        let stored = database.report(
            org,
            &completed.report_id,
            Variant::Current,
            ReportDetail::Inline,
        );
        let issues = stored.unwrap().unwrap().report.issues;
        let issue = issues.iter().find(|issue| issue.check_id == "image-alt");
        let issue = issue.unwrap();
        assert_eq!(issue.title, "a\u{fffd}b");
        assert_eq!(issue.causes[0].occurrences[0].message, "c\u{fffd}d");
    });
}
