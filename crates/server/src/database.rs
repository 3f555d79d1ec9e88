//! The database that the configuration names, opened and brought up to date.

use std::path::Path;

use anyhow::{Context, Result};
use storage::{Database, DatabaseOptions, DatabaseUrl};

use crate::config::Service;

/// Opens the database, and applies the migrations it lacks. The folder of an SQLite database is
/// made where it is missing.
pub(crate) fn open(service: &Service) -> Result<Database> {
    if let DatabaseUrl::Sqlite(file) = &service.database {
        make_folder(file)?;
    }
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

/// Makes the folder of a file, for its owner alone.
pub(crate) fn make_folder(file: &Path) -> Result<()> {
    let Some(folder) = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    else {
        return Ok(());
    };
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
