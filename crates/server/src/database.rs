//! Opens and migrates the configured database.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use domain::ports::Clock;
use storage::{Database, DatabaseOptions, DatabaseUrl, is_being_replaced};

use crate::config::Service;
use crate::lock::Lock;
use crate::secret_key;
use crate::sources::SystemClock;

/// Opens the database of a service, as [`open`] does, and creates the data folder and the secret key in it if they
/// are missing. Rejects a key that is not the database's: such a process could neither send to webhooks nor audit with
/// request headers, and other processes could not decrypt what it encrypts.
pub(crate) fn open_to_serve(service: &Service) -> Result<Database> {
    let (database, _) = connect(service, Owner::Us)?;
    make_data_folder(service)?;
    let file = secret_key::file(&service.data_dir);
    let key = match secret_key::read(&service.data_dir)? {
        Some(key) => key,
        // Without a key nothing decrypts, so the result shows whether anything is encrypted.
        None if database.secret_fits()?.is_some() => bail!(
            "{} is missing, but this database contains data encrypted with a key: put the file back, from a copy or from another process on the database{OR_FORGET}",
            file.display()
        ),
        None => secret_key::read_or_make(&service.data_dir)?,
    };
    let database = database.with_secret(key).with_own_clock();
    if !database.adopt_secret()? {
        bail!(
            "{} is not the key of this database: put the right file there; all processes on a database need the same key{OR_FORGET}",
            file.display()
        );
    }
    Ok(database)
}

/// The remaining option of an operator who has lost the key.
const OR_FORGET: &str = ". If it is lost, `assay forget-secrets` removes everything encrypted with it: request headers of sites, and secrets of webhooks and second factors";

/// Opens the database, and applies pending migrations. The data folder is created if it is missing and contains the
/// default database; no other folder is created. Without a secret key the database is opened without one.
pub(crate) fn open(service: &Service) -> Result<Database> {
    let (database, _) = connect(service, Owner::NotYet)?;
    Ok(match secret_key::read(&service.data_dir)? {
        Some(key) => database.with_secret(key),
        None => database,
    })
}

/// Whether this process holds the lock on an SQLite database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// It holds the lock.
    Us,
    /// It does not hold the lock, and another process may serve the database.
    NotYet,
}

/// What a migration of the database did.
#[derive(Debug, Default)]
pub(crate) struct Upgrade {
    /// The migrations that were applied.
    pub(crate) applied: Vec<String>,
    /// The backup of the database before the migration; only for SQLite, and only if the database was not empty.
    pub(crate) backup: Option<PathBuf>,
}

/// Opens the database, and applies pending migrations. An SQLite database is backed up before; the operator makes
/// backups of a PostgreSQL database.
pub(crate) fn connect(service: &Service, owner: Owner) -> Result<(Database, Upgrade)> {
    make_folder_of_database(service)?;
    refuse_half_restored(service)?;
    refuse_lost(service)?;
    let database = Database::connect(&service.database, &options(service))?;
    let mut upgrade = Upgrade::default();
    // Fails if no migration was ever run: then there is nothing to back up.
    let pending = database
        .schema_state()
        .map_or(0, |state| match state.unknown.is_empty() {
            true => state.pending.len(),
            // The database is rejected later, and nothing is changed.
            false => 0,
        });
    let _lock = match &service.database {
        DatabaseUrl::Sqlite(file) if pending > 0 => {
            let lock = match owner {
                Owner::Us => None,
                // The serving process is of an earlier version and does not know the new schema.
                Owner::NotYet => Some(Lock::take(file).context("the database is not migrated")?),
            };
            upgrade.backup = Some(keep(&database, file)?);
            lock
        }
        _ => None,
    };
    upgrade.applied = database.migrate()?;
    for migration in &upgrade.applied {
        tracing::debug!(migration, "migration applied");
    }
    if let Some(last) = upgrade.applied.last() {
        let count = upgrade.applied.len();
        tracing::info!(count, last, "migrations applied");
    }
    Ok((database, upgrade))
}

