//! Storing, reading and deleting the pictures of runs.

use std::io::{Read, Write};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::artifact::{
    Artifact, ArtifactId, ArtifactKey, MAX_ARTIFACT_BYTES, checksum, embedded_count,
};
use crate::id::{OrgId, ReportId};
use crate::ports::{
    ArtifactStore, Claim, Clock, LeaseStatus, ObjectError, ObjectName, ObjectStore, StoreError,
    StoredArtifact,
};
use crate::report::AuditResult;

/// How long the pictures of a run may take to be stored. A store that takes longer counts as unavailable.
const STORE_TIMEOUT: Duration = Duration::from_secs(30);

/// After this time the objects of an attempt that did not complete are deleted. No attempt takes so long.
const ABANDONED_AFTER: TimeDelta = TimeDelta::days(1);

/// Pictures whose objects one step of a sweep deletes.
const ARTIFACTS_A_STEP: u32 = 50;

/// The reason in [`Coverage::skipped`](crate::report::Coverage::skipped) for pictures that were taken and not stored.
const NOT_STORED: &str = "artifact_not_stored";

/// The pictures of runs: their records in the database, their bytes in an object store.
#[derive(Clone, Copy)]
pub struct Artifacts<'a> {
    /// The records.
    pub records: &'a dyn ArtifactStore,
    /// The bytes.
    pub objects: &'a dyn ObjectStore,
}

/// How the pictures of a run are stored.
#[derive(Clone, Copy)]
pub struct ArtifactRules<'a> {
    /// Where they are stored.
    pub artifacts: Artifacts<'a>,
    /// How long they are kept.
    pub keep: TimeDelta,
    /// Called with the reason if they were not stored.
    pub on_failure: &'a dyn Fn(&ObjectError),
}

/// Whether the pictures of a run are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArtifactsStored {
    /// All of them.
    All,
    /// None, because of the object store.
    None,
    /// The claim was lost.
    Lost,
}

/// Why a picture is not read.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactNotRead {
    /// The organization has no such picture, or its object is not there any more.
    #[error("there is no such picture")]
    NotFound,
    /// The object has other bytes than were written.
    #[error("the object {0} has other bytes than were written")]
    Altered(ObjectName),
    /// The object store failed.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Artifacts<'_> {
    /// Reads a picture of a report: what is known of it, and the JPEG file.
    ///
    /// # Errors
    /// If it does not exist, or cannot be read as it was written.
    pub fn read(
        &self,
        org: &OrgId,
        report: &ReportId,
        id: ArtifactId,
    ) -> Result<(StoredArtifact, Vec<u8>), ArtifactNotRead> {
        let stored = self.records.artifact(org, report, id)?;
        let stored = stored.ok_or(ArtifactNotRead::NotFound)?;
        let bytes = self.bytes(&stored)?;
        Ok((stored, bytes))
    }

    /// Reads the [first pictures](embedded_count) of a report, as far as they can be read. The object store is not asked any
    /// more once it failed.
    ///
    /// # Errors
    /// When the database fails.
    pub fn of_report(&self, org: &OrgId, report: &ReportId) -> Result<Vec<Artifact>, StoreError> {
        let mut pictures = Vec::new();
        let stored = self.records.artifacts(org, report)?.unwrap_or_default();
        let count = embedded_count(stored.iter().map(|stored| stored.info.size_bytes));
        for stored in stored.into_iter().take(count) {
            match self.bytes(&stored) {
                Ok(jpeg) => pictures.push(Artifact {
                    id: stored.info.id,
                    kind: stored.info.kind,
                    url: stored.info.url,
                    width: stored.info.width,
                    height: stored.info.height,
                    jpeg,
                }),
                Err(ArtifactNotRead::Store(error)) => return Err(error),
                Err(ArtifactNotRead::Object(_)) => break,
                Err(ArtifactNotRead::NotFound | ArtifactNotRead::Altered(_)) => {}
            }
        }
        Ok(pictures)
    }

    /// Reads the JPEG file of a picture.
    ///
    /// # Errors
    /// If it cannot be read as it was written.
    pub fn bytes(&self, stored: &StoredArtifact) -> Result<Vec<u8>, ArtifactNotRead> {
        let name = stored.key.object_name().ok_or(ArtifactNotRead::NotFound)?;
        let reader = match self.objects.open(&name) {
            Err(ObjectError::NotFound(_)) => return Err(ArtifactNotRead::NotFound),
            opened => opened?,
        };
        let most = u64::try_from(MAX_ARTIFACT_BYTES).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        let read = reader.take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| object_error(&error))?;
        match checksum(&bytes) == stored.info.sha256 {
            true => Ok(bytes),
            false => Err(ArtifactNotRead::Altered(name)),
        }
    }

    /// Deletes pictures of an organization that are kept no longer, objects first, and counts them. `keep_going` is called
    /// between two steps.
    ///
    /// # Errors
    /// If the object store or the database fails. What was deleted until then is counted.
    pub fn sweep(
        &self,
        org: &OrgId,
        now: DateTime<Utc>,
        count: &mut u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), ArtifactNotRead> {
        loop {
            let due = self.records.due_artifacts(org, now, ARTIFACTS_A_STEP)?;
            let mut gone = 0_usize;
            let deleted = due.iter().try_for_each(|key| {
                delete(self.objects, key)?;
                gone += 1;
                Ok::<(), ObjectError>(())
            });
            let gone = due.get(..gone).unwrap_or_default();
            self.records.remove_artifacts(org, gone)?;
            *count = count.saturating_add(u64::try_from(gone.len()).unwrap_or_default());
            deleted?;
            let is_last = u32::try_from(due.len()).is_ok_and(|found| found < ARTIFACTS_A_STEP);
            if is_last || !keep_going() {
                return Ok(());
            }
        }
    }
}

