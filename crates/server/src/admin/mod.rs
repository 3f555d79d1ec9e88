//! Administration commands on the database; they also work while a server is running.

mod expiry;
mod invariants;
mod keys;
mod links;
mod members;
mod migrate;
mod named;
mod orgs;
mod plans;

use anyhow::Result;
use chrono::{DateTime, SecondsFormat, Utc};
use cli::{DatabaseArgs, Exit, print_error, write_data, write_json};
use domain::audit_log::Actor;
use domain::usecase::{AdminError, Administration};
use storage::Database;

pub(crate) use invariants::invariants;
pub(crate) use keys::keys;
pub(crate) use links::one_time_links;
pub(crate) use members::members;
pub(crate) use migrate::migrate;
pub(crate) use orgs::orgs;
pub(crate) use plans::plans;

use crate::config::{Flags, Service, Settings};
use crate::database;
use crate::sources::{SystemClock, SystemIds};

/// The flags that name a database.
pub(crate) fn flags(args: &DatabaseArgs) -> Flags {
    Flags {
        listen: None,
        metrics_listen: None,
        data_dir: args.data_dir.clone(),
        database_url: args.database_url.clone(),
    }
}

/// Opens an existing database, runs an action on it, and reports errors.
fn administer(
    args: &DatabaseArgs,
    action: impl FnOnce(&Administration<'_>, &Settings) -> Result<Exit>,
) -> Exit {
    administer_on(args, database::open_existing, action)
}

/// Like [`administer`], but creates a missing database.
fn administer_new(
    args: &DatabaseArgs,
    action: impl FnOnce(&Administration<'_>, &Settings) -> Result<Exit>,
) -> Exit {
    administer_on(args, database::open, action)
}

fn administer_on(
    args: &DatabaseArgs,
    open: fn(&Service) -> Result<Database>,
    action: impl FnOnce(&Administration<'_>, &Settings) -> Result<Exit>,
) -> Exit {
    crate::with_settings(&args.config, flags(args), |settings| {
        let database = open(&settings.service)?;
        let done = action(
            &Administration {
                stores: &database,
                clock: &SystemClock,
                ids: &SystemIds::default(),
                plans: &settings.service.plans,
                actor: &Actor::CommandLine,
            },
            settings,
        );
        done.or_else(|error| match error.downcast::<AdminError>() {
            // The request cannot be fulfilled; the database itself works.
            Ok(
                error @ (AdminError::Name(_) | AdminError::NoPlan { .. } | AdminError::Expired(_)),
            ) => {
                print_error(None, &error.to_string());
                Ok(Exit::Usage)
            }
            Ok(error) => Err(error.into()),
            Err(error) => Err(error),
        })
    })
}

/// Prints only the value, for use in shell scripts.
pub(crate) fn print_value(value: &str) -> Result<Exit> {
    write_data(&format!("{value}\n"))?;
    Ok(Exit::Fine)
}

pub(crate) fn print_json(value: &serde_json::Value) -> Result<Exit> {
    write_json(&format!("{value:#}\n"))?;
    Ok(Exit::Fine)
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}
