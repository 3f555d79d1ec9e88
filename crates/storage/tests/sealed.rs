//! Header values in the databases: encrypted, bound to their row, erased when the run has ended.

use std::collections::BTreeMap;
use std::sync::Barrier;

use crate::support::{Ids, TestDatabase, after, new_org, new_run, noon};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use diesel::{PgConnection, SqliteConnection};
use domain::audit_log::Actor;
use domain::event::EventKind;
use domain::id::{OrgId, RunId, SiteId, WebhookId};
use domain::idempotency::{
    Fingerprint, IdempotencyKey, Idempotent, IdempotentCall, IdempotentWrite, StoredAnswer,
};
use domain::plan::{Period, PlanLimits};
use domain::ports::{
    Claim, JobQueue, LeaseStatus, NewRun, NewWebhook, OrgStore, QueueRules, RunStore, SiteRef,
    SiteStore, StartRunError, StoreError, WebhookStore, WorkerId,
};
use domain::report::Variant;
use domain::run::{
    AskedOptions, HIDDEN, RequestHeaders, RunError, RunOptions, RunProgress, RunStatus,
};
use domain::site::SitePatch;
use domain::webhook::{Webhook, WebhookSecret, WebhookState};
use storage::{Database, DatabaseUrl, SecretKey};

const RULES: QueueRules = QueueRules::DEFAULT;
const KEY: SecretKey = SecretKey::new([7; 32]);
/// The secret that must not appear anywhere.
const VALUE: &str = "hunter2";

fn headers() -> RequestHeaders {
    let value = format!("Bearer {VALUE}");
    RequestHeaders::stored(BTreeMap::from([("authorization".to_owned(), value)]))
}

fn run_with_headers() -> NewRun {
    NewRun {
        options: RunOptions {
            headers: headers(),
            ..RunOptions::with_max_pages(10)
        },
        ..new_run("example.com")
    }
}

fn start(database: &Database, org: &OrgId) -> RunId {
    let run = run_with_headers();
    database.start_run(org, &run).unwrap().run_id
}

fn claim(database: &Database, second: i64) -> Option<Claim> {
    let worker = WorkerId("a".to_owned());
    database.claim(&worker, &RULES, after(second)).unwrap()
}

fn set_defaults(database: &Database, org: &OrgId, site: &SiteId) -> Result<bool, StoreError> {
    let patch = SitePatch {
        name: None,
        options: Some(AskedOptions {
            headers: Some(headers()),
            ..AskedOptions::default()
        }),
    };
    database.patch_site(org, site, &patch, noon(), &Actor::System)
}

#[derive(QueryableByName)]
struct Cell {
    #[diesel(sql_type = Nullable<Text>)]
    cell: Option<String>,
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
}

macro_rules! cells {
    ($connection:expr, $columns:expr) => {{
        let mut connection = $connection;
        let columns: Vec<Column> = diesel::sql_query($columns).load(&mut connection).unwrap();
        assert!(columns.len() > 100);
        let mut cells = Vec::new();
        for Column {
            table_name,
            column_name,
        } in columns
        {
            let sql =
                format!("SELECT CAST(\"{column_name}\" AS TEXT) AS cell FROM \"{table_name}\"");
            let column: Vec<Cell> = diesel::sql_query(sql).load(&mut connection).unwrap();
            cells.extend(column.into_iter().filter_map(|row| row.cell));
        }
        cells
    }};
}

/// All cells of the database, as text.
fn cells(place: &TestDatabase) -> Vec<String> {
    match &place.url {
        DatabaseUrl::Sqlite(path) => cells!(
            SqliteConnection::establish(path.to_str().unwrap()).unwrap(),
            "SELECT t.name AS table_name, c.name AS column_name
             FROM sqlite_schema t, pragma_table_info(t.name) c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'"
        ),
        DatabaseUrl::Postgres(url) => cells!(
            PgConnection::establish(url).unwrap(),
            "SELECT table_name::text, column_name::text
             FROM information_schema.columns WHERE table_schema = 'public'"
        ),
    }
}

/// Counts the cells with sealed values.
fn sealed(place: &TestDatabase) -> usize {
    let cells = cells(place);
    cells.iter().filter(|cell| cell.starts_with("v1:")).count()
}

