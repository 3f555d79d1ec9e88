//! The six dimensions of an audit.

use std::fmt;
use std::str::FromStr;

/// One of the six dimensions a site is judged in.
///
/// The order of the variants is the order in which they are shown everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    /// How fast pages arrive and how much they weigh.
    Performance,
    /// Whether people with disabilities can use the pages.
    Accessibility,
    /// Whether search engines can find, read and rank the pages.
    Seo,
    /// Whether the site protects its visitors.
    Security,
    /// Whether the words and media are complete, correct and the site's own.
    Content,
    /// Whether assistants and agents can find and use the content.
    AiReadiness,
}

impl Dimension {
    /// All dimensions, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::Performance,
        Self::Accessibility,
        Self::Seo,
        Self::Security,
        Self::Content,
        Self::AiReadiness,
    ];

    /// The name on the wire and on the command line, for example `aiReadiness`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Performance => "performance",
            Self::Accessibility => "accessibility",
            Self::Seo => "seo",
            Self::Security => "security",
            Self::Content => "content",
            Self::AiReadiness => "aiReadiness",
        }
    }

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

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Dimension {
    type Err = UnknownDimension;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|dimension| dimension.as_str() == text)
            .ok_or_else(|| UnknownDimension(text.to_owned()))
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
