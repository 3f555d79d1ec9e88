use api_types::artifact as wire;
use domain::artifact::ArtifactKind;
use domain::ports::StoredArtifact;

/// The pictures of a report.
pub(crate) fn artifacts(stored: &[StoredArtifact]) -> wire::ArtifactList {
    wire::ArtifactList {
        artifacts: stored.iter().map(artifact).collect(),
    }
}

fn artifact(stored: &StoredArtifact) -> wire::Artifact {
    let info = &stored.info;
    wire::Artifact {
        artifact_id: info.id.to_string(),
        kind: match info.kind {
            ArtifactKind::Viewport => wire::ArtifactKind::Viewport,
            ArtifactKind::WithoutScripts => wire::ArtifactKind::WithoutScripts,
            ArtifactKind::Element => wire::ArtifactKind::Element,
        },
        url: info.url.clone(),
        width: info.width,
        height: info.height,
        size_bytes: info.size_bytes,
    }
}
