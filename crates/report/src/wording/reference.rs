//! Where the standards that checks name can be read.

/// Standards by the words their references begin with, and their addresses.
const STANDARDS: &[(&str, &str)] = &[
    ("CSP Level 3", "https://www.w3.org/TR/CSP3/"),
    (
        "Chrome for Developers",
        "https://developer.chrome.com/docs/lighthouse/",
    ),
    (
        "Google Search Central, Block Search indexing with noindex",
        "https://developers.google.com/search/docs/crawling-indexing/block-indexing",
    ),
    (
        "Google Search Central, Build and submit a sitemap",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    (
        "Google Search Central, Control your snippets",
        "https://developers.google.com/search/docs/appearance/snippet",
    ),
    (
        "Google Search Central, How to specify a canonical URL",
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    ),
    (
        "Google Search Central, Influencing your title links",
        "https://developers.google.com/search/docs/appearance/title-link",
    ),
    (
        "Google Search Central, Link best practices",
        "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
    ),
    (
        "Google Search Central, Redirects and Google Search",
        "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
    ),
    (
        "Google Search Central, Tell Google about localized versions",
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
    ),
    (
        "Google Search Central, URL structure",
        "https://developers.google.com/search/docs/crawling-indexing/url-structure",
    ),
    (
        "Google Search Central",
        "https://developers.google.com/search/docs",
    ),
    ("HTML Living Standard", "https://html.spec.whatwg.org/"),
    ("HTML Standard", "https://html.spec.whatwg.org/"),
    (
        "Lighthouse",
        "https://developer.chrome.com/docs/lighthouse/",
    ),
    (
        "MDN HTTP Observatory",
        "https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring",
    ),
    (
        "MIME Sniffing Standard",
        "https://mimesniff.spec.whatwg.org/",
    ),
    ("Schema.org", "https://schema.org/"),
    ("The Open Graph protocol", "https://ogp.me/"),
    ("URL Standard", "https://url.spec.whatwg.org/"),
    (
        "W3C Content Security Policy Level 3",
        "https://www.w3.org/TR/CSP3/",
    ),
    ("W3C Mixed Content", "https://www.w3.org/TR/mixed-content/"),
    (
        "W3C Permissions Policy",
        "https://www.w3.org/TR/permissions-policy/",
    ),
    (
        "W3C Referrer Policy",
        "https://www.w3.org/TR/referrer-policy/",
    ),
    (
        "W3C Secure Contexts",
        "https://www.w3.org/TR/secure-contexts/",
    ),
    ("W3C Subresource Integrity", "https://www.w3.org/TR/SRI/"),
    ("WAI-ARIA 1.2", "https://www.w3.org/TR/wai-aria-1.2/"),
    ("WCAG 2.2", "https://www.w3.org/TR/WCAG22/"),
    ("WHATWG Fetch Standard", "https://fetch.spec.whatwg.org/"),
    ("hstspreload.org", "https://hstspreload.org/"),
    ("schema.org", "https://schema.org/"),
    ("sitemaps.org", "https://www.sitemaps.org/protocol.html"),
];

/// The address where a reference can be read, at the place it names where the address can say so; none
/// for a source that is not known here.
pub(crate) fn address(reference: &str) -> Option<String> {
    let criterion = reference.strip_prefix("WCAG 2.2, success criterion ");
    criterion
        .and_then(of_criterion)
        .or_else(|| of_rfc(reference))
        .or_else(|| of_act_rule(reference))
        .or_else(|| of_weakness(reference))
        .or_else(|| of_standard(reference))
}

/// "1.1.1 Non-text Content (A)": the anchor is made of the name.
fn of_criterion(criterion: &str) -> Option<String> {
    let (_, name) = criterion.split_once(' ')?;
    let name = name.split(" (").next()?;
    let words = name
        .split(|character: char| !character.is_ascii_alphanumeric() && character != '-')
        .filter(|word| !word.is_empty());
    let anchor = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    (!anchor.is_empty()).then(|| format!("https://www.w3.org/TR/WCAG22/#{anchor}"))
}

/// "RFC 9110, HTTP Semantics, section 15.5.5"
fn of_rfc(reference: &str) -> Option<String> {
    let rest = reference.strip_prefix("RFC ")?;
    let number = leading(rest, |character| character.is_ascii_digit());
    if number.is_empty() {
        return None;
    }
    let section = rest.split_once("section ").map_or("", |(_, section)| {
        leading(section, |character| {
            character.is_ascii_digit() || character == '.'
        })
        .trim_end_matches('.')
    });
    let anchor = match section {
        "" => String::new(),
        section => format!("#section-{section}"),
    };
    Some(format!(
        "https://www.rfc-editor.org/rfc/rfc{number}{anchor}"
    ))
}

/// "W3C ACT rule 23a2a8, Image has non-empty accessible name"
fn of_act_rule(reference: &str) -> Option<String> {
    let rest = reference.strip_prefix("W3C ACT rule ")?;
    let id = leading(rest, |character| character.is_ascii_alphanumeric());
    (!id.is_empty()).then(|| format!("https://www.w3.org/WAI/standards-guidelines/act/rules/{id}/"))
}

/// "CWE-319, Cleartext Transmission of Sensitive Information"
fn of_weakness(reference: &str) -> Option<String> {
    let rest = reference.strip_prefix("CWE-")?;
    let number = leading(rest, |character| character.is_ascii_digit());
    (!number.is_empty()).then(|| format!("https://cwe.mitre.org/data/definitions/{number}.html"))
}

fn of_standard(reference: &str) -> Option<String> {
    let known = STANDARDS.iter();
    let mut known = known.filter(|(name, _)| {
        reference
            .strip_prefix(name)
            .is_some_and(|rest| !rest.starts_with(|character: char| character.is_alphanumeric()))
    });
    known.next().map(|(_, address)| (*address).to_owned())
}

/// The longest start of a text whose characters are all wanted.
fn leading(text: &str, is_wanted: impl Fn(char) -> bool) -> &str {
    let end = text.find(|character: char| !is_wanted(character));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::criterion(
        "WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)",
        "https://www.w3.org/TR/WCAG22/#name-role-value"
    )]
    #[case::hyphen(
        "WCAG 2.2, success criterion 1.1.1 Non-text Content (A)",
        "https://www.w3.org/TR/WCAG22/#non-text-content"
    )]
    #[case::criteria(
        "WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2",
        "https://www.w3.org/TR/WCAG22/"
    )]
    #[case::section(
        "RFC 9110, HTTP Semantics, section 15.5.5",
        "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5"
    )]
    #[case::whole_rfc(
        "RFC 6596, The Canonical Link Relation",
        "https://www.rfc-editor.org/rfc/rfc6596"
    )]
    #[case::rule(
        "W3C ACT rule 23a2a8, Image has a name",
        "https://www.w3.org/WAI/standards-guidelines/act/rules/23a2a8/"
    )]
    #[case::weakness(
        "CWE-319, Cleartext Transmission",
        "https://cwe.mitre.org/data/definitions/319.html"
    )]
    #[case::standard("HTML Standard, the title element", "https://html.spec.whatwg.org/")]
    fn known_sources_have_an_address(#[case] reference: &str, #[case] expected: &str) {
        assert_eq!(address(reference).as_deref(), Some(expected));
    }

    #[rstest]
    #[case("")]
    #[case("RFC")]
    #[case("RFC \u{202e}9110")]
    #[case("WCAG 2.20")]
    #[case("A book")]
    #[case("WCAG 2.2, success criterion")]
    fn other_sources_have_none_or_that_of_the_standard(#[case] reference: &str) {
        let address = address(reference);
        assert!(
            address.is_none() || address.as_deref() == Some("https://www.w3.org/TR/WCAG22/"),
            "{address:?}"
        );
    }
}
