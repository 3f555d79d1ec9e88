//! Migration of a database of an earlier version, and reading its reports.

use crate::support::{Ids, TestDatabase, after, new_org, new_run};
use chrono::TimeDelta;
use diesel::{Connection, PgConnection, SqliteConnection};
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use domain::audit_log::Actor;
use domain::id::{IssueId, OrgId, ReportId, RunId, WebhookId};
use domain::plan::{Period, Plan, PlanLimits, Plans, SELF_HOSTED};
use domain::ports::{
    Claim, JobKind, JobQueue, JobStore, LeaseStatus, OrgStore, QueueRules, RenderReservation,
    ReportDetail, ReportStore, RetentionStore, RunStore, StoredReport, WebhookStore, WorkerId,
};
use domain::render_allowance::{RenderAllowance, RenderLimit};
use domain::report::{
    INLINE_CAUSES, IssueState, MAX_CAUSES, MAX_OCCURRENCES, Report, ReportPair, Variant,
};
use domain::retention::RetentionChoice;
use domain::run::RunPhase;
use domain::score::DimensionWeights;
use domain::usecase::complete_run;
use domain::webhook::WebhookPatch;
use storage::{Database, DatabaseUrl, Expected};
use testkit::{FixedClock, sample};

/// The migration that gave causes a table of their own.
const CAUSES: &str = "2026-11-23-200001_create_causes";
/// The migration that moved all background work to one queue.
const JOBS: &str = "2026-11-25-100001_queue_all_jobs";
/// The migration that stores how many pages of a run a browser has shown.
const RENDERED: &str = "2026-11-27-200001_count_rendered_pages";

fn folder(name: &str) -> std::path::PathBuf {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("../../migrations").join(name)
}

/// Runs all migrations before one.
fn migrate_to_the_version_before(place: &TestDatabase, version: &str) {
    run_while(place, |migration| migration < version, |_| ());
}

/// Runs all migrations, one after the other, and does something after each.
pub(crate) fn run_pending(place: &TestDatabase, then: impl FnMut(&str)) {
    run_while(place, |_| true, then);
}

/// Runs the migrations whose names are wanted, in order, and does something after each.
fn run_while(place: &TestDatabase, is_wanted: impl Fn(&str) -> bool, mut then: impl FnMut(&str)) {
    fn run<C: Connection + MigrationHarness<C::Backend>>(
        connection: &mut C,
        name: &str,
        is_wanted: impl Fn(&str) -> bool,
        then: &mut impl FnMut(&str),
    ) where
        FileBasedMigrations: diesel::migration::MigrationSource<C::Backend>,
    {
        let source = FileBasedMigrations::from_path(folder(name)).unwrap();
        for migration in connection.pending_migrations(source).unwrap() {
            let name = migration.name().to_string();
            if is_wanted(&name) {
                connection.run_migration(&migration).unwrap();
                then(&name);
            }
        }
    }
    match &place.url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
            run(&mut connection, "sqlite", is_wanted, &mut then);
        }
        DatabaseUrl::Postgres(url) => {
            let mut connection = PgConnection::establish(url).unwrap();
            run(&mut connection, "postgresql", is_wanted, &mut then);
        }
    }
}

/// Reverts a migration and all later ones.
fn migrate_back(place: &TestDatabase, version: &str) {
    fn run<C: Connection + MigrationHarness<C::Backend>>(
        connection: &mut C,
        name: &str,
        version: &str,
    ) where
        FileBasedMigrations: diesel::migration::MigrationSource<C::Backend>,
    {
        let source = FileBasedMigrations::from_path(folder(name)).unwrap();
        let version = version.split_once('_').unwrap().0.replace('-', "");
        while (connection.applied_migrations().unwrap().iter())
            .any(|applied| applied.to_string() == version)
        {
            connection.revert_last_migration(source.clone()).unwrap();
        }
    }
    match &place.url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
            run(&mut connection, "sqlite", version);
        }
        DatabaseUrl::Postgres(url) => {
            run(
                &mut PgConnection::establish(url).unwrap(),
                "postgresql",
                version,
            );
        }
    }
}

/// A report of the earlier version, with one issue for each cause.
struct OldReport {
    org: OrgId,
    run: RunId,
    report: ReportId,
    /// In the order of the report.
    issues: Vec<IssueId>,
}

