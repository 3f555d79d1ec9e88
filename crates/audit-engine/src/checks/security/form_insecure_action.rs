//! Forms that submit over plain HTTP.

use url::Url;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::http::transport::{is_plain, upgrades_requests};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::policy::csp::enforced;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Forms on HTTPS pages submit to HTTPS URLs.
    ///
    /// ## Why it matters
    /// The browser sends the form data unencrypted, so everyone on the network can read it.
    /// Browsers warn the visitor before they submit such a form.
    ///
    /// ## How to fix it
    /// Let the form's `action` (and a button's `formaction`) start with `https://`, or write it as a path.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Newsletter</title><form method="post" action="http://news.example.com/join"><label>E-mail <input type="email" name="mail"></label><button>Join</button></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Newsletter</title><form method="post" action="https://news.example.com/join"><label>E-mail <input type="email" name="mail"></label><button>Join</button></form></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not see forms that scripts submit, nor redirects of the target. For pages on
    /// plain HTTP, including loopback, the outcome is "not applicable".
    ///
    /// ## Also known as
    /// - ZAP: HTTPS to HTTP Insecure Transition in Form Post
    /// - CWE: CWE-319
    /// - Common name: Mixed form
    ///
    /// ## References
    /// - CWE-319, Cleartext Transmission of Sensitive Information
    FORM_INSECURE_ACTION {
        id: "form-insecure-action",
        title: "Form submits over plain HTTP",
        dimension: Security,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if !page.is_https() {
        return Outcome::NotApplicable;
    }
    let upgraded = upgrades_requests(&enforced(page));
    Outcome::for_each(targets(page), |(element, url)| {
        Verdict::pass_if(upgraded || !is_plain(&url), || {
            Evidence::node(element)
                .message(format!(
                    "The form submits its data to {url} over plain HTTP; expected HTTPS."
                ))
                .cause(url.as_str(), format!("Form submits over plain HTTP: {url}"))
        })
    })
}

/// The HTTP and HTTPS URLs that forms and their buttons submit to.
fn targets(page: &Page) -> impl Iterator<Item = (ElementRef<'_>, Url)> {
    let forms = page
        .html("form")
        .filter(|form| !form.attr_is("method", "dialog"))
        .filter_map(|form| Some((form, target(page, form.attr("action"))?)));
    let buttons = page
        .html("button")
        .chain(page.html("input"))
        .filter_map(|button| Some((button, button.attr("formaction")?)))
        .filter_map(|(button, action)| Some((button, target(page, Some(action))?)));
    forms
        .chain(buttons)
        .filter(|(_, url)| matches!(url.scheme(), "http" | "https"))
}

/// Resolves an action. A form without an action submits to the URL of the page; the base URL has no effect.
fn target(page: &Page, action: Option<&str>) -> Option<Url> {
    match action.map(str::trim).filter(|action| !action.is_empty()) {
        None => Some(page.url().clone()),
        Some(action) => page.base().join(action).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    #[test]
    fn http_actions_fail() {
        assert_fails(
            &FORM_INSECURE_ACTION,
            "<form action=http://e.org/><button formaction=http://e.org/b>b</button></form>",
            2,
        );
    }

    #[test]
    fn relative_empty_and_missing_actions_pass() {
        assert_passes(
            &FORM_INSECURE_ACTION,
            "<form action=/search></form><form action=''></form><form></form>",
        );
    }

    #[test]
    fn javascript_and_mailto_actions_are_not_applicable() {
        assert_not_applicable(
            &FORM_INSECURE_ACTION,
            "<form action='javascript:void(0)'></form>",
        );
        assert_not_applicable(&FORM_INSECURE_ACTION, "<form action='mailto:a@b.c'></form>");
    }

    #[test]
    fn an_https_page_may_submit_to_loopback() {
        assert_passes(
            &FORM_INSECURE_ACTION,
            "<form action=http://127.0.0.1:8000/x></form>",
        );
    }

    #[test]
    fn pages_on_plain_http_and_loopback_are_not_applicable() {
        for url in ["http://example.com/", "http://127.0.0.1:8000/"] {
            for html in [
                "<form action=/x></form>",
                "<form action=http://e.org/></form>",
            ] {
                let page = Page::builder().url(url).html(html);
                let outcome = outcome_of(&FORM_INSECURE_ACTION, &page);
                assert_eq!(outcome, Outcome::NotApplicable, "{url} {html}");
            }
        }
    }
}
