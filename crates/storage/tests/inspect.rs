//! Inspection of a database by operators.

use std::sync::Barrier;

use crate::support::{Ids, TestDatabase, add_person, after, new_org, new_run, noon};
use chrono::TimeDelta;
use domain::account::{Session, TimeStep, TotpSecret};
use domain::audit_log::{Actor, AuditNote};
use domain::event::EventKind;
use domain::id::{OrgId, WebhookId};
use domain::idempotency::{
    Fingerprint, IdempotencyKey, Idempotent, IdempotentCall, IdempotentWrite, StoredAnswer,
};
use domain::ports::{
    DeliveryFairness, EnabledFactor, JobQueue, LeaseStatus, NewRun, NewWebhook, OrgStore,
    QueueRules, RunStore, SecondFactorStore, SiteRef, SiteStore, StoreError, WebhookStore,
    WorkerId,
};
use domain::run::{AskedOptions, RequestHeaders, RunError};
use domain::site::SitePatch;
use domain::webhook::{Webhook, WebhookSecret, WebhookState};
use storage::{Database, Error, SecretKey};

#[test]
fn the_pool_reports_its_connections() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        database.orgs().unwrap();
        let pool = database.pool();
        assert_eq!(pool.max, 8);
        assert!(pool.open >= 1 && pool.idle <= pool.open, "{pool:?}");
        assert_eq!(pool.timeouts, 0);
    }
}

#[test]
fn every_audit_log_gets_a_line() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let orgs: Vec<_> = (0..3).map(|_| new_org(&database)).collect();
        let note = AuditNote {
            event: "backup.made",
            subject: "a.db".to_owned(),
            detail: "12 bytes".to_owned(),
        };
        let by = Actor::CommandLine;
        database.note_everywhere(after(5), &by, &note).unwrap();
        for org in &orgs {
            let log = database.audit_log(org).unwrap();
            let last = log.last().unwrap();
            assert_eq!((last.event.as_str(), last.at), ("backup.made", after(5)));
            assert_eq!(log.len(), 2);
        }
        assert_eq!(database.last_change().unwrap(), Some(after(5)));
    }
}