/// The check, the cause, the dimension, and the number of stored occurrences.
type OldIssue = (&'static str, &'static str, &'static str, usize);

const OLD_ISSUES: [OldIssue; 5] = [
    ("noindex", "", "seo", 1),
    ("broken-link", "/a", "content", 3),
    ("image-alt", "", "accessibility", 7),
    ("broken-link", "/b", "content", 2),
    ("llms-txt", "", "aiReadiness", 0),
];

/// A completed run with its report, as the previous version wrote them.
fn insert_old_report(place: &TestDatabase, issues: &str, occurrences: &str) -> OldReport {
    let [org, run, site, report] = ["org", "run", "site", "rep"].map(|prefix| {
        let ulid = domain::ports::IdSource::ulid(&Ids);
        format!("{prefix}_{ulid}")
    });
    let time = "'2026-11-20 12:00:00'";
    let weights =
        r#"{"performance":1,"accessibility":1,"seo":1,"security":1,"content":1,"ai_readiness":1}"#;
    let legacy =
        r#"{"performance":1,"accessibility":1,"seo":1,"security":1,"content":1,"ai_readiness":0}"#;
    let summaries = r#"{"overall":"It is so.","dimensions":{}}"#;
    let coverage = r#"{"mode":"static","complete":true,"stopped_by":null,"pages_discovered":10,"pages_fetched":10,"pages_audited":10,"requests":12,"skipped":[]}"#;
    let unjudged = r#"[{"check_id":"contrast","dimension":"accessibility","why":"not_run","reason":"it needs a browser"}]"#;
    let sum = |dimension: &str, check: &str, affected: u64, cap: &str| {
        let kept = 10 - affected;
        let lost = affected * 10;
        format!(
            r#"{{"dimension":"{dimension}","subscore":50,"sum_of_weights":7,"cap":{cap},"checks":[{{"check_id":"{check}","weight":7,"applicable":10,"affected":{affected},"score":"{kept}/10","deduction":"{lost}/1"}}]}}"#
        )
    };
    let cap = r#"{"maximum":40,"check_id":"noindex","reason":"no page can be indexed"}"#;
    let scoring = [
        sum("performance", "base", 0, "null"),
        sum("accessibility", "image-alt", 7, "null"),
        sum("seo", "noindex", 1, cap),
        sum("security", "base", 0, "null"),
        sum("content", "broken-link", 4, "null"),
        sum("aiReadiness", "llms-txt", 10, "null"),
    ]
    .join(",");
    place
        .execute(&format!(
            "INSERT INTO organizations (id, name, plan, created_at)
             VALUES ('{org}', 'Acme', 'self_hosted', {time});
             INSERT INTO sites (id, org_id, host, url, name, created_at)
             VALUES ('{site}', '{org}', 'example.com', 'https://example.com/', 'example.com', {time});
             INSERT INTO runs (id, org_id, site_id, url, trigger_kind, options, status, phase,
                               pages_discovered, pages_fetched, pages_audited, percent, created_at,
                               started_at, finished_at)
             VALUES ('{run}', '{org}', '{site}', 'https://example.com/', 'api', '{{}}', 'completed',
                     'done', 10, 10, 10, 100, {time}, {time}, {time});
             INSERT INTO reports (id, org_id, run_id, site_id, epoch, created_at, requested_url, url,
                                  overall_score, overall_score_legacy, performance, accessibility, seo,
                                  security, content, ai_readiness, weights, weights_legacy, coverage,
                                  unjudged, summaries, summaries_legacy, scoring, engine_version,
                                  catalogue_version)
             VALUES ('{report}', '{org}', '{run}', '{site}', 2, {time}, 'https://example.com/',
                     'https://example.com/', 55, 54, 100, 30, 40, 100, 60, 0, '{weights}', '{legacy}',
                     '{coverage}', '{unjudged}', '{summaries}', '{summaries}', '[{scoring}]', '0.1.0',
                     '1');"
        ))
        .unwrap();
    let mut ids = Vec::new();
    if issues.is_empty() {
        for (position, (check, cause, dimension, stored)) in (0..).zip(OLD_ISSUES) {
            let id = IssueId::make(&Ids);
            let legacy = match dimension {
                "aiReadiness" => "NULL",
                _ => "0.5",
            };
            place
                .execute(&format!(
                    "INSERT INTO issues (id, org_id, report_id, position, fingerprint, check_id,
                                         dimension, severity, confidence, effort, cause, title,
                                         description, why, recommendation, sources, affected,
                                         applicable, subject, affected_pages, score_impact,
                                         score_impact_legacy, occurrences_total, occurrences_stored,
                                         action_id)
                     VALUES ('{id}', '{org}', '{report}', {position}, 'print-{check}{cause}', '{check}',
                             '{dimension}', 'serious', 'high', 'small', '{cause}', 'Of {check}{cause}',
                             'On some pages. It matters.', 'It matters.', 'Repair it.', '[\"WCAG\"]', 3,
                             10, 'page', 3, 0.25, {legacy}, 2000, {stored}, NULL)"
                ))
                .unwrap();
            for ordinal in 0..stored {
                place
                    .execute(&format!(
                        "INSERT INTO occurrences (run_id, epoch, issue_position, ordinal, url, message)
                         VALUES ('{run}', 2, {position}, {ordinal},
                                 'https://example.com/{check}{cause}/{ordinal}', 'It is wrong.')"
                    ))
                    .unwrap();
            }
            ids.push(id);
        }
    } else {
        for sql in [issues, occurrences] {
            let sql = sql
                .replace("$ORG", &org)
                .replace("$REPORT", &report)
                .replace("$RUN", &run);
            place.execute(&sql).unwrap();
        }
    }
    OldReport {
        org: OrgId::parse(&org).unwrap(),
        run: RunId::parse(&run).unwrap(),
        report: ReportId::parse(&report).unwrap(),
        issues: ids,
    }
}

