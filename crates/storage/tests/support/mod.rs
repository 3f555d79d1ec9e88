//! Test databases: a new SQLite file, and a new PostgreSQL database.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use domain::account::{LinkPurpose, OneTimeLink, Session, SignInStage, Token};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId, RunId, SessionId, SiteId};
use domain::plan::PlanLimits;
use domain::ports::{
    AccountStore, IdSource, NewAccount, NewOrg, NewRun, NewSession, NewSite, OrgStore, Taker,
};
use domain::run::{RunOptions, Trigger};
use domain::site::SiteHost;
use storage::{Database, DatabaseOptions, DatabaseUrl, SecretKey};
use testkit::TestPostgres;

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A database that is removed after the test.
pub(crate) struct TestDatabase {
    pub(crate) url: DatabaseUrl,
    place: Location,
}

enum Location {
    Folder(PathBuf),
    Server(#[expect(dead_code, reason = "removed with the test")] testkit::TestDatabase),
}

impl TestDatabase {
    pub(crate) fn sqlite() -> Self {
        let folder = std::env::temp_dir().join(unique("assay-storage"));
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            url: DatabaseUrl::Sqlite(folder.join("assay.db")),
            place: Location::Folder(folder),
        }
    }

    pub(crate) fn postgres() -> Self {
        let database = TestPostgres::database();
        Self {
            url: DatabaseUrl::Postgres(database.url().to_owned()),
            place: Location::Server(database),
        }
    }

    /// Returns one database of each kind.
    pub(crate) fn all() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    pub(crate) fn connect(&self) -> Database {
        Database::connect(&self.url, &DatabaseOptions::default()).unwrap()
    }

    /// With a secret key.
    pub(crate) fn migrated_with(&self, key: SecretKey) -> Database {
        self.migrated().with_secret(key)
    }

    pub(crate) fn migrated(&self) -> Database {
        let database = self.connect();
        database.migrate().unwrap();
        database
    }

    /// Executes SQL without the stores, on either database.
    pub(crate) fn execute(&self, sql: &str) -> Result<(), String> {
        match &self.url {
            DatabaseUrl::Sqlite(path) => {
                let mut connection = SqliteConnection::establish(path.to_str().unwrap()).unwrap();
                connection
                    .batch_execute("PRAGMA foreign_keys = ON")
                    .unwrap();
                connection.batch_execute(sql)
            }
            DatabaseUrl::Postgres(url) => PgConnection::establish(url).unwrap().batch_execute(sql),
        }
        .map_err(|error| error.to_string())
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Location::Folder(folder) = &self.place {
            drop(std::fs::remove_dir_all(folder));
        }
    }
}

fn unique(prefix: &str) -> String {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{prefix}-{}-{number}", std::process::id())
}

/// Sequential ids, different in each process.
pub(crate) struct Ids;

impl IdSource for Ids {
    fn ulid(&self) -> String {
        format!("0{:025}", NEXT.fetch_add(1, Ordering::Relaxed))
    }

    fn base62(&self, length: usize) -> String {
        // The letter tells 12 from 1212.
        let digits = format!("{}x", NEXT.fetch_add(1, Ordering::Relaxed));
        digits.chars().cycle().take(length).collect()
    }
}

pub(crate) fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_262_400, 0).unwrap()
}

pub(crate) fn after(seconds: i64) -> DateTime<Utc> {
    noon() + TimeDelta::seconds(seconds)
}

pub(crate) fn new_org(database: &Database) -> OrgId {
    let org = NewOrg {
        id: OrgId::make(&Ids),
        name: "Acme".to_owned(),
        plan: "self_hosted".to_owned(),
        created_at: noon(),
    };
    database.create_org(&org, &Actor::System).unwrap();
    org.id
}

/// A run on the site of a host.
pub(crate) fn new_run(host: &str) -> NewRun {
    NewRun {
        id: RunId::make(&Ids),
        url: format!("https://{host}/"),
        site_id: None,
        new_site: NewSite {
            id: SiteId::make(&Ids),
            host: SiteHost::stored(host.to_owned()),
            url: format!("https://{host}/"),
            name: host.to_owned(),
        },
        trigger: Trigger::Api,
        options: RunOptions::with_max_pages(10),
        limits: PlanLimits::default(),
        now: noon(),
    }
}

/// Adds a member with an account, who is signed in in this session.
pub(crate) fn add_person(database: &Database, org: &OrgId, name: &str) -> NewSession {
    let by = Actor::System;
    let link = OneTimeLink {
        purpose: LinkPurpose::Setup,
        org_id: org.clone(),
        member_id: None,
        account_id: None,
        created_at: noon(),
        expires_at: after(60),
    };
    let hash = Token::generate(&Ids).hash();
    assert!(database.create_link(&link, &hash, &by).unwrap());
    let account = NewAccount {
        id: AccountId::make(&Ids),
        email: format!("{name}@example.com"),
        name: name.to_owned(),
        password_hash: format!("hash of {name}"),
        created_at: noon(),
    };
    let session = NewSession {
        session: Session {
            id: SessionId::make(&Ids),
            account_id: account.id.clone(),
            org_id: org.clone(),
            created_at: noon(),
            password_entered_at: noon(),
            last_seen_at: noon(),
            user_agent: String::new(),
            address: String::new(),
        },
        token: Token::generate(&Ids).hash(),
    };
    let (taker, member) = (Taker::New(account), MemberId::make(&Ids));
    let taken = database.take_setup_link(&hash, &taker, &member, &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    session
}
