//! Pictures of pages and of elements.

use domain::artifact::{Artifact, ArtifactId, ArtifactKind};
use typst::foundations::{Bytes, IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::view::EmbeddedPictures;
use crate::wording;

/// The pictures that a document has room for.
pub(super) struct Pictures<'a> {
    chosen: EmbeddedPictures<'a>,
    elements_left: usize,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(taken: &'a [Artifact]) -> Self {
        Self {
            chosen: EmbeddedPictures::new(taken),
            elements_left: limits::ELEMENT_PICTURES,
        }
    }

    /// For places that show no pictures.
    pub(super) fn none() -> Self {
        Self::new(&[])
    }

    /// The picture of an element, unless an earlier place shows it or enough are shown.
    pub(super) fn of_element(&mut self, id: Option<ArtifactId>) -> Value {
        if self.elements_left == 0 {
            return Value::None;
        }
        let Some(picture) = id.and_then(|id| self.chosen.take_element(id)) else {
            return Value::None;
        };
        self.elements_left -= 1;
        value(picture)
    }

    /// The windows of pages, each with the URL of its page.
    pub(super) fn of_pages(&self, set: &mut Typesetter<'_>) -> Value {
        let shown = self.chosen.of_pages.iter().take(limits::PAGE_PICTURES);
        let rows: Vec<_> = shown
            .map(|picture| {
                let is_without_scripts = picture.kind == ArtifactKind::WithoutScripts;
                dict([
                    ("picture", value(picture)),
                    ("url", set.code(&picture.url, limits::URL)),
                    ("is-without-scripts", is_without_scripts.into_value()),
                ])
            })
            .collect();
        array(rows)
    }
}

fn value(picture: &Artifact) -> Value {
    let alt = wording::picture::alternative(picture.kind);
    dict([
        ("bytes", Bytes::new(picture.jpeg.clone()).into_value()),
        ("width", picture.width.max(1).into_value()),
        ("height", picture.height.max(1).into_value()),
        ("alt", alt.into_value()),
    ])
}