fn assert_nowhere_in_plain(place: &TestDatabase) {
    let hex: String = VALUE.bytes().map(|byte| format!("{byte:02x}")).collect();
    for cell in cells(place) {
        assert!(!cell.contains(VALUE) && !cell.contains(&hex), "{cell}");
    }
}

#[test]
fn values_are_nowhere_in_plain() {
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        start(&database, &org);
        let claim = claim(&database, 1).unwrap();
        assert_eq!(claim.options.headers, headers());
        assert!(set_defaults(&database, &org, &claim.site_id).unwrap());
        assert_nowhere_in_plain(&place);
        assert_eq!(sealed(&place), 2);
        // The search does find plain text.
        let rename = format!("UPDATE sites SET name = 'x{VALUE}x'");
        place.execute(&rename).unwrap();
        assert!(cells(&place).iter().any(|cell| cell.contains(VALUE)));
    }
}

#[test]
fn values_are_erased_however_a_run_ends() {
    type End = fn(&Database, &OrgId, &RunId);
    let ends: [(RunStatus, End); 6] = [
        (RunStatus::Cancelled, |database, org, run| {
            database.cancel_run(org, run, after(1)).unwrap();
        }),
        (RunStatus::Cancelled, |database, org, run| {
            claim(database, 1).unwrap();
            database.cancel_run(org, run, after(2)).unwrap();
        }),
        (RunStatus::Failed, |database, _, _| {
            let claim = claim(database, 1).unwrap();
            let failed = database.fail(&claim, &RunError::internal(), after(2));
            assert_eq!(failed, Ok(LeaseStatus::Held));
        }),
        (RunStatus::Failed, |database, _, _| {
            // Past its deadline.
            let claim = claim(database, 1).unwrap();
            let late = claim.deadline_at;
            let beat = database.heartbeat(&claim, &RunProgress::QUEUED, &RULES, late);
            assert_eq!(beat, Ok(LeaseStatus::Held));
            let reaped = database.reap(&RULES, late + RULES.lease / 2).unwrap();
            assert_eq!(reaped.past_deadline, 1);
        }),
        (RunStatus::Failed, |database, _, _| {
            // Failed after its last attempt.
            for attempt in 0..3 {
                let second = 1 + attempt * 60;
                let claim = claim(database, second).unwrap();
                let held =
                    database.hand_back(&claim, domain::ports::HandBack::Fault, after(second + 1));
                assert_eq!(held, Ok(LeaseStatus::Held));
            }
            let reaped = database.reap(&RULES, after(300)).unwrap();
            assert_eq!(reaped.given_up, 1);
        }),
        (RunStatus::Completed, |database, _, _| {
            let claim = claim(database, 1).unwrap();
            let result = testkit::sample::clean_audit_result();
            let completed = testkit::sample::completed_run(&Ids, &result);
            let held = database.complete(&claim, &completed, &Ids, after(2));
            assert_eq!(held, Ok(LeaseStatus::Held));
        }),
    ];
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        for (status, end) in &ends {
            let id = start(&database, &org);
            assert_eq!(sealed(&place), 1);
            end(&database, &org, &id);
            assert_eq!(sealed(&place), 0, "{status:?}");
            let run = database.run(&org, &id).unwrap().unwrap();
            assert_eq!(run.state.status(), *status);
            let shown = run.options.headers.expose();
            assert_eq!(shown["authorization"], HIDDEN);
        }
    }
}

#[test]
fn no_run_that_has_ended_can_have_values() {
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        let id = start(&database, &org);
        database.cancel_run(&org, &id, after(1)).unwrap();
        let error = place
            .execute("UPDATE runs SET sealed_headers = 'v1:00'")
            .unwrap_err();
        assert!(error.to_lowercase().contains("check"), "{error}");
    }
}

#[test]
fn without_a_key_headers_are_refused_and_all_else_works() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let says_why = |error: StoreError| {
            assert!(matches!(error, StoreError::Failed(_)));
            let text = error.to_string();
            assert!(text.contains("secret key"), "{text}");
        };
        match database.start_run(&org, &run_with_headers()) {
            Err(StartRunError::Store(error)) => says_why(error),
            other => panic!("{other:?}"),
        }
        assert_eq!(database.sites(&org, Variant::Current).unwrap(), []);
        let started = database.start_run(&org, &new_run("example.com")).unwrap();
        says_why(set_defaults(&database, &org, &started.site_id).unwrap_err());
        assert!(claim(&database, 1).is_some());

        // Headers stored by another process can be listed, but not decrypted.
        let other = place.connect().with_secret(KEY);
        assert!(set_defaults(&other, &org, &started.site_id).unwrap());
        let site = SiteRef::Id(&started.site_id);
        says_why(database.site_defaults(&org, &site).unwrap_err());
    }
}

