//! Backups of an SQLite database in a folder: made, read, damaged.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failed expectation ends the test"
)]

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use backup::{
    BackupFailure, BackupFile, Identities, Made, Maker, PostgresTools, Recipients, Source, list,
    new_identity,
};
use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::backup::{BackupName, Verification};
use domain::ports::{ObjectError, ObjectInfo, ObjectName, ObjectStore, ObjectWriter, OrgStore};
use object_storage::FolderStore;
use storage::{Database, Restored};
use testkit::{SequentialIds, sample};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("assay-{name}-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn database() -> Database {
    let database = Database::for_test();
    let ids = SequentialIds::default();
    for _ in 0..50 {
        let org = sample::new_org(&ids);
        database.create_org(&org, &Actor::System).unwrap();
    }
    database
}

fn now() -> DateTime<Utc> {
    "2026-11-26T03:20:00.123Z".parse().unwrap()
}

fn make(
    database: &Database,
    store: &dyn ObjectStore,
    recipients: &Recipients,
    work: &Path,
) -> Result<Made, BackupFailure> {
    let maker = Maker {
        source: Source {
            database,
            tools: &PostgresTools::default(),
        },
        store,
        recipients,
        work_folder: work.to_owned(),
    };
    maker.make(now(), &mut || true)
}

fn keys() -> (Recipients, Identities) {
    let (text, public) = new_identity();
    let identities = Identities::read(text.as_bytes()).unwrap();
    (Recipients::parse(&[public]).unwrap(), identities)
}

#[test]
fn an_encrypted_backup_is_verified_without_the_secret_key_and_restored_with_it() {
    let (folder, database) = (Folder::new("backup-encrypted"), database());
    let store = FolderStore::new(&folder.0.join("store"));
    let (recipients, identities) = keys();
    let made = make(&database, &store, &recipients, &folder.0.join("work")).unwrap();
    assert_eq!(made.good.verification, Verification::Restored);
    assert!(made.contents.unwrap().rows >= 50);
    assert_eq!(made.good.name, "assay-backup-20261126-032000Z.db.age");
    let stored = list(&store).unwrap();
    assert!(stored.len() == 1 && stored[0].is_good, "{stored:?}");
    assert_eq!(stored[0].size_bytes, made.good.size_bytes);

    let file = folder.0.join("store").join(&made.good.name);
    let bytes = std::fs::read(&file).unwrap();
    assert!(!bytes.windows(6).any(|part| part == b"SQLite"));
    let mut contents = Vec::new();
    let read = BackupFile::Stored(&store, &stored[0].name)
        .read(Some(&identities), &mut contents)
        .unwrap();
    assert!(read.was_encrypted && read.had_checksum);
    let restored = folder.0.join("restored.db");
    std::fs::write(&restored, contents).unwrap();
    let prepared = Restored::prepare(&restored, &folder.0.join("prepared.db")).unwrap();
    assert_eq!(prepared.schema.pending, Vec::<String>::new());
}

/// Reads a file as `assay restore` does.
fn read(file: &Path, identities: Option<&Identities>) -> Result<(), BackupFailure> {
    let read = BackupFile::Path(file).read(identities, &mut io::sink());
    read.map(|_| ())
}

#[test]
fn an_encrypted_backup_is_refused_without_the_right_key() {
    let (folder, database) = (Folder::new("backup-keys"), database());
    let store = FolderStore::new(&folder.0.join("store"));
    let (recipients, identities) = keys();
    let made = make(&database, &store, &recipients, &folder.0.join("work")).unwrap();
    let file = folder.0.join("store").join(&made.good.name);
    let (_, others) = keys();
    let refused = |identities| match read(&file, identities) {
        Err(BackupFailure::Key(reason)) => reason,
        other => panic!("{other:?}"),
    };
    assert!(refused(None).contains("--identity"));
    assert!(refused(Some(&others)).contains("encrypted for other keys"));
    assert_eq!(read(&file, Some(&identities)), Ok(()));
}

/// Offsets from the first to the last byte.
fn offsets(length: usize) -> Vec<usize> {
    let mut all = vec![0, 1, 10, 40, 100, 150, 200, 300, 1_000, 65_536, 70_000];
    all.extend([length / 3, length / 2, length - 20, length - 2, length - 1]);
    all.retain(|offset| *offset < length);
    all
}