#[test]
fn an_intact_database_has_no_integrity_problems() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        new_org(&database);
        assert_eq!(database.complaints().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn dangling_references_are_reported() {
    let place = TestDatabase::sqlite();
    let database = place.migrated();
    place
        .execute(
            "PRAGMA foreign_keys = OFF;
             INSERT INTO usage_counters (org_id, period, runs) VALUES ('org_gone', '2026-11', 1)",
        )
        .unwrap();
    let complaints = database.complaints().unwrap();
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(
        complaints
            .iter()
            .all(|text| text.contains("usage_counters"))
    );
}

#[test]
fn a_server_has_a_clock_of_its_own() {
    let sqlite = TestDatabase::sqlite();
    assert_eq!(sqlite.migrated().server_time().unwrap(), None);
    let postgres = TestDatabase::postgres();
    let database = postgres.migrated();
    let first = database.server_time().unwrap().unwrap();
    let second = database.server_time().unwrap().unwrap();
    assert!(first <= second && second - first < TimeDelta::minutes(1));
    assert!(first > noon() - TimeDelta::days(3_650));
}

#[test]
fn a_matching_secret_key_is_detected() {
    for place in TestDatabase::all() {
        let key = |byte| SecretKey::new([byte; 32]);
        let database = place.migrated_with(key(1));
        let org = new_org(&database);
        assert_eq!(database.secret_fits().unwrap(), None);
        let mut run = new_run("example.com");
        let headers = [("X-Preview".to_owned(), "sesame".to_owned())];
        run.options.headers = RequestHeaders::parse(headers.into()).unwrap();
        database.start_run(&org, &run).unwrap();
        assert_eq!(database.secret_fits().unwrap(), Some(true));
        let with = |key: Option<SecretKey>| match key {
            Some(key) => place.connect().with_secret(key),
            None => place.connect(),
        };
        assert_eq!(with(Some(key(2))).secret_fits().unwrap(), Some(false));
        assert_eq!(with(None).secret_fits().unwrap(), Some(false));
    }
}

fn key(byte: u8) -> SecretKey {
    SecretKey::new([byte; 32])
}

fn with_headers() -> NewRun {
    let mut run = new_run("example.com");
    let headers = [("X-Preview".to_owned(), "sesame".to_owned())];
    run.options.headers = RequestHeaders::parse(headers.into()).unwrap();
    run
}

/// Creates a webhook with an idempotency key; the stored response contains the secret.
fn create_once(database: &Database, org: &OrgId) -> Idempotent<()> {
    let call = IdempotentCall {
        operation: "create_webhook",
        key: IdempotencyKey::parse("k").unwrap(),
        fingerprint: Fingerprint::new("POST", "/", b"{}"),
        at: noon(),
    };
    let new = a_webhook(org);
    let answer = |(): &()| StoredAnswer {
        status: 201,
        location: None,
        body: new.secret.expose().to_owned(),
    };
    let once = IdempotentWrite {
        call: &call,
        answer: &answer,
    };
    let made = database.create_webhook_once(org, &new, &Actor::System, &once);
    made.unwrap()
}

fn a_webhook(org: &OrgId) -> NewWebhook {
    let webhook = Webhook {
        id: WebhookId::make(&Ids),
        org_id: org.clone(),
        url: "https://example.com/hook".to_owned(),
        events: [EventKind::RunFailed].into(),
        state: WebhookState::Enabled,
        created_at: noon(),
        updated_at: noon(),
    };
    let secret = WebhookSecret::make(&Ids);
    NewWebhook { webhook, secret }
}

/// Makes the secret of a second factor for a new person, and returns the person's session.
fn new_secret(database: &Database, org: &OrgId) -> Session {
    let ada = add_person(database, org, "ada").session;
    let secret = TotpSecret::generate(&Ids);
    let started = database.start_second_factor(&ada.account_id, &secret, noon());
    assert_eq!(started, Ok(true));
    ada
}

fn new_webhook(database: &Database, org: &OrgId) -> WebhookId {
    let new = a_webhook(org);
    let id = new.webhook.id.clone();
    let made = database.create_webhook(org, &new, &Actor::System);
    assert_eq!(made, Ok(()));
    id
}

#[test]
fn the_first_process_gives_a_shared_database_its_key() {
    let place = TestDatabase::postgres();
    let first = place.migrated_with(key(1));
    assert!(first.adopt_secret().unwrap());
    assert!(first.adopt_secret().unwrap());
    let with = |byte| place.connect().with_secret(key(byte));
    assert!(with(1).adopt_secret().unwrap());
    assert!(!with(2).adopt_secret().unwrap(), "nothing is encrypted yet");
    assert_eq!(place.connect().secret_fits().unwrap(), Some(false));
    // If several processes start at once, one sets the key, and the others see it.
    let place = TestDatabase::postgres();
    place.migrated();
    let begin = Barrier::new(6);
    let won = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..6_u8)
            .map(|byte| {
                let (place, begin) = (&place, &begin);
                scope.spawn(move || {
                    let database = place.connect().with_secret(key(byte));
                    begin.wait();
                    database.adopt_secret().unwrap()
                })
            })
            .collect();
        let ended = starts.into_iter().map(|start| start.join().unwrap());
        ended.filter(|is_ours| *is_ours).count()
    });
    assert_eq!(won, 1);
}

#[test]
fn a_key_that_does_not_open_what_is_there_is_refused() {
    type Seal = fn(&Database, &OrgId);
    let seals: [Seal; 3] = [
        |database, org| {
            database.start_run(org, &with_headers()).unwrap();
        },
        |database, org| {
            new_webhook(database, org);
        },
        |database, org| {
            new_secret(database, org);
        },
    ];
    for seal in seals {
        for place in TestDatabase::all() {
            let database = place.migrated_with(key(1));
            let org = new_org(&database);
            seal(&database, &org);
            let stranger = place.connect().with_secret(key(2));
            assert_eq!(stranger.secret_fits().unwrap(), Some(false));
            assert!(!stranger.adopt_secret().unwrap());
            assert!(database.adopt_secret().unwrap());
        }
    }
}

#[test]
fn damaged_rows_do_not_invalidate_a_key_that_decrypts_others() {
    for place in TestDatabase::all() {
        let lost = place.migrated_with(key(1));
        let org = new_org(&lost);
        lost.start_run(&org, &with_headers()).unwrap();
        new_webhook(&lost, &org);
        let ours = place.connect().with_secret(key(2));
        assert_eq!(ours.secret_fits().unwrap(), Some(false));
        ours.start_run(&org, &with_headers()).unwrap();
        assert_eq!(ours.secret_fits().unwrap(), Some(true));
        assert!(ours.adopt_secret().unwrap());
    }
}