fn read(
    database: &Database,
    old: &OldReport,
    variant: Variant,
    detail: ReportDetail,
) -> StoredReport {
    let found = database.report(&old.org, &old.report, variant, detail);
    found.unwrap().unwrap()
}

/// Returns check, cause keys and number of occurrences of each issue.
fn outline(report: &Report) -> Vec<(&str, Vec<(&str, usize)>)> {
    let issues = report.issues.iter();
    issues
        .map(|issue| {
            let causes = issue.causes.iter();
            let causes = causes.map(|cause| (cause.key.as_str(), cause.occurrences.len()));
            (issue.check_id.as_str(), causes.collect())
        })
        .collect()
}

#[test]
fn a_report_of_the_version_before_is_read() {
    for place in TestDatabase::all() {
        migrate_to_the_version_before(&place, CAUSES);
        let old = insert_old_report(&place, "", "");
        let database = place.migrated();
        let found = read(&database, &old, Variant::Current, ReportDetail::Inline);
        assert_eq!(found.run_id, old.run);
        assert_eq!(
            outline(&found.report),
            [
                ("llms-txt", vec![("", 0)]),
                ("image-alt", vec![("", 5)]),
                ("noindex", vec![("", 1)]),
                ("broken-link", vec![("/a", 3), ("/b", 2)]),
            ]
        );
        let gains: Vec<_> = (found.report.issues.iter())
            .map(|issue| issue.score_impact)
            .collect();
        // A sixth of 100, of 70, of 100 - 40 (the cap that it set), of 40.
        assert_eq!(gains, [16.67, 11.67, 10.0, 6.67]);
        let places = [4, 2, 0, 1].map(|place: usize| old.issues[place].clone());
        let ids: Vec<_> = (found.issues.iter())
            .map(|issue| issue.issue_id.clone())
            .collect();
        assert_eq!(ids, places);
        let links = &found.report.issues[3];
        assert_eq!((links.causes_total, links.occurrences_total), (2, 4_000));
        assert_eq!((links.affected, links.affected_pages), (4, 4));
        assert_eq!(links.title, "Of broken-link/a");
        assert_eq!(
            links.description,
            "On 4 of 10 pages, 4,000 times. It matters."
        );
        assert_eq!(links.references, ["WCAG"]);
        assert_eq!((links.state, links.waived), (None, 0));
        let cause = &links.causes[1];
        assert_eq!(cause.message, "Of broken-link/b");
        assert_eq!(
            cause.occurrences[0].url,
            "https://example.com/broken-link/b/0"
        );
        assert_eq!((cause.score_impact, cause.state), (0.25, None));
        assert_eq!(found.report.unjudged[0].count, 1);

        let legacy = read(&database, &old, Variant::Legacy, ReportDetail::Whole);
        assert_eq!(
            outline(&legacy.report),
            [
                ("image-alt", vec![("", 7)]),
                ("noindex", vec![("", 1)]),
                ("broken-link", vec![("/a", 3), ("/b", 2)]),
            ]
        );
        assert_eq!(legacy.report.issues[0].score_impact, 14.0);
        assert_eq!(legacy.report.issues[2].causes[0].score_impact, 0.5);

        // It has no links and no folders, and nothing is known of how many there were.
        let links = database.links(&old.org, &old.report, None, None, 9);
        let links = links.unwrap().unwrap();
        assert_eq!((links.links.len(), links.count), (0, None));
        let redirects = database.redirects(&old.org, &old.report, None, 9);
        let redirects = redirects.unwrap().unwrap();
        assert_eq!((redirects.chains.len(), redirects.count), (0, None));
        let folders = database.folders(&old.org, &old.report);
        assert_eq!(folders, Ok(Some(Vec::new())));

        let list = |issue: &IssueId, cause: Option<&str>| {
            let issue = (&old.report, issue);
            database.occurrences(&old.org, issue, Variant::Current, cause, None, 50)
        };
        let all = list(&old.issues[1], None).unwrap().unwrap();
        assert_eq!(
            (all.occurrences.len(), all.total, all.stored),
            (5, 4_000, 5)
        );
        let one = list(&old.issues[1], Some("print-broken-link/b"));
        assert_eq!(one.unwrap().unwrap().occurrences.len(), 2);
        assert_eq!(list(&old.issues[3], None).unwrap(), None, "it was merged");
        let violations = database.violations(&Expected::default(), after(0)).unwrap();
        let about_causes = |what: &str| what.contains("cause") || what.contains("occurrence");
        assert!(!violations.iter().any(|found| about_causes(&found.what)));
    }
}

