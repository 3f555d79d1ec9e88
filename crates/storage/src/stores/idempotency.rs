//! Idempotency keys: repeated requests that are executed once.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::id::OrgId;
use domain::idempotency::{
    Idempotent, IdempotentCall, IdempotentWrite, KEPT_FOR, KeyReused, StoredAnswer,
};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::idempotent_calls;
use crate::database::secret::{SealContext, SecretKey, open_text, seal_text};
use crate::database::values::{number, stored_time};
use crate::stores::orgs;

/// About how many expired responses a new one removes, so that no request has to remove them all.
const REMOVED_AT_ONCE: i64 = 100;

/// How the responses of an operation are stored.
#[derive(Debug, Clone, Copy)]
enum Form<'a> {
    /// As text.
    Plain,
    /// Encrypted, because they contain a secret.
    Sealed(Option<&'a SecretKey>),
}

/// Executes a request and stores its response, or returns the stored response of the same request. A rejected
/// request must change nothing.
pub(crate) fn once<T, E: From<KeyReused>>(
    connection: &mut AnyConnection,
    org: &OrgId,
    once: Option<&IdempotentWrite<'_, T>>,
    work: impl FnOnce(&mut AnyConnection) -> Result<Result<T, E>, StorageError>,
) -> Result<Result<Idempotent<T>, E>, StorageError> {
    match once {
        None => Ok(work(connection)?.map(Idempotent::Executed)),
        Some(once) => execute(connection, Form::Plain, org, once, work),
    }
}

/// As [`once`], for responses that contain a secret: they are stored encrypted.
pub(crate) fn once_sealed<T, E: From<KeyReused>>(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    org: &OrgId,
    once: &IdempotentWrite<'_, T>,
    work: impl FnOnce(&mut AnyConnection) -> Result<Result<T, E>, StorageError>,
) -> Result<Result<Idempotent<T>, E>, StorageError> {
    execute(connection, Form::Sealed(key), org, once, work)
}

fn execute<T, E: From<KeyReused>>(
    connection: &mut AnyConnection,
    form: Form<'_>,
    org: &OrgId,
    IdempotentWrite { call, answer }: &IdempotentWrite<'_, T>,
    work: impl FnOnce(&mut AnyConnection) -> Result<Result<T, E>, StorageError>,
) -> Result<Result<Idempotent<T>, E>, StorageError> {
    // Of concurrent requests with the same key, the second waits here and then finds the stored response of the
    // first. If there is no organization, the steps below report it.
    let _is_there = orgs::lock(connection, org)?;
    match answered(connection, form, org, call)? {
        Ok(None) => {}
        Ok(Some(before)) => return Ok(Ok(Idempotent::Replayed(before))),
        Err(reused) => return Ok(Err(reused.into())),
    }
    let done = match work(connection)? {
        Ok(done) => done,
        Err(refusal) => return Ok(Err(refusal)),
    };
    // Keeps the table small even if no retention sweep runs.
    remove_forgotten(connection, org, call.at, REMOVED_AT_ONCE)?;
    store(connection, form, org, call, &answer(&done))?;
    Ok(Ok(Idempotent::Executed(done)))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = idempotent_calls)]
struct CallRow {
    fingerprint: String,
    status: i64,
    location: Option<String>,
    body: String,
    created_at: NaiveDateTime,
}

/// The latest time of responses that have expired.
fn forgotten_by(now: DateTime<Utc>) -> NaiveDateTime {
    stored_time(now - KEPT_FOR)
}

/// The row of a request, expired or not.
macro_rules! row_of {
    ($org:expr, $call:expr) => {
        idempotent_calls::table.find(($org.as_str(), $call.operation, $call.key.as_str()))
    };
}

/// Returns the stored response of the same request. Removes the row if it has expired.
fn answered(
    connection: &mut AnyConnection,
    form: Form<'_>,
    org: &OrgId,
    call: &IdempotentCall,
) -> Result<Result<Option<StoredAnswer>, KeyReused>, StorageError> {
    let row: Option<CallRow> = row_of!(org, call)
        .select(CallRow::as_select())
        .first(connection)
        .optional()?;
    let Some(row) = row else {
        return Ok(Ok(None));
    };
    if row.created_at <= forgotten_by(call.at) {
        diesel::delete(row_of!(org, call)).execute(connection)?;
        return Ok(Ok(None));
    }
    if row.fingerprint != call.fingerprint.to_string() {
        return Ok(Err(KeyReused));
    }
    Ok(Ok(Some(StoredAnswer {
        status: number("status", row.status)?,
        location: row.location,
        body: match form {
            Form::Plain => row.body,
            Form::Sealed(key) => open_text(key, context(org, call), &row.body)?,
        },
    })))
}

