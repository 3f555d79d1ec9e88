//! Schema migrations.

use std::collections::BTreeSet;
use std::time::Instant;

use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::{connection::SimpleConnection, pg::Pg, sqlite::Sqlite};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::database::Database;
use crate::database::connection::{AnyConnection, Transaction, in_transaction, on_either};
use crate::database::error::{Error, StorageError, explained};
use crate::database::failpoint::point;
use crate::database::schema::__diesel_schema_migrations;

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRESQL: EmbeddedMigrations = embed_migrations!("../../migrations/postgresql");

/// The advisory lock that serializes processes migrating the same PostgreSQL database.
const LOCK: i64 = 0x0041_5353_4159;

impl Database {
    /// Runs the pending migrations in one transaction and returns their names. If several processes start at
    /// once, one runs the migrations and the others find none pending.
    ///
    /// # Errors
    /// Returns [`Error`] with the reason; the schema is then unchanged. A schema made by a later version is
    /// rejected.
    pub fn migrate(&self) -> Result<Vec<String>, Error> {
        let started = Instant::now();
        let _turn = self.lock_writer().map_err(store)?;
        let mut pooled = self.checkout(started).map_err(store)?;
        let patience = self.left(started);
        let mut newer = Vec::new();
        let done = in_transaction(&mut pooled.connection, patience, |connection| {
            lock_migrations(connection)?;
            point!("migrate-begun");
            newer = unknown_versions(connection)?;
            if newer.is_empty() {
                let done = on_either!(connection, inner => run_pending(inner))?;
                point!("migrate-written");
                Ok(done)
            } else {
                Ok(Vec::new())
            }
        });
        if !newer.is_empty() {
            return Err(Error::NewerSchema(newer));
        }
        done.map_err(|error| match error {
            Transaction::NotBegun(fault) => store(fault),
            Transaction::Failed(StorageError::Failed(text)) => Error::Migration(text),
            Transaction::Failed(fault) => store(fault),
        })
    }
}

fn store(fault: StorageError) -> Error {
    Error::Store(fault.into())
}

/// SQLite has only one writer. On PostgreSQL the lock is released with the transaction.
fn lock_migrations(connection: &mut AnyConnection) -> Result<(), StorageError> {
    if let AnyConnection::Postgres(postgres) = connection {
        postgres.batch_execute("SET LOCAL statement_timeout = 0")?;
        postgres.batch_execute(&format!("SELECT pg_advisory_xact_lock({LOCK})"))?;
    }
    Ok(())
}

pub(crate) trait OwnMigrations: diesel::backend::Backend {
    fn embedded() -> EmbeddedMigrations;
}

impl OwnMigrations for Sqlite {
    fn embedded() -> EmbeddedMigrations {
        SQLITE
    }
}

impl OwnMigrations for Pg {
    fn embedded() -> EmbeddedMigrations {
        POSTGRESQL
    }
}

pub(crate) fn run_pending<C>(connection: &mut C) -> Result<Vec<String>, StorageError>
where
    C: Connection + MigrationHarness<C::Backend>,
    C::Backend: OwnMigrations,
    EmbeddedMigrations: MigrationSource<C::Backend>,
{
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
        StorageError::Failed(explained(error.to_string()))
    };
    let embedded = C::Backend::embedded();
    let pending = connection.pending_migrations(embedded).map_err(failed)?;
    let mut names = Vec::new();
    for migration in pending {
        let name = migration.name().to_string();
        connection
            .run_migration(&migration)
            .map_err(|error| StorageError::Failed(explained(format!("{name}: {error}"))))?;
        point!("migrate-between");
        names.push(name);
    }
    Ok(names)
}

/// The versions of the migrations embedded in this program.
fn embedded_versions(connection: &AnyConnection) -> Result<BTreeSet<String>, StorageError> {
    match connection {
        AnyConnection::Sqlite(_) => versions_of::<Sqlite>(),
        AnyConnection::Postgres(_) => versions_of::<Pg>(),
    }
}

fn versions_of<DB: OwnMigrations>() -> Result<BTreeSet<String>, StorageError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let migrations: Vec<Box<dyn Migration<DB>>> = DB::embedded()
        .migrations()
        .map_err(|error| StorageError::Failed(error.to_string()))?;
    Ok(migrations
        .iter()
        .map(|migration| migration.name().version().to_string())
        .collect())
}

/// The versions that were run but are unknown to this program.
fn unknown_versions(connection: &mut AnyConnection) -> Result<Vec<String>, StorageError> {
    let known = embedded_versions(connection)?;
    let applied = on_either!(connection, inner => inner.applied_migrations());
    let applied = applied.map_err(|error| StorageError::Failed(explained(error.to_string())))?;
    Ok(applied
        .into_iter()
        .map(|version| version.to_string())
        .filter(|version| !known.contains(version))
        .collect())
}

/// The state of a schema relative to this program.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct SchemaState {
    /// Migrations that have not been run.
    pub pending: Vec<String>,
    /// Migrations that were run but are unknown to this program: a later version created them.
    pub unknown: Vec<String>,
}

impl Database {
    /// Returns the state of the schema relative to this program. Changes nothing.
    ///
    /// # Errors
    /// If the database fails, or no migration was ever run.
    pub fn schema_state(&self) -> Result<SchemaState, Error> {
        self.read(state).map_err(store)
    }

    /// Returns the version of the schema: the version of the last migration that was run.
    ///
    /// # Errors
    /// If the database fails, or no migration was ever run.
    pub fn schema_version(&self) -> Result<String, Error> {
        self.read(|connection| {
            let last = __diesel_schema_migrations::table
                .order(__diesel_schema_migrations::version.desc())
                .select(__diesel_schema_migrations::version);
            Ok(last.first(connection)?)
        })
        .map_err(store)
    }
}

/// Returns the state of the schema relative to this program. Read-only; fails if no migration was ever run.
pub(crate) fn state(connection: &mut AnyConnection) -> Result<SchemaState, StorageError> {
    let applied: BTreeSet<String> = __diesel_schema_migrations::table
        .select(__diesel_schema_migrations::version)
        .load(connection)?
        .into_iter()
        .collect();
    let known = embedded_versions(connection)?;
    Ok(SchemaState {
        pending: known.difference(&applied).cloned().collect(),
        unknown: applied.difference(&known).cloned().collect(),
    })
}

/// Returns the number of pending migrations. Read-only; fails if no migration was ever run.
pub(crate) fn pending(connection: &mut AnyConnection) -> Result<usize, StorageError> {
    Ok(state(connection)?.pending.len())
}
