//! Backups of SQLite databases.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{Ids, TestDatabase, add_person, after, new_org, new_run, noon};
use domain::account::{
    CodeProof, LinkPurpose, OneTimeLink, RecoveryCode, Session, SessionLifetime, SignInStage,
    TimeStep, Token, TotpSecret,
};
use domain::audit_log::Actor;
use domain::id::{OrgId, SessionId};
use domain::key::KeyHash;
use domain::ports::{
    AccountStore, EnabledFactor, Health, NewSession, OrgStore, RunStore, SecondFactorStore,
};
use storage::{
    BackupError, Database, DatabaseOptions, DatabaseUrl, Error, Restored, SecretKey,
    is_being_replaced,
};
use testkit::sample;

fn folder_of(place: &TestDatabase) -> PathBuf {
    match &place.url {
        DatabaseUrl::Sqlite(file) => file.parent().unwrap().to_owned(),
        DatabaseUrl::Postgres(_) => panic!("an SQLite database is required"),
    }
}

fn opened(file: &Path) -> Database {
    let url = DatabaseUrl::Sqlite(file.to_owned());
    Database::connect(&url, &DatabaseOptions::default()).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("copy"))
        .collect();
    names.sort();
    names
}

#[test]
fn a_copy_has_what_the_database_had() {
    let place = TestDatabase::sqlite();
    let database = place.migrated();
    let org = new_org(&database);
    let run = new_run("example.com");
    database.start_run(&org, &run).unwrap();
    let to = folder_of(&place).join("copy.db");
    let backup = database.back_up(&to).unwrap();
    database.start_run(&org, &new_run("later.example")).unwrap();
    assert_eq!(backup.bytes, std::fs::metadata(&to).unwrap().len());
    assert_eq!(names(&folder_of(&place)), ["copy.db"]);
    let copy = opened(&to);
    copy.ready().unwrap();
    assert_eq!(
        copy.run(&org, &run.id).unwrap(),
        database.run(&org, &run.id).unwrap()
    );
    let all = Default::default();
    assert_eq!(
        copy.runs(&org, &all, None, 9).unwrap().unwrap().runs.len(),
        1
    );
}

/// Links that nobody used, so many that they fill pages of their own.
fn add_links(database: &Database, org: &OrgId) -> Vec<KeyHash> {
    let by = Actor::System;
    (0..200)
        .map(|number| {
            let member = sample::new_member(&Ids, &format!("invited-{number}"));
            assert!(database.add_member(org, &member, &by).unwrap());
            let link = OneTimeLink {
                purpose: LinkPurpose::Invitation,
                org_id: org.clone(),
                member_id: Some(member.id),
                account_id: None,
                created_at: noon(),
                expires_at: after(3_600),
            };
            let hash = Token::generate(&Ids).hash();
            assert!(database.create_link(&link, &hash, &by).unwrap());
            hash
        })
        .collect()
}

/// How many of the texts a file has somewhere in its bytes.
fn found_in(file: &Path, texts: &[KeyHash]) -> usize {
    let bytes = std::fs::read(file).unwrap();
    let content = String::from_utf8_lossy(&bytes);
    let has = |text: &&KeyHash| content.contains(text.as_str());
    texts.iter().filter(has).count()
}

/// A database in which somebody is signed in, with the hashes of all tokens that open something.
fn with_sign_ins(place: &TestDatabase) -> (Database, Vec<KeyHash>) {
    let database = place.migrated();
    let org = new_org(&database);
    let people = ["ada", "bob"].map(|name| add_person(&database, &org, name));
    let mut tokens = add_links(&database, &org);
    tokens.extend(people.map(|session| session.token));
    (database, tokens)
}

/// A copy without the rules of this version: everything that the database has.
fn plain_copy(place: &TestDatabase, to: &Path) {
    let sql = format!("VACUUM INTO '{}'", to.display());
    place.execute(&sql).unwrap();
}

