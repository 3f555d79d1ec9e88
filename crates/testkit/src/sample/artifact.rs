//! Pictures of runs.

use domain::artifact::{Artifact, ArtifactId, ArtifactKey, ArtifactKind};
use domain::ports::{ArtifactStore, Claim, LeaseStatus, ObjectStore};

use super::noon;

/// A picture with this number, of an element if the number is above 1. Its bytes begin as those of a JPEG file.
///
/// # Panics
/// If no picture can have the number.
#[must_use]
#[expect(clippy::expect_used, reason = "a test names a valid number")]
pub fn artifact(number: u8) -> Artifact {
    Artifact {
        id: ArtifactId::new(number).expect("a number of a picture"),
        kind: match number {
            1 => ArtifactKind::Viewport,
            _ => ArtifactKind::Element,
        },
        url: "https://example.com/".to_owned(),
        width: 412,
        height: 823,
        jpeg: vec![0xff, 0xd8, 0xff, number],
    }
}

/// Stores the pictures 1 and 2 for the report of a claim, until a day after [`noon`].
///
/// # Panics
/// If a store fails.
#[expect(clippy::expect_used, reason = "a test ends where its stores fail")]
pub fn keep_artifacts(
    records: &(impl ArtifactStore + ?Sized),
    objects: &dyn ObjectStore,
    claim: &Claim,
) {
    let pictures = [1, 2].map(artifact);
    let infos = pictures.each_ref().map(Artifact::info);
    let until = noon() + chrono::TimeDelta::days(1);
    let held = records.write_artifacts(claim, &infos, until);
    assert_eq!(held, Ok(LeaseStatus::Held));
    for picture in &pictures {
        let key = ArtifactKey {
            run_id: claim.run_id.clone(),
            epoch: claim.epoch,
            id: picture.id,
        };
        let name = key.object_name().expect("a name of an object");
        let mut writer = objects.create(&name).expect("a store that works");
        writer.write_all(&picture.jpeg).expect("a store that works");
        writer.finish().expect("a store that works");
    }
    let held = records.keep_artifacts(claim, until);
    assert_eq!(held, Ok(LeaseStatus::Held));
}
