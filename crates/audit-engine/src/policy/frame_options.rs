//! `X-Frame-Options`, as the HTML standard's check of it reads the header.

use crate::gather::Headers;

/// What the header does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameOptions {
    /// There is no header.
    Missing,
    /// No page may frame the document, or none of another origin.
    Restricted,
    /// The header holds nothing that browsers heed; its values as written.
    Ignored(String),
}

impl FrameOptions {
    /// Reads the header. Contradictory values keep the document out of every frame.
    #[must_use]
    pub fn of(headers: &Headers) -> Self {
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
        FrameOptions::of(&values.iter().map(|v| ("X-Frame-Options", *v)).collect())
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
