//! Pictures as parts of the file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::artifact::{ARTIFACT_MEDIA_TYPE, Artifact, ArtifactId, ArtifactKind};

use super::super::limits;
use crate::text::{link, shown};

/// A picture, as a part of the file.
pub(super) struct Picture {
    pub(super) id: ArtifactId,
    /// A JPEG file as a `data:` URL. Browsers show it as that and nothing else.
    pub(super) source: String,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Where the page is, if that is on the web, and how its URL is shown.
    pub(super) to: Option<String>,
    pub(super) text: String,
    pub(super) is_without_scripts: bool,
}

/// The pictures that the file has: the first, up to [`limits::HTML_PICTURE_BYTES`].
pub(super) struct Pictures {
    pub(super) of_pages: Vec<Picture>,
    pub(super) of_elements: Vec<Picture>,
}

impl Pictures {
    pub(super) fn new(taken: &[Artifact]) -> Self {
        let mut left = limits::HTML_PICTURE_BYTES;
        let (mut of_pages, mut of_elements) = (Vec::new(), Vec::new());
        for picture in taken {
            let Some(rest) = left.checked_sub(picture.jpeg.len()) else {
                break;
            };
            left = rest;
            match picture.kind {
                ArtifactKind::Element => of_elements.push(Picture::new(picture)),
                ArtifactKind::Viewport | ArtifactKind::WithoutScripts => {
                    of_pages.push(Picture::new(picture));
                }
            }
        }
        Self {
            of_pages,
            of_elements,
        }
    }
}

impl Picture {
    fn new(picture: &Artifact) -> Self {
        let base64 = STANDARD.encode(&picture.jpeg);
        Self {
            id: picture.id,
            source: format!("data:{ARTIFACT_MEDIA_TYPE};base64,{base64}"),
            width: picture.width,
            height: picture.height,
            to: link(&picture.url),
            text: shown(&picture.url, limits::ADDRESS),
            is_without_scripts: picture.kind == ArtifactKind::WithoutScripts,
        }
    }
}
