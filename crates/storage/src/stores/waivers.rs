//! Waivers: findings that the owner of a site accepts.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId, WaiverId};
use domain::idempotency::{Idempotent, IdempotentWrite};
use domain::ports::{CreateWaiverError, StoreError, WaiverStore};
use domain::waiver::{MAX_WAIVERS, Waiver, WaiverAuthor, WaiverAuthorKind, WaiverTerms};

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::waivers;
use crate::database::values::{known, storable, stored_time};
use crate::stores::audit_log::{Line, note};
use crate::stores::{idempotency, orgs, site_rows};

#[derive(Queryable, Selectable)]
#[diesel(table_name = waivers)]
struct WaiverRow {
    id: String,
    check_id: String,
    path: Option<String>,
    cause: Option<String>,
    reason: String,
    author_kind: String,
    author_id: Option<String>,
    author_name: String,
    created_at: NaiveDateTime,
    expires_at: Option<NaiveDateTime>,
}

impl WaiverRow {
    fn read(self) -> Result<Waiver, StorageError> {
        let kind = WaiverAuthorKind::named(&self.author_kind);
        Ok(Waiver {
            id: known("waiver", &self.id, WaiverId::parse(&self.id))?,
            terms: WaiverTerms {
                check_id: self.check_id,
                path: self.path,
                cause: self.cause,
                reason: self.reason,
                expires_at: self.expires_at.map(|at| at.and_utc()),
            },
            author: WaiverAuthor {
                kind: known("author", &self.author_kind, kind)?,
                id: self.author_id,
                name: self.author_name,
            },
            created_at: Some(self.created_at.and_utc()),
        })
    }
}

impl WaiverStore for Database {
    fn create_waiver(
        &self,
        org: &OrgId,
        site: &SiteId,
        waiver: &Waiver,
        by: &Actor,
        once: Option<&IdempotentWrite<'_, Waiver>>,
    ) -> Result<Idempotent<Waiver>, CreateWaiverError> {
        self.write(|connection| {
            idempotency::once(connection, org, once, |connection| {
                create(connection, (org, site), waiver, by)
            })
        })?
    }

    fn waivers(&self, org: &OrgId, site: &SiteId) -> Result<Option<Vec<Waiver>>, StoreError> {
        Ok(self.read(|connection| {
            if !site_rows::is_there(connection, org, site)? {
                return Ok(None);
            }
            let rows: Vec<WaiverRow> = waivers::table
                .filter(waivers::org_id.eq(org.as_str()))
                .filter(waivers::site_id.eq(site.as_str()))
                .order((waivers::created_at, waivers::id))
                .select(WaiverRow::as_select())
                .load(connection)?;
            let rows = rows.into_iter().map(WaiverRow::read);
            rows.collect::<Result<_, _>>().map(Some)
        })?)
    }

    fn delete_waiver(
        &self,
        org: &OrgId,
        site: &SiteId,
        waiver: &WaiverId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| delete(connection, (org, site), waiver, now, by))?)
    }

    fn expire_waiver(
        &self,
        org: &OrgId,
        site: &SiteId,
        waiver: &WaiverId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| expire(connection, (org, site), waiver, now, by))?)
    }
}

/// Stores a waiver. Everything is validated before anything is written.
fn create(
    connection: &mut AnyConnection,
    (org, site): (&OrgId, &SiteId),
    waiver: &Waiver,
    by: &Actor,
) -> Result<Result<Waiver, CreateWaiverError>, StorageError> {
    // The lock prevents the removal of the site meanwhile, and makes the count exact.
    if !orgs::lock(connection, org)? || !site_rows::is_there(connection, org, site)? {
        return Ok(Err(CreateWaiverError::NoSite));
    }
    let count: i64 = waivers::table
        .filter(waivers::org_id.eq(org.as_str()))
        .filter(waivers::site_id.eq(site.as_str()))
        .count()
        .get_result(connection)?;
    if usize::try_from(count).unwrap_or(usize::MAX) >= MAX_WAIVERS {
        return Ok(Err(CreateWaiverError::TooMany(MAX_WAIVERS)));
    }
    let terms = &waiver.terms;
    let Some(now) = waiver.created_at else {
        let reason = "a waiver without a time of creation".to_owned();
        return Err(StorageError::Failed(reason));
    };
    diesel::insert_into(waivers::table)
        .values((
            waivers::id.eq(waiver.id.as_str()),
            waivers::org_id.eq(org.as_str()),
            waivers::site_id.eq(site.as_str()),
            waivers::check_id.eq(storable(&terms.check_id)),
            waivers::path.eq(terms.path.as_deref().map(storable)),
            waivers::cause.eq(terms.cause.as_deref().map(storable)),
            waivers::reason.eq(storable(&terms.reason)),
            waivers::author_kind.eq(waiver.author.kind.as_str()),
            waivers::author_id.eq(waiver.author.id.as_deref()),
            waivers::author_name.eq(storable(&waiver.author.name)),
            waivers::created_at.eq(stored_time(now)),
            waivers::expires_at.eq(terms.expires_at.map(stored_time)),
        ))
        .execute(connection)?;
    let line = Line {
        event: "waiver.created",
        subject: waiver.id.as_str(),
        detail: format!("{site}, {}", terms.check_id),
    };
    note(connection, org, now, by, &line)?;
    Ok(Ok(waiver.clone()))
}

/// The check of a waiver of a site; none if the site has no such waiver.
fn check_of(
    connection: &mut AnyConnection,
    (org, site): (&OrgId, &SiteId),
    waiver: &WaiverId,
) -> Result<Option<String>, StorageError> {
    let found = waivers::table
        .find(waiver.as_str())
        .filter(waivers::org_id.eq(org.as_str()))
        .filter(waivers::site_id.eq(site.as_str()))
        .select(waivers::check_id)
        .first(connection);
    Ok(found.optional()?)
}

fn delete(
    connection: &mut AnyConnection,
    (org, site): (&OrgId, &SiteId),
    waiver: &WaiverId,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    let Some(check) = check_of(connection, (org, site), waiver)? else {
        return Ok(false);
    };
    if diesel::delete(waivers::table.find(waiver.as_str())).execute(connection)? == 0 {
        return Ok(false);
    }
    let line = Line {
        event: "waiver.deleted",
        subject: waiver.as_str(),
        detail: format!("{site}, {check}"),
    };
    note(connection, org, now, by, &line)?;
    Ok(true)
}

fn expire(
    connection: &mut AnyConnection,
    (org, site): (&OrgId, &SiteId),
    waiver: &WaiverId,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    let Some(check) = check_of(connection, (org, site), waiver)? else {
        return Ok(false);
    };
    let at = stored_time(now);
    let still_applies = waivers::expires_at.is_null().or(waivers::expires_at.gt(at));
    let ended = diesel::update(waivers::table.find(waiver.as_str()).filter(still_applies))
        .set(waivers::expires_at.eq(at))
        .execute(connection)?;
    if ended > 0 {
        let line = Line {
            event: "waiver.expired",
            subject: waiver.as_str(),
            detail: format!("{site}, {check}"),
        };
        note(connection, org, now, by, &line)?;
    }
    Ok(true)
}
