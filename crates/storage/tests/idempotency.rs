//! Stored responses of idempotent requests.

use crate::support::{TestDatabase, after, new_org, new_run};
use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::id::OrgId;
use domain::idempotency::{
    Fingerprint, IdempotencyKey, IdempotentCall, IdempotentWrite, KEPT_FOR, StoredAnswer,
};
use domain::ports::{RunStore, StartedRun};
use storage::{Database, DatabaseUrl};

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

fn count(place: &TestDatabase, org: &OrgId) -> i64 {
    let sql = format!("SELECT count(*) AS count FROM idempotent_calls WHERE org_id = '{org}'");
    let found: Count = match &place.url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
            diesel::sql_query(sql).get_result(&mut connection).unwrap()
        }
        DatabaseUrl::Postgres(url) => {
            let mut connection = PgConnection::establish(url).unwrap();
            diesel::sql_query(sql).get_result(&mut connection).unwrap()
        }
    };
    found.count
}

fn call(database: &Database, org: &OrgId, key: &str, at: DateTime<Utc>) {
    let call = IdempotentCall {
        operation: "start",
        key: IdempotencyKey::parse(key).unwrap(),
        fingerprint: Fingerprint::new("POST", "/", b"{}"),
        at,
    };
    let answer = |_: &StartedRun| StoredAnswer {
        status: 202,
        location: None,
        body: String::new(),
    };
    let once = IdempotentWrite {
        call: &call,
        answer: &answer,
    };
    database
        .start_run_once(org, &new_run("example.com"), &once)
        .unwrap();
}

#[test]
fn a_new_answer_removes_about_a_hundred_that_are_forgotten() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let (org, other) = (new_org(&database), new_org(&database));
        for number in 0..150 {
            call(&database, &org, &format!("k{number}"), after(number));
        }
        call(&database, &other, "k", after(0));
        assert_eq!(count(&place, &org), 150);
        // 140 have expired by then; the first hundred are removed, then the others.
        let later = after(139) + KEPT_FOR;
        call(&database, &org, "first", later);
        assert_eq!(count(&place, &org), 51);
        call(&database, &org, "second", later);
        assert_eq!(count(&place, &org), 12);
        call(&database, &org, "third", later + TimeDelta::milliseconds(1));
        assert_eq!(count(&place, &org), 13);
        // Those of another organization are kept.
        assert_eq!(count(&place, &other), 1);
    }
}
