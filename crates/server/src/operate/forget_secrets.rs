//! `assay forget-secrets`.

use anyhow::{Context, Result, bail};
use cli::{Exit, ForgetSecretsArgs, write_note};
use domain::audit_log::Actor;
use domain::ports::Clock;
use serde_json::json;
use storage::{DatabaseUrl, Forgotten};

use crate::admin::{flags, print_json};
use crate::config::Service;
use crate::database::{Owner, connect, refuse_missing};
use crate::lock::Lock;
use crate::sources::SystemClock;

/// Removes everything that is stored encrypted.
pub(crate) fn forget_secrets(args: &ForgetSecretsArgs) -> Exit {
    let database = &args.list.database;
    crate::with_settings(&database.config, flags(database), |settings| {
        if !args.yes {
            bail!(
                "this deletes the request headers of sites, all webhooks and all second factors; confirm with --yes"
            );
        }
        let Forgotten {
            sites,
            webhooks,
            second_factors,
        } = forget(&settings.service)?;
        if args.list.json {
            return print_json(&json!({
                "sites": sites,
                "webhooks": webhooks,
                "secondFactors": second_factors,
            }));
        }
        write_note(&format!(
            "the request headers of {sites} sites, {webhooks} webhooks and {second_factors} second factors were deleted: create them again"
        ));
        Ok(Exit::Fine)
    })
}

fn forget(service: &Service) -> Result<Forgotten> {
    refuse_missing(service)?;
    let _lock = match &service.database {
        DatabaseUrl::Sqlite(file) => Some(Lock::take(file).context("stop the service first")?),
        DatabaseUrl::Postgres(_) => None,
    };
    let (database, _) = connect(service, Owner::Us)?;
    Ok(database.forget_secrets(SystemClock.now(), &Actor::CommandLine)?)
}