fn assert_nobody_is_signed_in(file: &Path, tokens: &[KeyHash]) {
    assert_eq!(found_in(file, tokens), 0);
    let database = opened(file);
    for token in tokens {
        assert_eq!(database.session_by_hash(token).unwrap(), None);
        assert_eq!(database.link_by_hash(token).unwrap(), None);
    }
    // Accounts are there, and whoever knows the password signs in.
    let ada = database.credentials("ada@example.com").unwrap().unwrap();
    assert_eq!(ada.password_hash, "hash of ada");
    assert_eq!(database.memberships(&ada.account.id).unwrap().len(), 1);
    assert_eq!(database.complaints().unwrap(), Vec::<String>::new());
}

/// The second factor is in the copy, and only the secret key of the installation makes codes of it.
#[test]
fn a_restored_copy_asks_for_the_codes_of_before() {
    let place = TestDatabase::sqlite();
    let key = || SecretKey::new([7; 32]);
    let database = place.migrated().with_secret(key());
    let org = new_org(&database);
    let ada = add_person(&database, &org, "ada");
    let account = &ada.session.account_id;
    let secret = TotpSecret::generate(&Ids);
    let started = database.start_second_factor(account, &secret, noon());
    assert_eq!(started, Ok(true));
    let codes: Vec<_> = RecoveryCode::generate(&Ids);
    let hashes: Vec<_> = codes.iter().map(RecoveryCode::hash).collect();
    let factor = EnabledFactor {
        created_at: noon(),
        step: TimeStep(1),
        recovery_codes: &hashes,
    };
    let enabled = database.enable_second_factor(account, &factor, &ada.session.id, noon());
    assert_eq!(enabled, Ok(true));
    let waiting = NewSession {
        token: Token::generate(&Ids).hash(),
        ..ada.clone()
    };
    let lifetime = SessionLifetime::default();
    let stage = database.sign_in(&waiting, None, lifetime);
    assert_eq!(stage, Ok(SignInStage::CodeNeeded));
    let to = folder_of(&place).join("copy.db");
    database.back_up(&to).unwrap();
    // What waited for a code does not wait in the copy.
    assert_eq!(found_in(&to, std::slice::from_ref(&waiting.token)), 0);
    let bytes = std::fs::read(&to).unwrap();
    let content = String::from_utf8_lossy(&bytes);
    assert!(!content.contains(&secret.expose()));
    for code in &codes {
        assert!(!content.contains(&code.expose().replace('-', "")));
    }
    let restored = opened(&to).with_secret(key());
    let found = restored.second_factor(account).unwrap().unwrap();
    assert_eq!(
        (&found.secret, found.recovery_codes),
        (&secret, codes.len())
    );
    assert_eq!(restored.pending_sign_in(&waiting.token), Ok(None));
    let again = NewSession {
        token: Token::generate(&Ids).hash(),
        ..ada.clone()
    };
    let stage = restored.sign_in(&again, None, lifetime);
    assert_eq!(stage, Ok(SignInStage::CodeNeeded));
    let proof = CodeProof::Totp {
        step: TimeStep(2),
        newest: TimeStep(3),
    };
    let session = NewSession {
        session: Session {
            id: SessionId::make(&Ids),
            ..ada.session.clone()
        },
        token: Token::generate(&Ids).hash(),
    };
    let completed = restored.complete_sign_in(&again.token, &proof, &session, lifetime);
    assert_eq!(completed, Ok(Ok(())));
    // Another installation has the rows, and no secret.
    let stranger = opened(&to).with_secret(SecretKey::new([8; 32]));
    let refused = stranger.second_factor(account).unwrap_err().to_string();
    assert!(refused.contains("different secret key"), "{refused}");
    assert_eq!(stranger.secret_fits().unwrap(), Some(false));
}

#[test]
fn a_copy_has_accounts_but_neither_sessions_nor_links() {
    let place = TestDatabase::sqlite();
    let (database, tokens) = with_sign_ins(&place);
    let (to, plain) = (
        folder_of(&place).join("copy.db"),
        folder_of(&place).join("plain.db"),
    );
    database.back_up(&to).unwrap();
    plain_copy(&place, &plain);
    assert_eq!(found_in(&plain, &tokens), tokens.len());
    assert_nobody_is_signed_in(&to, &tokens);
    assert_eq!(names(&folder_of(&place)), ["copy.db"]);
    // The database itself is as it was.
    for token in &tokens {
        let session = database.session_by_hash(token).unwrap().is_some();
        let link = database.link_by_hash(token).unwrap().is_some();
        assert!(session || link);
    }
}