#[test]
fn a_run_whose_headers_cannot_be_opened_is_ended_and_the_next_is_claimed() {
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        let unreadable = start(&database, &org);
        let site = database.run(&org, &unreadable).unwrap().unwrap().site_id;
        assert!(set_defaults(&database, &org, &site).unwrap());
        let next = database.start_run(&org, &new_run("example.com")).unwrap();
        let stranger = place.connect().with_secret(SecretKey::new([8; 32]));
        assert_eq!(claim(&stranger, 1).unwrap().run_id, next.run_id);
        let run = database.run(&org, &unreadable).unwrap().unwrap();
        assert_eq!(run.state.error(), Some(&RunError::internal()));
        // The failure is internal, so the run is not counted; and no value is left.
        let month = Period::containing(noon());
        assert_eq!(database.usage(&org, month).unwrap().monthly_runs, 1);
        assert_eq!(sealed(&place), 1);
        let refused = stranger.site_defaults(&org, &SiteRef::Id(&site));
        let text = refused.unwrap_err().to_string();
        assert!(text.contains("different secret key"), "{text}");
    }
}

#[test]
fn a_stored_response_with_a_secret_is_nowhere_in_plain() {
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        let new = NewWebhook {
            webhook: Webhook {
                id: WebhookId::make(&Ids),
                org_id: org.clone(),
                url: "https://example.com/hook".to_owned(),
                events: [EventKind::RunFailed].into(),
                state: WebhookState::Enabled,
                created_at: noon(),
                updated_at: noon(),
            },
            secret: WebhookSecret::make(&Ids),
        };
        let call = IdempotentCall {
            operation: "create_webhook",
            key: IdempotencyKey::parse("k").unwrap(),
            fingerprint: Fingerprint::new("POST", "/", b"{}"),
            at: noon(),
        };
        let told = StoredAnswer {
            status: 201,
            location: None,
            body: VALUE.to_owned(),
        };
        let answer = |(): &()| told.clone();
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        let create =
            |database: &Database| database.create_webhook_once(&org, &new, &Actor::System, &once);
        assert_eq!(create(&database), Ok(Idempotent::Executed(())));
        assert_nowhere_in_plain(&place);
        assert_eq!(sealed(&place), 2);
        assert_eq!(create(&database), Ok(Idempotent::Replayed(told.clone())));
        let stranger = place.connect().with_secret(SecretKey::new([8; 32]));
        let text = create(&stranger).unwrap_err().to_string();
        assert!(text.contains("different secret key"), "{text}");
    }
}

#[test]
fn values_cannot_be_moved_to_another_row() {
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        let (victim, thief) = (start(&database, &org), start(&database, &org));
        place
            .execute(&format!(
                "UPDATE runs SET sealed_headers = (
                     SELECT sealed_headers FROM runs WHERE id = '{victim}'
                 ) WHERE id = '{thief}'"
            ))
            .unwrap();
        assert_eq!(claim(&database, 1).unwrap().run_id, victim);
        assert_eq!(claim(&database, 1), None);
        let run = database.run(&org, &thief).unwrap().unwrap();
        assert_eq!(run.state.error(), Some(&RunError::internal()));
        // Nor to a site, whose defaults its owner could read.
        let site = database.run(&org, &victim).unwrap().unwrap().site_id;
        assert!(set_defaults(&database, &org, &site).unwrap());
        place
            .execute(&format!(
                "UPDATE sites SET sealed_headers = (
                     SELECT sealed_headers FROM runs WHERE id = '{victim}'
                 )"
            ))
            .unwrap();
        assert!(database.site_defaults(&org, &SiteRef::Id(&site)).is_err());
    }
}

