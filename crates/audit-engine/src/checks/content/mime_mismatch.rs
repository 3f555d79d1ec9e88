//! Files with a wrong `Content-Type`.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::http::sniff;
use crate::declare_check;
use crate::gather::media_type;
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// The site's own scripts are sent with a JavaScript MIME type, its style sheets as `text/css`,
    /// and its images with the type that their first bytes show. SVG images are sent as
    /// `image/svg+xml`.
    ///
    /// ## Why it matters
    /// Browsers refuse a module script with a wrong type, do not show an SVG image with a wrong
    /// type, and in standards mode refuse a style sheet with a wrong type. With
    /// `X-Content-Type-Options: nosniff`, every script and every style sheet needs the correct
    /// type.
    ///
    /// ## How to fix it
    /// Map the file extension to the correct type in the web server, for example
    /// `Content-Type: text/javascript` for `.js` and `text/css` for `.css`. Rename or convert an
    /// image whose extension does not match its format.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><link rel="stylesheet" href="/style.css"><p>Ferries</p></html>
    /// === /style.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// p { color: black; }
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><link rel="stylesheet" href="/style.css"><p>Ferries</p></html>
    /// === /style.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// p { color: black; }
    /// ```
    ///
    /// ## Limits
    /// Files without a Content-Type, icons, fonts and media, and files of other sites are left out.
    /// At most 2,000 resources of a site are requested.
    ///
    /// ## Also known as
    /// - Common name: MIME type mismatch
    ///
    /// ## References
    /// - MIME Sniffing Standard, section 6.1 Matching an image type pattern
    /// - MIME Sniffing Standard, section 4.6 MIME type groups: JavaScript MIME type
    /// - Fetch Standard, X-Content-Type-Options header
    MIME_MISMATCH {
        id: "mime-mismatch",
        title: "Incorrect MIME type (Content-Type)",
        dimension: Content,
        scope: Resource,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for resource in site.resources.iter().filter(|r| r.internal && r.ok()) {
        let declared = media_type(resource.headers.get("content-type"));
        if !declared.is_empty() {
            verdicts.record(resource.url.as_str(), evaluate_type(resource, &declared));
        }
    }
}

fn evaluate_type(resource: &ResourceFacts, declared: &str) -> Outcome {
    let expected = match resource.kind {
        ResourceKind::Script => (!sniff::is_javascript(declared)).then_some("text/javascript"),
        ResourceKind::Stylesheet => (declared != "text/css").then_some("text/css"),
        ResourceKind::Image => match image_type(resource) {
            Some(found) => (!sniff::is_same_type(declared, found)).then_some(found),
            None => return Outcome::NotApplicable,
        },
        _ => return Outcome::NotApplicable,
    };
    expected.map_or(Outcome::Passed, |expected| {
        failed(resource, declared, expected)
    })
}

fn image_type(resource: &ResourceFacts) -> Option<&'static str> {
    let is_svg = || {
        let start = resource.body.trim_ascii_start();
        let is_named = resource.url.path().to_ascii_lowercase().ends_with(".svg");
        start.starts_with(b"<svg") || (is_named && start.starts_with(b"<?xml"))
    };
    sniff::image_type(&resource.body).or_else(|| is_svg().then_some("image/svg+xml"))
}

fn failed(resource: &ResourceFacts, declared: &str, expected: &str) -> Outcome {
    Outcome::failed(vec![
        Evidence::header("Content-Type", declared)
            .cause(
                format!("{declared} for {expected}"),
                format!("Files sent as {declared} that are {expected}"),
            )
            .message(format!(
                "{} is sent as {declared}; expected {expected}.",
                resource.url
            )),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(body: &str, responses: &str) -> Tallied {
        audit(&MIME_MISMATCH, &format!("=== /\n{body}\n{responses}"))
    }

    fn file(path: &str, kind: &str, content: &str) -> String {
        format!("=== {path}\nHTTP/1.1 200 OK\nContent-Type: {kind}\n\n{content}\n")
    }

    #[test]
    fn every_javascript_mime_type_passes() {
        for kind in [
            "text/javascript; charset=utf-8",
            "application/javascript",
            "application/x-javascript",
        ] {
            let tallied = audited("<script src=/a.js></script>", &file("/a.js", kind, "f()"));
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{kind}");
        }
    }

    #[test]
    fn an_html_page_in_place_of_a_script_fails() {
        let tallied = audited(
            "<script src=/a.js></script><script src=/b.js></script>",
            &(file("/a.js", "text/html", "<!doctype html>") + &file("/b.js", "text/html", "<p>")),
        );
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
    }

    #[test]
    fn image_types_are_detected_by_their_first_bytes() {
        let body = "<img src=/a.png><img src=/b.svg><img src=/c.jpg>";
        let responses = file("/a.png", "image/png", "GIF89a")
            + &file("/b.svg", "text/xml", "<svg xmlns='a'/>")
            + &file("/c.jpg", "image/jpg", "no known signature");
        let tallied = audited(body, &responses);
        assert_eq!((tallied.applicable, tallied.affected), (2, 2));
    }

    #[test]
    fn a_missing_file_or_type_is_not_applicable() {
        assert_eq!(audited("<script src=/a.js></script>", "").applicable, 0);
        let without = "=== /a.js\nHTTP/1.1 200 OK\n\nf()";
        assert_eq!(
            audited("<script src=/a.js></script>", without).applicable,
            0
        );
    }
}
