//! Pictures of pages that a browser takes as evidence.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::id::RunId;
use crate::named_enum::named_enum;
use crate::run::RequestHeaders;

/// Pictures of one run.
pub const MAX_ARTIFACTS: usize = 48;

/// Bytes of one picture.
pub const MAX_ARTIFACT_BYTES: usize = 100_000;

/// Bytes of all pictures of one run.
pub const MAX_RUN_ARTIFACT_BYTES: usize = 4_000_000;

/// Bytes of the pictures that a report has in its own file: the first. The file is a third larger, in base64.
pub const MAX_EMBEDDED_BYTES: usize = 1_000_000;

/// The media type of all pictures. It does not depend on anything that a page sends.
pub const ARTIFACT_MEDIA_TYPE: &str = "image/jpeg";

/// What an id starts with.
const PREFIX: &str = "art_";

named_enum! {
    /// What a picture shows.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ArtifactKind {
        /// The window at the top of a page, after its scripts ran.
        Viewport = "viewport",
        /// The window at the top of a page whose scripts did not run.
        WithoutScripts = "without_scripts",
        /// An element that a check found, with what is around it.
        Element = "element",
    }
}

/// The id of a picture among those of its run: `art_1`, `art_2` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtifactId(u8);

impl ArtifactId {
    /// The id of a number from 1 to [`MAX_ARTIFACTS`]; none for others.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (1..=MAX_ARTIFACTS)
            .contains(&usize::from(number))
            .then_some(Self(number))
    }

    /// The id that a text spells; none for any other text.
    ///
    /// ```
    /// use domain::artifact::ArtifactId;
    ///
    /// assert_eq!(ArtifactId::parse("art_7").map(|id| id.to_string()).as_deref(), Some("art_7"));
    /// for wrong in ["art_0", "art_07", "art_49", "art_+7", "7"] {
    ///     assert_eq!(ArtifactId::parse(wrong), None, "{wrong}");
    /// }
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let id = Self::new(text.strip_prefix(PREFIX)?.parse().ok()?)?;
        (id.to_string() == text).then_some(id)
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for ArtifactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

crate::serde_text::serde_as_text!(ArtifactId, ArtifactId::parse);

/// A picture.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Artifact {
    /// Its id.
    pub id: ArtifactId,
    /// What it shows.
    pub kind: ArtifactKind,
    /// The page.
    pub url: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// A JPEG file of at most [`MAX_ARTIFACT_BYTES`].
    pub jpeg: Vec<u8>,
}

impl fmt::Debug for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.info().fmt(f)
    }
}

impl Artifact {
    /// Its size.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        u64::try_from(self.jpeg.len()).unwrap_or(u64::MAX)
    }

    /// What is known of it without its bytes.
    #[must_use]
    pub fn info(&self) -> ArtifactInfo {
        ArtifactInfo {
            id: self.id,
            kind: self.kind,
            url: self.url.clone(),
            width: self.width,
            height: self.height,
            size_bytes: self.size_bytes(),
            sha256: checksum(&self.jpeg),
        }
    }
}

/// A picture without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactInfo {
    /// Its id.
    pub id: ArtifactId,
    /// What it shows.
    pub kind: ArtifactKind,
    /// The page.
    pub url: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// The SHA-256 of its bytes: 64 hexadecimal digits.
    pub sha256: String,
}

/// Which object has the bytes of a picture. A retried run writes other objects than the attempts before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactKey {
    /// The run.
    pub run_id: RunId,
    /// The epoch of the claim under which it was written.
    pub epoch: u32,
    /// Its id in the run.
    pub id: ArtifactId,
}

/// Which runs have pictures, of those whose pages a browser shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PicturedRuns {
    /// None.
    None,
    /// Those without request headers of their own: others may show what is meant for the holders of a password.
    WithoutHeaders,
    /// All.
    All,
}

impl PicturedRuns {
    /// Whether a run with these request headers has pictures.
    #[must_use]
    pub fn has(self, headers: &RequestHeaders) -> bool {
        match self {
            Self::None => false,
            Self::WithoutHeaders => headers.is_empty(),
            Self::All => true,
        }
    }
}

/// How many of the pictures with these sizes in bytes a report has in its own file: the first, up to
/// [`MAX_EMBEDDED_BYTES`].
///
/// ```
/// use domain::artifact::{MAX_EMBEDDED_BYTES, embedded_count};
///
/// assert_eq!(embedded_count([1, MAX_EMBEDDED_BYTES as u64 - 1, 1]), 2);
/// assert_eq!(embedded_count([u64::MAX, 1]), 0);
/// ```
#[must_use]
pub fn embedded_count(sizes: impl IntoIterator<Item = u64>) -> usize {
    let mut left = u64::try_from(MAX_EMBEDDED_BYTES).unwrap_or(u64::MAX);
    sizes
        .into_iter()
        .take_while(|size| {
            let rest = left.checked_sub(*size);
            left = rest.unwrap_or_default();
            rest.is_some()
        })
        .count()
}

/// The SHA-256 of bytes: 64 hexadecimal digits.
#[must_use]
pub fn checksum(bytes: &[u8]) -> String {
    use fmt::Write as _;
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_end_at_the_maximum() {
        let most = u8::try_from(MAX_ARTIFACTS).unwrap();
        assert!(ArtifactId::new(most).is_some());
        assert_eq!(ArtifactId::new(most + 1), None);
        assert_eq!(ArtifactId::new(0), None);
    }
}
