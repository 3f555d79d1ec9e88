//! `assay migrate`.

use cli::{Exit, ListArgs, write_data, write_note};
use serde_json::json;

use super::{flags, print_json};
use crate::database;

/// Migrates the database to this version, and reports the result.
pub(crate) fn migrate(args: &ListArgs) -> Exit {
    let flags = flags(&args.database);
    crate::with_settings(&args.database.config, flags, |settings| {
        let service = &settings.service;
        let (_, upgrade) = database::connect(service, database::Owner::NotYet)?;
        if args.json {
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
    })
}