/// A report with `issues` issues of one check, and `occurrences` occurrences of the first one.
fn large(place: &TestDatabase, issues: u32, occurrences: u32) -> OldReport {
    let numbers = |count: u32| {
        format!(
            "WITH RECURSIVE numbers (n) AS (
                 SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {count})"
        )
    };
    let insert_issues = format!(
        "INSERT INTO issues (id, org_id, report_id, position, fingerprint, check_id, dimension,
                             severity, confidence, effort, cause, title, description, why,
                             recommendation, sources, affected, applicable, subject, affected_pages,
                             score_impact, score_impact_legacy, occurrences_total,
                             occurrences_stored, action_id)
         {} SELECT 'iss_' || substr(CAST(10000000000000 + n AS TEXT), 2) || '0123456789ABC',
                '$ORG', '$REPORT', n, 'print-' || n, 'csp', 'security', 'minor', 'high', 'small',
                'directive-' || n, 'Unknown directive ' || n, 'It is unknown.', 'It matters.',
                'Repair it.', '[]', 1, 1, 'page', 1, 0.0, 0.0, 1000,
                CASE WHEN n = 0 THEN {occurrences} ELSE 0 END, NULL FROM numbers",
        numbers(issues)
    );
    let insert_occurrences = format!(
        "INSERT INTO occurrences (run_id, epoch, issue_position, ordinal, url, message)
         {} SELECT '$RUN', 2, 0, n, 'https://example.com/' || n, 'It is wrong.' FROM numbers",
        numbers(occurrences)
    );
    insert_old_report(place, &insert_issues, &insert_occurrences)
}

#[test]
fn a_report_that_was_too_large_to_read_is_read_in_part() {
    for place in TestDatabase::all() {
        migrate_to_the_version_before(&place, CAUSES);
        let old = large(&place, 250_000, 1_200);
        let database = place.migrated();
        let inline = read(&database, &old, Variant::Current, ReportDetail::Inline).report;
        let [issue] = inline.issues.as_slice() else {
            panic!("{}", inline.issues.len());
        };
        assert_eq!(issue.causes_total, 250_000);
        assert_eq!(issue.occurrences_total, 250_000_000);
        assert_eq!(issue.causes.len(), INLINE_CAUSES);
        let whole = read(&database, &old, Variant::Legacy, ReportDetail::Whole).report;
        assert_eq!(whole.issues[0].causes.len(), MAX_CAUSES);
        let first = &whole.issues[0].causes[0];
        assert_eq!(first.occurrences.len(), MAX_OCCURRENCES);
    }
}

fn claimed(database: &Database, org: &OrgId) -> Claim {
    database.start_run(org, &new_run("example.com")).unwrap();
    let worker = WorkerId("a".to_owned());
    let claim = database.claim(&worker, &QueueRules::DEFAULT, after(1));
    claim.unwrap().unwrap()
}

