//! Active mixed content: scripts, styles, frames, plug-ins and fonts over plain HTTP on HTTPS pages.

use domain::text::capitalized;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::http::transport::{is_plain, upgrades_requests};
use crate::declare_check;
use crate::page::{ResourceKind, ResourceRef};
use crate::policy::csp::enforced;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No HTTPS page loads scripts, style sheets, frames, plug-ins or fonts over plain HTTP.
    ///
    /// ## Why it matters
    /// Browsers block such requests on an HTTPS page, so the parts of the page that need them do
    /// not work. In an old browser that loads them, an attacker on the network can change the page.
    ///
    /// ## How to fix it
    /// Write the URL of the file with `https://`. If the other server does not support HTTPS, host the file on your
    /// own site or remove it.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Map</title><script src="http://maps.example.net/map.js"></script><p>Our harbour.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Map</title><script src="https://maps.example.net/map.js"></script><p>Our harbour.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not see what scripts and style sheets load. `form-insecure-action` reports
    /// forms that submit over HTTP.
    ///
    /// ## Also known as
    /// - Lighthouse: `is-on-https`
    /// - ZAP: Secure Pages Include Mixed Content
    /// - W3C: Blockable mixed content
    ///
    /// ## References
    /// - W3C Mixed Content, section 3 Content Categories
    MIXED_CONTENT_ACTIVE {
        id: "mixed-content-active",
        title: "Active mixed content: scripts, styles, frames or fonts",
        dimension: Security,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const fn is_active(kind: ResourceKind) -> bool {
    matches!(
        kind,
        ResourceKind::Script
            | ResourceKind::Stylesheet
            | ResourceKind::Frame
            | ResourceKind::Plugin
            | ResourceKind::Font
    )
}

fn evaluate(page: &Page) -> Outcome {
    if !page.is_https() {
        return Outcome::NotApplicable;
    }
    let upgraded = upgrades_requests(&enforced(page));
    let resources = page
        .resources()
        .iter()
        .filter(|resource| is_active(resource.kind));
    Outcome::for_each(resources, |resource| {
        Verdict::pass_if(upgraded || !is_plain(&resource.url), || {
            evidence(page, resource)
        })
    })
}

fn evidence(page: &Page, resource: &ResourceRef) -> Evidence {
    let (kind, url) = (resource.kind.as_str(), resource.url.as_str());
    page.element(resource.node)
        .map_or_else(Evidence::here, Evidence::node)
        .message(format!(
            "The {kind} {url} is loaded over plain HTTP, which browsers block on an HTTPS page; expected HTTPS."
        ))
        .cause(url, format!("{} loads over plain HTTP: {url}", capitalized(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    #[test]
    fn http_scripts_styles_and_frames_fail() {
        assert_fails(
            &MIXED_CONTENT_ACTIVE,
            "<link rel=stylesheet href=http://e.org/a.css><script src=http://e.org/a.js></script><iframe src=http://e.org/></iframe>",
            3,
        );
    }

    #[test]
    fn relative_urls_with_an_http_base_fail() {
        assert_fails(
            &MIXED_CONTENT_ACTIVE,
            "<base href=http://example.com/><script src=a.js></script>",
            1,
        );
    }

    #[test]
    fn https_and_loopback_pass() {
        assert_passes(
            &MIXED_CONTENT_ACTIVE,
            "<script src=//e.org/a.js></script><script src=http://127.0.0.1:35729/reload.js></script>",
        );
    }

    #[test]
    fn images_are_not_applicable() {
        assert_not_applicable(&MIXED_CONTENT_ACTIVE, "<img src=http://e.org/a.png>");
    }

    #[test]
    fn a_policy_that_upgrades_requests_passes() {
        assert_passes(
            &MIXED_CONTENT_ACTIVE,
            "<meta http-equiv=Content-Security-Policy content=upgrade-insecure-requests><script src=http://e.org/a.js></script>",
        );
    }

    #[test]
    fn pages_on_http_are_not_applicable() {
        let page = Page::builder()
            .url("http://example.com/")
            .html("<script src=http://e.org/a.js></script>");
        assert_eq!(
            outcome_of(&MIXED_CONTENT_ACTIVE, &page),
            Outcome::NotApplicable
        );
    }

    #[test]
    fn links_are_not_applicable() {
        assert_not_applicable(&MIXED_CONTENT_ACTIVE, "<a href=http://e.org/>e</a>");
    }
}
