//! HTTP headers that expose the version of the server software.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The headers `Server`, `X-Powered-By` and `X-AspNet-Version` contain no version number.
    ///
    /// ## Why it matters
    /// Attackers collect such headers to find servers whose version has a known vulnerability.
    /// Without the version number, they have to try every vulnerability on every server.
    ///
    /// ## How to fix it
    /// Remove the version from the header: `server_tokens off;` in nginx, `ServerTokens Prod` in Apache, `expose_php
    /// = Off` in PHP, `enableVersionHeader="false"` in ASP.NET.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Server: Apache/2.4.41 (Ubuntu)
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Server: Apache
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the version has known vulnerabilities. The check reads
    /// only the response of the start page.
    ///
    /// ## Also known as
    /// - ZAP: Server Leaks Version Information via "Server" HTTP Response Header Field
    /// - CWE: CWE-200, CWE-497
    /// - Common name: Server banner disclosure
    ///
    /// ## References
    /// - OWASP Web Security Testing Guide, WSTG-INFO-02 Fingerprint Web Server
    /// - CWE-200, Exposure of Sensitive Information to an Unauthorized Actor
    SERVER_VERSION_EXPOSED {
        id: "server-version-exposed",
        title: "Server version exposed in HTTP headers",
        dimension: Security,
        scope: Origin,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

const HEADERS: [&str; 3] = ["Server", "X-Powered-By", "X-AspNet-Version"];

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(response_headers) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let failures = HEADERS.iter().flat_map(|name| {
        response_headers
            .get_all(name)
            .map(|value| (value, versions(value)))
            .filter(|(_, versions)| !versions.is_empty())
            .map(move |(value, versions)| {
                let noun = if versions.len() == 1 {
                    "version"
                } else {
                    "the versions"
                };
                Evidence::header(name, value)
                    .at(home.url.as_str())
                    .message(format!(
                        "The {name} header exposes {noun} {}; expected no version number.",
                        versions.join(" and ")
                    ))
                    .cause(*name, format!("The {name} header exposes a version"))
            })
    });
    Outcome::from_failures(failures.collect())
}

/// Versions of a header that are named.
const MOST_VERSIONS: usize = 4;

/// The versions of the first words outside parentheses that end in one, a number with a dot.
fn versions(value: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    value
        .split_inclusive(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','))
        .filter_map(|word| {
            let inside = depth > 0;
            depth = match word.chars().last() {
                Some('(') => depth.saturating_add(1),
                Some(')') => depth.saturating_sub(1),
                _ => depth,
            };
            let word =
                word.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','));
            let number = word.rsplit('/').next().unwrap_or(word);
            (!inside && is_version(number)).then_some(number)
        })
        .take(MOST_VERSIONS)
        .collect()
}

fn is_version(word: &str) -> bool {
    let word = word.trim_start_matches(['v', 'V']);
    let mut parts = word.split('.');
    let major = parts.next().unwrap_or_default();
    let minor = parts.next().unwrap_or_default();
    !major.is_empty()
        && major.bytes().all(|byte| byte.is_ascii_digit())
        && minor.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn versions_are_found() {
        assert_eq!(versions("Apache/2.4.41 (Ubuntu)"), ["2.4.41"]);
        assert_eq!(versions("PHP/8.1.2-1ubuntu2"), ["8.1.2-1ubuntu2"]);
        assert_eq!(versions("4.0.30319"), ["4.0.30319"]);
        assert_eq!(versions("Apache (Unix) OpenSSL/3.0.2"), ["3.0.2"]);
        assert_eq!(versions("Next.js 14.1"), ["14.1"]);
        assert_eq!(versions("Apache/2.4.41 PHP/8.1.2"), ["2.4.41", "8.1.2"]);
        assert_eq!(versions(&"a/1.0 ".repeat(9)), ["1.0"; MOST_VERSIONS]);
    }

    #[test]
    fn product_names_and_machine_ids_are_not_versions() {
        for value in [
            "nginx",
            "cloudflare",
            "ECS (nyb/1D2E)",
            "ASP.NET",
            "Apache (2.0)",
            "cache-ams21",
        ] {
            assert!(versions(value).is_empty(), "{value}");
        }
    }

    #[test]
    fn each_header_is_a_separate_cause() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nServer: nginx/1.18.0\nX-Powered-By: PHP/7.4.3\n\n<p>x";
        let tallied = audit(&SERVER_VERSION_EXPOSED, site);
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 2));
    }

    #[test]
    fn a_response_without_these_headers_passes() {
        let tallied = audit(&SERVER_VERSION_EXPOSED, "=== /\n<p>x");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
