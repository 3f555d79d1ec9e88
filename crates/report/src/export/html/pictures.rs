//! Pictures as parts of the file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::artifact::{ARTIFACT_MEDIA_TYPE, Artifact, ArtifactKind};

use super::super::limits;
use crate::text::{link, shown};
use crate::wording::picture::alternative;

/// A picture, as a part of the file.
pub(super) struct Picture {
    /// A JPEG file as a `data:` URL. Browsers show it as that and nothing else.
    pub(super) source: String,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Where the page is, if that is on the web, and how its URL is shown.
    pub(super) to: Option<String>,
    pub(super) text: String,
    pub(super) is_without_scripts: bool,
    /// What it shows, for those who do not see it.
    pub(super) alternative: &'static str,
}

impl Picture {
    pub(super) fn new(picture: &Artifact) -> Self {
        let base64 = STANDARD.encode(&picture.jpeg);
        Self {
            source: format!("data:{ARTIFACT_MEDIA_TYPE};base64,{base64}"),
            width: picture.width,
            height: picture.height,
            to: link(&picture.url),
            text: shown(&picture.url, limits::ADDRESS),
            is_without_scripts: picture.kind == ArtifactKind::WithoutScripts,
            alternative: alternative(picture.kind),
        }
    }
}
