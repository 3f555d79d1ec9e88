//! Error pages of the site do not return a success status.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::http::soft_404::{Suspicion, answered_page, head, say_the_same, says_so};
use crate::declare_check;
use crate::site::{ErrorPage, PageFacts, Site};

declare_check! {
    /// ## What it checks
    /// No page with a success status is the error page of the site: a short page whose title or heading announces
    /// an error, and whose text matches the response for a URL in the same folder that cannot exist.
    ///
    /// ## Why it matters
    /// Search engines treat the error as a page. They show it in results, or detect it as a soft 404, and waste
    /// crawl budget on it. Readers who follow the link find nothing.
    ///
    /// ## How to fix it
    /// Return status 404 or 410 with the error page, and correct the links that point to it. In an application, set
    /// the status in the code that looks up the resource of the URL.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/storm">Storm</a>
    /// === /storm
    /// <!doctype html><title>Not found</title><h1>Not found</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/storm">Storm</a>
    /// === /storm
    /// <!doctype html><html lang="en"><title>Storm – Island Line</title><h1>Storm</h1><p>All ferries stay in the harbour today.</p>
    /// ```
    ///
    /// ## Limits
    /// The crawler requests up to three suspected pages of a site again and compares them; pages
    /// with the same title and heading share the result. If a page reads like an error page but
    /// differs from the error page of the site, the check cannot tell. The check ignores pages
    /// whose URL names an error page, such as `/404.html`, and pages of more than 150 words.
    /// `missing-page-not-404` reports that nonexistent URLs return a success status.
    ///
    /// ## Also known as
    /// - Search Console: Soft 404
    ///
    /// ## References
    /// - Google Search Central, Soft 404 errors
    /// - RFC 9110, HTTP Semantics, section 15.5.5
    SOFT_404 {
        id: "soft-404",
        title: "Soft 404 pages",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let suspicion = Suspicion::new(site);
    let confirmed: HashMap<(&str, &str), &PageFacts> = site
        .probes
        .error_pages
        .iter()
        .filter(|probe| is_confirmed(probe))
        .filter_map(|probe| site.page_at(site.urls.find(&probe.again.requested)?))
        .map(|page| (head(page), page))
        .collect();
    for page in &site.pages {
        // If the title does not announce an error, the text of the pages must match as well.
        let matches_error_page =
            |error: &&PageFacts| says_so(page) || page.text_hash == error.text_hash;
        let outcome = if !suspicion.is_on(page) {
            Outcome::Passed
        } else if confirmed.get(&head(page)).is_some_and(matches_error_page) {
            Outcome::failed(vec![Evidence::here().snippet(head(page).0).message(
                format!(
                    "The page has the text of the site's error page but returns status {}; expected 404.",
                    page.status
                ),
            )])
        } else {
            Outcome::CannotTell(
                "The page reads like an error page, but was not confirmed as the site's error page.",
            )
        };
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// Whether the page still returns a success status, with the text that the site returns for a URL that
/// cannot exist.
fn is_confirmed(probe: &ErrorPage) -> bool {
    let Some(again) = probe
        .again
        .success()
        .filter(|_| probe.again.hops.is_empty())
    else {
        return false;
    };
    let missing = probe.missing.answer();
    // If both end at one URL, that URL is a regular page or a named error page.
    missing.is_some_and(|missing| missing.url != again.url)
        && answered_page(&probe.again)
            .zip(answered_page(&probe.missing))
            .is_some_and(|(page, error)| say_the_same(&page, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const ERROR: &str = "<title>Oh no!</title><nav>Home Times</nav><main><h1>Nothing here</h1><p>We looked everywhere for this page.</main>";

    /// A site that returns `ERROR` with this status for nonexistent URLs.
    fn site(status: u16, pages: &str) -> Tallied {
        let answer = format!("HTTP/1.1 {status} X\nContent-Type: text/html\n\n{ERROR}");
        let probes: String = [
            "/assay-probe-a379a6f6eeafb9a5",
            "/assay-probe-5e378c118034e275",
            "/shop/assay-probe-a379a6f6eeafb9a5",
        ]
        .iter()
        .map(|path| format!("=== {path}\n{answer}\n"))
        .collect();
        audit(
            &SOFT_404,
            &format!(
                "=== /\n<title>Shop</title><a href=/shop/1>1</a><a href=/shop/2>2</a><p>Welcome\n{probes}{pages}"
            ),
        )
    }

    #[test]
    fn the_error_page_with_a_success_status_fails_for_any_title() {
        let pages = format!("=== /shop/1\n{ERROR}\n=== /shop/2\n{ERROR}");
        for status in [404, 200] {
            let tallied = site(status, &pages);
            assert_eq!((tallied.applicable, tallied.affected), (3, 2), "{status}");
            assert_eq!(tallied.findings.len(), 1);
        }
    }

    #[test]
    fn an_error_page_that_repeats_the_url_fails() {
        let error = |path: &str| {
            format!(
                "<title>Not found: {path}</title><h1>Not found</h1><p>There is nothing at {path} any more."
            )
        };
        let recorded = format!(
            "=== /\n<a href=/a>a</a>\n=== /a\n{}\n=== /assay-probe-a379a6f6eeafb9a5\nHTTP/1.1 404 X\nContent-Type: text/html\n\n{}",
            error("/a"),
            error("/assay-probe-a379a6f6eeafb9a5")
        );
        assert_eq!(audit(&SOFT_404, &recorded).affected, 1);
    }

    #[test]
    fn a_page_about_errors_is_not_an_error_page() {
        let article = "<title>404 Not Found – HTTP</title><h1>404 Not Found</h1><p>This status says that the server has no such resource, now or ever.";
        let tallied = site(404, &format!("=== /shop/1\n{article}\n=== /shop/2\nTea"));
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn the_same_document_for_every_url_is_left_to_missing_page_not_404() {
        let shell = "<title>Shop</title><div id=app></div>";
        let recorded = format!(
            "=== /\n{shell}<a href=/a>a</a>\n=== /a\n{shell}\n=== /assay-probe-a379a6f6eeafb9a5\n{shell}\n=== /assay-probe-5e378c118034e275\n{shell}"
        );
        assert_eq!(audit(&SOFT_404, &recorded).affected, 0);
    }

    #[test]
    fn a_page_whose_url_names_an_error_passes() {
        let recorded = "=== /\n<a href=/404.html>x</a>\n=== /404.html\n<title>Not found</title><h1>Not found</h1>";
        let tallied = audit(&SOFT_404, recorded);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn pages_with_the_title_of_the_error_page_fail_only_with_its_text() {
        let tea =
            "<title>Oh no!</title><h1>Nothing here</h1><p>But tea, in the shop around the corner.";
        let pages = format!("=== /shop/1\n{ERROR}\n=== /shop/2\n{tea}");
        assert_eq!(site(404, &pages).affected, 1);
        let pages = format!("=== /shop/1\n{tea}\n=== /shop/2\n{ERROR}");
        assert_eq!(site(404, &pages).affected, 0);
    }

    #[test]
    fn long_pages_are_not_suspected() {
        let long = format!(
            "<title>Not found</title><h1>Not found</h1><p>{}",
            "word ".repeat(200)
        );
        let tallied = site(404, &format!("=== /shop/1\n{long}\n=== /shop/2\nTea"));
        assert_eq!((tallied.applicable, tallied.affected), (3, 0));
    }
}
