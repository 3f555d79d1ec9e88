//! The referrer policy in headers and `meta` elements.

use crate::view::Page;

/// The referrer policy that the page declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declared<'a> {
    /// Nothing; browsers use `strict-origin-when-cross-origin`.
    Nothing,
    /// A value that is not a policy, as written.
    Unknown(&'a str),
    /// A policy, by its name in the standard.
    Policy(&'static str),
}

const POLICIES: [&str; 8] = [
    "no-referrer",
    "no-referrer-when-downgrade",
    "same-origin",
    "origin",
    "strict-origin",
    "origin-when-cross-origin",
    "strict-origin-when-cross-origin",
    "unsafe-url",
];

/// The policy of the document: the last `meta name=referrer` with a valid policy, else the last known name in
/// the headers.
#[must_use]
pub fn declared(page: &Page) -> Declared<'_> {
    // An empty header is equivalent to a missing one.
    let headers: Vec<&str> = page
        .headers()
        .get_all("referrer-policy")
        .filter(|value| !value.trim().is_empty())
        .collect();
    let from_header = headers
        .iter()
        .flat_map(|value| value.split(','))
        .filter_map(|token| policy(token.trim()))
        .next_back();
    let metas: Vec<&str> = page
        .metas("referrer")
        .filter_map(|meta| meta.attr("content"))
        .map(str::trim)
        .filter(|content| !content.is_empty())
        .collect();
    let from_meta = metas
        .iter()
        .filter_map(|content| policy(content).or_else(|| legacy(content)))
        .next_back();
    match from_meta.or(from_header) {
        Some(policy) => Declared::Policy(policy),
        None => metas
            .last()
            .or(headers.last())
            .map_or(Declared::Nothing, |written| Declared::Unknown(written)),
    }
}

fn policy(token: &str) -> Option<&'static str> {
    POLICIES
        .iter()
        .find(|known| known.eq_ignore_ascii_case(token))
        .copied()
}

/// Additional names that `meta` elements may use (HTML, "Standard metadata names").
fn legacy(token: &str) -> Option<&'static str> {
    match token.to_ascii_lowercase().as_str() {
        "never" => Some("no-referrer"),
        "default" => Some("strict-origin-when-cross-origin"),
        "always" => Some("unsafe-url"),
        "origin-when-crossorigin" => Some("origin-when-cross-origin"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_known_name_counts() {
        let page = Page::builder()
            .header("Referrer-Policy", "unsafe-url, no-referrer, new-policy")
            .html("x");
        assert_eq!(declared(&page), Declared::Policy("no-referrer"));
    }

    #[test]
    fn a_meta_overrides_the_header() {
        let page = Page::builder()
            .header("Referrer-Policy", "no-referrer")
            .html("<meta name=referrer content=always>");
        assert_eq!(declared(&page), Declared::Policy("unsafe-url"));
    }

    #[test]
    fn missing_and_unknown_policies_are_distinguished() {
        assert_eq!(declared(&Page::builder().html("x")), Declared::Nothing);
        let page = Page::builder().header("Referrer-Policy", "none").html("x");
        assert_eq!(declared(&page), Declared::Unknown("none"));
        let page = Page::builder().header("Referrer-Policy", "").html("x");
        assert_eq!(declared(&page), Declared::Nothing);
    }
}
