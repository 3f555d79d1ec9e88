//! Pages redirect with HTTP status codes instead of meta refresh.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::refresh_redirect;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No `meta http-equiv="refresh"` and no `Refresh` header redirects to another URL.
    ///
    /// ## Why it matters
    /// The page appears briefly before the next one loads, the back button stops working, and a
    /// reader may lose the page while reading it. Search engines treat a meta refresh as a weaker
    /// signal of a move than an HTTP redirect.
    ///
    /// ## How to fix it
    /// Return status 301 with a `Location` header from the server, and delete the element. On
    /// nginx: `location = /old { return 301 /new; }`.
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
    /// A page that reloads itself is not a redirect. A static host that does not support HTTP redirects may
    /// leave no alternative; use a delay of 0 in that case. In rendered mode, too, the check judges the
    /// response, because a browser may already have followed the redirect.
    ///
    /// ## Also known as
    /// - Screaming Frog: Response Codes: Internal Redirection (Meta Refresh)
    ///
    /// ## References
    /// - Google Search Central, Redirects and Google Search
    /// - W3C ACT rule bc659a, Meta element has no refresh delay
    REDIRECT_META_REFRESH {
        id: "redirect-meta-refresh",
        title: "Redirect by meta refresh or Refresh header",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers, AsServed],
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
                    "The page redirects to {} after {} seconds by a refresh; expected an HTTP redirect.",
                    redirect.target, redirect.seconds
                )),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome_of};

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
            outcome_of(&REDIRECT_META_REFRESH, &page),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn a_refresh_inside_noscript_passes() {
        assert_passes(
            &REDIRECT_META_REFRESH,
            "<noscript><meta http-equiv=refresh content='0;URL=plain.html'></noscript>",
        );
    }
}