#[test]
fn a_run_after_the_upgrade_is_compared_with_the_old_report() {
    for place in TestDatabase::all() {
        migrate_to_the_version_before(&place, CAUSES);
        let old = insert_old_report(&place, "", "");
        let database = place.migrated();
        let claim = claimed(&database, &old.org);
        let result = sample::audit_result();
        let clock = FixedClock::new(after(9));
        let held = complete_run(
            &database,
            &clock,
            &Ids,
            &DimensionWeights::default(),
            &claim,
            &result,
            &mut || Ok(domain::ports::LeaseStatus::Held),
        );
        assert_eq!(held, Ok(domain::ports::LeaseStatus::Held));
        let run = database.run(&old.org, &claim.run_id).unwrap().unwrap();
        let report = database.report(
            &old.org,
            run.report_id().unwrap(),
            Variant::Current,
            ReportDetail::Inline,
        );
        let issues = report.unwrap().unwrap().report.issues;
        let state = |check: &str| {
            let mut issues = issues.iter();
            issues.find(|issue| issue.check_id == check).unwrap().state
        };
        assert_eq!(state("image-alt"), Some(IssueState::Persisting));
        assert_eq!(state("cache-lifetime"), Some(IssueState::New));
        // The old report is removed in steps, with its causes and occurrences.
        while !(database.remove_runs(&old.org, after(9_000), 3).unwrap()).is_all {}
        let left = database.report(
            &old.org,
            &old.report,
            Variant::Current,
            ReportDetail::Inline,
        );
        assert_eq!(left.unwrap(), None);
        let violations = database.violations(&Expected::default(), after(10));
        let about_causes = |what: &str| what.contains("cause") || what.contains("occurrence");
        assert!(!(violations.unwrap().iter()).any(|found| about_causes(&found.what)));
    }
}

#[test]
fn causes_are_issues_again_where_the_migration_is_undone() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let claim = claimed(&database, &org);
        let result = sample::audit_result();
        let clock = FixedClock::new(after(9));
        let held = complete_run(
            &database,
            &clock,
            &Ids,
            &DimensionWeights::default(),
            &claim,
            &result,
            &mut || Ok(domain::ports::LeaseStatus::Held),
        );
        assert_eq!(held, Ok(domain::ports::LeaseStatus::Held));
        migrate_back(&place, CAUSES);
        drop(database);
        let database = place.migrated();
        let run = database.run(&org, &claim.run_id).unwrap().unwrap();
        let found = database.report(
            &org,
            run.report_id().unwrap(),
            Variant::Current,
            ReportDetail::Inline,
        );
        let found = found.unwrap().unwrap().report;
        let made = ReportPair::assemble(&result, &DimensionWeights::default()).current;
        let prints = |report: &Report| {
            let causes = report.issues.iter().flat_map(|issue| &issue.causes);
            let mut prints: Vec<_> = causes.map(|cause| cause.fingerprint.clone()).collect();
            prints.sort();
            prints
        };
        assert_eq!(prints(&found), prints(&made));
        for issue in &made.issues {
            let mut issues = found.issues.iter();
            let again = issues.find(|one| one.check_id == issue.check_id).unwrap();
            assert_eq!(again.score_impact, issue.score_impact, "{}", issue.check_id);
            assert_eq!(again.affected, issue.affected, "{}", issue.check_id);
        }
    }
}

