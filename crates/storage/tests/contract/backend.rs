//! The three stores, each new and empty.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::ports::Stores;
use storage::{Database, DatabaseOptions, SecretKey};
use testkit::{MemoryStores, TestPostgres};

pub(crate) fn on_memory(behaviour: impl FnOnce(&dyn Stores)) {
    behaviour(&MemoryStores::default());
}

pub(crate) fn on_sqlite(behaviour: impl FnOnce(&dyn Stores)) {
    let folder = TestFolder::new();
    let file = folder.0.join("assay.db");
    behaviour(&migrated(&format!("sqlite:{}", file.display())));
}

pub(crate) fn on_postgresql(behaviour: impl FnOnce(&dyn Stores)) {
    let database = TestPostgres::migrated(|url| drop(migrated(url)));
    behaviour(&migrated(database.url()));
}

fn migrated(url: &str) -> Database {
    let url = url.parse().unwrap();
    let database = Database::connect(&url, &DatabaseOptions::default()).unwrap();
    database.migrate().unwrap();
    database.with_secret(SecretKey::new([7; 32]))
}

/// A folder that is removed in the end.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("assay-contract-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
