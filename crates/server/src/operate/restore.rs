//! `assay restore`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cli::{Exit, RestoreArgs, write_note};
use domain::audit_log::{Actor, AuditNote};
use domain::ports::Clock;
use serde_json::json;
use storage::{Database, DatabaseOptions, DatabaseUrl, Restored};

use super::backup::{is_in_use, without_password};
use super::{beside, name_of, stamp};
use crate::admin::{flags, print_json, print_value};
use crate::config::Service;
use crate::database::make_folder_of_database;
use crate::lock::Lock;
use crate::secret_key;
use crate::sources::SystemClock;

/// What the restore did.
struct Done {
    database: PathBuf,
    kept: Option<PathBuf>,
    pending: usize,
}

/// Replaces a database that no service uses with a backup.
pub(crate) fn restore(args: &RestoreArgs) -> Exit {
    let database = &args.list.database;
    crate::with_settings(&database.config, flags(database), |settings| {
        let done = put(args, &settings.service)?;
        let kept = done.kept.as_ref().map(|file| file.display().to_string());
        if let Some(kept) = &kept {
            write_note(&format!("the previous database is kept as {kept}"));
        }
        if done.pending > 0 {
            write_note(&format!(
                "the backup is from an earlier version: the next start runs {} migrations",
                done.pending
            ));
        }
        if args.list.json {
            return print_json(&json!({
                "database": done.database.display().to_string(),
                "kept": kept,
                "pendingMigrations": done.pending,
            }));
        }
        print_value(&done.database.display().to_string())
    })
}

fn put(args: &RestoreArgs, service: &Service) -> Result<Done> {
    let DatabaseUrl::Sqlite(database) = &service.database else {
        bail!("{}", with_pg_restore(&args.file, service));
    };
    if is_in_use(&args.file) {
        bail!(
            "{} is part of a database that is or was in use: its latest writes are in {}. Make a backup with `assay backup`",
            args.file.display(),
            beside(&args.file, "-wal").display()
        );
    }
    make_folder_of_database(service)?;
    let _lock = Lock::take(database).context("stop the service first")?;
    let is_there = database.exists();
    if is_there && !args.replace {
        bail!(
            "the database {} already exists; --replace replaces it with the backup and keeps it under another name",
            database.display()
        );
    }
    let now = SystemClock.now();
    let waiting = beside(database, ".restoring");
    // Left over from an interrupted restore: the lock ensures that none is running.
    if waiting.exists() {
        std::fs::remove_file(&waiting)
            .with_context(|| format!("{} cannot be removed", waiting.display()))?;
    }
    let restored = Restored::prepare(&args.file, &waiting)?;
    let pending = restored.schema.pending.len();
    let aside = free_name(database, &format!(".before-restore-{}", stamp(now)));
    restored.put_in_place(database, &aside)?;
    let options = DatabaseOptions {
        max_connections: 1,
        ..DatabaseOptions::default()
    };
    let opened = Database::connect(&service.database, &options)?;
    let note = AuditNote {
        event: "backup.restored",
        subject: name_of(&args.file),
        detail: String::new(),
    };
    opened.note_everywhere(now, &Actor::CommandLine, &note)?;
    warn_of_key(opened, service);
    Ok(Done {
        database: database.clone(),
        kept: is_there.then_some(aside),
        pending,
    })
}

/// Returns an unused name beside a file.
fn free_name(file: &Path, suffix: &str) -> PathBuf {
    let mut name = beside(file, suffix);
    let mut number = 2;
    while name.symlink_metadata().is_ok() {
        name = beside(file, &format!("{suffix}-{number}"));
        number += 1;
    }
    name
}

/// Warns if the secret key is not the one of the backup.
fn warn_of_key(opened: Database, service: &Service) {
    let opened = match secret_key::read(&service.data_dir) {
        Ok(Some(key)) => opened.with_secret(key),
        // The service reports a damaged key file when it starts.
        Ok(None) | Err(_) => opened,
    };
    // The schema of an earlier version may have nothing encrypted.
    if let Ok(Some(false)) = opened.secret_fits() {
        write_note(&format!(
            "warning: {} is not the key of this backup: put back the right key before you start the service; if it is lost, run `assay forget-secrets`",
            secret_key::file(&service.data_dir).display()
        ));
    }
}

/// Returns the instructions for a PostgreSQL database.
fn with_pg_restore(file: &Path, service: &Service) -> String {
    format!(
        "use PostgreSQL's own tool for this database. Stop the services, restore into a new, empty database, and start the services with its URL:\n\n  createdb assay_restored\n  pg_restore --no-owner --exit-on-error --dbname='URL OF assay_restored' {}\n\nThe configured database {} is not changed",
        file.display(),
        without_password(&service.database)
    )
}
