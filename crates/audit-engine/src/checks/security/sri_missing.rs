//! Third-party scripts and style sheets without Subresource Integrity (SRI).

use domain::text::capitalized;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::party::same_party;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::{ResourceKind, ResourceRef};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Third-party scripts and style sheets have a valid `integrity` attribute, so the browser
    /// rejects a changed file.
    ///
    /// ## Why it matters
    /// A third-party script can do everything on the page that the site's own scripts can. An
    /// attacker who compromises the third-party server controls every page that loads the script
    /// without an integrity check.
    ///
    /// ## How to fix it
    /// Host the file on your own site, or add `crossorigin="anonymous"` and `integrity="sha384-…"`
    /// with the hash of the version that you use.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Tides</title><script src="https://cdn.example.net/chart-4.4.1.js"></script><p>High tide at noon.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Tides</title><script src="https://cdn.example.net/chart-4.4.1.js" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC" crossorigin="anonymous"></script><p>High tide at noon.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Two hosts belong to the same party if they share their registrable domain. Files that a
    /// server generates for each visitor, such as those of Google Fonts and Google Tag Manager,
    /// cannot have a fixed hash and are ignored. The check does not see scripts that scripts load.
    /// A URL that starts with `//` uses the scheme of the page, so this check does not apply the
    /// Observatory's deduction for it. `mixed-content-active` reports files over plain HTTP.
    ///
    /// ## Also known as
    /// - Observatory: `sri-not-implemented-but-external-scripts-loaded-securely`
    /// - ZAP: Sub Resource Integrity Attribute Missing
    ///
    /// ## References
    /// - W3C Subresource Integrity
    /// - MDN HTTP Observatory, tests and scoring: Subresource Integrity
    SRI_MISSING {
        id: "sri-missing",
        title: "Missing or ineffective Subresource Integrity (SRI)",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Hosts whose files differ for each visitor, so they have no fixed hash.
const GENERATED_FOR_EACH_VISITOR: [&str; 7] = [
    "fonts.googleapis.com",
    "www.googletagmanager.com",
    "www.google-analytics.com",
    "pagead2.googlesyndication.com",
    "js.stripe.com",
    "www.google.com",
    "maps.googleapis.com",
];

fn evaluate(page: &Page) -> Outcome {
    let third_party = page
        .resources()
        .iter()
        .filter(|resource| {
            matches!(
                resource.kind,
                ResourceKind::Script | ResourceKind::Stylesheet
            )
        })
        .filter(|resource| !same_party(&resource.url, page.url()) && has_fixed_content(resource))
        .filter_map(|resource| Some((page.element(resource.node)?, resource)));
    Outcome::for_each(third_party, |(element, resource)| {
        match integrity_problem(element, resource.kind) {
            None => Verdict::Pass,
            Some(problem) => Verdict::Fail(evidence(element, resource, problem)),
        }
    })
}

fn has_fixed_content(resource: &ResourceRef) -> bool {
    resource
        .url
        .host_str()
        .is_some_and(|host| !GENERATED_FOR_EACH_VISITOR.contains(&host))
}

fn integrity_problem(element: ElementRef<'_>, kind: ResourceKind) -> Option<&'static str> {
    let integrity = element.attr("integrity").unwrap_or_default();
    let module = kind == ResourceKind::Script && element.attr_is("type", "module");
    if integrity.trim().is_empty() {
        Some("has no integrity attribute")
    } else if !integrity.split_ascii_whitespace().any(is_hash) {
        Some(
            "has an integrity attribute without a sha256, sha384 or sha512 hash, so browsers ignore it",
        )
    } else if !module && !element.has_attr("crossorigin") {
        Some("has an integrity attribute but no crossorigin attribute, so browsers block the file")
    } else {
        None
    }
}

fn is_hash(token: &str) -> bool {
    ["sha256-", "sha384-", "sha512-"].iter().any(|prefix| {
        token
            .get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && token.len() > prefix.len()
    })
}

fn evidence(element: ElementRef<'_>, resource: &ResourceRef, problem: &str) -> Evidence {
    let (kind, url) = (resource.kind.as_str(), resource.url.as_str());
    Evidence::node(element)
        .message(format!("The third-party {kind} {url} {problem}."))
        .cause(url, format!("{} {problem}: {url}", capitalized(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn third_party_scripts_and_styles_without_integrity_fail() {
        assert_fails(
            &SRI_MISSING,
            "<script src=https://e.org/a.js></script><link rel=stylesheet href=https://e.org/a.css>",
            2,
        );
    }

    #[test]
    fn integrity_with_crossorigin_passes() {
        assert_passes(
            &SRI_MISSING,
            "<script src=https://e.org/a.js integrity=sha256-abc= crossorigin></script><script type=module src=https://e.org/b.js integrity=sha512-abc></script>",
        );
    }

    #[test]
    fn invalid_hashes_and_missing_crossorigin_fail() {
        assert_fails(
            &SRI_MISSING,
            "<script src=https://e.org/a.js integrity=md5-abc crossorigin></script><script src=https://e.org/a.js integrity=sha256-abc></script>",
            2,
        );
    }

    #[test]
    fn subdomains_of_the_site_are_not_applicable() {
        assert_not_applicable(
            &SRI_MISSING,
            "<script src=/a.js></script><script src=https://static.example.com/a.js></script>",
        );
    }

    #[test]
    fn files_generated_for_each_visitor_and_images_are_not_applicable() {
        assert_not_applicable(
            &SRI_MISSING,
            "<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'><img src=https://e.org/a.png>",
        );
    }
}
