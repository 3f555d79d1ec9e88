//! How it stands with the database.

use std::path::Path;

use chrono::TimeDelta;
use domain::ports::{Clock, OrgStore};
use storage::{Database, DatabaseOptions, DatabaseUrl};

use super::Finding;
use crate::config::Service;
use crate::database::{key_without_database, refuse_half_restored};
use crate::secret_key;
use crate::sources::SystemClock;

/// By how much the clocks of this machine and of the database may differ.
const SKEW: TimeDelta = TimeDelta::seconds(2);

pub(super) fn examine(service: &Service) -> Vec<Finding> {
    if let Some(key) = key_without_database(service) {
        return vec![Finding::problem(
            "database",
            format!(
                "there is no {}, and {} shows that there was one: the service does not start",
                service.database,
                key.display()
            ),
            format!(
                "put the file back, or a backup with `assay restore`; to start anew without its data, move {} away",
                key.display()
            ),
        )];
    }
    if let DatabaseUrl::Sqlite(file) = &service.database
        && !file.exists()
    {
        return vec![Finding::warning(
            "database",
            format!("there is no {} yet", file.display()),
            "nothing, before the first start: `assay serve` makes it. Otherwise name the right place with --data-dir or --database-url",
        )];
    }
    if let Err(error) = refuse_half_restored(service) {
        return vec![Finding::problem(
            "database",
            error.to_string(),
            "run `assay restore --replace` with the backup again; no other command uses the database until then",
        )];
    }
    let options = DatabaseOptions {
        max_connections: 1,
        ..DatabaseOptions::default()
    };
    let database = match Database::connect(&service.database, &options) {
        Ok(database) => database,
        Err(error) => {
            return vec![Finding::problem(
                "database",
                error.to_string(),
                "make the database reachable for this user; the service answers 503 without it",
            )];
        }
    };
    let mut found = vec![Finding::fine(
        "database",
        format!("{} can be reached", service.database),
    )];
    if let DatabaseUrl::Sqlite(file) = &service.database {
        found.push(integrity(&database));
        found.extend(exposed(file));
    }
    found.extend(several_hosts(&service.database));
    let schema = schema(&database);
    let is_usable = schema.level != super::Level::Problem;
    found.push(schema);
    if is_usable {
        found.extend(plans(&database, service));
        found.push(clock(&database));
        found.extend(sealed(database, service));
    }
    found
}

/// Of several servers, which may be used.
fn several_hosts(database: &DatabaseUrl) -> Option<Finding> {
    const CHECK: &str = "database.hosts";
    if !database.lists_several_hosts() {
        return None;
    }
    Some(match database.target_session_attrs() {
        None => Finding::fine(
            CHECK,
            "of the servers that the URL lists, the first that can be written is used (target_session_attrs=read-write)",
        ),
        Some("read-write" | "primary") => Finding::fine(
            CHECK,
            "of the servers that the URL lists, the first that can be written is used",
        ),
        Some(other) => Finding::warning(
            CHECK,
            format!(
                "the URL lists several servers and sets target_session_attrs={other}: a standby may be used, which cannot be written"
            ),
            "set target_session_attrs=read-write, or leave it out",
        ),
    })
}

fn integrity(database: &Database) -> Finding {
    const CHECK: &str = "database.integrity";
    match database.complaints() {
        Ok(complaints) if complaints.is_empty() => Finding::fine(CHECK, "the file is whole"),
        Ok(complaints) => Finding::problem(
            CHECK,
            complaints.join("; "),
            "stop the service, keep a copy of the file, and put back a backup with `assay restore`",
        ),
        Err(error) => Finding::problem(
            CHECK,
            error.to_string(),
            "look whether the file is a database and can be read",
        ),
    }
}

#[cfg(unix)]
fn exposed(file: &Path) -> Option<Finding> {
    use std::os::unix::fs::PermissionsExt;

    let mode = std::fs::metadata(file).ok()?.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then(|| {
        Finding::warning(
            "database.mode",
            format!("others than its owner can use the file (mode {mode:o})"),
            format!("chmod 600 {}", file.display()),
        )
    })
}

#[cfg(not(unix))]
const fn exposed(_file: &Path) -> Option<Finding> {
    None
}

fn schema(database: &Database) -> Finding {
    const CHECK: &str = "database.schema";
    match database.schema_state() {
        Err(error) => Finding::problem(
            CHECK,
            error.to_string(),
            "an empty database is filled by the first `assay serve`; otherwise name the right one",
        ),
        Ok(state) if !state.unknown.is_empty() => Finding::problem(
            CHECK,
            format!(
                "a later version of Assay migrated it (unknown: {})",
                state.unknown.join(", ")
            ),
            "start that version, or restore a backup made before the upgrade",
        ),
        Ok(state) if !state.pending.is_empty() => Finding::warning(
            CHECK,
            format!("{} migrations were not run yet", state.pending.len()),
            "make a backup; the next start of the service runs them",
        ),
        Ok(_) => Finding::fine(CHECK, "all migrations were run"),
    }
}

/// An organization on a plan that is not configured keeps the service from starting.
fn plans(database: &Database, service: &Service) -> Option<Finding> {
    let orgs = database.orgs().ok()?;
    let lost = orgs
        .into_iter()
        .find(|org| service.plans.get(&org.plan).is_none())?;
    Some(Finding::problem(
        "plans",
        format!(
            "the organization {} is on the plan `{}`, which is not configured",
            lost.id, lost.plan
        ),
        format!(
            "add [plans.{}] to the configuration, or run `assay plans set --org {} --plan self_hosted`",
            lost.plan, lost.id
        ),
    ))
}

fn clock(database: &Database) -> Finding {
    const CHECK: &str = "database.clock";
    const SET: &str =
        "let this machine and that of the database take their time from the same place (NTP)";
    let now = SystemClock.now();
    match database.server_time() {
        Err(error) => return Finding::warning(CHECK, error.to_string(), SET),
        Ok(Some(there)) if (there - now).abs() > SKEW => {
            let skew = (there - now).num_milliseconds();
            return Finding::warning(
                CHECK,
                format!("the clock of the database is {skew} ms ahead of this machine's"),
                SET,
            );
        }
        Ok(_) => {}
    }
    match database.last_change() {
        Ok(Some(last)) if last > now + SKEW => Finding::warning(
            CHECK,
            format!("the last change is from {last}, which is still to come"),
            "the clock was set back, or was wrong before: look whether it is right now",
        ),
        Ok(_) => Finding::fine(CHECK, "this machine and the database agree"),
        Err(error) => Finding::warning(CHECK, error.to_string(), SET),
    }
}

/// Whether what is encrypted can be read.
fn sealed(database: Database, service: &Service) -> Option<Finding> {
    const CHECK: &str = "database.secrets";
    let database = match secret_key::read(&service.data_dir) {
        Ok(Some(key)) => database.with_secret(key),
        // What is wrong with the file is another finding.
        Ok(None) | Err(_) => database,
    };
    match database.secret_fits().ok()?? {
        true => Some(Finding::fine(CHECK, "secret.key opens what is encrypted")),
        false => Some(Finding::problem(
            CHECK,
            "what is stored encrypted (request headers, secrets of webhooks) needs another key than that in secret.key: the service will not start",
            "put back the secret.key that belongs to this database; all processes on it need the same. Where it is lost, `assay forget-secrets` gives up what was encrypted with it",
        )),
    }
}
