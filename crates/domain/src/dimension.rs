//! The six dimensions of an audit.

use std::str::FromStr;

use crate::named_enum::named_enum;

named_enum! {
    /// One of the six dimensions a site is judged in.
    ///
    /// The order of the variants is the order in which they are shown everywhere.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Dimension {
        /// How fast pages arrive and how much they weigh.
        Performance = "performance",
        /// Whether people with disabilities can use the pages.
        Accessibility = "accessibility",
        /// Whether search engines can find, read and rank the pages.
        Seo = "seo",
        /// Whether the site protects its visitors.
        Security = "security",
        /// Whether the words and media are complete, correct and the site's own.
        Content = "content",
        /// Whether assistants and agents can find and use the content.
        AiReadiness = "aiReadiness",
    }
}

impl Dimension {
    /// The name people read, for example `AI readiness`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Performance => "Performance",
            Self::Accessibility => "Accessibility",
            Self::Seo => "SEO",
            Self::Security => "Security",
            Self::Content => "Content",
            Self::AiReadiness => "AI readiness",
        }
    }

    /// The folder name in sources and documentation, for example `ai_readiness`.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::AiReadiness => "ai_readiness",
            other => other.as_str(),
        }
    }
}

impl FromStr for Dimension {
    type Err = UnknownDimension;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::named(text).ok_or_else(|| UnknownDimension(text.to_owned()))
    }
}

/// A name that is none of the six dimensions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown dimension `{0}`; known dimensions: performance, accessibility, seo, security, content, aiReadiness"
)]
pub struct UnknownDimension(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_names_parse_back() {
        for dimension in Dimension::ALL {
            assert_eq!(dimension.as_str().parse(), Ok(dimension));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "speed".parse::<Dimension>().unwrap_err();
        assert!(error.to_string().contains("aiReadiness"), "{error}");
    }
}
