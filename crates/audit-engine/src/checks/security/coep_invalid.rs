//! `Cross-Origin-Embedder-Policy` headers that browsers ignore.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::common::http::transport::is_plain;
use crate::declare_check;
use crate::policy::structured_item;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// If the start page has a `Cross-Origin-Embedder-Policy` header, browsers apply it: its value is
    /// `require-corp`, `credentialless` or `unsafe-none`.
    ///
    /// ## Why it matters
    /// Browsers ignore a header with a mistake and treat the page as if it had none. The page is not
    /// isolated from other sites, and features that require isolation, such as
    /// `SharedArrayBuffer`, stay disabled.
    ///
    /// ## How to fix it
    /// Send the header once, with one value in lower case: `require-corp`, or `credentialless` if
    /// the page embeds files of sites that do not allow it. Remove the header if the page does not
    /// need isolation.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Cross-Origin-Embedder-Policy: same-origin
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Cross-Origin-Embedder-Policy: require-corp
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check reads only the response of the start page. For a site without the header, the outcome
    /// is "not applicable", because most sites need no isolation, and so it is for a page on plain HTTP,
    /// where browsers ignore every value.
    ///
    /// ## Also known as
    /// - Common name: Invalid COEP header
    ///
    /// ## References
    /// - HTML Standard, Cross-origin embedder policies
    /// - RFC 9651, Structured Field Values for HTTP, section 3.3 Items
    COEP_INVALID {
        id: "coep-invalid",
        title: "Invalid Cross-Origin-Embedder-Policy (COEP)",
        dimension: Security,
        scope: Origin,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

const VALUES: [&str; 3] = ["require-corp", "credentialless", "unsafe-none"];

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(headers) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let values: Vec<&str> = headers.get_all("cross-origin-embedder-policy").collect();
    if values.is_empty() || is_plain(&home.url) {
        return Outcome::NotApplicable;
    }
    // Browsers join several headers to a list, which is not one value.
    let header = values.join(", ");
    let is_applied = structured_item::token(&header).is_some_and(|value| VALUES.contains(&value));
    Outcome::pass_if(is_applied, || {
        Evidence::header("Cross-Origin-Embedder-Policy", &header)
            .at(home.url.as_str())
            .message(format!(
                "Browsers ignore the Cross-Origin-Embedder-Policy header `{header}`; expected require-corp, credentialless or unsafe-none."
            ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    fn applicable_and_affected(headers: &str) -> (u64, u64) {
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{headers}\n\n<p>x");
        let tallied = audit(&COEP_INVALID, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn each_value_with_and_without_parameters_passes() {
        for value in [
            "require-corp",
            "credentialless",
            "unsafe-none",
            "require-corp; report-to=\"coep\"",
        ] {
            let header = format!("Cross-Origin-Embedder-Policy: {value}");
            assert_eq!(applicable_and_affected(&header), (1, 0), "{value}");
        }
    }

    #[test]
    fn other_values_fail() {
        for value in [
            "Require-Corp",
            "\"require-corp\"",
            "require-corp;",
            "require-corp, x",
        ] {
            let header = format!("Cross-Origin-Embedder-Policy: {value}");
            assert_eq!(applicable_and_affected(&header), (1, 1), "{value}");
        }
    }

    #[test]
    fn a_repeated_header_fails() {
        const ONE: &str = "Cross-Origin-Embedder-Policy: require-corp";
        assert_eq!(applicable_and_affected(&format!("{ONE}\n{ONE}")), (1, 1));
    }

    #[test]
    fn no_header_and_plain_http_are_not_applicable() {
        assert_eq!(applicable_and_affected("X-Test: 1"), (0, 0));
        let site = "=== http://example.com/\nHTTP/1.1 200 OK\nContent-Type: text/html\nCross-Origin-Embedder-Policy: x\n\n<p>x";
        let tallied = audit_from(&COEP_INVALID, "http://example.com/", site);
        assert_eq!(tallied.applicable, 0);
    }
}
