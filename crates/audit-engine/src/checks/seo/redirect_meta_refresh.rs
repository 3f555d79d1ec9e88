//! Redirects are done by the server.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::refresh_redirect;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No `meta http-equiv="refresh"` and no `Refresh` header leads to another URL.
    ///
    /// ## Why it matters
    /// The page flashes up before the next one appears, the back button stops working, and
    /// readers may lose the page while they read it. Search engines treat it as a weaker sign of
    /// a move than a redirect by the server.
    ///
    /// ## How to fix it
    /// Let the server answer with 301 and a `Location` header, and delete the element. On nginx:
    /// `location = /old { return 301 /new; }`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>This page has moved</title><meta http-equiv="refresh" content="0; url=/new"><p><a href="/new">New page</a></p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// A page that reloads itself is not a redirect. A static host without redirects of its own
    /// may leave no other way; then a delay of 0 is understood best.
    ///
    /// ## References
    /// - Google Search Central, Redirects and Google Search
    /// - W3C ACT rule bc659a, Meta element has no refresh delay
    REDIRECT_META_REFRESH {
        id: "redirect-meta-refresh",
        title: "The page redirects with meta refresh",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    match refresh_redirect(page) {
        None => Outcome::Passed,
        Some(redirect) => Outcome::failed(vec![
            redirect
                .element
                .map_or_else(
                    || Evidence::header("Refresh", redirect.value),
                    Evidence::node,
                )
                .message(format!(
                    "The page leads to {} after {} seconds without a redirect by the server.",
                    redirect.target, redirect.seconds
                )),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, judge};

    #[test]
    fn a_page_without_refresh_passes() {
        assert_passes(&REDIRECT_META_REFRESH, "<p>x");
    }

    #[test]
    fn a_page_that_reloads_itself_passes() {
        assert_passes(
            &REDIRECT_META_REFRESH,
            "<meta http-equiv=refresh content=60>",
        );
        assert_passes(
            &REDIRECT_META_REFRESH,
            "<meta http-equiv=refresh content='60; url=/'>",
        );
    }

    #[test]
    fn another_url_fails() {
        assert_fails(
            &REDIRECT_META_REFRESH,
            "<meta http-equiv=Refresh content='0;URL=a.html'>",
            1,
        );
    }

    #[test]
    fn the_header_counts_too() {
        let page = Page::builder().header("Refresh", "3; url=/a").html("x");
        assert!(matches!(
            judge(&REDIRECT_META_REFRESH, &page),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn one_for_browsers_without_scripts_does_not_count() {
        assert_passes(
            &REDIRECT_META_REFRESH,
            "<noscript><meta http-equiv=refresh content='0;URL=plain.html'></noscript>",
        );
    }
}
