//! One value for each dimension.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The dimension of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Dimension {
    /// How fast pages load and how large they are.
    Performance,
    /// Whether people with disabilities can use the pages.
    Accessibility,
    /// Whether search engines can crawl, index and rank the pages.
    Seo,
    /// Whether the site protects its visitors.
    Security,
    /// Whether text and media are complete, correct and original.
    Content,
    /// Whether AI assistants and agents can find and use the content. Not in the legacy variant.
    AiReadiness,
}

/// One value for each dimension of the variant, always in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PerDimension<T> {
    /// How fast pages load and how large they are.
    pub performance: T,
    /// Whether people with disabilities can use the pages.
    pub accessibility: T,
    /// Whether search engines can crawl, index and rank the pages.
    pub seo: T,
    /// Whether the site protects its visitors.
    pub security: T,
    /// Whether text and media are complete, correct and original.
    pub content: T,
    /// Whether AI assistants and agents can find and use the content. The key is present in the current
    /// variant and absent in the legacy variant.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub ai_readiness: Option<T>,
}

/// A default that does not require `T: Default`.
fn none<T>() -> Option<T> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_are_those_of_the_variant_in_order() {
        let mut scores = PerDimension {
            performance: 1,
            accessibility: 2,
            seo: 3,
            security: 4,
            content: 5,
            ai_readiness: Some(6),
        };
        let six = r#"{"performance":1,"accessibility":2,"seo":3,"security":4,"content":5,"aiReadiness":6}"#;
        assert_eq!(serde_json::to_string(&scores).unwrap(), six);
        assert_eq!(
            serde_json::from_str::<PerDimension<u8>>(six).unwrap(),
            scores
        );
        scores.ai_readiness = None;
        let five = r#"{"performance":1,"accessibility":2,"seo":3,"security":4,"content":5}"#;
        assert_eq!(serde_json::to_string(&scores).unwrap(), five);
        assert_eq!(
            serde_json::from_str::<PerDimension<u8>>(five).unwrap(),
            scores
        );
    }
}
