//! Whether the secret key of a process is that of its database.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::{Actor, AuditNote};
use domain::id::{OrgId, RunId, SiteId, WebhookId};
use domain::run::AskedOptions;

use crate::database::Database;
use crate::database::connection::{AnyConnection, keep_others_from_adding};
use crate::database::error::{Error, StorageError};
use crate::database::key_check::{ONLY, check, opens};
use crate::database::schema::{runs, secret_checks, sites, webhooks};
use crate::database::secret::{Place, SecretKey, seal_text};
use crate::database::values::known;
use crate::stores::options::{defaults_from_json, defaults_to_json};
use crate::stores::webhooks::delete_webhook;

/// What is encrypted in it.
const KNOWN: &str = "assay";

/// Rows of a table that are tried at most.
const SAMPLES: i64 = 200;

/// What was given up with a secret key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// Sites whose request headers are gone.
    pub sites: usize,
    /// Webhooks that are removed, as their events cannot be signed.
    pub webhooks: usize,
}

impl Database {
    /// Whether the secret key of this process opens what is stored encrypted; none where nothing is.
    /// Without a key nothing opens. Works on the schema of every version.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub fn secret_fits(&self) -> Result<Option<bool>, Error> {
        self.read(|connection| fits(connection, self.secret()))
            .map_err(|fault| Error::Store(fault.into()))
    }

    /// Makes the secret key of this process that of the database, where it has none yet. False where
    /// it has another: then this process must not serve it. SQLite, which one process alone serves, is
    /// not marked: a key is another where it does not open what is there.
    ///
    /// # Errors
    /// When the database fails, or the process has no key.
    pub fn adopt_secret(&self) -> Result<bool, Error> {
        let adopted = self.write(|connection| {
            if self.is_sqlite() || check(connection)?.is_some() {
                return Ok(fits(connection, self.secret())? != Some(false));
            }
            keep_others_from_adding(connection, "secret_checks")?;
            let is_ours = fits(connection, self.secret())? != Some(false);
            if is_ours && check(connection)?.is_none() {
                let sealed = seal_text(self.secret(), Place::Check, KNOWN)?;
                diesel::insert_into(secret_checks::table)
                    .values((secret_checks::id.eq(ONLY), secret_checks::sealed.eq(sealed)))
                    .execute(connection)?;
            }
            Ok(is_ours)
        });
        adopted.map_err(|fault| Error::Store(fault.into()))
    }

    /// Gives up what was encrypted with a key that is lost, so that the next process makes its own that
    /// of the database. Runs that wait and have headers end when they are claimed. No process may serve
    /// the database meanwhile.
    ///
    /// # Errors
    /// When the database fails. Nothing is given up then, unless the audit logs alone could not be written.
    pub fn forget_secrets(&self, at: DateTime<Utc>, by: &Actor) -> Result<Forgotten, Error> {
        let forgotten = self
            .write(|connection| {
                diesel::delete(secret_checks::table).execute(connection)?;
                // Without them a run cannot be read; it ends when it is claimed.
                diesel::update(runs::table.filter(runs::sealed_headers.is_not_null()))
                    .set(runs::sealed_headers.eq(None::<String>))
                    .execute(connection)?;
                Ok(Forgotten {
                    sites: forget_headers(connection)?,
                    webhooks: remove_webhooks(connection, at, by)?,
                })
            })
            .map_err(|fault| Error::Store(fault.into()))?;
        let note = AuditNote {
            event: "secrets.forgotten",
            subject: "secret.key".to_owned(),
            detail: format!(
                "headers of {} sites, secrets of {} webhooks",
                forgotten.sites, forgotten.webhooks
            ),
        };
        self.note_everywhere(at, by, &note)?;
        Ok(forgotten)
    }
}

fn fits(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
) -> Result<Option<bool>, StorageError> {
    // A schema of an earlier version has no such table.
    if let Some(sealed) = if_there(check(connection))?.flatten() {
        return Ok(Some(opens(key, Place::Check, &sealed)));
    }
    // Of before there was a check. Rows that are damaged, or of a key that was lost, do not make the key a
    // wrong one where others open.
    let mut is_any = false;
    for rows in [site_rows, run_rows, webhook_rows] {
        for opens in if_there(rows(connection, key))?.unwrap_or_default() {
            if opens {
                return Ok(Some(true));
            }
            is_any = true;
        }
    }
    Ok(is_any.then_some(false))
}

