//! Backups in the configured store: `assay backup` without a file, `--stored` and `--new-identity`.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use backup::list;
use cli::{Exit, write_note};
use domain::ports::{IdSource, WorkerId};
use serde_json::json;

use super::WORK_FOLDER;
use crate::admin::{print_json, print_value};
use crate::config::{BackupSettings, Service};
use crate::database;
use crate::jobs::backup::{Attempt, BackupTask};
use crate::objects;
use crate::signal::Signal;
use crate::sources::{SystemClock, SystemIds};

/// Makes a backup in the configured store, as the schedule does.
pub(super) fn make(service: &Service, settings: &BackupSettings, as_json: bool) -> Result<Exit> {
    let database = database::open_existing(service)?;
    let process = SystemIds::default().ulid();
    let task = BackupTask {
        database,
        store: objects::open(&settings.to, service.s3.as_ref(), objects::Purpose::Backups)?,
        settings: settings.clone(),
        // The service uses the same folder, but not at the same time: only the holder of the lease makes a backup.
        work_folder: service.data_dir.join(WORK_FOLDER),
        worker: WorkerId(format!("{process}-backup")),
        clock: Arc::new(SystemClock),
        signal: Arc::new(Signal::default()),
    };
    let made = match task.attempt(false)? {
        Some(Attempt::Made(made)) => made.good,
        Some(Attempt::Failed(failure)) => bail!("no backup was made: {failure}"),
        Some(Attempt::Busy) | None => {
            bail!(
                "another process is making a backup; if that process was killed, its lease ends after 15 minutes, and with SQLite also when the service starts again"
            )
        }
    };
    if as_json {
        return print_json(&json!({
            "name": made.name,
            "store": settings.to.to_string(),
            "bytes": made.size_bytes,
            "verification": made.verification.as_str(),
        }));
    }
    print_value(&made.name)
}

/// Lists the backups in the configured store.
pub(super) fn print_stored(service: &Service, as_json: bool) -> Result<Exit> {
    let Some(settings) = &service.backup else {
        bail!("backup.to is not configured: set it to a folder or to s3://BUCKET/PREFIX");
    };
    let store = objects::open(&settings.to, service.s3.as_ref(), objects::Purpose::Backups)?;
    let stored = list(&*store)?;
    if as_json {
        let rows: Vec<_> = stored
            .iter()
            .map(|backup| {
                json!({
                    "name": backup.name.to_string(),
                    "bytes": backup.size_bytes,
                    "verified": backup.is_good,
                })
            })
            .collect();
        return print_json(&json!({ "store": settings.to.to_string(), "backups": rows }));
    }
    if stored.is_empty() {
        write_note(&format!("there are no backups in {}", settings.to));
        return Ok(Exit::Fine);
    }
    let lines: Vec<String> = stored
        .iter()
        .map(|backup| {
            let state = if backup.is_good {
                "verified"
            } else {
                "not verified"
            };
            format!("{}  {} bytes  {state}", backup.name, backup.size_bytes)
        })
        .collect();
    print_value(&lines.join("\n"))
}

/// Creates a file with a new secret key, readable only by its owner, and prints the public key.
pub(super) fn make_identity(file: &Path) -> Result<Exit> {
    let (text, public) = backup::new_identity();
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let failed = || format!("{} cannot be created", file.display());
    let mut created = options.open(file).with_context(failed)?;
    created.write_all(text.as_bytes()).with_context(failed)?;
    created.sync_all().with_context(failed)?;
    write_note(&format!(
        "add the public key to backup.recipients, and move {} to another machine: without this file no backup can be restored",
        file.display()
    ));
    print_value(&public)
}
