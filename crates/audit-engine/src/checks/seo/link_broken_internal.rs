//! Internal links work.

use crate::algorithms::by_place::ByPlace;
use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::common::links::status::{LinkStatus, link_status};
use crate::declare_check;
use crate::site::{LinkFact, Site};

declare_check! {
    /// ## What it checks
    /// Every link to a page of the same site leads to an answer that is not an error, redirects
    /// followed. Broken are statuses of 400 and above, a redirect that names no target, a host
    /// name without an address, and connections that cannot be made.
    ///
    /// ## Why it matters
    /// People who follow the link end at an error message. Crawlers waste requests on it, and the
    /// page that was meant gets no credit.
    ///
    /// ## How to fix it
    /// Correct the address, or remove the link. If the page has moved, redirect the old address
    /// to the new one. Each finding names one broken address and the pages that link to it.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/tmies">Times</a>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// Statuses 401, 403, 405, 407, 408, 425, 429, 451 and 999 say something of the visitor and
    /// not of the page; such links, timeouts and URLs that were not requested are not judged.
    /// Whether a `#fragment` exists on the page is another question, and redirect loops are left
    /// to redirect-loop.
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, sections 15.5 and 15.6
    /// - Google Search Central, Link best practices for Google
    LINK_BROKEN_INTERNAL {
        id: "link-broken-internal",
        title: "Broken internal links",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut statuses = ByPlace::default();
    for page in &site.pages {
        let links = page.links.iter().filter(|link| is_internal(site, link));
        let reason = "No link of the page could be verified.";
        let outcome = Outcome::for_each_known(links, reason, |link| {
            match statuses.get_or_find(link.target.index(), || link_status(site, link.target)) {
                LinkStatus::Fine => Some(Verdict::Pass),
                LinkStatus::Broken(what) => Some(Verdict::Fail(broken(site, link, what))),
                LinkStatus::Unknown => None,
            }
        });
        verdicts.judge(page.url.as_str(), outcome);
    }
}

fn is_internal(site: &Site, link: &LinkFact) -> bool {
    site.urls
        .get(link.target)
        .is_some_and(|entry| entry.internal)
}

fn broken(site: &Site, link: &LinkFact, what: &str) -> Evidence {
    let url = site.urls.url(link.target);
    link_evidence(site, link)
        .message(format!("The link leads to {url}, which {what}."))
        .cause(url, format!("Broken internal link to {url}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn answers(status: u16) -> Tallied {
        let site = format!("=== /\n<a href=/x>x</a>\n=== /x\nHTTP/1.1 {status} X\n\n");
        audit(&LINK_BROKEN_INTERNAL, &site)
    }

    #[test]
    fn links_that_work_pass() {
        let tallied = audit(
            &LINK_BROKEN_INTERNAL,
            "=== /\n<a href=/x#y>x</a><a href=#z>z</a>\n=== /x\nx",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn errors_of_page_and_server_are_broken() {
        for status in [400, 404, 410, 500, 503] {
            assert_eq!(answers(status).affected, 1, "{status}");
        }
    }

    #[test]
    fn refusals_are_not_judged() {
        for status in [401, 403, 405, 429, 451, 999] {
            assert_eq!(answers(status).applicable, 0, "{status}");
        }
    }

    #[test]
    fn a_link_that_cannot_be_judged_does_not_hide_the_others() {
        let site = "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\na\n=== /b\nHTTP/1.1 403 X\n\n";
        let tallied = audit(&LINK_BROKEN_INTERNAL, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn one_target_is_one_finding_with_all_its_pages() {
        let tallied = audit(
            &LINK_BROKEN_INTERNAL,
            "=== /\n<a href=/a>a</a>\n<a href='/no \"where\"'>x</a>\n=== /a\n<a href='/no \"where\"#f'>x</a><a href=/b>b</a>\n=== /b\nb",
        );
        assert_eq!((tallied.applicable, tallied.affected), (2, 2));
        assert_eq!(tallied.findings.len(), 1);
        let place = &tallied.findings[0].occurrences[0];
        assert_eq!(
            place.selector.as_deref(),
            Some(r#"a[href="/no \"where\""]"#)
        );
        assert_eq!(place.line, Some(2));
        assert!(place.message.contains("answers 404"), "{}", place.message);
    }

    #[test]
    fn a_redirect_to_an_error_is_broken() {
        let tallied = audit(
            &LINK_BROKEN_INTERNAL,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 Moved\nLocation: /gone\n",
        );
        assert!(
            tallied.findings[0].occurrences[0]
                .message
                .contains("redirects to")
        );
    }

    #[test]
    fn other_schemes_anchors_and_other_sites_are_not_judged() {
        let tallied = audit(
            &LINK_BROKEN_INTERNAL,
            "=== /\n<a href=mailto:a@b.c>a</a><a name=x></a><a href=https://other.invalid/>o</a><a href='https://['>i</a>",
        );
        assert_eq!(tallied.applicable, 0);
    }
}
