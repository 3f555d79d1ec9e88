//! What is known of the pictures of runs. Their bytes are objects: [`ObjectStore`](super::ObjectStore).

use chrono::{DateTime, Utc};

use super::{Claim, LeaseStatus, ObjectName, StoreError};
use crate::artifact::{ArtifactId, ArtifactInfo, ArtifactKey};
use crate::id::{OrgId, ReportId};

/// A picture of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredArtifact {
    /// Which object has its bytes.
    pub key: ArtifactKey,
    /// What is known of it.
    pub info: ArtifactInfo,
}

/// The records of pictures. A record is written before its object and removed after it, so no object is without a record.
pub trait ArtifactStore: Send + Sync {
    /// Records the pictures that the attempt is about to write. Nobody can read them yet, and their objects are deleted
    /// after `due`, unless [`ArtifactStore::keep_artifacts`] says otherwise. Records that exist stay.
    ///
    /// # Errors
    /// When the database fails.
    fn write_artifacts(
        &self,
        claim: &Claim,
        artifacts: &[ArtifactInfo],
        due: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// The pictures of the attempt are written: its report has them until this time.
    ///
    /// # Errors
    /// When the database fails.
    fn keep_artifacts(
        &self,
        claim: &Claim,
        until: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// The pictures of a report, in the order of their ids; empty if it has none. None where there is no such report.
    ///
    /// # Errors
    /// When the database fails.
    fn artifacts(
        &self,
        org: &OrgId,
        report: &ReportId,
    ) -> Result<Option<Vec<StoredArtifact>>, StoreError>;

    /// A picture of a report. None where there is no such report, or it has no such picture.
    ///
    /// # Errors
    /// When the database fails.
    fn artifact(
        &self,
        org: &OrgId,
        report: &ReportId,
        artifact: ArtifactId,
    ) -> Result<Option<StoredArtifact>, StoreError>;

    /// The pictures of an organization whose objects are to be deleted now, at most `most`: those whose time is over, and
    /// those of runs that were removed.
    ///
    /// # Errors
    /// When the database fails.
    fn due_artifacts(
        &self,
        org: &OrgId,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<Vec<ArtifactKey>, StoreError>;

    /// Removes the records of pictures whose objects are deleted.
    ///
    /// # Errors
    /// When the database fails.
    fn remove_artifacts(&self, org: &OrgId, artifacts: &[ArtifactKey]) -> Result<(), StoreError>;
}

impl ArtifactKey {
    /// The name of the object.
    #[must_use]
    pub fn object_name(&self) -> Option<ObjectName> {
        let Self { run_id, epoch, id } = self;
        ObjectName::new(format!("{run_id}-{epoch}-{id}.jpg")).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::RunId;

    #[test]
    fn every_picture_has_an_object_of_its_own() {
        let key = ArtifactKey {
            run_id: RunId::parse("run_01KAK2NB6HQ4V1X9C7J3D5S8MT").unwrap(),
            epoch: 3,
            id: ArtifactId::parse("art_12").unwrap(),
        };
        assert_eq!(
            key.object_name().unwrap().as_str(),
            "run_01KAK2NB6HQ4V1X9C7J3D5S8MT-3-art_12.jpg"
        );
    }
}
