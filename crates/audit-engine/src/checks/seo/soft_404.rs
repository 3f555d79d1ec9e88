//! Pages that do not exist answer 404.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::http::soft_404::{Suspicion, answered_page, head, say_the_same, says_so};
use crate::declare_check;
use crate::site::{ErrorPage, PageFacts, Site};

declare_check! {
    /// ## What it checks
    /// No page that answers with success is the error page of the site: short, with a title or heading that says
    /// so, and with the text that the site answers for an address in the same folder that cannot exist.
    ///
    /// ## Why it matters
    /// Search engines take the error for a page. They show it in results, or find out and call it a soft 404,
    /// and spend their visits on it. Readers who follow the link find nothing.
    ///
    /// ## How to fix it
    /// Let the server answer 404 or 410 where it shows its error page, and correct the links that lead there. In
    /// an application, set the status where it looks up what the address names.
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
    /// Three pages of a site are asked for again and compared, and others with the same title and heading go by them; a page
    /// that reads like an error and differs from the site's error page is left open. Pages whose address says that
    /// they are error pages, such as `/404.html`, and pages of more than 150 words are not suspected. That
    /// addresses which cannot exist answer with success at all is told by missing-page-not-404.
    ///
    /// ## References
    /// - Google Search Central, Soft 404 errors
    /// - RFC 9110, HTTP Semantics, section 15.5.5
    SOFT_404 {
        id: "soft-404",
        title: "Error pages that answer as if they were pages",
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
    let suspicion = Suspicion::of(site);
    let confirmed: HashMap<(&str, &str), &PageFacts> = site
        .probes
        .error_pages
        .iter()
        .filter(|asked| is_confirmed(asked))
        .filter_map(|asked| site.page_at(site.urls.find(&asked.again.requested)?))
        .map(|page| (head(page), page))
        .collect();
    for page in &site.pages {
        // Pages may share a title that says nothing; then they must share their text as well.
        let is_alike = |error: &&PageFacts| says_so(page) || page.text_hash == error.text_hash;
        let outcome = if !suspicion.is_on(page) {
            Outcome::Passed
        } else if confirmed.get(&head(page)).is_some_and(is_alike) {
            Outcome::failed(vec![Evidence::here().snippet(head(page).0).message(
                format!(
                    "The page answers {} with the text of the site's error page; 404 is expected.",
                    page.status
                ),
            )])
        } else {
            Outcome::CannotTell("The page reads like an error page, and is not the site's own.")
        };
        verdicts.judge(page.url.as_str(), outcome);
    }
}

/// Whether the page still answers with success, and says what the site says of what cannot exist.
fn is_confirmed(asked: &ErrorPage) -> bool {
    let Some(again) = asked
        .again
        .success()
        .filter(|_| asked.again.hops.is_empty())
    else {
        return false;
    };
    let missing = asked.missing.answer();
    // Where both were led to one address, that is a page, or the error page by its name.
    missing.is_some_and(|missing| missing.url != again.url)
        && answered_page(&asked.again)
            .zip(answered_page(&asked.missing))
            .is_some_and(|(page, error)| say_the_same(&page, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const ERROR: &str = "<title>Oh no!</title><nav>Home Times</nav><main><h1>Nothing here</h1><p>We looked everywhere for this page.</main>";

    /// A site whose error page is this one, with the status.
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
    fn the_error_page_with_success_fails_whatever_it_is_called() {
        let pages = format!("=== /shop/1\n{ERROR}\n=== /shop/2\n{ERROR}");
        for status in [404, 200] {
            let tallied = site(status, &pages);
            assert_eq!((tallied.applicable, tallied.affected), (3, 2), "{status}");
            assert_eq!(tallied.findings.len(), 1);
        }
    }

    #[test]
    fn an_error_page_that_repeats_the_address_fails() {
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
    fn a_page_about_errors_is_none() {
        let article = "<title>404 Not Found – HTTP</title><h1>404 Not Found</h1><p>This status says that the server has no such resource, now or ever.";
        let tallied = site(404, &format!("=== /shop/1\n{article}\n=== /shop/2\nTea"));
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn one_document_for_all_addresses_is_another_checks_question() {
        let shell = "<title>Shop</title><div id=app></div>";
        let recorded = format!(
            "=== /\n{shell}<a href=/a>a</a>\n=== /a\n{shell}\n=== /assay-probe-a379a6f6eeafb9a5\n{shell}\n=== /assay-probe-5e378c118034e275\n{shell}"
        );
        assert_eq!(audit(&SOFT_404, &recorded).affected, 0);
    }

    #[test]
    fn an_error_page_by_its_name_is_meant() {
        let recorded = "=== /\n<a href=/404.html>x</a>\n=== /404.html\n<title>Not found</title><h1>Not found</h1>";
        let tallied = audit(&SOFT_404, recorded);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn pages_that_share_the_title_of_the_error_page_need_its_text_as_well() {
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
