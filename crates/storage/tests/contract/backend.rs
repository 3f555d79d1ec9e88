//! Empty stores on both databases.

use domain::ports::Stores;
use storage::{Database, DatabaseOptions, SecretKey};
use testkit::TestPostgres;

pub(crate) fn on_sqlite(behaviour: impl FnOnce(&dyn Stores)) {
    behaviour(&Database::for_test());
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
