//! Links in llms.txt that are broken, blocked or noindex.

use std::collections::BTreeMap;

use url::Url;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::robots::llms_txt::{self, LlmsTxt};
use crate::common::robots::noindex::{Sitewide, sitewide};
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::{ProbeAnswer, Site, SkipReason, UrlId, UrlState};

declare_check! {
    /// ## What it checks
    /// The URLs that `/llms.txt` lists return no error, are not blocked by robots.txt, and are not
    /// excluded from search. Only URLs that the crawler discovered elsewhere on the site are
    /// checked.
    ///
    /// ## Why it matters
    /// The file is short, so an AI assistant relies on each link. A broken link stops it, and it
    /// may not fetch a page that robots.txt blocks.
    ///
    /// ## How to fix it
    /// Correct or remove the line in `/llms.txt` that has the URL. If assistants should read the page, let it respond
    /// with status 200, allow it in robots.txt, and remove its `noindex`. Generate the file together with the site,
    /// so that it follows changes.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><a href="/timetable">Timetable</a></html>
    /// === /llms.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// # Harbour Ferries
    ///
    /// - [Timetable](https://example.com/timetable): all crossings
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Ferries</title><a href="/timetable">Timetable</a></html>
    /// === /timetable
    /// <!doctype html><html lang="en"><title>Timetable</title><p>Every thirty minutes.</p></html>
    /// === /llms.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// # Harbour Ferries
    ///
    /// - [Timetable](https://example.com/timetable): all crossings
    /// ```
    ///
    /// ## Limits
    /// URLs that no page links to and no sitemap lists are not requested and therefore not checked.
    /// Responses that only reject the crawler, such as 401, 403 and 429, are not reported as
    /// broken.
    ///
    /// ## Also known as
    /// - None: specific to llms.txt; no common tool checks its links
    ///
    /// ## References
    /// - The /llms.txt file, https://llmstxt.org/
    /// - RFC 9110, HTTP Semantics, section 15.5
    LLMS_TXT_BROKEN_LINKS {
        id: "llms-txt-broken-links",
        title: "Broken, blocked or noindex links in llms.txt",
        dimension: AiReadiness,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let LlmsTxt::Text(text, response) = LlmsTxt::new(site) else {
        return Outcome::NotApplicable;
    };
    // A noindex of the whole site is reported by noindex-sitewide.
    let is_whole_site = matches!(sitewide(site), Some(Sitewide::Majority(_)));
    Outcome::for_each(targets(&text, response), |(url, line)| {
        match site.lookup(&url).map(|(id, _)| state(site, id)) {
            Some(Target::Excluded) if is_whole_site => Verdict::Pass,
            None | Some(Target::Unknown) => Verdict::CannotTell(
                "Some URLs in llms.txt were not requested, or their responses were inconclusive.",
            ),
            Some(Target::Fine) => Verdict::Pass,
            Some(Target::Excluded) => {
                broken(&url, line, response, "is excluded from search by noindex")
            }
            Some(Target::Lost(why)) => broken(&url, line, response, &why),
        }
    })
}

fn broken(url: &Url, line: u32, response: &ProbeAnswer, why: &str) -> Verdict {
    Verdict::Fail(
        Evidence::line(line, url.as_str())
            .at(response.url.as_str())
            .cause(url.as_str(), format!("URL in llms.txt {why}: {url}"))
            .message(format!("The URL {url} {why}; expected a page that is reachable, not blocked and not noindex.")),
    )
}

/// Each http or https URL that the file lists, with the number of the first line that lists it.
fn targets(text: &str, response: &ProbeAnswer) -> BTreeMap<Url, u32> {
    let mut found = BTreeMap::new();
    for (line, target) in llms_txt::links(text) {
        let url = response.url.join(target).ok();
        if let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https")) {
            found
                .entry(crate::address::without_fragment(&url))
                .or_insert(line);
        }
    }
    found
}

enum Target {
    Fine,
    Lost(String),
    Excluded,
    Unknown,
}

fn state(site: &Site, id: UrlId) -> Target {
    let Some(landing) = site.urls.landing(id) else {
        return Target::Lost("redirects in a loop or too often".to_owned());
    };
    match site.urls.get(landing).map(|entry| &entry.state) {
        Some(UrlState::Responded(response)) => match response.status {
            200..=299 => of_page(site, landing),
            401 | 402 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 503 => Target::Unknown,
            status @ 400..=599 => Target::Lost(format!("returns status {status}")),
            _ => Target::Unknown,
        },
        Some(UrlState::Failed(FetchErrorKind::Dns, _)) => {
            Target::Lost("has a host name that does not resolve".to_owned())
        }
        Some(UrlState::Skipped(SkipReason::RobotsDisallowed)) => {
            Target::Lost("is blocked by robots.txt".to_owned())
        }
        Some(UrlState::Failed(..) | UrlState::Skipped(_) | UrlState::Known) | None => {
            Target::Unknown
        }
    }
}

fn of_page(site: &Site, id: UrlId) -> Target {
    let is_excluded = site.page_at(id).is_some_and(|page| page.noindex.is_some());
    if is_excluded {
        Target::Excluded
    } else {
        Target::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audited(links: &str, pages: &str) -> Tallied {
        audit(
            &LLMS_TXT_BROKEN_LINKS,
            &format!(
                "=== /\n<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>\n{pages}\n=== /llms.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\n# Name\n\n{links}"
            ),
        )
    }

    #[test]
    fn pages_with_status_200_pass() {
        let tallied = audited("[a](/a#x) [home](https://example.com/)", "=== /a\n<p>a");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn each_broken_link_is_a_finding() {
        let tallied = audited("- [a](/a)\n- [b](/b)\n- [b](/b#again)", "");
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 2));
        assert_eq!(tallied.findings[0].occurrences[0].line, Some(3));
    }

    #[test]
    fn a_page_excluded_from_search_fails() {
        let tallied = audited("[a](/a)", "=== /a\n<meta name=robots content=noindex><p>a");
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_sitewide_noindex_is_left_to_noindex_sitewide() {
        let page = "<meta name=robots content=noindex>";
        let pages = format!("=== /a\n{page}<p>a\n=== /b\n{page}<p>b");
        assert_eq!(audited("[a](/a)", &pages).affected, 0);
    }

    #[test]
    fn urls_that_were_not_requested_give_cannot_tell() {
        let tallied = audited("[x](/never-linked.md)", "");
        assert_eq!(tallied.applicable, 0);
        assert!(tallied.unjudged.is_some());
    }

    #[test]
    fn a_page_that_rejects_the_crawler_is_not_broken() {
        let tallied = audited("[a](/a)", "=== /a\nHTTP/1.1 403 Forbidden\n\n");
        assert_eq!(tallied.affected, 0);
    }

    #[test]
    fn a_site_without_the_file_is_not_applicable() {
        let tallied = audit(&LLMS_TXT_BROKEN_LINKS, "=== /\n<p>x");
        assert_eq!((tallied.applicable, tallied.unjudged), (0, None));
    }
}
