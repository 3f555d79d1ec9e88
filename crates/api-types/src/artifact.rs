//! Pictures of a report.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The pictures of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactList {
    /// The pictures: first those of pages, then those of elements. At most 48.
    pub artifacts: Vec<Artifact>,
}

/// A picture of a page or of an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// The id in the report.
    pub artifact_id: String,
    /// What it shows.
    pub kind: ArtifactKind,
    /// The URL of the page.
    pub url: String,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The size in bytes.
    pub size_bytes: u64,
}

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// The window at the top of a page.
    Viewport,
    /// The window at the top of a page whose scripts did not run, where that looks different.
    WithoutScripts,
    /// An element that a check found, with its surroundings.
    Element,
}
