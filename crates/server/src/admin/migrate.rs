//! `assay migrate`.

use anyhow::{Result, bail};
use cli::{Exit, MigrateArgs, print_error, write_data, write_note};
use serde_json::json;

use super::{flags, print_json};
use crate::config::Service;
use crate::database;

/// Migrates the database to this version, or checks whether it needs to be migrated, and reports the result.
pub(crate) fn migrate(args: &MigrateArgs) -> Exit {
    let database = &args.list.database;
    crate::with_settings(&database.config, flags(database), |settings| {
        match args.check {
            true => check(&settings.service, args.list.json),
            false => apply(&settings.service, args.list.json),
        }
    })
}

/// Applies the pending migrations.
fn apply(service: &Service, json: bool) -> Result<Exit> {
    let (_, upgrade) = database::connect(service, database::Owner::NotYet)?;
    if json {
        let backup = upgrade
            .backup
            .as_ref()
            .map(|file| file.display().to_string());
        return print_json(&json!({ "applied": upgrade.applied, "backup": backup }));
    }
    if let Some(file) = &upgrade.backup {
        write_note(&format!(
            "a copy of the database before the migrations is in {}",
            file.display()
        ));
    }
    for migration in &upgrade.applied {
        write_data(&format!("{migration}\n"))?;
    }
    write_note(&match upgrade.applied.len() {
        0 => format!("{} is up to date", service.database),
        1 => format!("1 migration was applied to {}", service.database),
        count => format!("{count} migrations were applied to {}", service.database),
    });
    Ok(Exit::Fine)
}

/// Lists the pending migrations of an existing database, and changes nothing.
fn check(service: &Service, json: bool) -> Result<Exit> {
    let state = database::open_unchanged(service)?.schema_state()?;
    if !state.unknown.is_empty() {
        bail!(
            "{} was migrated by a later version of Assay (unknown: {}): run that version, or restore a backup made before the upgrade",
            service.database,
            state.unknown.join(", ")
        );
    }
    let exit = match state.pending.is_empty() {
        true => Exit::Fine,
        false => Exit::GateFailed,
    };
    if json {
        print_json(&json!({ "pending": state.pending }))?;
        return Ok(exit);
    }
    for migration in &state.pending {
        write_data(&format!("{migration}\n"))?;
    }
    match state.pending.len() {
        0 => write_note(&format!("{} is up to date", service.database)),
        count => print_error(
            None,
            &format!(
                "{count} of the migrations of this version are not applied to {}: make a backup, then run `assay migrate` or start the service",
                service.database
            ),
        ),
    }
    Ok(exit)
}