#[test]
fn a_damaged_or_truncated_backup_is_refused_wherever_the_damage_is() {
    for is_encrypted in [false, true] {
        let (folder, database) = (
            Folder::new(&format!("backup-damage-{is_encrypted}")),
            database(),
        );
        let store = FolderStore::new(&folder.0.join("store"));
        let (keyed, identities) = keys();
        let recipients = if is_encrypted {
            keyed
        } else {
            Recipients::default()
        };
        let made = make(&database, &store, &recipients, &folder.0.join("work")).unwrap();
        let file = folder.0.join("store").join(&made.good.name);
        let whole = std::fs::read(&file).unwrap();
        let name = BackupName::parse(&made.good.name).unwrap();
        let assert_refused = |what: &str| {
            // In the store, and as a file with its checksum beside it.
            let stored = BackupFile::Stored(&store, &name).read(Some(&identities), &mut io::sink());
            for refused in [stored.map(|_| ()), read(&file, Some(&identities))] {
                match refused {
                    Err(BackupFailure::Damaged(reason) | BackupFailure::Key(reason)) => {
                        assert!(reason.contains(&made.good.name), "{what}: {reason}");
                    }
                    other => panic!("{what}: {other:?}"),
                }
            }
        };
        for offset in offsets(whole.len()) {
            let mut bytes = whole.clone();
            bytes[offset] ^= 1;
            std::fs::write(&file, &bytes).unwrap();
            assert_refused(&format!("encrypted {is_encrypted}, flipped at {offset}"));
            std::fs::write(&file, &whole[..offset]).unwrap();
            assert_refused(&format!("encrypted {is_encrypted}, cut at {offset}"));
        }
        let mut longer = whole.clone();
        longer.push(0);
        std::fs::write(&file, longer).unwrap();
        assert_refused("longer");
        std::fs::write(&file, &whole).unwrap();
        assert_eq!(read(&file, Some(&identities)), Ok(()));
    }
}

#[test]
fn an_encrypted_file_without_a_checksum_is_refused_wherever_the_damage_is() {
    let (folder, database) = (Folder::new("backup-no-checksum"), database());
    let store = FolderStore::new(&folder.0.join("store"));
    let (recipients, identities) = keys();
    let made = make(&database, &store, &recipients, &folder.0.join("work")).unwrap();
    let whole = std::fs::read(folder.0.join("store").join(&made.good.name)).unwrap();
    let file = folder.0.join("copy.age");
    for offset in offsets(whole.len()) {
        let mut bytes = whole.clone();
        bytes[offset] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        let flipped = read(&file, Some(&identities));
        std::fs::write(&file, &whole[..offset]).unwrap();
        let cut = read(&file, Some(&identities));
        // Without the first line nothing tells that the file was encrypted; `Restored::prepare` refuses it.
        if offset < 21 {
            let prepared = Restored::prepare(&file, &folder.0.join("prepared.db"));
            assert!(prepared.is_err());
            continue;
        }
        for refused in [flipped, cut] {
            assert!(
                matches!(
                    refused,
                    Err(BackupFailure::Damaged(_) | BackupFailure::Key(_))
                ),
                "{offset}: {refused:?}"
            );
        }
    }
}

#[test]
fn a_backup_without_a_checksum_in_the_store_is_not_good_and_refused() {
    let (folder, database) = (Folder::new("backup-unverified"), database());
    let store = FolderStore::new(&folder.0.join("store"));
    let work = folder.0.join("work");
    let made = make(&database, &store, &Recipients::default(), &work).unwrap();
    let name = BackupName::parse(&made.good.name).unwrap();
    store
        .delete(&ObjectName::new(name.checksum_name()).unwrap())
        .unwrap();
    assert!(!list(&store).unwrap()[0].is_good);
    match BackupFile::Stored(&store, &name).read(None, &mut io::sink()) {
        Err(BackupFailure::Damaged(reason)) => assert!(reason.contains("never verified")),
        other => panic!("{other:?}"),
    }
}

/// What a store does wrong.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// It returns other bytes than were written.
    Flips,
    /// It keeps only the beginning.
    Cuts,
    /// It is full after some bytes.
    FillsUp,
    /// It fails when the object is completed.
    FailsAtTheEnd,
}

struct FaultyStore {
    inner: FolderStore,
    fault: Fault,
    deleted: Mutex<Vec<String>>,
}

impl ObjectStore for FaultyStore {
    fn location(&self) -> String {
        self.inner.location()
    }

    fn create(&self, name: &ObjectName) -> Result<Box<dyn ObjectWriter>, ObjectError> {
        Ok(Box::new(FaultyWriter {
            inner: self.inner.create(name)?,
            fault: self.fault,
            written: 0,
        }))
    }

