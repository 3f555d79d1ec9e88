//! `Strict-Transport-Security` headers that browsers ignore.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::policy::hsts::Hsts;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The server sends the `Strict-Transport-Security` header once and over HTTPS. The header has
    /// a numeric `max-age` and follows its grammar.
    ///
    /// ## Why it matters
    /// Browsers ignore a header that they cannot parse, and every header that is sent over HTTP.
    /// The site then has no HSTS protection.
    ///
    /// ## How to fix it
    /// Send exactly one header, `Strict-Transport-Security: max-age=31536000; includeSubDomains`,
    /// with semicolons between the directives, and only in HTTPS responses.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Strict-Transport-Security: max-age=31536000, includeSubDomains
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Strict-Transport-Security: max-age=31536000; includeSubDomains
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check reads only the response of the start page. For a site without the header, the outcome
    /// is "not applicable"; `hsts-missing` reports it.
    ///
    /// ## Also known as
    /// - Observatory: `hsts-header-invalid`
    ///
    /// ## References
    /// - RFC 6797, HTTP Strict Transport Security, sections 6.1 and 7.2
    HSTS_INVALID {
        id: "hsts-invalid",
        title: "Invalid Strict-Transport-Security (HSTS) header",
        dimension: Security,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Headers, PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(response_headers) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let headers: Vec<&str> = response_headers
        .get_all("strict-transport-security")
        .collect();
    let Some(first) = headers.first() else {
        return Outcome::NotApplicable;
    };
    let problem = if home.url.scheme() != "https" {
        Some("The Strict-Transport-Security header is sent over plain HTTP, where browsers ignore it; expected over HTTPS.".to_owned())
    } else if headers.len() > 1 {
        Some(format!(
            "The Strict-Transport-Security header is sent {} times; browsers use only the first one.",
            headers.len()
        ))
    } else {
        Hsts::parse(first).err().map(|error| {
            format!("Browsers ignore the Strict-Transport-Security header, because {error}.")
        })
    };
    match problem {
        None => Outcome::Passed,
        Some(problem) => Outcome::failed(vec![
            Evidence::header("Strict-Transport-Security", first)
                .at(home.url.as_str())
                .message(problem),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    fn site(origin: &str, headers: &str) -> String {
        format!("=== {origin}\nHTTP/1.1 200 OK\nContent-Type: text/html\n{headers}\n\n<p>x")
    }

    fn applicable_and_affected(headers: &str) -> (u64, u64) {
        let tallied = audit(&HSTS_INVALID, &site("/", headers));
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_valid_header_passes() {
        assert_eq!(
            applicable_and_affected("Strict-Transport-Security: max-age=600"),
            (1, 0)
        );
    }

    #[test]
    fn invalid_and_repeated_headers_fail() {
        assert_eq!(
            applicable_and_affected("Strict-Transport-Security: max-age=one year"),
            (1, 1)
        );
        assert_eq!(
            applicable_and_affected(
                "Strict-Transport-Security: max-age=1\nStrict-Transport-Security: max-age=1"
            ),
            (1, 1)
        );
    }

    #[test]
    fn no_header_is_not_applicable() {
        assert_eq!(applicable_and_affected("X-Test: 1"), (0, 0));
    }

    #[test]
    fn a_header_over_http_fails() {
        let site = site(
            "http://example.com/",
            "Strict-Transport-Security: max-age=600",
        );
        assert_eq!(
            audit_from(&HSTS_INVALID, "http://example.com/", &site).affected,
            1
        );
    }
}
