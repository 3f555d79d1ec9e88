//! The records of the pictures of runs.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::artifact::{ArtifactId, ArtifactInfo, ArtifactKey, ArtifactKind};
use domain::id::{OrgId, ReportId, RunId};
use domain::ports::{ArtifactStore, Claim, LeaseStatus, StoreError, StoredArtifact};

use crate::database::Database;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::failpoint::point;
use crate::database::schema::{artifacts, occurrences, reports};
use crate::database::values::{known, number, stored_count, stored_time};
use crate::queue::lease;

#[derive(Insertable)]
#[diesel(table_name = artifacts, treat_none_as_default_value = false)]
struct NewRow {
    run_id: String,
    epoch: i64,
    number: i64,
    org_id: String,
    kind: &'static str,
    url: String,
    width: i64,
    height: i64,
    sha256: String,
    size_bytes: i64,
    readable: bool,
    delete_at: NaiveDateTime,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = artifacts)]
struct ArtifactRow {
    #[diesel(embed)]
    key: KeyRow,
    kind: String,
    url: String,
    width: i64,
    height: i64,
    sha256: String,
    size_bytes: i64,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = artifacts)]
struct KeyRow {
    run_id: String,
    epoch: i64,
    number: i64,
}

impl KeyRow {
    fn read(&self) -> Result<ArtifactKey, StorageError> {
        Ok(ArtifactKey {
            run_id: known("run", &self.run_id, RunId::parse(&self.run_id))?,
            epoch: number("epoch", self.epoch)?,
            id: artifact_id(self.number)?,
        })
    }
}

impl ArtifactRow {
    fn read(self) -> Result<StoredArtifact, StorageError> {
        let key = self.key.read()?;
        let kind = ArtifactKind::named(&self.kind);
        Ok(StoredArtifact {
            info: ArtifactInfo {
                id: key.id,
                kind: known("kind of a picture", &self.kind, kind)?,
                url: self.url,
                width: number("width", self.width)?,
                height: number("height", self.height)?,
                size_bytes: number("number of bytes", self.size_bytes)?,
                sha256: self.sha256,
            },
            key,
        })
    }
}

/// Converts the stored number of a picture.
pub(crate) fn artifact_id(stored: i64) -> Result<ArtifactId, StorageError> {
    let id = u8::try_from(stored).ok().and_then(ArtifactId::new);
    known("number of a picture", &stored.to_string(), id)
}

/// The pictures of a run are due to be deleted, and nobody can read them any more.
pub(crate) fn expire_all(connection: &mut AnyConnection, run_id: &str) -> Result<(), StorageError> {
    diesel::update(artifacts::table.filter(artifacts::run_id.eq(run_id)))
        .set((
            artifacts::readable.eq(false),
            artifacts::delete_at.eq(stored_time(DateTime::UNIX_EPOCH)),
        ))
        .execute(connection)?;
    Ok(())
}

