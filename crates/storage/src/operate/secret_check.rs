//! Verifies that the secret key of a process is the one of its database.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::{Actor, AuditNote};
use domain::id::{AccountId, OrgId, RunId, SiteId, WebhookId};
use domain::run::AskedOptions;

use crate::database::Database;
use crate::database::connection::{AnyConnection, keep_others_from_adding};
use crate::database::error::{Error, StorageError};
use crate::database::key_check::{ONLY, check, opens};
use crate::database::schema::{runs, second_factors, secret_checks, sites, webhooks};
use crate::database::secret::{SealContext, SecretKey, seal_text};
use crate::database::values::known;
use crate::stores::idempotency;
use crate::stores::options::{defaults_from_json, defaults_to_json};
use crate::stores::webhooks::delete_webhook;

/// The plaintext of the check value.
const KNOWN: &str = "assay";

/// Maximum rows of a table to try.
const SAMPLES: i64 = 200;

/// What [`Database::forget_secrets`] removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// Sites whose request headers were removed.
    pub sites: usize,
    /// Webhooks that were removed, because their events can no longer be signed.
    pub webhooks: usize,
    /// Second factors that were removed, because codes can no longer be checked: passwords alone sign these people in.
    pub second_factors: usize,
}

impl Database {
    /// Returns whether the secret key of this process decrypts the stored secrets; `None` if there are none.
    /// Without a key nothing can be decrypted. Works with the schema of every version.
    ///
    /// # Errors
    /// If the query fails.
    pub fn secret_fits(&self) -> Result<Option<bool>, Error> {
        self.read(|connection| fits(connection, self.secret()))
            .map_err(|fault| Error::Store(fault.into()))
    }

    /// Makes the secret key of this process the key of the database, if it has none yet. Returns `false` if the
    /// database has another key; this process must not serve it then. An SQLite database, which only one process
    /// serves, gets no check value: its key is wrong if it does not decrypt the stored secrets.
    ///
    /// # Errors
    /// If the database fails, or the process has no key.
    pub fn adopt_secret(&self) -> Result<bool, Error> {
        let adopted = self.write(|connection| {
            if self.is_sqlite() || check(connection)?.is_some() {
                return Ok(fits(connection, self.secret())? != Some(false));
            }
            keep_others_from_adding(connection, "secret_checks")?;
            let is_ours = fits(connection, self.secret())? != Some(false);
            if is_ours && check(connection)?.is_none() {
                let sealed = seal_text(self.secret(), SealContext::Check, KNOWN)?;
                diesel::insert_into(secret_checks::table)
                    .values((secret_checks::id.eq(ONLY), secret_checks::sealed.eq(sealed)))
                    .execute(connection)?;
            }
            Ok(is_ours)
        });
        adopted.map_err(|fault| Error::Store(fault.into()))
    }

    /// Removes everything that was encrypted with a lost key, so that the key of the next process becomes the key
    /// of the database. Queued runs with headers fail when they are claimed. No process may serve the database
    /// meanwhile.
    ///
    /// # Errors
    /// If the database fails. Nothing is removed then, unless only the audit log could not be written.
    pub fn forget_secrets(&self, at: DateTime<Utc>, by: &Actor) -> Result<Forgotten, Error> {
        let forgotten = self
            .write(|connection| {
                diesel::delete(secret_checks::table).execute(connection)?;
                // A run without its headers cannot be read; it fails when it is claimed.
                diesel::update(runs::table.filter(runs::sealed_headers.is_not_null()))
                    .set(runs::sealed_headers.eq(None::<String>))
                    .execute(connection)?;
                idempotency::remove_sealed(connection)?;
                Ok(Forgotten {
                    sites: forget_headers(connection)?,
                    webhooks: remove_webhooks(connection, at, by)?,
                    second_factors: diesel::delete(second_factors::table).execute(connection)?,
                })
            })
            .map_err(|fault| Error::Store(fault.into()))?;
        let note = AuditNote {
            event: "secrets.forgotten",
            subject: "secret.key".to_owned(),
            detail: format!(
                "headers of {} sites, secrets of {} webhooks, {} second factors",
                forgotten.sites, forgotten.webhooks, forgotten.second_factors
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
    // The schema of an earlier version does not have this table.
    if let Some(sealed) = if_there(check(connection))?.flatten() {
        return Ok(Some(opens(key, SealContext::Check, &sealed)));
    }
    // Databases of earlier versions have no check value. One row that decrypts proves the key, also beside rows
    // that are damaged or encrypted with a lost key.
    // wrong one where others open.
    let mut is_any = false;
    for rows in [site_rows, run_rows, webhook_rows, second_factor_rows] {
        for opens in if_there(rows(connection, key))?.unwrap_or_default() {
            if opens {
                return Ok(Some(true));
            }
            is_any = true;
        }
    }
    Ok(is_any.then_some(false))
}

/// Returns `None` if the table does not exist.
fn if_there<T>(found: Result<T, StorageError>) -> Result<Option<T>, StorageError> {
    match found {
        Err(StorageError::Failed(_)) => Ok(None),
        found => found.map(Some),
    }
}

/// An organization, the id of a row, and the sealed text of the row.
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
        Some(opens(key, SealContext::Site(org, &site), sealed))
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
        Some(opens(key, SealContext::Run(org, &run), sealed))
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
        Some(opens(key, SealContext::Webhook(org, &webhook), sealed))
    })
}

fn second_factor_rows(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
) -> Result<Vec<bool>, StorageError> {
    let samples: Vec<(String, String)> = second_factors::table
        .order(second_factors::account_id.desc())
        .limit(SAMPLES)
        .select((second_factors::account_id, second_factors::sealed_secret))
        .load(connection)?;
    let samples = samples.into_iter();
    samples
        .map(|(id, sealed)| {
            let account = known("account", &id, AccountId::parse(&id))?;
            Ok(opens(key, SealContext::SecondFactor(&account), &sealed))
        })
        .collect()
}

/// Tries to decrypt each row.
fn each(
    samples: impl IntoIterator<Item = Sample>,
    decrypts: impl Fn(&OrgId, &str, &str) -> Option<bool>,
) -> Result<Vec<bool>, StorageError> {
    let mut results = Vec::new();
    for (org, id, sealed) in samples {
        let org = known("organization", &org, OrgId::parse(&org))?;
        results.push(known(
            "row",
            &id,
            decrypts(&org, &id, &sealed.unwrap_or_default()),
        )?);
    }
    Ok(results)
}

/// Removes the headers from the default options of sites.
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

/// Removes all webhooks: a webhook without its secret is useless, and its receiver needs a new secret anyway.
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
