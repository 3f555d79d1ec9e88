//! Checks of the database.

use std::io::ErrorKind;
use std::path::Path;

use chrono::TimeDelta;
use domain::ports::{Clock, OrgStore};
use storage::{Database, DatabaseOptions, DatabaseUrl};

use super::{Finding, backups};
use crate::config::Service;
use crate::database::{AS_ITS_USER, key_without_database, refuse_half_restored};
use crate::secret_key;
use crate::sources::SystemClock;

/// The maximum difference between the clocks of this machine and of the database.
const SKEW: TimeDelta = TimeDelta::seconds(2);

pub(super) fn examine(service: &Service) -> Vec<Finding> {
    if let Some(key) = key_without_database(service) {
        return vec![Finding::problem(
            "database",
            format!(
                "{} is missing, but {} exists, so the database is lost: the service does not start",
                service.database,
                key.display()
            ),
            format!(
                "put the file back, or restore a backup with `assay restore`; to start again without its data, move {} away",
                key.display()
            ),
        )];
    }
    if let DatabaseUrl::Sqlite(file) = &service.database
        && let Some(finding) = missing(file)
    {
        return vec![finding];
    }
    if let Err(error) = refuse_half_restored(service) {
        return vec![Finding::problem(
            "database",
            error.to_string(),
            "repeat `assay restore --replace` with the backup; no other command uses the database until then",
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
                "make the database reachable for this user; without it the service returns 503",
            )];
        }
    };
    let mut found = vec![Finding::fine(
        "database",
        format!("{} is reachable", service.database),
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
        found.extend(backups::examine(&database, service));
        found.extend(sealed(database, service));
    }
    found
}

/// What is wrong if a SQLite file is not there, or out of reach of this user.
fn missing(file: &Path) -> Option<Finding> {
    const CHECK: &str = "database";
    match file.try_exists() {
        Ok(true) => None,
        Ok(false) => Some(Finding::warning(
            CHECK,
            format!("{} does not exist yet", file.display()),
            "before the first start there is nothing to do: `assay serve` creates it. Otherwise set the right path with --data-dir or --database-url",
        )),
        Err(error) => Some(Finding::problem(
            CHECK,
            format!("{} cannot be examined: {}", file.display(), error.kind()),
            match error.kind() {
                ErrorKind::PermissionDenied => AS_ITS_USER,
                _ => "set the right path with --data-dir or --database-url",
            },
        )),
    }
}

/// Which servers a URL with several hosts allows.
fn several_hosts(database: &DatabaseUrl) -> Option<Finding> {
    const CHECK: &str = "database.hosts";
    if !database.lists_several_hosts() {
        return None;
    }
    Some(match database.target_session_attrs() {
        None => Finding::fine(
            CHECK,
            "the first writable server in the URL is used (target_session_attrs=read-write)",
        ),
        Some("read-write" | "primary") => {
            Finding::fine(CHECK, "the first writable server in the URL is used")
        }
        Some(other) => Finding::warning(
            CHECK,
            format!(
                "the URL lists several servers and sets target_session_attrs={other}: the service may connect to a read-only standby"
            ),
            "set target_session_attrs=read-write, or remove the parameter",
        ),
    })
}

fn integrity(database: &Database) -> Finding {
    const CHECK: &str = "database.integrity";
    match database.complaints() {
        Ok(complaints) if complaints.is_empty() => Finding::fine(CHECK, "the file is intact"),
        Ok(complaints) => Finding::problem(
            CHECK,
            complaints.join("; "),
            "stop the service, keep a copy of the file, and restore a backup with `assay restore`",
        ),
        Err(error) => Finding::problem(
            CHECK,
            error.to_string(),
            "check that the file is a database and readable",
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
            format!("users other than its owner can access the file (mode {mode:o})"),
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
            "the first `assay serve` creates the schema in an empty database; otherwise set the right database URL",
        ),
        Ok(state) if !state.unknown.is_empty() => Finding::problem(
            CHECK,
            format!(
                "the database was migrated by a later version of Assay (unknown: {})",
                state.unknown.join(", ")
            ),
            "start that version, or restore a backup made before the upgrade",
        ),
        Ok(state) if !state.pending.is_empty() => Finding::warning(
            CHECK,
            format!("{} migrations are pending", state.pending.len()),
            "make a backup; the next start of the service runs them",
        ),
        Ok(_) => Finding::fine(CHECK, "all migrations are applied"),
    }
}

/// The service does not start if the plan of an organization is not configured.
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
    const SET: &str = "synchronize the clocks of this machine and of the database server (NTP)";
    let now = SystemClock.now();
    match database.server_time() {
        Err(error) => return Finding::warning(CHECK, error.to_string(), SET),
        Ok(Some(there)) if (there - now).abs() > SKEW => {
            let skew = (there - now).num_milliseconds();
            return Finding::warning(
                CHECK,
                format!(
                    "the clock of the database is {skew} ms ahead of the clock of this machine"
                ),
                SET,
            );
        }
        Ok(_) => {}
    }
    match database.last_change() {
        Ok(Some(last)) if last > now + SKEW => Finding::warning(
            CHECK,
            format!("the last change in the database has a future timestamp: {last}"),
            "the clock was set back, or was wrong before: check that it is right now",
        ),
        Ok(_) => Finding::fine(
            CHECK,
            "the clocks of this machine and of the database agree",
        ),
        Err(error) => Finding::warning(CHECK, error.to_string(), SET),
    }
}

/// Whether the key decrypts the encrypted data.
fn sealed(database: Database, service: &Service) -> Option<Finding> {
    const CHECK: &str = "database.secrets";
    let database = match secret_key::read(&service.data_dir) {
        Ok(Some(key)) => database.with_secret(key),
        // Problems of the file itself are another finding.
        Ok(None) | Err(_) => database,
    };
    match database.secret_fits().ok()?? {
        true => Some(Finding::fine(
            CHECK,
            "secret.key decrypts the encrypted data",
        )),
        false => Some(Finding::problem(
            CHECK,
            "secret.key cannot decrypt the data in the database (request headers, webhook secrets): the service does not start",
            "put back the secret.key that belongs to this database; all its processes need the same file. If the key is lost, `assay forget-secrets` deletes the data that was encrypted with it",
        )),
    }
}
