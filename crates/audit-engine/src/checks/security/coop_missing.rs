//! Sites without an effective `Cross-Origin-Opener-Policy`.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::common::http::transport::is_plain;
use crate::declare_check;
use crate::policy::structured_item;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page has a `Cross-Origin-Opener-Policy` header that isolates its window from the
    /// windows of other sites.
    ///
    /// ## Why it matters
    /// A site that opens another site in a new window keeps a reference to that window. Without
    /// isolation, it can use the reference to navigate the window elsewhere and to observe what the
    /// visitor does.
    ///
    /// ## How to fix it
    /// Send `Cross-Origin-Opener-Policy: same-origin`. If the site opens windows of other sites,
    /// for example for payment or sign-in, send `same-origin-allow-popups` instead.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Cross-Origin-Opener-Policy: same-origin
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// This finding is informational and does not affect the score. The Observatory also deducts no
    /// points for a missing header or `unsafe-none`. The check reads only the response of the start
    /// page. A header that browsers ignore counts as missing: one that is not a single known value
    /// with well-formed parameters, or one on a page over plain HTTP.
    ///
    /// ## Also known as
    /// - Lighthouse: `origin-isolation`
    ///
    /// ## References
    /// - HTML Standard, Cross-origin opener policies
    /// - MDN, Cross-Origin-Opener-Policy header
    COOP_MISSING {
        id: "coop-missing",
        title: "Missing or ineffective Cross-Origin-Opener-Policy (COOP)",
        dimension: Security,
        scope: Origin,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

const ISOLATING: [&str; 3] = [
    "same-origin",
    "same-origin-allow-popups",
    "noopener-allow-popups",
];

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(response_headers) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let headers: Vec<&str> = response_headers
        .get_all("cross-origin-opener-policy")
        .collect();
    if headers.is_empty() {
        return Outcome::failed(vec![Evidence::here().at(home.url.as_str()).message(
            "The response of the start page has no Cross-Origin-Opener-Policy header.",
        )]);
    }
    // Browsers join several headers to a list. A list is not a structured item, so it sets no policy.
    let header = &headers.join(", ");
    let evidence = || Evidence::header("Cross-Origin-Opener-Policy", header).at(home.url.as_str());
    if is_plain(&home.url) {
        return Outcome::failed(vec![evidence().message(
            "Browsers ignore the Cross-Origin-Opener-Policy header of a page on plain HTTP.",
        )]);
    }
    match structured_item::token(header) {
        Some(value) if ISOLATING.contains(&value) => Outcome::Passed,
        Some("unsafe-none") => Outcome::failed(vec![evidence().message(
            "The Cross-Origin-Opener-Policy value `unsafe-none` does not isolate the window; expected same-origin.",
        )]),
        _ => Outcome::failed(vec![
            evidence()
                .message(format!(
                    "Browsers ignore the Cross-Origin-Opener-Policy header `{header}`; expected same-origin."
                ))
                .cause("ignored", "Browsers ignore the Cross-Origin-Opener-Policy header"),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    fn affected(header: &str) -> u64 {
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{header}\n\n<p>x");
        audit(&COOP_MISSING, &site).affected
    }

    #[test]
    fn isolating_values_pass_with_and_without_parameters() {
        assert_eq!(
            affected("Cross-Origin-Opener-Policy: same-origin-allow-popups"),
            0
        );
        assert_eq!(
            affected("Cross-Origin-Opener-Policy: same-origin; report-to=\"coop\""),
            0
        );
    }

    #[test]
    fn missing_unsafe_none_and_invalid_values_fail() {
        assert_eq!(affected("X-Test: 1"), 1);
        assert_eq!(affected("Cross-Origin-Opener-Policy: unsafe-none"), 1);
        assert_eq!(affected("Cross-Origin-Opener-Policy: Same-Origin"), 1);
    }

    #[test]
    fn headers_that_browsers_ignore_are_a_cause_of_their_own() {
        for header in [
            "\"same-origin\"",
            "same-origin; Report-To=\"coop\"",
            "same-origin;",
            "SAMEORIGIN",
        ] {
            let site = format!(
                "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nCross-Origin-Opener-Policy: {header}\n\n<p>x"
            );
            let tallied = audit(&COOP_MISSING, &site);
            assert_eq!(tallied.findings[0].cause, "ignored", "{header}");
        }
    }

    #[test]
    fn a_header_on_plain_http_fails() {
        let site = "=== http://example.com/\nHTTP/1.1 200 OK\nContent-Type: text/html\nCross-Origin-Opener-Policy: same-origin\n\n<p>x";
        let tallied = audit_from(&COOP_MISSING, "http://example.com/", site);
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_repeated_header_fails() {
        const ONE: &str = "Cross-Origin-Opener-Policy: same-origin";
        assert_eq!(affected(&format!("{ONE}\n{ONE}")), 1);
    }
}
