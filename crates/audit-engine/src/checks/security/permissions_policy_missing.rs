//! Sites without a `Permissions-Policy` header.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page has a `Permissions-Policy` header.
    ///
    /// ## Why it matters
    /// The header restricts which powerful browser features, such as camera, microphone and
    /// location, the page and its frames can use. An injected script cannot use a feature that the
    /// header disables.
    ///
    /// ## How to fix it
    /// Switch off the features that the site does not use, each with an empty list, for example `Permissions-Policy:
    /// camera=(), geolocation=(), microphone=()`.
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
    /// Permissions-Policy: camera=(), geolocation=(), microphone=()
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// This finding is informational and does not affect the score. The check does not evaluate the
    /// content of the header.
    ///
    /// ## Also known as
    /// - ZAP: Permissions Policy Header Not Set
    /// - Common name: Feature Policy (former name)
    ///
    /// ## References
    /// - W3C Permissions Policy
    /// - OWASP Secure Headers Project
    PERMISSIONS_POLICY_MISSING {
        id: "permissions-policy-missing",
        title: "Missing Permissions-Policy header",
        dimension: Security,
        scope: Origin,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Headers],
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
    let declared = response_headers
        .get("permissions-policy")
        .is_some_and(|value| !value.trim().is_empty());
    Outcome::pass_if(declared, || {
        Evidence::here()
            .at(home.url.as_str())
            .message("The response of the start page has no Permissions-Policy header.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_policy_passes() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nPermissions-Policy: camera=()\n\n<p>x";
        let tallied = audit(&PERMISSIONS_POLICY_MISSING, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_missing_header_fails() {
        assert_eq!(
            audit(&PERMISSIONS_POLICY_MISSING, "=== /\n<p>x").affected,
            1
        );
    }
}
