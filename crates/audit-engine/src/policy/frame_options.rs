//! `X-Frame-Options`, parsed according to the HTML standard.

use crate::gather::Headers;

/// The effect of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameOptions {
    /// There is no header.
    Missing,
    /// No page may frame the document, or only pages of the same origin.
    Restricted,
    /// The header has no value that browsers support; its values as written.
    Ignored(String),
}

impl FrameOptions {
    /// Parses the header. Contradictory values block framing by any page.
    #[must_use]
    pub fn from_headers(headers: &Headers) -> Self {
        let mut values: Vec<String> = headers
            .get_all("x-frame-options")
            .flat_map(|value| value.split(','))
            .map(|value| value.trim().to_ascii_lowercase())
            .collect();
        values.sort();
        values.dedup();
        let known = |value: &String| matches!(value.as_str(), "deny" | "sameorigin");
        match values.as_slice() {
            [] => Self::Missing,
            [only] if known(only) => Self::Restricted,
            [_] => Self::Ignored(values.concat()),
            several if several.iter().any(|v| known(v) || v == "allowall") => Self::Restricted,
            _ => Self::Ignored(values.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> FrameOptions {
        FrameOptions::from_headers(&values.iter().map(|v| ("X-Frame-Options", *v)).collect())
    }

    #[test]
    fn deny_and_sameorigin_restrict() {
        assert_eq!(read(&["DENY"]), FrameOptions::Restricted);
        assert_eq!(read(&["sameorigin, SAMEORIGIN"]), FrameOptions::Restricted);
        assert_eq!(read(&["DENY", "SAMEORIGIN"]), FrameOptions::Restricted);
    }

    #[test]
    fn other_values_are_ignored() {
        assert!(matches!(
            read(&["ALLOW-FROM https://a.example"]),
            FrameOptions::Ignored(_)
        ));
        assert!(matches!(read(&["ALLOWALL"]), FrameOptions::Ignored(_)));
        assert_eq!(read(&[]), FrameOptions::Missing);
    }
}
