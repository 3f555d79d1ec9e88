//! `assay restore`.

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use backup::{BackupFile, FileKind, Identities, ReadBackup, newest_good};
use cli::{Exit, RestoreArgs, write_note};
use domain::audit_log::{Actor, AuditNote};
use domain::backup::BackupName;
use domain::ports::{Clock, ObjectStore};
use serde_json::json;
use storage::{BackupError, Database, DatabaseOptions, DatabaseUrl, Restored};

use super::backup::{is_in_use, without_password};
use super::{beside, name_of, stamp};
use crate::admin::{flags, print_json, print_value};
use crate::config::Service;
use crate::database::make_folder_of_database;
use crate::lock::Lock;
use crate::objects;
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
        if let Some(output) = &args.output {
            return write_contents(args, &settings.service, output);
        }
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
    let place = find(args, service)?;
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
    let fetched = Fetched::new(beside(database, ".fetched"))?;
    let read = fetched.fill(&place, args)?;
    if read.kind == FileKind::PostgresDump {
        bail!(
            "{} is a dump of a PostgreSQL database, but the configured database is an SQLite file: set database_url to a PostgreSQL database",
            place.name()
        );
    }
    let restored = Restored::prepare(&fetched.0, &waiting).map_err(|error| match error {
        BackupError::Foreign(_) => BackupError::Foreign(args.file.clone()),
        BackupError::Damaged { message, .. } => BackupError::Damaged {
            path: args.file.clone(),
            message,
        },
        other => other,
    })?;
    drop(fetched);
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
        subject: place.name(),
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

/// Where the backup is.
enum Place {
    File(PathBuf),
    Stored(Arc<dyn ObjectStore>, BackupName),
}

impl Place {
    /// The name without folders.
    fn name(&self) -> String {
        match self {
            Self::File(file) => name_of(file),
            Self::Stored(_, name) => name.to_string(),
        }
    }

    fn read(&self, args: &RestoreArgs, to: &mut dyn Write) -> Result<ReadBackup> {
        let identities = args.identity.as_deref().map(identities).transpose()?;
        let file = match self {
            Self::File(file) => BackupFile::Path(file),
            Self::Stored(store, name) => BackupFile::Stored(&**store, name),
        };
        Ok(file.read(identities.as_ref(), to)?)
    }
}

/// Finds the backup: a file; otherwise a name in the configured store, or its newest good backup.
fn find(args: &RestoreArgs, service: &Service) -> Result<Place> {
    let text = args.file.to_str().unwrap_or_default();
    let name = BackupName::parse(text);
    if args.file.symlink_metadata().is_ok() || (name.is_none() && text != LATEST) {
        return Ok(Place::File(args.file.clone()));
    }
    let Some(settings) = &service.backup else {
        bail!("there is no file {text}, and backup.to is not configured");
    };
    let store = objects::open(&settings.to, service.s3.as_ref(), objects::Purpose::Backups)?;
    let name = match name {
        Some(name) => name,
        None => match newest_good(&*store)? {
            Some(newest) => newest.name,
            None => bail!("there is no good backup in {}", settings.to),
        },
    };
    Ok(Place::Stored(store, name))
}

/// The name that stands for the newest good backup.
const LATEST: &str = "latest";

fn identities(file: &Path) -> Result<Identities> {
    let failed = || file.display().to_string();
    let opened = std::fs::File::open(file).with_context(failed)?;
    Identities::read(BufReader::new(opened)).with_context(failed)
}

/// The decrypted contents of a backup, in a file that is removed on drop.
struct Fetched(PathBuf);

impl Fetched {
    /// Removes a file that an interrupted restore left: the lock ensures that no other restore is running.
    fn new(file: PathBuf) -> Result<Self> {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} cannot be removed", file.display()))
            }
            _ => Ok(Self(file)),
        }
    }

    fn fill(&self, place: &Place, args: &RestoreArgs) -> Result<ReadBackup> {
        let mut file = create_private(&self.0)?;
        place.read(args, &mut file)
    }
}

impl Drop for Fetched {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

fn create_private(file: &Path) -> Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(file)
        .with_context(|| format!("{} cannot be created", file.display()))
}

/// Writes the decrypted contents of a backup to a new file.
fn write_contents(args: &RestoreArgs, service: &Service, output: &Path) -> Result<Exit> {
    let place = find(args, service)?;
    let mut file = create_private(output)?;
    let read = place
        .read(args, &mut file)
        .and_then(|read| Ok(file.sync_all().map(|()| read)?));
    let read = match read {
        Ok(read) => read,
        Err(error) => {
            // Nobody must mistake a damaged file for a backup.
            drop(std::fs::remove_file(output));
            return Err(error);
        }
    };
    if !read.had_checksum && !read.was_encrypted {
        write_note(
            "warning: there is no file with a checksum beside this backup, so damage may remain undetected",
        );
    }
    if args.list.json {
        return print_json(&json!({
            "file": output.display().to_string(),
            "backup": place.name(),
            "checksumCompared": read.had_checksum,
        }));
    }
    print_value(&output.display().to_string())
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
    let is_stored = service.backup.is_some() && !file.exists();
    let is_encrypted = match &service.backup {
        Some(backup) if is_stored => !backup.recipients.is_empty(),
        _ => file.extension().is_some_and(|extension| extension == "age"),
    };
    let (fetch, dump) = if is_stored || is_encrypted {
        let identity = if is_encrypted {
            "--identity KEY_FILE "
        } else {
            ""
        };
        let fetch = format!(
            "assay restore {identity}--output assay.dump {}\n  ",
            file.display()
        );
        (fetch, "assay.dump".to_owned())
    } else {
        (String::new(), file.display().to_string())
    };
    format!(
        "use PostgreSQL's own tool for this database. Stop the services, restore into a new, empty database, and start the services with its URL:\n\n  {fetch}createdb assay_restored\n  pg_restore --no-owner --exit-on-error --dbname='URL OF assay_restored' {dump}\n\nThe configured database {} is not changed",
        without_password(&service.database)
    )
}