impl ArtifactStore for Database {
    fn write_artifacts(
        &self,
        claim: &Claim,
        artifacts: &[ArtifactInfo],
        due: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        let rows: Vec<_> = artifacts
            .iter()
            .map(|artifact| NewRow::new(claim, artifact, due))
            .collect();
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            on_either!(connection, inner => diesel::insert_into(artifacts::table)
                .values(&rows)
                .on_conflict_do_nothing()
                .execute(inner)?);
            point!("artifacts-written");
            Ok(LeaseStatus::Held)
        })?)
    }

    fn keep_artifacts(
        &self,
        claim: &Claim,
        until: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            if lease::lock(connection, claim.into())? == LeaseStatus::Lost {
                return Ok(LeaseStatus::Lost);
            }
            diesel::update(artifacts::table)
                .filter(artifacts::run_id.eq(claim.run_id.as_str()))
                .filter(artifacts::epoch.eq(i64::from(claim.epoch)))
                .set((
                    artifacts::readable.eq(true),
                    artifacts::delete_at.eq(stored_time(until)),
                ))
                .execute(connection)?;
            Ok(LeaseStatus::Held)
        })?)
    }

    fn artifacts(
        &self,
        org: &OrgId,
        report: &ReportId,
    ) -> Result<Option<Vec<StoredArtifact>>, StoreError> {
        Ok(self.read(|connection| {
            let Some((run, epoch)) = source(connection, org, report)? else {
                return Ok(None);
            };
            let rows: Vec<ArtifactRow> = artifacts::table
                .filter(artifacts::run_id.eq(run))
                .filter(artifacts::epoch.eq(epoch))
                .filter(artifacts::org_id.eq(org.as_str()))
                .filter(artifacts::readable)
                .order(artifacts::number)
                .select(ArtifactRow::as_select())
                .load(connection)?;
            let read = rows.into_iter().map(ArtifactRow::read);
            read.collect::<Result<_, _>>().map(Some)
        })?)
    }

    fn artifact(
        &self,
        org: &OrgId,
        report: &ReportId,
        artifact: ArtifactId,
    ) -> Result<Option<StoredArtifact>, StoreError> {
        Ok(self.read(|connection| {
            let Some((run, epoch)) = source(connection, org, report)? else {
                return Ok(None);
            };
            let found: Option<ArtifactRow> = artifacts::table
                .find((run, epoch, i64::from(artifact.number())))
                .filter(artifacts::org_id.eq(org.as_str()))
                .filter(artifacts::readable)
                .select(ArtifactRow::as_select())
                .first(connection)
                .optional()?;
            found.map(ArtifactRow::read).transpose()
        })?)
    }

    fn due_artifacts(
        &self,
        org: &OrgId,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<Vec<ArtifactKey>, StoreError> {
        Ok(self.read(|connection| {
            let rows: Vec<KeyRow> = artifacts::table
                .filter(artifacts::org_id.eq(org.as_str()))
                .filter(artifacts::delete_at.le(stored_time(now)))
                .order((artifacts::delete_at, artifacts::run_id))
                .limit(i64::from(most))
                .select(KeyRow::as_select())
                .load(connection)?;
            rows.iter().map(KeyRow::read).collect()
        })?)
    }

    fn remove_artifacts(&self, org: &OrgId, keys: &[ArtifactKey]) -> Result<(), StoreError> {
        if keys.is_empty() {
            return Ok(());
        }
        let attempts: BTreeSet<(&str, i64)> = keys
            .iter()
            .map(|key| (key.run_id.as_str(), i64::from(key.epoch)))
            .collect();
        Ok(self.write(|connection| {
            for (run, epoch) in &attempts {
                let numbers = keys
                    .iter()
                    .filter(|key| key.run_id.as_str() == *run && i64::from(key.epoch) == *epoch);
                let numbers: Vec<i64> = numbers.map(|key| key.id.number().into()).collect();
                let removed = diesel::delete(artifacts::table)
                    .filter(artifacts::org_id.eq(org.as_str()))
                    .filter(artifacts::run_id.eq(run))
                    .filter(artifacts::epoch.eq(epoch))
                    .filter(artifacts::number.eq_any(&numbers))
                    .execute(connection)?;
                if removed == 0 {
                    continue;
                }
                diesel::update(occurrences::table)
                    .filter(occurrences::run_id.eq(run))
                    .filter(occurrences::epoch.eq(epoch))
                    .filter(occurrences::artifact.eq_any(&numbers))
                    .set(occurrences::artifact.eq(None::<i64>))
                    .execute(connection)?;
            }
            Ok(())
        })?)
    }
}

impl NewRow {
    fn new(claim: &Claim, artifact: &ArtifactInfo, due: DateTime<Utc>) -> Self {
        Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            number: artifact.id.number().into(),
            org_id: claim.org_id.as_str().to_owned(),
            kind: artifact.kind.as_str(),
            url: artifact.url.clone(),
            width: artifact.width.into(),
            height: artifact.height.into(),
            sha256: artifact.sha256.clone(),
            size_bytes: stored_count(artifact.size_bytes),
            readable: false,
            delete_at: stored_time(due),
        }
    }
}

/// The run and the epoch of a report; `None` if the organization has no such report.
fn source(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
) -> Result<Option<(String, i64)>, StorageError> {
    Ok(reports::table
        .filter(reports::id.eq(report.as_str()))
        .filter(reports::org_id.eq(org.as_str()))
        .select((reports::run_id, reports::epoch))
        .get_result(connection)
        .optional()?)
}