/// Queued and running work, as the previous version wrote it: a claimed run; a queued brief and one that is being
/// generated; deliveries that are pending, being sent and ended; and enabled and disabled schedules.
fn insert_work_in_flight(place: &TestDatabase) -> OrgId {
    let ulid = |number: u32| format!("01KXZZ9Q80000000000000000{number}");
    let id = |prefix: &str, number: u32| format!("{prefix}_{}", ulid(number));
    let org = id("org", 1);
    let time = "'2026-11-21 12:00:00'";
    let mut sql = format!(
        "INSERT INTO organizations (id, name, plan, created_at)
         VALUES ('{org}', 'Acme', 'self_hosted', {time});"
    );
    for number in 1..=2 {
        let (site, action) = (id("site", number), id("act", number));
        let (status, lease) = match number {
            1 => ("queued", "NULL, NULL"),
            _ => ("generating", "'w-briefs', '2026-11-21 12:00:30'"),
        };
        let enabled = number == 1;
        sql += &format!(
            "INSERT INTO sites (id, org_id, host, url, name, created_at)
             VALUES ('{site}', '{org}', '{number}.example', 'https://{number}.example/', 'x', {time});
             INSERT INTO schedules (site_id, org_id, enabled, frequency, timezone, next_run_at)
             VALUES ('{site}', '{org}', {enabled}, 'daily', 'UTC', '2026-11-21 12:00:07');
             INSERT INTO actions (id, org_id, title, description, status, priority, comment_count,
                                  created_at, updated_at)
             VALUES ('{action}', '{org}', 'Do it', '', 'open', 1, 0, {time}, {time});
             INSERT INTO action_briefs (action_id, org_id, status, generation, queued_at, attempts,
                                        lease_owner, lease_expires_at)
             VALUES ('{action}', '{org}', '{status}', 1, '2026-11-21 12:00:0{number}', 1, {lease});"
        );
    }
    let (webhook, run, site) = (id("whk", 1), id("run", 1), id("site", 2));
    sql += &format!(
        "INSERT INTO webhooks (id, org_id, url, events, state, sealed_secret, created_at, updated_at)
         VALUES ('{webhook}', '{org}', 'https://hooks.example/', 'run.failed', 'enabled', '', {time},
                 {time});
         INSERT INTO runs (id, org_id, site_id, url, trigger_kind, options, status, phase,
                           pages_discovered, pages_fetched, pages_audited, percent, created_at,
                           started_at)
         VALUES ('{run}', '{org}', '{site}', 'https://2.example/', 'api', '{options}', 'running', 'crawling', 1, 1,
                 1, 5, {time}, {time});
         INSERT INTO usage_counters (org_id, period, runs) VALUES ('{org}', '2026-11', 1);
         INSERT INTO jobs (id, kind, subject_id, org_id, run_id, host, queued_at, available_at,
                           attempts, epoch, lease_owner, lease_process, lease_expires_at, deadline_at)
         VALUES ('job_{ulid}', 'run', '{run}', '{org}', '{run}', '2.example', {time}, {time}, 0, 4, 'w-1',
                 'w', '2026-11-21 12:00:30', '2026-11-21 12:10:00');",
        ulid = ulid(1),
        options = r#"{"max_pages":9,"max_depth":null,"mode":"static","device":"desktop","include":[],"exclude":[]}"#
    );
    for (number, status, next, finished, lease) in [
        (1, "pending", "'2026-11-21 12:00:03'", "NULL", "NULL, NULL"),
        (
            2,
            "pending",
            "'2026-11-21 12:00:04'",
            "NULL",
            "'w-courier', '2026-11-21 12:00:30'",
        ),
        (3, "delivered", "NULL", time, "NULL, NULL"),
    ] {
        let (event, delivery) = (id("evt", number + 5), id("dlv", number));
        sql += &format!(
            "INSERT INTO events (id, org_id, kind, facts, created_at)
             VALUES ('{event}', '{org}', 'test', '{{}}', {time});
             INSERT INTO deliveries (id, org_id, webhook_id, event_id, kind, status, attempts,
                                     next_attempt_at, created_at, finished_at, epoch, lease_owner,
                                     lease_expires_at)
             VALUES ('{delivery}', '{org}', '{webhook}', '{event}', 'test', '{status}', '[]', {next},
                     {time}, {finished}, 3, {lease});"
        );
    }
    place.execute(&sql).unwrap();
    OrgId::parse(&org).unwrap()
}

/// Returns the due jobs of a kind at a time in seconds after noon, by the last digit of their subjects.
fn due(database: &Database, kind: JobKind, second: i64) -> Vec<String> {
    let (worker, lease) = (WorkerId("b-1".to_owned()), TimeDelta::seconds(30));
    let claim = || database.claim_job(kind, &worker, lease, after(second));
    std::iter::from_fn(|| claim().unwrap())
        .map(|claim| claim.subject.chars().last().into_iter().collect())
        .collect()
}