#[test]
fn a_process_with_the_wrong_key_fails_no_readable_job() {
    let place = TestDatabase::postgres();
    let ours = place.migrated_with(key(1));
    assert!(ours.adopt_secret().unwrap());
    let org = new_org(&ours);
    let webhook = new_webhook(&ours, &org);
    let run = ours.start_run(&org, &with_headers()).unwrap().run_id;
    let stranger = place.connect().with_secret(key(2));
    let claim = |database: &Database| {
        let worker = WorkerId("a".to_owned());
        database.claim(&worker, &QueueRules::DEFAULT, after(1))
    };
    assert!(matches!(claim(&stranger), Err(StoreError::Failed(_))));
    assert!(matches!(
        claim(&place.connect()),
        Err(StoreError::Failed(_))
    ));
    let claimed = claim(&ours).unwrap().unwrap();
    assert_eq!((&claimed.run_id, claimed.attempt), (&run, 1));
    let failed = ours.fail(&claimed, &RunError::internal(), after(2));
    assert_eq!(failed, Ok(LeaseStatus::Held));
    let deliver = |database: &Database| {
        let lease = TimeDelta::seconds(60);
        database.claim_delivery(
            &WorkerId("c".to_owned()),
            lease,
            &DeliveryFairness::default(),
            after(3),
        )
    };
    assert!(matches!(deliver(&stranger), Err(StoreError::Failed(_))));
    let delivery = deliver(&ours).unwrap().unwrap();
    assert_eq!((&delivery.webhook_id, delivery.attempts), (&webhook, 0));
}

#[test]
fn secrets_of_a_lost_key_are_removed_on_request() {
    for place in TestDatabase::all() {
        let lost = place.migrated_with(key(1));
        assert!(lost.adopt_secret().unwrap());
        let org = new_org(&lost);
        let webhook = new_webhook(&lost, &org);
        assert_eq!(create_once(&lost, &org), Idempotent::Executed(()));
        let run = lost.start_run(&org, &with_headers()).unwrap();
        let patch = SitePatch {
            name: None,
            options: Some(AskedOptions {
                headers: Some(with_headers().options.headers),
                max_pages: Some(7),
                ..AskedOptions::default()
            }),
        };
        let site = &run.site_id;
        assert_eq!(
            lost.patch_site(&org, site, &patch, noon(), &Actor::System),
            Ok(true)
        );
        let by = Actor::CommandLine;
        let ada = new_secret(&lost, &org);
        let enabled = EnabledFactor {
            created_at: noon(),
            step: TimeStep(1),
            recovery_codes: &[],
        };
        let enabled = lost.enable_second_factor(&ada.account_id, &enabled, &ada.id, noon());
        assert_eq!(enabled, Ok(true));
        let forgotten = place.connect().forget_secrets(after(5), &by).unwrap();
        assert_eq!((forgotten.sites, forgotten.webhooks), (1, 2));
        assert_eq!(forgotten.second_factors, 1);
        let log = lost.audit_log(&org).unwrap();
        let told: Vec<_> = log.iter().rev().take(3).map(|line| &line.event).collect();
        assert_eq!(
            told,
            ["secrets.forgotten", "webhook.deleted", "webhook.deleted"]
        );

        let next = place.connect().with_secret(key(2));
        assert_eq!(next.secret_fits().unwrap(), None);
        let defaults = next.site_defaults(&org, &SiteRef::Id(site)).unwrap();
        let options = defaults.unwrap().options;
        assert_eq!((options.headers, options.max_pages), (None, Some(7)));
        assert_eq!(next.webhook(&org, &webhook), Ok(None));
        assert_eq!(next.second_factor(&ada.account_id), Ok(None));
        // The stored response is gone as well, so the same call is a new one.
        assert_eq!(create_once(&next, &org), Idempotent::Executed(()));
        assert!(next.adopt_secret().unwrap());
        let worker = WorkerId("a".to_owned());
        let claimed = next.claim(&worker, &QueueRules::DEFAULT, after(6));
        assert_eq!(claimed, Ok(None));
        let run = next.run(&org, &run.run_id).unwrap().unwrap();
        assert_eq!(run.state.error(), Some(&RunError::internal()));
    }
}

#[test]
fn the_state_of_a_schema_is_reported() {
    for place in TestDatabase::all() {
        let database = place.connect();
        assert!(matches!(database.schema_state(), Err(Error::Store(_))));
        database.migrate().unwrap();
        assert_eq!(database.schema_state().unwrap(), Default::default());
        place
            .execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')")
            .unwrap();
        let state = database.schema_state().unwrap();
        assert_eq!(state.unknown, ["20991231000000"]);
        assert!(state.pending.is_empty());
    }
}
