//! Error pages that show the inside of the program.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The answer for a page that does not exist shows no stack trace and no debug page of a
    /// framework.
    ///
    /// ## Why it matters
    /// Such pages show file names, versions, settings and sometimes passwords. Attackers provoke
    /// errors on purpose to read them.
    ///
    /// ## How to fix it
    /// Switch the debug mode off in production, for example `DEBUG = False` in Django,
    /// `APP_DEBUG=false` in Laravel or `customErrors mode="RemoteOnly"` in ASP.NET, and give the
    /// server a plain page for errors.
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
    /// Only the answer for one missing page is seen, and only if its status says that it is an error.
    /// Traces of programs that are not known to the check are not found.
    ///
    /// ## References
    /// - OWASP Web Security Testing Guide, WSTG-ERRH-01 Testing for Improper Error Handling
    /// - CWE-209, Generation of Error Message Containing Sensitive Information
    ERROR_PAGE_LEAK {
        id: "error-page-leak",
        title: "Error pages show the inside of the program",
        dimension: Security,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// What shows it, and the pieces of text that all have to occur.
const MARKS: [(&str, &[&str]); 12] = [
    (
        "a debug page of Django",
        &["seeing this error because you have", "DEBUG = True"],
    ),
    ("a debug page of Werkzeug", &["Werkzeug Debugger</title>"]),
    (
        "a debug page of Rails",
        &["Rails.root:", "Application Trace"],
    ),
    (
        "a debug page of Rails",
        &["Action Controller: Exception caught"],
    ),
    (
        "a trace of Symfony or Laravel",
        &["Symfony\\Component\\HttpKernel\\Exception\\"],
    ),
    (
        "a debug page of ASP.NET",
        &["Server Error in '", "Stack Trace:"],
    ),
    (
        "a debug page of ASP.NET Core",
        &[
            "An unhandled exception occurred while processing the request.",
            "Stack",
        ],
    ),
    (
        "a detailed error page of IIS",
        &["Detailed Error Information", "Physical Path"],
    ),
    (
        "a Python traceback",
        &["Traceback (most recent call last)", ", line "],
    ),
    ("a PHP trace", &["Stack trace:", "#0 /"]),
    (
        "a PHP error with a file name",
        &["Fatal error</b>:", " on line <b>"],
    ),
    ("a trace of Node.js", &["at ", "/node_modules/", ".js:"]),
];

fn evaluate(site: &Site) -> Outcome {
    let Some(probe) = &site.probes.missing_page else {
        return Outcome::CannotTell(NOT_ASKED);
    };
    let Some(answer) = probe.answer() else {
        return Outcome::CannotTell("The request for a missing page failed.");
    };
    if answer.status < 400 {
        return Outcome::CannotTell("A missing page is not answered with an error.");
    }
    let body = String::from_utf8_lossy(&answer.body);
    match leak(&body) {
        None => Outcome::Passed,
        Some(what) => Outcome::failed(vec![
            Evidence::here()
                .at(answer.url.as_str())
                .message(format!("The answer for a missing page shows {what}.")),
        ]),
    }
}

fn leak(body: &str) -> Option<&'static str> {
    let known = MARKS
        .iter()
        .find(|(_, pieces)| pieces.iter().all(|piece| body.contains(piece)))
        .map(|(what, _)| *what);
    known.or_else(|| has_java_trace(body).then_some("a Java stack trace"))
}

/// Two frames of a trace: `at package.Class.method(File.java:12)`.
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
    fn traces_are_found() {
        let java =
            "java.lang.IllegalStateException\n\tat org.a.B.c(B.java:12)\n\tat org.a.D.e(D.java:7)";
        assert_eq!(leak(java), Some("a Java stack trace"));
        let python =
            "<pre>Traceback (most recent call last):\n  File &quot;/srv/app.py&quot;, line 7, in x";
        assert_eq!(leak(python), Some("a Python traceback"));
        let node =
            "<pre>Error: x<br> at Layer.handle (/srv/node_modules/express/lib/router.js:3:5)";
        assert_eq!(leak(node), Some("a trace of Node.js"));
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
    fn a_missing_page_that_answers_200_cannot_be_judged() {
        let site = "=== /\n<p>x\n=== /assay-probe-a379a6f6eeafb9a5\n<p>Traceback (most recent call last): , line ";
        let tallied = audit(&ERROR_PAGE_LEAK, site);
        assert_eq!((tallied.applicable, tallied.affected), (0, 0));
        assert!(tallied.unjudged.is_some());
    }
}