/// What a table holds that may not be there.
fn if_there<T>(found: Result<T, StorageError>) -> Result<Option<T>, StorageError> {
    match found {
        Err(StorageError::Failed(_)) => Ok(None),
        found => found.map(Some),
    }
}

/// An organization, a row of it, and what is encrypted there.
type Sample = (String, String, Option<String>);

fn site_rows(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
) -> Result<Vec<bool>, StorageError> {
    let samples: Vec<Sample> = sites::table
        .filter(sites::sealed_headers.is_not_null())
        .order(sites::id.desc())
        .limit(SAMPLES)
        .select((sites::org_id, sites::id, sites::sealed_headers))
        .load(connection)?;
    each(samples, |org, id, sealed| {
        let site = SiteId::parse(id)?;
        Some(opens(key, Place::Site(org, &site), sealed))
    })
}

fn run_rows(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
) -> Result<Vec<bool>, StorageError> {
    let samples: Vec<Sample> = runs::table
        .filter(runs::sealed_headers.is_not_null())
        .order(runs::id.desc())
        .limit(SAMPLES)
        .select((runs::org_id, runs::id, runs::sealed_headers))
        .load(connection)?;
    each(samples, |org, id, sealed| {
        let run = RunId::parse(id)?;
        Some(opens(key, Place::Run(org, &run), sealed))
    })
}

fn webhook_rows(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
) -> Result<Vec<bool>, StorageError> {
    let samples: Vec<(String, String, String)> = webhooks::table
        .order(webhooks::id.desc())
        .limit(SAMPLES)
        .select((webhooks::org_id, webhooks::id, webhooks::sealed_secret))
        .load(connection)?;
    let samples = samples.into_iter();
    let samples = samples.map(|(org, id, sealed)| (org, id, Some(sealed)));
    each(samples, |org, id, sealed| {
        let webhook = WebhookId::parse(id)?;
        Some(opens(key, Place::Webhook(org, &webhook), sealed))
    })
}

/// Judges each of some rows.
fn each(
    samples: impl IntoIterator<Item = Sample>,
    judge: impl Fn(&OrgId, &str, &str) -> Option<bool>,
) -> Result<Vec<bool>, StorageError> {
    let mut judged = Vec::new();
    for (org, id, sealed) in samples {
        let org = known("organization", &org, OrgId::parse(&org))?;
        judged.push(known(
            "row",
            &id,
            judge(&org, &id, &sealed.unwrap_or_default()),
        )?);
    }
    Ok(judged)
}

/// Takes the headers from the options of sites.
fn forget_headers(connection: &mut AnyConnection) -> Result<usize, StorageError> {
    let found: Vec<(String, Option<String>)> = sites::table
        .filter(sites::sealed_headers.is_not_null())
        .select((sites::id, sites::options))
        .load(connection)?;
    for (site, options) in &found {
        let options = options.as_deref().map(defaults_from_json).transpose()?;
        let options = options.map(|options| AskedOptions {
            headers: None,
            ..options
        });
        diesel::update(sites::table.find(site))
            .set((
                sites::options.eq(options.as_ref().map(defaults_to_json).transpose()?),
                sites::sealed_headers.eq(None::<String>),
            ))
            .execute(connection)?;
    }
    Ok(found.len())
}

/// Removes all webhooks: without its secret one can do nothing, and who receives its events has to be told a new
/// one.
fn remove_webhooks(
    connection: &mut AnyConnection,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<usize, StorageError> {
    let found: Vec<(String, String)> = webhooks::table
        .select((webhooks::org_id, webhooks::id))
        .load(connection)?;
    for (org, id) in &found {
        let org = known("organization", org, OrgId::parse(org))?;
        let webhook = known("webhook", id, WebhookId::parse(id))?;
        delete_webhook(connection, &org, &webhook, at, by)?;
    }
    Ok(found.len())
}