#[test]
fn queued_and_running_work_continues_after_the_upgrade() {
    for place in TestDatabase::all() {
        migrate_to_the_version_before(&place, JOBS);
        let org = insert_work_in_flight(&place);
        let database = place.migrated();
        let expected = Expected::default();
        assert_eq!(database.violations(&expected, after(5)).unwrap(), []);
        // The leaseholders of before the upgrade have stopped.
        for (kind, second, found) in [
            (JobKind::Brief, 0, vec![]),
            (JobKind::Brief, 2, vec!["1", "2"]),
            (JobKind::Delivery, 4, vec!["1", "2"]),
            (JobKind::Schedule, 6, vec![]),
            (JobKind::Schedule, 7, vec!["1"]),
            (JobKind::Retention, 0, vec!["1"]),
        ] {
            assert_eq!(due(&database, kind, second), found, "{kind}");
        }
        // The lease of the run continues, and so does its epoch.
        let rules = QueueRules::DEFAULT;
        let claim = |second| {
            let worker = WorkerId("b-1".to_owned());
            database.claim(&worker, &rules, after(second)).unwrap()
        };
        assert_eq!(claim(29), None);
        let run = claim(31).unwrap();
        assert_eq!((run.epoch, run.org_id), (5, org.clone()));

        // After reverting and repeating the migration, the queue is the same.
        migrate_back(&place, JOBS);
        drop(database);
        let database = place.migrated();
        assert_eq!(database.violations(&expected, after(32)).unwrap(), []);
        assert_eq!(due(&database, JobKind::Brief, 2), ["1", "2"]);
        assert_eq!(due(&database, JobKind::Delivery, 4), ["1", "2"]);
        assert_eq!(due(&database, JobKind::Schedule, 7), ["1"]);

        // A delivery that was being sent can end, for example because its webhook is disabled.
        let webhook = WebhookId::parse("whk_01KXZZ9Q800000000000000001").unwrap();
        let off = WebhookPatch {
            enabled: Some(false),
            ..WebhookPatch::default()
        };
        let by = Actor::System;
        let patched = database.patch_webhook(&org, &webhook, &off, after(40), &by);
        assert!(patched.unwrap().is_some());
        assert!(due(&database, JobKind::Delivery, 99).is_empty());
        assert_eq!(database.violations(&expected, after(99)).unwrap(), []);
    }
}

#[test]
fn a_run_under_way_reserves_and_counts_rendered_pages_after_the_upgrade() {
    let plans = Plans::new([Plan {
        name: SELF_HOSTED.to_owned(),
        limits: PlanLimits {
            monthly_rendered_pages: Some(40),
            ..PlanLimits::default()
        },
        paid: true,
        retention: RetentionChoice::default(),
    }]);
    for place in TestDatabase::all() {
        migrate_to_the_version_before(&place, JOBS);
        let org = insert_work_in_flight(&place);
        migrate_to_the_version_before(&place, RENDERED);
        let database = place.migrated();
        let used = |database: &Database| {
            let usage = database.usage(&org, Period::containing(after(0))).unwrap();
            (usage.monthly_runs, usage.monthly_rendered_pages)
        };
        assert_eq!(used(&database), (1, 0));
        let worker = WorkerId("b-1".to_owned());
        let claim = database.claim(&worker, &QueueRules::DEFAULT, after(31));
        let claim = claim.unwrap().unwrap();
        let run = database.run(&org, &claim.run_id).unwrap().unwrap();
        let mut progress = run.progress;
        assert_eq!(progress.phase, RunPhase::Crawling);
        assert_eq!(
            (progress.pages_rendered, progress.pages_measured),
            (0, None)
        );
        let reservation = database.reserve_rendering(&claim, &plans).unwrap();
        let allowance = RenderAllowance {
            pages: 40,
            limit: RenderLimit::Month,
        };
        assert_eq!(reservation, RenderReservation::Reserved(Some(allowance)));
        assert_eq!(used(&database), (1, 9), "as many pages as the run audits");
        progress.pages_rendered = 4;
        let held = database.heartbeat(&claim, &progress, &QueueRules::DEFAULT, after(32));
        assert_eq!(held.unwrap(), LeaseStatus::Held);
        assert_eq!(
            database
                .violations(&Expected::default(), after(32))
                .unwrap(),
            []
        );

        // The version before goes on with the run, and so does this one again.
        migrate_back(&place, RENDERED);
        drop(database);
        let database = place.migrated();
        assert_eq!(used(&database), (1, 0));
        let run = database.run(&org, &claim.run_id).unwrap().unwrap();
        assert_eq!(run.progress.pages_rendered, 0);
        assert!(
            database
                .cancel_run(&org, &claim.run_id, after(40))
                .unwrap()
                .is_some()
        );
        assert_eq!(used(&database), (1, 0));
        assert_eq!(
            database
                .violations(&Expected::default(), after(40))
                .unwrap(),
            []
        );
    }
}