#[test]
fn rows_of_a_worker_are_removed_with_its_run() {
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        let written = |claim: &Claim| {
            let page = domain::ports::NewPage {
                position: 0,
                visit: domain::report::PageVisit {
                    url: "https://example.com/written".to_owned(),
                    status: Some(200),
                    depth: Some(0),
                    title: None,
                    bytes: None,
                    audited: true,
                    leads_to: None,
                    details: domain::report::PageDetails::default(),
                    scores: domain::report::PageScores::default(),
                    issues: 0,
                    issues_legacy: 0,
                },
            };
            assert_eq!(database.write_pages(claim, &[page]), Ok(LeaseStatus::Held));
        };
        let left = || {
            let cells = cells(&place).into_iter();
            cells.filter(|cell| cell.ends_with("/written")).count()
        };
        let begin = || {
            start(&database, &org);
            let claim = claim(&database, 1).unwrap();
            written(&claim);
            assert_eq!(left(), 1);
            claim
        };
        let failed = begin();
        let error = RunError::internal();
        assert_eq!(
            database.fail(&failed, &error, after(2)),
            Ok(LeaseStatus::Held)
        );
        assert_eq!(left(), 0);
        let cancelled = begin();
        database
            .cancel_run(&org, &cancelled.run_id, after(2))
            .unwrap();
        assert_eq!(left(), 0);
        let removed = begin();
        let by = Actor::System;
        assert_eq!(
            database.delete_site(&org, &removed.site_id, after(2), &by),
            Ok(true)
        );
        assert_eq!(left(), 0);
        // If a run was taken over, only the rows of the last worker are kept.
        let stale = begin();
        let again = claim(&database, 60).unwrap();
        assert_eq!(again.run_id, stale.run_id);
        written(&again);
        assert_eq!(left(), 1);
    }
}

#[test]
fn the_first_signing_key_is_one_for_all_processes() {
    use domain::link::SigningKey;
    use domain::ports::SigningKeyStore;

    for place in TestDatabase::all() {
        place.migrated();
        // Each has its own connections, as a process has; opened before, so that they run concurrently.
        let processes: Vec<_> = (0..8).map(|_| place.connect()).collect();
        for _ in 0..6 {
            let begin = Barrier::new(processes.len());
            let keys: Vec<_> = std::thread::scope(|scope| {
                let starts: Vec<_> = (0..)
                    .zip(&processes)
                    .map(|(number, database)| {
                        let begin = &begin;
                        scope.spawn(move || {
                            let key = SigningKey {
                                id: format!("k{number}"),
                                secret: [number; 32],
                                created_at: after(number.into()),
                            };
                            begin.wait();
                            database.add_first_signing_key(&key).unwrap();
                            database.signing_keys().unwrap()
                        })
                    })
                    .collect();
                let started = starts.into_iter().map(|start| start.join().unwrap());
                started.collect()
            });
            assert_eq!(keys[0].len(), 1);
            assert!(keys.iter().all(|seen| *seen == keys[0]));
            place.execute("DELETE FROM signing_keys").unwrap();
        }
    }
}

#[test]
fn rows_of_the_first_version_are_read() {
    for place in TestDatabase::all() {
        let database = place.migrated_with(KEY);
        let org = new_org(&database);
        let run = new_run("example.com");
        database.start_run(&org, &run).unwrap();
        place
            .execute(
                r#"UPDATE runs SET options = '{"max_pages":3,"max_depth":1,"mode":"static","device":"mobile","include":["/a"],"exclude":[]}'"#,
            )
            .unwrap();
        let read = database.run(&org, &run.id).unwrap().unwrap().options;
        assert!(read.respect_robots && read.headers.is_empty());
        assert_eq!((read.max_pages, read.user_agent.as_ref()), (3, None));
        assert_eq!(claim(&database, 1).unwrap().options, read);
        let site = database.run(&org, &run.id).unwrap().unwrap().site_id;
        let defaults = database.site_defaults(&org, &SiteRef::Id(&site)).unwrap();
        assert_eq!(
            defaults.map(|site| site.options),
            Some(AskedOptions::default())
        );
        let limits = PlanLimits {
            sites: Some(1),
            monthly_runs: None,
            ..PlanLimits::default()
        };
        let new = new_run("example.com").new_site;
        let again = database.create_site(&org, &new, limits, noon(), &Actor::System);
        assert_eq!(again, Err(domain::ports::CreateSiteError::Exists(site)));
    }
}
