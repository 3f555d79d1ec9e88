//! Internal links work.

use std::collections::HashMap;

use crate::algorithms::by_place::ByPlace;
use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::common::links::status::{LinkStatus, link_status};
use crate::declare_check;
use crate::site::{LinkFact, PageFacts, Site, UrlId};

declare_check! {
    /// ## What it checks
    /// Every link to a page of the same site leads to a successful response after redirects. A link
    /// is broken if its target returns a status of 400 or above or a redirect without a target, if
    /// its host name does not resolve, or if the connection fails.
    ///
    /// ## Why it matters
    /// Visitors who follow the link see an error message. Crawlers waste requests on it, and the
    /// intended page gets no link equity.
    ///
    /// ## How to fix it
    /// Correct the URL in the link, or remove the link. If the page has moved, redirect the old URL to the new one.
    /// If many pages have the link, correct it in their template. If many links share a folder, look for the folder first:
    /// it may be missing as a whole.
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
    /// A broken address that several pages link to, or that a sitemap lists, counts as a page of the site with an SEO
    /// score of 0: the site has lost it.
    ///
    /// Statuses 401, 403, 405, 407, 408, 425, 429, 451 and 999 depend on the visitor and not on the
    /// page. The check skips links with such a status, timeouts and URLs that were not requested.
    /// `link-fragment-missing` reports a missing `#fragment`, and `redirect-loop` reports redirect
    /// loops.
    ///
    /// ## Also known as
    /// - Screaming Frog: Response Codes: Internal Client Error (4xx)
    /// - Ahrefs: Page has links to broken page
    /// - Common name: Dead link
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
    let names = names(site);
    for page in &site.pages {
        let links = page.links.iter().filter(|link| is_internal(site, link));
        let reason = "The audit could not verify any internal link of the page.";
        let outcome = Outcome::for_each_known(links, reason, |link| {
            match statuses.get_or_find(link.target.index(), || link_status(site, link.target)) {
                LinkStatus::Fine => Some(Verdict::Pass),
                LinkStatus::Broken(problem) => {
                    Some(Verdict::Fail(broken(site, link, problem, &names)))
                }
                LinkStatus::Unknown => None,
            }
        });
        verdicts.record(page.url.as_str(), outcome);
    }
    lose_pages(site, verdicts, &mut statuses);
}

/// Records the pages that the site lost: broken addresses that several pages link to, or that a sitemap lists. A single
/// broken link is a mistake in the link.
fn lose_pages(site: &Site, verdicts: &mut Verdicts<'_>, statuses: &mut ByPlace<LinkStatus>) {
    let mut linked_from: HashMap<UrlId, (UrlId, bool)> = HashMap::new();
    for (page, link) in site.links().filter(|(_, link)| is_internal(site, link)) {
        let status = statuses.get_or_find(link.target.index(), || link_status(site, link.target));
        if !matches!(status, LinkStatus::Broken(_)) {
            continue;
        }
        linked_from
            .entry(link.target)
            .and_modify(|(first, several)| *several |= *first != page.id)
            .or_insert((page.id, false));
    }
    let mut lost: Vec<UrlId> = linked_from
        .into_iter()
        .filter(|(target, (_, several))| {
            *several || site.urls.get(*target).is_some_and(|entry| entry.in_sitemap)
        })
        .map(|(target, _)| target)
        .collect();
    lost.sort_unstable_by_key(|target| target.index());
    for target in lost {
        verdicts.lose_page(site.urls.url(target));
    }
}

fn is_internal(site: &Site, link: &LinkFact) -> bool {
    site.urls
        .get(link.target)
        .is_some_and(|entry| entry.internal)
}

/// The pages by the names of their files; `None` for a name that several pages have.
type Names<'a> = HashMap<String, Option<&'a PageFacts>>;

fn names(site: &Site) -> Names<'_> {
    let mut names = Names::new();
    for page in &site.pages {
        if let Some(name) = name(page.url.path()) {
            names
                .entry(name)
                .and_modify(|known| *known = None)
                .or_insert(Some(page));
        }
    }
    names
}

/// The last segment of a path in lower case, without the ending of HTML files; `None` for an index.
fn name(path: &str) -> Option<String> {
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let last = last.to_ascii_lowercase();
    let name = last
        .strip_suffix(".html")
        .or_else(|| last.strip_suffix(".htm"))
        .unwrap_or(&last);
    (!name.is_empty() && name != "index").then(|| name.to_owned())
}

fn broken(site: &Site, link: &LinkFact, problem: &str, names: &Names<'_>) -> Evidence {
    let url = site.urls.url(link.target);
    let path = url::Url::parse(url).ok().map(|url| url.path().to_owned());
    let namesake = path
        .and_then(|path| name(&path))
        .and_then(|name| names.get(&name).copied().flatten())
        .map_or_else(String::new, |page| {
            format!(" A page of the same name is at {}.", page.url)
        });
    link_evidence(site, link)
        .message(format!(
            "The link leads to {url}, which {problem}.{namesake}"
        ))
        .cause(url, format!("Broken internal link to {url}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn link_to_status(status: u16) -> Tallied {
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
    fn client_and_server_errors_fail() {
        for status in [400, 404, 410, 500, 503] {
            assert_eq!(link_to_status(status).affected, 1, "{status}");
        }
    }

    #[test]
    fn denied_requests_are_not_applicable() {
        for status in [401, 403, 405, 429, 451, 999] {
            assert_eq!(link_to_status(status).applicable, 0, "{status}");
        }
    }

    #[test]
    fn an_unverifiable_link_does_not_hide_the_others() {
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
        assert!(
            place.message.contains("returns status 404"),
            "{}",
            place.message
        );
    }

    #[test]
    fn a_page_of_the_same_name_is_named() {
        let tallied = audit(
            &LINK_BROKEN_INTERNAL,
            "=== /\n<a href=/Times>t</a><a href=/lines/times.html>t</a>\n=== /lines/times.html\nx",
        );
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message
                .ends_with("A page of the same name is at https://example.com/lines/times.html."),
            "{message}"
        );
    }

    #[test]
    fn a_redirect_to_an_error_fails() {
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
    fn other_schemes_anchors_and_other_sites_are_not_applicable() {
        let tallied = audit(
            &LINK_BROKEN_INTERNAL,
            "=== /\n<a href=mailto:a@b.c>a</a><a name=x></a><a href=https://other.invalid/>o</a><a href='https://['>i</a>",
        );
        assert_eq!(tallied.applicable, 0);
    }
}
