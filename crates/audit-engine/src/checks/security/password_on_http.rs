//! Password fields on plain HTTP pages.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Pages with a password field are served over HTTPS.
    ///
    /// ## Why it matters
    /// On a plain HTTP page, everyone on the network can read the password, and can change the page
    /// so that the form submits it elsewhere. Browsers mark such pages as not secure.
    ///
    /// ## How to fix it
    /// Serve the page over HTTPS and redirect its HTTP URL to it.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Sailing club</title><a href="http://example.com/members">Members</a></html>
    /// === http://example.com/members
    /// <!doctype html><html lang="en"><title>Members</title><form method="post"><label>Password <input type="password" name="pw"></label></form></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Sailing club</title><a href="/members">Members</a></html>
    /// === https://example.com/members
    /// <!doctype html><html lang="en"><title>Members</title><form method="post"><label>Password <input type="password" name="pw"></label></form></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check does not see password fields that scripts add. For pages on
    /// loopback, the outcome is "not applicable", because the data does not leave the machine.
    ///
    /// ## Also known as
    /// - CWE: CWE-319, CWE-523
    /// - Common name: Insecure password field
    ///
    /// ## References
    /// - W3C Secure Contexts
    /// - CWE-319, Cleartext Transmission of Sensitive Information
    PASSWORD_ON_HTTP {
        id: "password-on-http",
        title: "Password field on an HTTP page",
        dimension: Security,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if page.is_loopback() {
        return Outcome::NotApplicable;
    }
    let fields = page
        .html("input")
        .filter(|input| input.attr_is("type", "password"));
    Outcome::for_each(fields, |field| {
        Verdict::pass_if(page.is_https(), || {
            Evidence::node(field).message(
                "The password field is on a page that is served over plain HTTP; expected HTTPS.",
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_not_applicable, assert_passes, outcome_of};

    const FIELD: &str = "<form><input type=Password></form>";

    #[test]
    fn https_passes() {
        assert_passes(&PASSWORD_ON_HTTP, FIELD);
    }

    #[test]
    fn plain_http_fails() {
        let page = Page::builder().url("http://example.com/").html(FIELD);
        assert!(matches!(
            outcome_of(&PASSWORD_ON_HTTP, &page),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn loopback_is_not_applicable() {
        let page = Page::builder().url("http://localhost:3000/").html(FIELD);
        assert_eq!(outcome_of(&PASSWORD_ON_HTTP, &page), Outcome::NotApplicable);
    }

    #[test]
    fn pages_without_passwords_are_not_applicable() {
        assert_not_applicable(&PASSWORD_ON_HTTP, "<input type=text name=password>");
    }
}
