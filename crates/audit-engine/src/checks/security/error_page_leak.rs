//! Error pages that expose a stack trace or a debug page.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The response for a page that does not exist contains no stack trace and no debug page of a
    /// framework.
    ///
    /// ## Why it matters
    /// Stack traces and debug pages expose file names, versions, settings and sometimes passwords.
    /// Attackers provoke errors on purpose to read them.
    ///
    /// ## How to fix it
    /// Disable debug mode in production, for example with `DEBUG = False` in Django,
    /// `APP_DEBUG=false` in Laravel or `customErrors mode="RemoteOnly"` in ASP.NET. Configure a
    /// plain error page on the server.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === /assay-probe-a379a6f6eeafb9a5
    /// HTTP/1.1 404 Not Found
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><title>Page not found</title><p>You're seeing this error because you have <code>DEBUG = True</code> in your Django settings file.</p>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === /assay-probe-a379a6f6eeafb9a5
    /// HTTP/1.1 404 Not Found
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><title>Page not found</title><p>There is nothing at this address.</p>
    /// ```
    ///
    /// ## Limits
    /// The check reads only the response for one missing page, and only if its status code is an
    /// error. It finds only stack traces and debug pages of the frameworks and languages that it
    /// knows.
    ///
    /// ## Also known as
    /// - ZAP: Application Error Disclosure
    /// - CWE: CWE-209
    /// - OWASP: WSTG-ERRH-01 Improper Error Handling
    ///
    /// ## References
    /// - OWASP Web Security Testing Guide, WSTG-ERRH-01 Testing for Improper Error Handling
    /// - CWE-209, Generation of Error Message Containing Sensitive Information
    ERROR_PAGE_LEAK {
        id: "error-page-leak",
        title: "Error page exposes a stack trace or debug page",
        dimension: Security,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// What the page exposes, and the fragments that must all occur in it.
const SIGNATURES: [(&str, &[&str]); 12] = [
    (
        "a Django debug page",
        &["seeing this error because you have", "DEBUG = True"],
    ),
    ("a Werkzeug debug page", &["Werkzeug Debugger</title>"]),
    ("a Rails debug page", &["Rails.root:", "Application Trace"]),
    (
        "a Rails debug page",
        &["Action Controller: Exception caught"],
    ),
    (
        "a Symfony or Laravel stack trace",
        &["Symfony\\Component\\HttpKernel\\Exception\\"],
    ),
    (
        "an ASP.NET debug page",
        &["Server Error in '", "Stack Trace:"],
    ),
    (
        "an ASP.NET Core debug page",
        &[
            "An unhandled exception occurred while processing the request.",
            "Stack",
        ],
    ),
    (
        "a detailed IIS error page",
        &["Detailed Error Information", "Physical Path"],
    ),
    (
        "a Python traceback",
        &["Traceback (most recent call last)", ", line "],
    ),
    ("a PHP stack trace", &["Stack trace:", "#0 /"]),
    (
        "a PHP error with a file name",
        &["Fatal error</b>:", " on line <b>"],
    ),
    ("a Node.js stack trace", &["at ", "/node_modules/", ".js:"]),
];

fn evaluate(site: &Site) -> Outcome {
    let Some(probe) = &site.probes.missing_page else {
        return Outcome::CannotTell(NOT_ASKED);
    };
    let Some(response) = probe.answer() else {
        return Outcome::CannotTell("The request for a page that does not exist failed.");
    };
    if response.status < 400 {
        return Outcome::CannotTell(
            "The server does not return an error status for a page that does not exist.",
        );
    }
    let body = String::from_utf8_lossy(&response.body);
    match leak(&body) {
        None => Outcome::Passed,
        Some(what) => Outcome::failed(vec![Evidence::here().at(response.url.as_str()).message(
            format!("The response for a page that does not exist contains {what}."),
        )]),
    }
}

fn leak(body: &str) -> Option<&'static str> {
    let known = SIGNATURES
        .iter()
        .find(|(_, fragments)| fragments.iter().all(|fragment| body.contains(fragment)))
        .map(|(what, _)| *what);
    known.or_else(|| has_java_trace(body).then_some("a Java stack trace"))
}

/// Whether the body has two frames of a Java stack trace: `at package.Class.method(File.java:12)`.
fn has_java_trace(body: &str) -> bool {
    let frames = body.match_indices(".java:").filter(|(at, _)| {
        let before = body.split_at(*at).0;
        let line = before.rsplit('\n').next().unwrap_or(before);
        line.contains("at ") && line.contains('(')
    });
    frames.take(2).count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn stack_traces_are_found() {
        let java =
            "java.lang.IllegalStateException\n\tat org.a.B.c(B.java:12)\n\tat org.a.D.e(D.java:7)";
        assert_eq!(leak(java), Some("a Java stack trace"));
        let python =
            "<pre>Traceback (most recent call last):\n  File &quot;/srv/app.py&quot;, line 7, in x";
        assert_eq!(leak(python), Some("a Python traceback"));
        let node =
            "<pre>Error: x<br> at Layer.handle (/srv/node_modules/express/lib/router.js:3:5)";
        assert_eq!(leak(node), Some("a Node.js stack trace"));
    }

    #[test]
    fn plain_error_pages_pass() {
        for body in [
            "<h1>Not Found</h1><hr><address>Apache/2.4.41 (Ubuntu) Server at example.com Port 443</address>",
            "<h1>404</h1><p>See Main.java: the first file.</p>",
            "<h1>Server Error in '/' Application.</h1><p>Runtime Error</p>",
        ] {
            assert_eq!(leak(body), None, "{body}");
        }
    }

    #[test]
    fn a_missing_page_with_status_200_cannot_tell() {
        let site = "=== /\n<p>x\n=== /assay-probe-a379a6f6eeafb9a5\n<p>Traceback (most recent call last): , line ";
        let tallied = audit(&ERROR_PAGE_LEAK, site);
        assert_eq!((tallied.applicable, tallied.affected), (0, 0));
        assert!(tallied.unjudged.is_some());
    }
}
