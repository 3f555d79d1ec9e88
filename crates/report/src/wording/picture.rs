//! What pictures show, in words: their text alternatives.

use domain::artifact::ArtifactKind;

/// "The page without scripts"
pub(crate) const fn alternative(kind: ArtifactKind) -> &'static str {
    match kind {
        ArtifactKind::Viewport => "The page",
        ArtifactKind::WithoutScripts => "The page without scripts",
        ArtifactKind::Element => "The element with its surroundings, as the browser showed it",
    }
}
