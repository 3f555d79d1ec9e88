//! Sites that do not say which browser features they use.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page comes with a `Permissions-Policy` header.
    ///
    /// ## Why it matters
    /// The header says which powerful features, such as camera, microphone and location, the page
    /// and the frames in it may use. A script that should not be there cannot ask for the others.
    ///
    /// ## How to fix it
    /// Send the features that the site does not use with an empty list, for example
    /// `Permissions-Policy: camera=(), geolocation=(), microphone=()`.
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
    /// This is information and not part of the score. The content of the header is not judged.
    ///
    /// ## References
    /// - W3C Permissions Policy
    /// - OWASP Secure Headers Project
    PERMISSIONS_POLICY_MISSING {
        id: "permissions-policy-missing",
        title: "No Permissions-Policy header",
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
    let Some(sent) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let declared = sent
        .get("permissions-policy")
        .is_some_and(|value| !value.trim().is_empty());
    Outcome::of(declared, || {
        Evidence::here()
            .at(home.url.as_str())
            .message("The start page came without a Permissions-Policy header.")
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
    fn nothing_fails() {
        assert_eq!(
            audit(&PERMISSIONS_POLICY_MISSING, "=== /\n<p>x").affected,
            1
        );
    }
}
