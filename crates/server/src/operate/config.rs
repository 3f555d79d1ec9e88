//! `assay config`.

use anyhow::Result;
use cli::{ConfigCommand, DatabaseArgs, Exit, print_error, write_data, write_note};

use crate::admin::{flags, print_json};
use crate::as_text;
use crate::config::{ConfigError, ConfigSource, show};

/// Shows or checks the configuration.
pub(crate) fn config(command: &ConfigCommand) -> Exit {
    match command {
        ConfigCommand::Check(args) => match check(args) {
            Ok(()) => {
                write_note("the configuration is valid");
                Exit::Fine
            }
            Err(error) => refused(&error),
        },
        ConfigCommand::Show(args) => with_effective(&args.database, |table| {
            if args.json {
                return print_json(&serde_json::to_value(table)?);
            }
            write_data(&toml::to_string(table)?)?;
            Ok(Exit::Fine)
        }),
    }
}

fn with_effective(args: &DatabaseArgs, action: impl FnOnce(&toml::Table) -> Result<Exit>) -> Exit {
    let file = args.config.config.as_deref();
    let variables = std::env::vars_os().filter_map(as_text);
    match show(file, variables, flags(args)) {
        Ok(table) => crate::ended(action(&table)),
        Err(error) => refused(&error),
    }
}

/// Loads all that `assay serve` loads: the configuration, and the logos that it names.
fn check(args: &DatabaseArgs) -> Result<(), ConfigError> {
    let settings = ConfigSource::new(&args.config, flags(args)).load()?;
    settings.service.organizations.read().map(drop)
}

fn refused(error: &ConfigError) -> Exit {
    print_error(None, &format!("configuration: {error}"));
    Exit::Usage
}