    fn open(&self, name: &ObjectName) -> Result<Box<dyn Read + Send>, ObjectError> {
        let mut bytes = Vec::new();
        self.inner.open(name)?.read_to_end(&mut bytes).unwrap();
        match self.fault {
            Fault::Flips => {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            }
            Fault::Cuts => bytes.truncate(bytes.len() / 2),
            Fault::FillsUp | Fault::FailsAtTheEnd => {}
        }
        Ok(Box::new(io::Cursor::new(bytes)))
    }

    fn list(&self) -> Result<Vec<ObjectInfo>, ObjectError> {
        self.inner.list()
    }

    fn delete(&self, name: &ObjectName) -> Result<(), ObjectError> {
        self.deleted.lock().unwrap().push(name.to_string());
        self.inner.delete(name)
    }

    fn remove_unfinished(&self) -> Result<(), ObjectError> {
        self.inner.remove_unfinished()
    }
}

struct FaultyWriter {
    inner: Box<dyn ObjectWriter>,
    fault: Fault,
    written: usize,
}

impl Write for FaultyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.len();
        match self.fault {
            Fault::FillsUp if self.written > 100_000 => Err(io::Error::other(ObjectError::Full(
                "the store is full".to_owned(),
            ))),
            _ => self.inner.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl ObjectWriter for FaultyWriter {
    fn finish(self: Box<Self>) -> Result<u64, ObjectError> {
        match self.fault {
            Fault::FailsAtTheEnd => Err(ObjectError::Unavailable("the store is gone".to_owned())),
            _ => self.inner.finish(),
        }
    }
}

#[test]
fn a_store_that_fails_or_returns_something_else_has_no_good_backup() {
    for fault in [
        Fault::Flips,
        Fault::Cuts,
        Fault::FillsUp,
        Fault::FailsAtTheEnd,
    ] {
        for is_encrypted in [false, true] {
            let folder = Folder::new(&format!("backup-fault-{fault:?}-{is_encrypted}"));
            let database = database();
            let store = FaultyStore {
                inner: FolderStore::new(&folder.0.join("store")),
                fault,
                deleted: Mutex::default(),
            };
            let recipients = if is_encrypted {
                keys().0
            } else {
                Recipients::default()
            };
            let work = folder.0.join("work");
            let failure = make(&database, &store, &recipients, &work).unwrap_err();
            match (fault, &failure) {
                (Fault::Flips | Fault::Cuts, BackupFailure::Verification(_))
                | (Fault::FillsUp, BackupFailure::Store(ObjectError::Full(_)))
                | (Fault::FailsAtTheEnd, BackupFailure::Store(ObjectError::Unavailable(_))) => {}
                _ => panic!("{fault:?}: {failure:?}"),
            }
            assert_eq!(list(&store).unwrap(), [], "{fault:?}");
            let left: Vec<_> = std::fs::read_dir(folder.0.join("store")).unwrap().collect();
            assert!(left.is_empty(), "{fault:?}: {left:?}");
            assert_eq!(std::fs::read_dir(&work).unwrap().count(), 0);
        }
    }
}

#[test]
fn a_good_backup_of_the_same_second_is_kept() {
    let (folder, database) = (Folder::new("backup-second"), database());
    let store = FolderStore::new(&folder.0.join("store"));
    let work = folder.0.join("work");
    let none = Recipients::default();
    let names: Vec<_> = (0..3)
        .map(|_| make(&database, &store, &none, &work).unwrap().good.name)
        .collect();
    assert_eq!(names[0], "assay-backup-20261126-032000Z.db");
    assert_eq!(names[2], "assay-backup-20261126-032002Z.db");
    assert!(
        list(&store)
            .unwrap()
            .iter()
            .filter(|backup| backup.is_good)
            .count()
            == 3
    );
}

#[test]
fn an_interrupted_backup_leaves_nothing() {
    let (folder, database) = (Folder::new("backup-interrupted"), database());
    let store = FolderStore::new(&folder.0.join("store"));
    for steps in [0, 1, 2, 3] {
        let maker = Maker {
            source: Source {
                database: &database,
                tools: &PostgresTools::default(),
            },
            store: &store,
            recipients: &Recipients::default(),
            work_folder: folder.0.join("work"),
        };
        let mut left = steps;
        let made = maker.make(now(), &mut || {
            left -= 1;
            left >= 0
        });
        assert_eq!(made.unwrap_err(), BackupFailure::Stopped, "{steps}");
        assert_eq!(store.list().unwrap(), []);
    }
}