const fn context<'a>(org: &'a OrgId, call: &'a IdempotentCall) -> SealContext<'a> {
    SealContext::Answer(org, call.operation, &call.key)
}

fn store(
    connection: &mut AnyConnection,
    form: Form<'_>,
    org: &OrgId,
    call: &IdempotentCall,
    answer: &StoredAnswer,
) -> Result<(), StorageError> {
    let sealed = match form {
        Form::Plain => None,
        Form::Sealed(key) => Some(seal_text(key, context(org, call), &answer.body)?),
    };
    diesel::insert_into(idempotent_calls::table)
        .values((
            idempotent_calls::org_id.eq(org.as_str()),
            idempotent_calls::operation.eq(call.operation),
            idempotent_calls::call_key.eq(call.key.as_str()),
            idempotent_calls::fingerprint.eq(call.fingerprint.to_string()),
            idempotent_calls::status.eq(i64::from(answer.status)),
            idempotent_calls::location.eq(answer.location.as_deref()),
            idempotent_calls::body.eq(sealed.as_deref().unwrap_or(&answer.body)),
            idempotent_calls::created_at.eq(stored_time(call.at)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Returns the stored response of the same request, of an operation that changes nothing.
pub(crate) fn kept(
    connection: &mut AnyConnection,
    org: &OrgId,
    call: &IdempotentCall,
) -> Result<Result<Option<StoredAnswer>, KeyReused>, StorageError> {
    answered(connection, Form::Plain, org, call)
}

/// Removes the oldest responses of an operation beyond the newest `most`.
pub(crate) fn keep_newest(
    connection: &mut AnyConnection,
    org: &OrgId,
    operation: &str,
    most: u32,
) -> Result<(), StorageError> {
    let of_operation = idempotent_calls::table
        .filter(idempotent_calls::org_id.eq(org.as_str()))
        .filter(idempotent_calls::operation.eq(operation));
    let newest_beyond: Option<NaiveDateTime> = of_operation
        .order(idempotent_calls::created_at.desc())
        .offset(i64::from(most))
        .limit(1)
        .select(idempotent_calls::created_at)
        .first(connection)
        .optional()?;
    if let Some(until) = newest_beyond {
        diesel::delete(of_operation.filter(idempotent_calls::created_at.le(until)))
            .execute(connection)?;
    }
    Ok(())
}

/// Removes the responses that are stored encrypted.
pub(crate) fn remove_sealed(connection: &mut AnyConnection) -> Result<usize, StorageError> {
    // The body of every other response is a JSON object, or empty.
    Ok(
        diesel::delete(idempotent_calls::table.filter(idempotent_calls::body.like("v1:%")))
            .execute(connection)?,
    )
}

/// Whether an organization has expired responses.
pub(crate) fn is_any_forgotten(
    connection: &mut AnyConnection,
    org: &OrgId,
    now: DateTime<Utc>,
) -> Result<bool, StorageError> {
    let oldest: Option<NaiveDateTime> = idempotent_calls::table
        .filter(idempotent_calls::org_id.eq(org.as_str()))
        .order(idempotent_calls::created_at)
        .select(idempotent_calls::created_at)
        .first(connection)
        .optional()?;
    Ok(oldest.is_some_and(|oldest| oldest <= forgotten_by(now)))
}

/// Removes about `most` expired responses of an organization, the oldest first, and returns how many.
pub(crate) fn remove_forgotten(
    connection: &mut AnyConnection,
    org: &OrgId,
    now: DateTime<Utc>,
    most: i64,
) -> Result<usize, StorageError> {
    let of_org = idempotent_calls::table.filter(idempotent_calls::org_id.eq(org.as_str()));
    let forgotten = forgotten_by(now);
    let last_of_many: Option<NaiveDateTime> = of_org
        .filter(idempotent_calls::created_at.le(forgotten))
        .order(idempotent_calls::created_at)
        .offset(most - 1)
        .limit(1)
        .select(idempotent_calls::created_at)
        .first(connection)
        .optional()?;
    let until = last_of_many.unwrap_or(forgotten);
    Ok(
        diesel::delete(of_org.filter(idempotent_calls::created_at.le(until)))
            .execute(connection)?,
    )
}
