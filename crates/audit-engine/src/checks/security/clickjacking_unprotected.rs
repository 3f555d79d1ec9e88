//! Pages that any site may frame.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::policy::csp::{enforced, is_broad};
use crate::policy::frame_options::FrameOptions;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every page says which sites may show it in a frame: by `frame-ancestors` in the
    /// `Content-Security-Policy` header, or by `X-Frame-Options` with `DENY` or `SAMEORIGIN`.
    ///
    /// ## Why it matters
    /// Another site can lay an invisible frame of an unprotected page over its own buttons. A
    /// visitor who clicks there presses a button of the framed page without knowing it.
    ///
    /// ## How to fix it
    /// Add `frame-ancestors 'self'` (or `'none'`) to the `Content-Security-Policy` header, and
    /// `X-Frame-Options: SAMEORIGIN` for older browsers.
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
    /// Content-Security-Policy: frame-ancestors 'self'
    /// X-Frame-Options: SAMEORIGIN
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// A page that is meant to be framed by everybody, such as a widget, fails too. The Observatory
    /// lets `ALLOW-FROM` and every `frame-ancestors` pass; this check does not, because browsers
    /// ignore the first, and the second may allow every host.
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 6.4.2 frame-ancestors
    /// - RFC 7034, HTTP Header Field X-Frame-Options
    /// - MDN HTTP Observatory, tests and scoring: X-Frame-Options
    CLICKJACKING_UNPROTECTED {
        id: "clickjacking-unprotected",
        title: "Any site may show the page in a frame",
        dimension: Security,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let policies = enforced(page);
    let ancestors: Vec<_> = policies
        .iter()
        .filter_map(|policy| policy.directive("frame-ancestors"))
        .collect();
    // Browsers ignore X-Frame-Options where frame-ancestors is set.
    let Some(first) = ancestors.first() else {
        return by_frame_options(page);
    };
    let restricted = ancestors
        .iter()
        .any(|directive| !directive.sources().iter().any(is_broad));
    Outcome::of(restricted, || {
        Evidence::header(
            "Content-Security-Policy",
            &format!("frame-ancestors {}", first.values.join(" ")),
        )
        .message("The directive frame-ancestors allows every site to frame the page.")
    })
}

fn by_frame_options(page: &Page) -> Outcome {
    match FrameOptions::of(page.headers()) {
        FrameOptions::Restricted => Outcome::Passed,
        FrameOptions::Missing => Outcome::failed(vec![Evidence::here().message(
            "Neither frame-ancestors in the Content-Security-Policy header nor X-Frame-Options restricts framing.",
        )]),
        FrameOptions::Ignored(value) => {
            Outcome::failed(vec![Evidence::header("X-Frame-Options", &value).message(format!(
                "Browsers ignore X-Frame-Options with the value `{value}`; expected DENY or SAMEORIGIN."
            ))])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, judge};

    fn passes(headers: &[(&str, &str)]) -> bool {
        let builder = headers
            .iter()
            .fold(Page::builder(), |builder, (name, value)| {
                builder.header(name, value)
            });
        match judge(&CLICKJACKING_UNPROTECTED, &builder.html("x")) {
            Outcome::Passed => true,
            Outcome::Failed(_) => false,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn either_header_passes() {
        assert!(passes(&[("X-Frame-Options", "deny")]));
        assert!(passes(&[(
            "Content-Security-Policy",
            "frame-ancestors 'none'"
        )]));
        assert!(passes(&[(
            "Content-Security-Policy",
            "frame-ancestors https://partner.example"
        )]));
    }

    #[test]
    fn no_header_fails() {
        assert!(!passes(&[]));
        assert!(!passes(&[(
            "Content-Security-Policy",
            "default-src 'self'"
        )]));
    }

    #[test]
    fn frame_ancestors_outranks_frame_options() {
        assert!(!passes(&[
            ("Content-Security-Policy", "frame-ancestors *"),
            ("X-Frame-Options", "DENY"),
        ]));
    }

    #[test]
    fn values_that_browsers_ignore_fail() {
        assert!(!passes(&[(
            "X-Frame-Options",
            "ALLOW-FROM https://a.example"
        )]));
        assert!(!passes(&[("X-Frame-Options", "")]));
    }

    #[test]
    fn a_meta_policy_does_not_help() {
        assert_fails(
            &CLICKJACKING_UNPROTECTED,
            "<meta http-equiv=content-security-policy content=\"frame-ancestors 'none'\"><meta http-equiv=X-Frame-Options content=DENY>",
            1,
        );
    }
}
