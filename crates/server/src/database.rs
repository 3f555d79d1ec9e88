//! The database that the configuration names, opened and brought up to date.

use std::path::Path;

use anyhow::{Context, Result, bail};
use storage::{Database, DatabaseOptions, DatabaseUrl};

use crate::config::Service;
use crate::secret_key;

/// Opens the database of a service, as [`open`] does, and makes the data folder and in it the secret
/// key where they are missing.
pub(crate) fn open_to_serve(service: &Service) -> Result<Database> {
    let database = connect(service)?;
    make_data_folder(service)?;
    let key = secret_key::read_or_make(&service.data_dir)?;
    Ok(database.with_secret(key).with_own_clock())
}

/// Opens the database, and applies the migrations it lacks. The data folder is made where it is
/// missing and the default database is in it; no other folder is. Where there is no secret key, it
/// goes without.
pub(crate) fn open(service: &Service) -> Result<Database> {
    let database = connect(service)?;
    Ok(match secret_key::read(&service.data_dir)? {
        Some(key) => database.with_secret(key),
        None => database,
    })
}

fn connect(service: &Service) -> Result<Database> {
    make_folder_of_database(service)?;
    let options = DatabaseOptions {
        max_connections: service.max_connections,
        ..DatabaseOptions::default()
    };
    let database = Database::connect(&service.database, &options)?;
    for migration in database.migrate()? {
        tracing::info!(migration, "migration applied");
    }
    Ok(database)
}

/// Opens a database that is there already.
pub(crate) fn open_existing(service: &Service) -> Result<Database> {
    if let DatabaseUrl::Sqlite(file) = &service.database
        && !file.exists()
    {
        bail!(
            "there is no database {}: name it with --data-dir or --database-url, or make it with `assay serve` or `assay orgs create`",
            file.display()
        );
    }
    open(service)
}

/// Makes the data folder where the database is the default one in it.
pub(crate) fn make_folder_of_database(service: &Service) -> Result<()> {
    match &service.database {
        DatabaseUrl::Sqlite(file) if file.parent() == Some(service.data_dir.as_path()) => {
            make_data_folder(service)
        }
        _ => Ok(()),
    }
}

/// Makes the data folder, for its owner alone.
fn make_data_folder(service: &Service) -> Result<()> {
    let folder: &Path = &service.data_dir;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder
        .create(folder)
        .with_context(|| format!("{} cannot be made", folder.display()))
}
