//! Content Security Policy, Level 3.

mod list;
mod sources;

use std::collections::HashSet;

pub use list::enforced;
pub use sources::{SourceList, is_broad};

/// The location of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicySource {
    /// The `Content-Security-Policy` header.
    Header,
    /// A `meta` element in the head.
    Meta,
}

/// A directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// The name in lower case.
    pub name: String,
    /// The value, split at white space.
    pub values: Vec<String>,
}

impl Directive {
    /// The value as a list of sources.
    #[must_use]
    pub fn sources(&self) -> SourceList<'_> {
        SourceList::new(&self.values)
    }
}

/// One policy. Each of several policies restricts the page further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Its location.
    pub source: PolicySource,
    /// The effective directives, the first of each name.
    pub directives: Vec<Directive>,
    /// Names of repeated directives; browsers ignore the repetition.
    pub repeated: Vec<String>,
}

/// Directives that a `meta` element cannot set (CSP3 §3.3).
pub const HEADER_ONLY: [&str; 3] = ["frame-ancestors", "report-uri", "sandbox"];

impl Policy {
    /// Parses a serialized policy (CSP3 §2.2.1); none if it has no directive.
    #[must_use]
    pub fn parse(text: &str, source: PolicySource) -> Option<Self> {
        let mut policy = Self {
            source,
            directives: Vec::new(),
            repeated: Vec::new(),
        };
        let mut seen = HashSet::new();
        for part in text.split(';') {
            let mut tokens = part.split_ascii_whitespace();
            let Some(name) = tokens.next().map(str::to_ascii_lowercase) else {
                continue;
            };
            if !seen.insert(name.clone()) {
                policy.repeated.push(name);
                continue;
            }
            policy.directives.push(Directive {
                name,
                values: tokens.map(str::to_owned).collect(),
            });
        }
        (!policy.directives.is_empty()).then_some(policy)
    }

    /// Whether browsers apply any of its directives at this location.
    #[must_use]
    pub fn is_heeded(&self) -> bool {
        self.source == PolicySource::Header
            || self
                .directives
                .iter()
                .any(|directive| !HEADER_ONLY.contains(&directive.name.as_str()))
    }

    /// The directive with this name, unless browsers ignore it at this location.
    #[must_use]
    pub fn directive(&self, name: &str) -> Option<&Directive> {
        if self.source == PolicySource::Meta && HEADER_ONLY.contains(&name) {
            return None;
        }
        self.directives
            .iter()
            .find(|directive| directive.name == name)
    }

    /// The directive that applies to `name`: its own, or the nearest fallback (CSP3 §6.8.3).
    #[must_use]
    pub fn governing(&self, name: &str) -> Option<&Directive> {
        self.directive(name)
            .or_else(|| fallbacks(name).iter().find_map(|name| self.directive(name)))
    }
}

/// The directives that apply in place of the one with this name if a policy does not have it, the nearest first
/// (CSP3 §6.8.3).
#[must_use]
pub fn fallbacks(name: &str) -> &'static [&'static str] {
    match name {
        "script-src-elem" | "script-src-attr" => &["script-src", "default-src"],
        "style-src-elem" | "style-src-attr" => &["style-src", "default-src"],
        "frame-src" => &["child-src", "default-src"],
        "worker-src" => &["child-src", "script-src", "default-src"],
        "child-src" | "connect-src" | "font-src" | "img-src" | "manifest-src" | "media-src"
        | "object-src" | "script-src" | "style-src" => &["default-src"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Policy {
        Policy::parse(text, PolicySource::Header).unwrap()
    }

    #[test]
    fn the_first_of_a_repeated_directive_counts() {
        let policy = header("Script-Src 'self'; script-src *; ;default-src 'none'");
        assert_eq!(policy.directive("script-src").unwrap().values, ["'self'"]);
        assert_eq!(policy.repeated, ["script-src"]);
        assert_eq!(policy.directives.len(), 2);
    }

    #[test]
    fn a_text_without_directives_is_no_policy() {
        assert_eq!(Policy::parse(" ; ;", PolicySource::Header), None);
    }

    #[test]
    fn directives_fall_back_according_to_the_standard() {
        let policy = header("default-src 'none'; script-src 'self'");
        let governing = |name| policy.governing(name).map(|found| found.name.as_str());
        assert_eq!(governing("script-src-attr"), Some("script-src"));
        assert_eq!(governing("worker-src"), Some("script-src"));
        assert_eq!(governing("object-src"), Some("default-src"));
        assert_eq!(governing("base-uri"), None);
        assert_eq!(governing("form-action"), None);
    }

    #[test]
    fn frame_ancestors_in_a_meta_is_ignored() {
        let policy = Policy::parse("frame-ancestors 'none'", PolicySource::Meta).unwrap();
        assert_eq!(policy.directive("frame-ancestors"), None);
        assert!(!policy.is_heeded());
        assert!(header("frame-ancestors 'none'").is_heeded());
    }
}
