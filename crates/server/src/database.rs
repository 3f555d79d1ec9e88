//! The database that the configuration names, opened and brought up to date.

use std::path::Path;

use anyhow::{Context, Result, bail};
use storage::{Database, DatabaseOptions, DatabaseUrl};

use crate::config::Service;

/// Opens the database, and applies the migrations it lacks. The data folder is made where it is
/// missing and the default database is in it; no other folder is.
pub(crate) fn open(service: &Service) -> Result<Database> {
    make_data_folder(service)?;
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

/// Makes the data folder, for its owner alone, where the database is the default one in it.
pub(crate) fn make_data_folder(service: &Service) -> Result<()> {
    let DatabaseUrl::Sqlite(file) = &service.database else {
        return Ok(());
    };
    let folder: &Path = &service.data_dir;
    if file.parent() != Some(folder) {
        return Ok(());
    }
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