#[test]
fn sessions_and_links_of_an_older_copy_are_not_restored() {
    for is_in_use in [false, true] {
        let place = TestDatabase::sqlite();
        let (database, tokens) = with_sign_ins(&place);
        let folder = folder_of(&place);
        let copy = folder.join("plain.db");
        plain_copy(&place, &copy);
        drop(database);
        if is_in_use {
            // As one that was opened has it: with its changes in a log beside it.
            drop(opened(&copy).orgs().unwrap());
        }
        let before = std::fs::read(&copy).unwrap();
        let restored = Restored::prepare(&copy, &folder.join("copy-new.db")).unwrap();
        assert_eq!(found_in(restored.file(), &tokens), 0);
        assert_eq!(names(&folder), ["copy-new.db"]);
        let database = folder.join("assay.db");
        restored
            .put_in_place(&database, &folder.join("old.db"))
            .unwrap();
        assert_nobody_is_signed_in(&database, &tokens);
        assert!(std::fs::read(&copy).unwrap() == before, "the copy changed");
    }
}

#[test]
fn a_database_of_an_earlier_version_is_copied_and_restored() {
    let place = TestDatabase::sqlite();
    let folder = folder_of(&place);
    let database = place.migrated();
    let org = new_org(&database);
    place
        .execute("DROP TABLE one_time_links; DROP TABLE sessions")
        .unwrap();
    let copy = folder.join("copy.db");
    database.back_up(&copy).unwrap();
    drop(database);
    let restored = Restored::prepare(&copy, &folder.join("new.db")).unwrap();
    let orgs = opened(restored.file()).orgs().unwrap();
    assert_eq!(orgs.first().map(|found| &found.id), Some(&org));
}

#[cfg(unix)]
#[test]
fn a_copy_is_readable_only_by_its_owner() {
    use std::os::unix::fs::PermissionsExt;

    let place = TestDatabase::sqlite();
    let to = folder_of(&place).join("copy.db");
    place.migrated().back_up(&to).unwrap();
    let mode = std::fs::metadata(&to).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_file_that_is_there_is_never_overwritten() {
    let place = TestDatabase::sqlite();
    let database = place.migrated();
    let to = folder_of(&place).join("copy.db");
    std::fs::write(&to, "mine").unwrap();
    let refused = database.back_up(&to).unwrap_err();
    assert!(matches!(refused, BackupError::Exists(_)), "{refused}");
    assert_eq!(std::fs::read_to_string(&to).unwrap(), "mine");
}

#[test]
fn a_copy_that_fails_leaves_nothing() {
    let place = TestDatabase::sqlite();
    let database = place.migrated();
    let folder = folder_of(&place);
    let refused = database.back_up(&folder.join("missing/copy.db"));
    assert!(
        matches!(refused, Err(BackupError::File { .. })),
        "{refused:?}"
    );
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[test]
fn copies_made_while_others_write_are_whole() {
    let place = TestDatabase::sqlite();
    let database = place.migrated();
    let org = new_org(&database);
    let stop = AtomicBool::new(false);
    let counts: Vec<usize> = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut written = 0;
            while !stop.load(Ordering::Relaxed) {
                database.start_run(&org, &new_run("example.com")).unwrap();
                written += 1;
            }
            written
        });
        let counts = (0..5)
            .map(|number| {
                let to = folder_of(&place).join(format!("copy-{number}.db"));
                database.back_up(&to).unwrap();
                let copy = opened(&to);
                let runs = copy.runs(&org, &Default::default(), None, 100_000);
                runs.unwrap().unwrap().runs.len()
            })
            .collect();
        stop.store(true, Ordering::Relaxed);
        assert!(writer.join().unwrap() > 0);
        counts
    });
    assert!(counts.is_sorted(), "{counts:?}");
}

