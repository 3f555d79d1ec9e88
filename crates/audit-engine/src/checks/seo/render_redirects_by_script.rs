//! Pages that lead to another page by script.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::refresh_redirect;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No script of a page leads to another page while it loads.
    ///
    /// ## Why it matters
    /// Crawlers that run no scripts stay on the page, which is often empty. Google follows such a redirect only when it
    /// renders the page, which is later, and may index the first page until then. Visitors wait for two pages.
    ///
    /// ## How to fix it
    /// Redirect on the server: with 301 or 308 if the page has moved for good, and with 302 or 307 if not.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><a href="/office">Office</a><a href="/old">Old</a></html>
    /// === /office
    /// <!doctype html><html lang="en"><title>Office</title><p>Open from nine to five.</p></html>
    /// === /old
    /// <!doctype html><html lang="en"><title>Office</title><script>location.replace('/office')</script></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><a href="/office">Office</a></html>
    /// === /office
    /// <!doctype html><html lang="en"><title>Office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// In rendered mode, too, the check judges the response, because the page that it leads away from is never shown. A script that only changes the URL
    /// (`history.pushState`) shows the same document, and passes. Redirects by a refresh are reported by
    /// `redirect-meta-refresh`.
    ///
    /// ## Also known as
    /// - Common name: JavaScript redirect
    ///
    /// ## References
    /// - Google Search Central: Redirects and Google Search, JavaScript location redirects
    RENDER_REDIRECTS_BY_SCRIPT {
        id: "render-redirects-by-script",
        title: "Redirect by JavaScript",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Browser, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let Some(target) = page.led_to() else {
        return Outcome::Passed;
    };
    if refresh_redirect(page).is_some() {
        return Outcome::NotApplicable;
    }
    Outcome::failed([Evidence::here().message(format!(
        "A script of the page leads to {target}; expected a redirect of the server."
    ))])
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::check::testing::outcome_of;

    fn led(html: &str, target: Option<&str>) -> Outcome {
        let target = target.map(|target| Url::parse(target).unwrap());
        let page = Page::builder().html(html).with_led_to(target);
        outcome_of(&RENDER_REDIRECTS_BY_SCRIPT, &page)
    }

    #[test]
    fn a_page_that_a_script_leaves_fails_and_one_that_stays_passes() {
        let script = "<script>location = '/b'</script>";
        let Outcome::Failed(failures) = led(script, Some("https://example.com/b")) else {
            panic!("it leaves the page");
        };
        let expected = "A script of the page leads to https://example.com/b; expected a redirect of the server.";
        assert_eq!(failures[0].message, expected);
        assert_eq!(led(script, None), Outcome::Passed);
    }

    #[test]
    fn a_refresh_is_left_to_its_own_check() {
        let refresh = "<meta http-equiv=refresh content='0;url=/b'>";
        assert_eq!(
            led(refresh, Some("https://example.com/b")),
            Outcome::NotApplicable
        );
    }
}
