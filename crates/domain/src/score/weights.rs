//! What the dimensions count.

use crate::Dimension;

/// What each dimension counts in the overall score; all the same by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct DimensionWeights {
    /// Weight of performance.
    pub performance: u32,
    /// Weight of accessibility.
    pub accessibility: u32,
    /// Weight of SEO.
    pub seo: u32,
    /// Weight of security.
    pub security: u32,
    /// Weight of content.
    pub content: u32,
    /// Weight of AI readiness.
    pub ai_readiness: u32,
}

impl DimensionWeights {
    /// All dimensions count the same.
    pub const EQUAL: Self = Self {
        performance: 1,
        accessibility: 1,
        seo: 1,
        security: 1,
        content: 1,
        ai_readiness: 1,
    };

    /// The weight of a dimension.
    #[must_use]
    pub const fn get(&self, dimension: Dimension) -> u32 {
        match dimension {
            Dimension::Performance => self.performance,
            Dimension::Accessibility => self.accessibility,
            Dimension::Seo => self.seo,
            Dimension::Security => self.security,
            Dimension::Content => self.content,
            Dimension::AiReadiness => self.ai_readiness,
        }
    }

    /// These weights, or equal ones where they leave none of the dimensions any weight.
    pub(super) fn usable_for(self, mut dimensions: impl Iterator<Item = Dimension>) -> Self {
        if dimensions.any(|dimension| self.get(dimension) > 0) {
            self
        } else {
            Self::EQUAL
        }
    }
}

impl Default for DimensionWeights {
    fn default() -> Self {
        Self::EQUAL
    }
}
