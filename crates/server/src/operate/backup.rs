//! `assay backup`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cli::{BackupArgs, Exit, write_note};
use domain::audit_log::{Actor, AuditNote};
use domain::ports::Clock;
use serde_json::json;
use storage::{Backup, Database, DatabaseOptions, DatabaseUrl};

use super::{name_of, stamp, stored_backup};
use crate::admin::{flags, print_json, print_value};
use crate::config::Service;
use crate::database::{refuse_half_restored, refuse_missing};
use crate::secret_key;
use crate::sources::SystemClock;

/// The folder in the data folder for backups without a file name.
const FOLDER: &str = "backups";

/// Backs up the database; works while a service is running.
pub(crate) fn backup(args: &BackupArgs) -> Exit {
    let database = &args.list.database;
    if let Some(file) = &args.new_identity {
        return crate::ended(stored_backup::make_identity(file));
    }
    crate::with_settings(&database.config, flags(database), |settings| {
        let service = &settings.service;
        if args.stored {
            return stored_backup::print_stored(service, args.list.json);
        }
        if let (None, Some(scheduled)) = (&args.file, &service.backup) {
            return stored_backup::make(service, scheduled, args.list.json);
        }
        let made = make(args, service)?;
        if args.list.json {
            return print_json(&json!({
                "file": made.path.display().to_string(),
                "bytes": made.bytes,
            }));
        }
        note_secret_key(service);
        print_value(&made.path.display().to_string())
    })
}

fn make(args: &BackupArgs, service: &Service) -> Result<Backup> {
    if !matches!(service.database, DatabaseUrl::Sqlite(_)) {
        bail!("{}", with_pg_dump(service));
    }
    refuse_missing(service)?;
    refuse_half_restored(service)?;
    let file = match &args.file {
        Some(file) => file.clone(),
        None => usual_file(service)?,
    };
    // Not migrated: a backup before an upgrade must have the old schema.
    let options = DatabaseOptions {
        max_connections: 1,
        ..DatabaseOptions::default()
    };
    let database = Database::connect(&service.database, &options)?;
    let made = database.back_up(&file)?;
    let note = AuditNote {
        event: "backup.made",
        subject: name_of(&made.path),
        detail: format!("{} bytes", made.bytes),
    };
    // The backup is complete even if the audit log line cannot be written.
    if let Err(error) = database.note_everywhere(SystemClock.now(), &Actor::CommandLine, &note) {
        write_note(&format!(
            "warning: this backup was not recorded in the audit log: {error}"
        ));
    }
    Ok(made)
}

/// Returns a new name in a folder of the data folder that only its owner can access.
fn usual_file(service: &Service) -> Result<PathBuf> {
    let folder = service.data_dir.join(FOLDER);
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(&folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    Ok(folder.join(format!("assay-{}.db", stamp(SystemClock.now()))))
}

fn note_secret_key(service: &Service) {
    let key = secret_key::file(&service.data_dir);
    if key.exists() {
        write_note(&format!(
            "request headers and the secrets of webhooks and second factors are encrypted with {}, which is not part of the backup: keep a copy of that file, in a different place than the backup",
            key.display()
        ));
    }
}

/// Returns the instructions for a PostgreSQL database.
fn with_pg_dump(service: &Service) -> String {
    let file = format!("assay-{}.dump", stamp(SystemClock.now()));
    format!(
        "use PostgreSQL's own tool for this database; it works while the service runs:\n\n  pg_dump --format=custom --no-owner --file={file} '{}'\n\nIt prompts for the password, or reads it from PGPASSWORD or ~/.pgpass. Also keep a copy of {}",
        without_password(&service.database),
        secret_key::file(&service.data_dir).display()
    )
}

/// Returns the URL of a database without its password, for a command line.
pub(super) fn without_password(database: &DatabaseUrl) -> String {
    database.to_string().replace(":***@", "@")
}

/// Whether a file was made by `assay backup` and is not part of a database in use.
pub(super) fn is_in_use(file: &Path) -> bool {
    super::beside(file, "-wal").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_put_on_a_command_line() {
        let url = "postgres://assay:geheim@db.example/assay".parse().unwrap();
        assert_eq!(without_password(&url), "postgres://assay@db.example/assay");
    }
}
