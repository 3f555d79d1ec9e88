//! A picture, as a child writes it.

use data_encoding::BASE64;
use domain::artifact::{Artifact, ArtifactId, ArtifactKind, MAX_ARTIFACT_BYTES};
use serde::{Deserialize, Serialize};

use super::result::{UnknownName, named};

/// `domain::artifact::Artifact`.
#[derive(Serialize, Deserialize)]
pub(super) struct WireArtifact {
    number: u8,
    kind: String,
    url: String,
    width: u32,
    height: u32,
    /// In base64.
    jpeg: String,
}

impl From<Artifact> for WireArtifact {
    fn from(artifact: Artifact) -> Self {
        Self {
            number: artifact.id.number(),
            kind: artifact.kind.as_str().to_owned(),
            url: artifact.url,
            width: artifact.width,
            height: artifact.height,
            jpeg: BASE64.encode(&artifact.jpeg),
        }
    }
}

impl TryFrom<WireArtifact> for Artifact {
    type Error = UnknownName;

    fn try_from(artifact: WireArtifact) -> Result<Self, UnknownName> {
        let number = artifact.number;
        let jpeg = BASE64.decode(artifact.jpeg.as_bytes()).ok();
        let jpeg = jpeg.filter(|jpeg| jpeg.len() <= MAX_ARTIFACT_BYTES);
        Ok(Self {
            id: ArtifactId::new(number).ok_or_else(|| UnknownName(number.to_string()))?,
            kind: named(ArtifactKind::ALL, ArtifactKind::as_str, &artifact.kind)?,
            url: artifact.url,
            width: artifact.width,
            height: artifact.height,
            jpeg: jpeg.ok_or_else(|| UnknownName(format!("picture {number}")))?,
        })
    }
}