/// Opens a database without migrating it.
pub(crate) fn open_unchanged(service: &Service) -> Result<Database> {
    refuse_missing(service)?;
    refuse_half_restored(service)?;
    Ok(Database::connect(&service.database, &options(service))?)
}

fn options(service: &Service) -> DatabaseOptions {
    DatabaseOptions {
        max_connections: service.max_connections,
        ..DatabaseOptions::default()
    }
}

/// Copies an SQLite database to a file beside it, named after its schema version and the time.
fn keep(database: &Database, file: &Path) -> Result<PathBuf> {
    let version = database.schema_version()?;
    let time = SystemClock.now().format("%Y%m%dT%H%M%S%3fZ");
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".schema-{version}.{time}.backup"));
    let backup = database.back_up(Path::new(&name)).context(
        "the database was not migrated because its backup failed: free disk space, or make its folder writable",
    )?;
    tracing::info!(file = %backup.path.display(), size_bytes = backup.bytes, "database backed up before migrating");
    Ok(backup.path)
}

/// Opens an existing database.
pub(crate) fn open_existing(service: &Service) -> Result<Database> {
    refuse_missing(service)?;
    open(service)
}

/// Rejects a database whose restore was interrupted.
pub(crate) fn refuse_half_restored(service: &Service) -> Result<()> {
    if let DatabaseUrl::Sqlite(file) = &service.database
        && let Some(copy) = is_being_replaced(file)
    {
        bail!(
            "a restore of {} was interrupted: {} still exists. Repeat `assay restore --replace`; the previous database is kept in the same folder",
            file.display(),
            copy.display()
        );
    }
    Ok(())
}

/// Refuses to create a new database in place of a lost one. The secret key of a service is created after its
/// database, so a key beside a missing or empty file belonged to another file. With PostgreSQL this cannot be
/// detected: every process except the first starts with a key and possibly an empty database.
pub(crate) fn refuse_lost(service: &Service) -> Result<()> {
    if let Some(key) = key_without_database(service) {
        bail!(
            "the database {} is missing, but {} exists, so the database is lost: restore it with `assay restore BACKUP`, or put the file back. To start again without its data, move {} away first",
            service.database,
            key.display(),
            key.display()
        );
    }
    Ok(())
}

/// Returns the secret key file of a service whose SQLite database is missing; `None` if there is a database or no key.
pub(crate) fn key_without_database(service: &Service) -> Option<PathBuf> {
    let DatabaseUrl::Sqlite(file) = &service.database else {
        return None;
    };
    let has_content = |path: &Path| std::fs::metadata(path).is_ok_and(|found| found.len() > 0);
    let key = secret_key::file(&service.data_dir);
    (!has_content(file) && has_content(&key)).then_some(key)
}

/// What to do where the user of a command may not read the data.
pub(crate) const AS_ITS_USER: &str = "run the command as the user that runs the service";

/// Refuses a SQLite database that does not exist or that the user may not read.
pub(crate) fn refuse_missing(service: &Service) -> Result<()> {
    refuse_lost(service)?;
    let DatabaseUrl::Sqlite(file) = &service.database else {
        return Ok(());
    };
    let file_name = file.display();
    match std::fs::File::open(file) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "the database {file_name} does not exist: set its path with --data-dir or --database-url, or create it with `assay serve` or `assay orgs create`"
        ),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            bail!("no permission to read the database {file_name}: {AS_ITS_USER}")
        }
        Err(error) => bail!("cannot read the database {file_name}: {error}"),
    }
}

/// Creates the data folder if it contains the default database.
pub(crate) fn make_folder_of_database(service: &Service) -> Result<()> {
    match &service.database {
        DatabaseUrl::Sqlite(file) if file.parent() == Some(service.data_dir.as_path()) => {
            make_data_folder(service)
        }
        _ => Ok(()),
    }
}

/// Creates the data folder, accessible only by its owner.
fn make_data_folder(service: &Service) -> Result<()> {
    let folder: &Path = &service.data_dir;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    match builder.create(folder) {
        // It may exist, but be out of reach.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => bail!(
            "no permission to use or create the folder {}: {AS_ITS_USER}",
            folder.display()
        ),
        created => created.with_context(|| format!("{} cannot be created", folder.display())),
    }
}