impl ArtifactRules<'_> {
    /// Stores the pictures of an attempt, so that its report can have them. `alive` is called before each.
    pub(super) fn store(
        &self,
        clock: &dyn Clock,
        claim: &Claim,
        pictures: &[Artifact],
        alive: &mut dyn FnMut() -> Result<LeaseStatus, StoreError>,
    ) -> Result<ArtifactsStored, StoreError> {
        let Artifacts { records, objects } = self.artifacts;
        let infos: Vec<_> = pictures.iter().map(Artifact::info).collect();
        let (now, begun) = (clock.now(), clock.steady());
        if records.write_artifacts(claim, &infos, now + ABANDONED_AFTER)? == LeaseStatus::Lost {
            return Ok(ArtifactsStored::Lost);
        }
        for picture in pictures {
            if alive()? == LeaseStatus::Lost {
                return Ok(ArtifactsStored::Lost);
            }
            let written = match clock.steady().saturating_sub(begun) > STORE_TIMEOUT {
                true => Err(ObjectError::Unavailable(format!(
                    "{} took more than {} s for the pictures of a run",
                    objects.location(),
                    STORE_TIMEOUT.as_secs()
                ))),
                false => write(objects, claim, picture),
            };
            if let Err(error) = written {
                (self.on_failure)(&error);
                return Ok(ArtifactsStored::None);
            }
        }
        Ok(match records.keep_artifacts(claim, now + self.keep)? {
            LeaseStatus::Held => ArtifactsStored::All,
            LeaseStatus::Lost => ArtifactsStored::Lost,
        })
    }
}

/// The result of an audit without its pictures; it says that there were some.
pub(super) fn without_artifacts(result: &AuditResult) -> AuditResult {
    let mut result = result.clone();
    let count = u64::try_from(result.artifacts.len()).unwrap_or(u64::MAX);
    result.artifacts.clear();
    let causes = (result.findings.iter_mut()).flat_map(|finding| &mut finding.causes);
    for occurrence in causes.flat_map(|cause| &mut cause.occurrences) {
        occurrence.artifact = None;
    }
    let reason = (NOT_STORED.to_owned(), count);
    result.coverage.skipped.push(reason);
    result
}

fn write(objects: &dyn ObjectStore, claim: &Claim, picture: &Artifact) -> Result<(), ObjectError> {
    let key = ArtifactKey {
        run_id: claim.run_id.clone(),
        epoch: claim.epoch,
        id: picture.id,
    };
    let mut writer = objects.create(&object_name(&key)?)?;
    writer
        .write_all(&picture.jpeg)
        .map_err(|error| object_error(&error))?;
    writer.finish().map(|_| ())
}

fn delete(objects: &dyn ObjectStore, key: &ArtifactKey) -> Result<(), ObjectError> {
    objects.delete(&object_name(key)?)
}

fn object_error(error: &std::io::Error) -> ObjectError {
    ObjectError::inside(error).unwrap_or_else(|| ObjectError::Failed(error.to_string()))
}

fn object_name(key: &ArtifactKey) -> Result<ObjectName, ObjectError> {
    let invalid = || ObjectError::Failed(format!("{key:?} is no name of an object"));
    key.object_name().ok_or_else(invalid)
}
