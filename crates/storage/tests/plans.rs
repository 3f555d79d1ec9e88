//! How SQLite looks up what the stores ask for.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails where it cannot go on"
)]

mod support;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;
use diesel::connection::{
    Instrumentation, InstrumentationEvent, SimpleConnection, set_default_instrumentation,
};
use diesel::prelude::*;
use diesel::sql_types::Text;
use domain::audit_log::Actor;
use domain::id::{IssueId, KeyId, MemberId, ReportId, SiteId};
use domain::key::KeyHash;
use domain::plan::Period;
use domain::ports::{
    JobQueue, KeyStore, OrgStore, QueueRules, ReportStore, RunStore, SiteStore, WorkerId,
};
use domain::report::Variant;
use domain::run::{RunError, RunFilter, RunProgress, RunStatus};
use storage::DatabaseUrl;
use support::{Ids, TestDatabase, after, new_org, new_run, noon};

static ASKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

#[expect(clippy::unnecessary_wraps, reason = "the shape Diesel asks for")]
fn listener() -> Option<Box<dyn Instrumentation>> {
    Some(Box::new(|event: InstrumentationEvent<'_>| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            let text = query.to_string();
            let sql = text
                .split(" -- binds")
                .next()
                .unwrap_or_default()
                .to_owned();
            let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
            asked.insert(sql);
        }
    }))
}

/// Tables that may be read from end to end: what is asked of them is all they hold, or they are small.
const MAY_BE_SCANNED: [&str; 3] = ["organizations", "jobs", "__diesel_schema_migrations"];

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[test]
fn every_look_up_has_an_index() {
    set_default_instrumentation(listener).unwrap();
    let place = TestDatabase::sqlite();
    let database = place.migrated();
    let org = new_org(&database);
    let rules = QueueRules::DEFAULT;
    let worker = WorkerId("a".to_owned());
    ASKED.lock().unwrap().clear();

    let run = new_run("example.com");
    let started = database.start_run(&org, &run).unwrap();
    let mut attached = new_run("example.com");
    attached.site_id = Some(started.site_id.clone());
    database.start_run(&org, &attached).unwrap();
    let claim = database.claim(&worker, &rules, after(1)).unwrap().unwrap();
    let _ = database.heartbeat(&claim, &RunProgress::QUEUED, &rules, after(1));
    let _ = database.write_occurrences(&claim, &[]);
    let _ = database.holds(&claim);
    let _ = database.hand_back(&claim, after(1));
    let claim = database.claim(&worker, &rules, after(1)).unwrap().unwrap();
    let _ = database.fail(&claim, &RunError::internal(), after(2));
    database.claim(&worker, &rules, after(1)).unwrap().unwrap();
    database
        .reap(&rules, after(1) + TimeDelta::hours(1))
        .unwrap();
    database.release_all(after(1)).unwrap();
    database.run(&org, &run.id).unwrap().unwrap();
    let cancelled = new_run("example.com");
    database.start_run(&org, &cancelled).unwrap();
    database.cancel_run(&org, &cancelled.id, noon()).unwrap();
    let page = database.runs(&org, &RunFilter::default(), None, 1).unwrap();
    let cursor = page.unwrap().next.unwrap();
    for status in [None, Some(RunStatus::Queued)] {
        for site_id in [None, Some(started.site_id.clone())] {
            let filter = RunFilter { site_id, status };
            database.runs(&org, &filter, Some(&cursor), 9).unwrap();
        }
    }
    database.sites(&org, Variant::Current).unwrap();
    database.history(&org, &started.site_id, 9).unwrap();
    database.schedule(&org, &SiteId::make(&Ids)).unwrap();
    database
        .report(&org, &ReportId::make(&Ids), Variant::Current)
        .unwrap();
    let issue = (&ReportId::make(&Ids), &IssueId::make(&Ids));
    database
        .occurrences(&org, issue, Variant::Current, None, 9)
        .unwrap();
    database
        .key_by_hash(&KeyHash::stored("0".to_owned()))
        .unwrap();
    database
        .touch_key(&org, &KeyId::make(&Ids), noon())
        .unwrap();
    database.org_of_key(&KeyId::make(&Ids)).unwrap();
    database.keys(&org).unwrap();
    database.usage(&org, Period::of(noon())).unwrap();
    database.members(&org).unwrap();
    let member = MemberId::make(&Ids);
    database
        .remove_member(&org, &member, noon(), &Actor::System)
        .unwrap();
    database.audit_log(&org).unwrap();

    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    let asked = ASKED.lock().unwrap().clone();
    let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    connection
        .batch_execute("PRAGMA foreign_keys = ON")
        .unwrap();
    let mut looked_at = 0;
    for sql in asked.iter().filter(|sql| is_look_up(sql)) {
        looked_at += 1;
        let steps: Vec<Step> = diesel::sql_query(format!("EXPLAIN QUERY PLAN {sql}"))
            .load(&mut connection)
            .unwrap();
        for Step { detail } in steps {
            let scanned = detail.strip_prefix("SCAN ");
            let is_fine = scanned.is_none_or(|table| {
                table == "CONSTANT ROW" || MAY_BE_SCANNED.iter().any(|may| table.starts_with(may))
            });
            assert!(is_fine, "{detail}\n{sql}");
        }
    }
    assert!(looked_at > 25, "{asked:#?}");
}

fn is_look_up(sql: &str) -> bool {
    ["SELECT", "UPDATE", "DELETE"]
        .iter()
        .any(|verb| sql.starts_with(verb))
}
