//! Scripts and styles of other parties without an integrity value.

use domain::text::capitalized;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::urls::party::same_party;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::{ResourceKind, ResourceRef};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Scripts and style sheets that come from another party's servers have an `integrity`
    /// attribute, so that the browser refuses a changed file.
    ///
    /// ## Why it matters
    /// A script from elsewhere can do everything on the page that the site's own scripts can. If
    /// that server is broken into, so is every page that loads from it without a check.
    ///
    /// ## How to fix it
    /// Host the file on your own site, or add `integrity="sha384-…"` with the hash of the version
    /// you use, and `crossorigin="anonymous"`.
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
    /// Two hosts are one party when they share their registrable domain. Files that are made anew
    /// for each visitor, such as those of Google Fonts and Google Tag Manager, cannot have a fixed
    /// hash and are not judged. Scripts that scripts load are not seen. An address that begins with
    /// `//` takes the page's own scheme, so that the Observatory's deduction for it does not apply
    /// here; files over plain http are found by mixed-content-active.
    ///
    /// ## References
    /// - W3C Subresource Integrity
    /// - MDN HTTP Observatory, tests and scoring: Subresource Integrity
    SRI_MISSING {
        id: "sri-missing",
        title: "Files of other parties load without an integrity check",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Hosts whose files differ by visitor, so that no hash can be given for them.
const MADE_FOR_EACH_VISITOR: [&str; 7] = [
    "fonts.googleapis.com",
    "www.googletagmanager.com",
    "www.google-analytics.com",
    "pagead2.googlesyndication.com",
    "js.stripe.com",
    "www.google.com",
    "maps.googleapis.com",
];

fn evaluate(page: &Page) -> Outcome {
    let foreign = page
        .resources()
        .iter()
        .filter(|resource| {
            matches!(
                resource.kind,
                ResourceKind::Script | ResourceKind::Stylesheet
            )
        })
        .filter(|resource| !same_party(&resource.url, page.url()) && has_a_hash(resource))
        .filter_map(|resource| Some((page.element(resource.node)?, resource)));
    Outcome::for_each(foreign, |(element, resource)| {
        match complaint(element, resource.kind) {
            None => Verdict::Pass,
            Some(complaint) => Verdict::Fail(evidence(element, resource, complaint)),
        }
    })
}

fn has_a_hash(resource: &ResourceRef) -> bool {
    resource
        .url
        .host_str()
        .is_some_and(|host| !MADE_FOR_EACH_VISITOR.contains(&host))
}

fn complaint(element: ElementRef<'_>, kind: ResourceKind) -> Option<&'static str> {
    let integrity = element.attr("integrity").unwrap_or_default();
    let module = kind == ResourceKind::Script && element.attr_is("type", "module");
    if integrity.trim().is_empty() {
        Some("has no integrity attribute")
    } else if !integrity.split_ascii_whitespace().any(is_hash) {
        Some(
            "has an integrity attribute without a sha256, sha384 or sha512 hash, which browsers ignore",
        )
    } else if !module && !element.has_attr("crossorigin") {
        Some("has an integrity attribute but no crossorigin attribute, so that browsers refuse it")
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

fn evidence(element: ElementRef<'_>, resource: &ResourceRef, complaint: &str) -> Evidence {
    let (kind, url) = (resource.kind.as_str(), resource.url.as_str());
    Evidence::node(element)
        .message(format!(
            "The {kind} {url} comes from another party and {complaint}."
        ))
        .cause(url, format!("{} {complaint}: {url}", capitalized(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn foreign_scripts_and_styles_without_integrity_fail() {
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
    fn integrity_that_cannot_work_fails() {
        assert_fails(
            &SRI_MISSING,
            "<script src=https://e.org/a.js integrity=md5-abc crossorigin></script><script src=https://e.org/a.js integrity=sha256-abc></script>",
            2,
        );
    }

    #[test]
    fn the_sites_own_subdomains_are_not_judged() {
        assert_not_applicable(
            &SRI_MISSING,
            "<script src=/a.js></script><script src=https://static.example.com/a.js></script>",
        );
    }

    #[test]
    fn files_made_for_each_visitor_and_images_are_not_judged() {
        assert_not_applicable(
            &SRI_MISSING,
            "<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'><img src=https://e.org/a.png>",
        );
    }
}
