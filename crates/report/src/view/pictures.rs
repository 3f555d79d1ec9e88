//! The pictures that a report has in its own file.

use domain::artifact::{Artifact, ArtifactId, ArtifactKind, embedded_count};

/// The [first pictures](embedded_count) of a run, by what they show.
#[derive(Debug, Default)]
pub(crate) struct EmbeddedPictures<'a> {
    /// Windows of pages, with scripts and without.
    pub(crate) of_pages: Vec<&'a Artifact>,
    /// Elements that checks found.
    pub(crate) of_elements: Vec<&'a Artifact>,
}

impl<'a> EmbeddedPictures<'a> {
    /// Chooses of what a run took.
    pub(crate) fn new(taken: &'a [Artifact]) -> Self {
        let sizes = taken.iter().map(Artifact::size_bytes);
        let mut chosen = Self::default();
        for picture in taken.iter().take(embedded_count(sizes)) {
            match picture.kind {
                ArtifactKind::Element => chosen.of_elements.push(picture),
                ArtifactKind::Viewport | ArtifactKind::WithoutScripts => {
                    chosen.of_pages.push(picture);
                }
            }
        }
        chosen
    }

    /// The picture of an element, for the first occurrence that asks; several occurrences may share one.
    pub(crate) fn take_element(&mut self, id: ArtifactId) -> Option<&'a Artifact> {
        let mut elements = self.of_elements.iter();
        let place = elements.position(|picture| picture.id == id)?;
        Some(self.of_elements.swap_remove(place))
    }
}