#[test]
fn a_server_is_not_copied() {
    let place = TestDatabase::postgres();
    let to = std::env::temp_dir().join("assay-never-made.db");
    let refused = place.migrated().back_up(&to).unwrap_err();
    assert!(matches!(refused, BackupError::NotSqlite), "{refused}");
    assert!(!to.exists());
}

#[test]
fn a_copy_takes_the_place_of_a_database_which_is_kept_aside() {
    let place = TestDatabase::sqlite();
    let folder = folder_of(&place);
    let (file, copy, aside) = (
        folder.join("assay.db"),
        folder.join("copy.db"),
        folder.join("old.db"),
    );
    let org = {
        let database = place.migrated();
        let org = new_org(&database);
        database.back_up(&copy).unwrap();
        new_org(&database);
        org
    };
    let restored = Restored::prepare(&copy, &folder.join("new.db")).unwrap();
    assert_eq!(restored.schema.pending, Vec::<String>::new());
    restored.put_in_place(&file, &aside).unwrap();
    let ids: Vec<_> = opened(&file).orgs().unwrap();
    assert_eq!(ids.len(), 1);
    assert_eq!(ids.first().map(|found| &found.id), Some(&org));
    assert_eq!(opened(&aside).orgs().unwrap().len(), 2);
    assert!(!folder.join("new.db").exists());
    assert!(copy.exists());
    assert_eq!(is_being_replaced(&file), None);
}

#[test]
fn an_existing_file_aside_is_not_overwritten() {
    let place = TestDatabase::sqlite();
    let folder = folder_of(&place);
    let (file, copy) = (folder.join("assay.db"), folder.join("copy.db"));
    {
        let database = place.migrated();
        database.back_up(&copy).unwrap();
        new_org(&database);
    }
    let aside = folder.join("old.db");
    let log = folder.join("old.db-wal");
    std::fs::write(&log, "of another").unwrap();
    let restored = Restored::prepare(&copy, &folder.join("new.db")).unwrap();
    let refused = restored.put_in_place(&file, &aside).unwrap_err();
    assert!(matches!(&refused, BackupError::Exists(taken) if *taken == log));
    assert_eq!(opened(&file).orgs().unwrap().len(), 1);
    assert!(!aside.exists() && !folder.join("new.db").exists());
    assert_eq!(is_being_replaced(&file), None);
}

#[test]
fn invalid_copies_are_rejected() {
    let place = TestDatabase::sqlite();
    let folder = folder_of(&place);
    let copy = folder.join("copy.db");
    place.migrated().back_up(&copy).unwrap();
    let refused = |file: &Path| {
        let refused = Restored::prepare(file, &folder.join("new.db")).unwrap_err();
        assert!(!folder.join("new.db").exists());
        refused
    };

    let foreign = folder.join("foreign.db");
    for content in [&b"hello"[..], b""] {
        std::fs::write(&foreign, content).unwrap();
        let error = refused(&foreign);
        assert!(matches!(error, BackupError::Foreign(_)), "{error}");
        assert!(error.to_string().contains("foreign.db"), "{error}");
    }

    let mut bytes = std::fs::read(&copy).unwrap();
    let torn = folder.join("torn.db");
    std::fs::write(&torn, bytes.split_at(bytes.len() / 2).0).unwrap();
    let error = refused(&torn);
    assert!(matches!(error, BackupError::Damaged { .. }), "{error}");

    let middle = bytes.len() / 2;
    for byte in bytes.iter_mut().skip(middle).take(9_000) {
        *byte = 0xff;
    }
    std::fs::write(&torn, &bytes).unwrap();
    let error = refused(&torn);
    assert!(matches!(error, BackupError::Damaged { .. }), "{error}");

    place
        .execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')")
        .unwrap();
    let newer = folder.join("copy-newer.db");
    place.connect().back_up(&newer).unwrap();
    let error = refused(&newer);
    let is_newer = matches!(&error, BackupError::Database(Error::NewerSchema(_)));
    assert!(is_newer, "{error}");
}
