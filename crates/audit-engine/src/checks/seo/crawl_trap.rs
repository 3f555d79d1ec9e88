//! The site has an end.

use std::collections::{HashMap, HashSet};

use crate::check::{Evidence, Outcome};
use crate::common::links::inlinks::link_evidence;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::site::{Site, Trap, TrapKind, UrlId};

declare_check! {
    /// ## What it checks
    /// No links lead into a space of URLs without an end: paths of more than 20 segments, paths
    /// that repeat a segment more than twice, more than 20 queries of one path that pages of that
    /// path lead to, more than two session identifiers of one URL, more than ten pages that say and
    /// link the same, or more than ten redirects one after the other. Such URLs are not requested.
    ///
    /// ## Why it matters
    /// Calendars, filters, session ids and wrong relative links make more URLs than any crawler
    /// can visit. Search engines spend their time there and find the real pages later, or never.
    ///
    /// ## How to fix it
    /// End calendars at their last entry, keep filters and session ids out of links, write relative
    /// links from the root, and exclude what remains in robots.txt.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><a href="/times/more/more/more/">More</a>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><a href="/times/">Times</a>
    /// === /times/
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// A long list with an end, of more than 20 pages by query, looks the same; for that reason
    /// the check never counts in the score. What was left out may hold pages that are nowhere else.
    /// Of many such spaces the hundred largest are told.
    ///
    /// ## References
    /// - Google Search Central, Managing crawling of faceted navigation URLs
    /// - Google Search Central, URL structure best practices for Google
    CRAWL_TRAP {
        id: "crawl-trap",
        title: "Links lead into spaces of URLs without an end",
        dimension: Seo,
        scope: Site,
        severity: Info,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// Traps that are told of, the largest.
const MAX_TOLD: usize = 100;

fn evaluate(site: &Site) -> Outcome {
    let told: Vec<&Trap> = site.traps.iter().take(MAX_TOLD).collect();
    if told.is_empty() {
        return Outcome::Passed;
    }
    let mut evidence = links_into(site, &told);
    for (trap, evidence) in told.iter().zip(&mut evidence) {
        if evidence.is_empty() {
            // Redirects and sitemaps lead there.
            let message = format!("{}, such as {}.", left_out(trap), trap.example);
            evidence.push(caused(Evidence::here().message(message), trap));
        }
    }
    Outcome::Failed(evidence.into_iter().flatten().collect())
}

/// The first link of each page into each of the traps.
fn links_into(site: &Site, traps: &[&Trap]) -> Vec<Vec<Evidence>> {
    let trap_of: HashMap<UrlId, usize> = traps
        .iter()
        .enumerate()
        .flat_map(|(index, trap)| trap.urls.iter().map(move |id| (*id, index)))
        .collect();
    let mut found: Vec<Vec<Evidence>> = vec![Vec::new(); traps.len()];
    let mut seen: HashSet<(UrlId, usize)> = HashSet::new();
    for (page, link) in site.links() {
        let Some(index) = trap_of.get(&link.target) else {
            continue;
        };
        if let (Some(trap), Some(found)) = (traps.get(*index), found.get_mut(*index))
            && seen.insert((page.id, *index))
        {
            let target = site.urls.url(link.target);
            let message = format!("The link leads to {target}. {}.", left_out(trap));
            let evidence = link_evidence(site, link)
                .at(page.url.as_str())
                .message(message);
            found.push(caused(evidence, trap));
        }
    }
    found
}

/// How many URLs of which kind were not requested.
fn left_out(trap: &Trap) -> String {
    let which = match trap.kind {
        TrapKind::DeepPath => "paths of more than 20 segments",
        TrapKind::RepeatedSegment => "paths that repeat a segment more than twice",
        TrapKind::Queries => "further queries",
        TrapKind::Sessions => "further session identifiers",
        TrapKind::SamePages => "links of pages that are all the same",
        TrapKind::Redirects => "redirects without an end",
    };
    let (path, count) = (&trap.path, grouped(trap.skipped()));
    format!("Not requested of {path} as {which}: {count}")
}

/// Session identifiers come from one setting, whatever the number of paths that show them.
fn caused(evidence: Evidence, trap: &Trap) -> Evidence {
    let (kind, path) = (trap.kind.as_str(), &trap.path);
    let title = match trap.kind {
        TrapKind::Sessions => {
            return evidence.cause(kind, "Links carry session identifiers");
        }
        TrapKind::DeepPath => format!("Links lead deeper and deeper into {path}"),
        TrapKind::RepeatedSegment => format!("Links repeat parts of their paths in {path}"),
        TrapKind::Queries => format!("Links lead to ever more queries of {path}"),
        TrapKind::SamePages => format!("Links lead to ever the same page in {path}"),
        TrapKind::Redirects => format!("Redirects of {path} do not come to an end"),
    };
    evidence.cause(format!("{kind} {path}"), title)
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_site_with_an_end_passes() {
        let tallied = audit(&CRAWL_TRAP, "=== /\n<a href=/a?b=1>a</a>\n=== /a?b=1\na");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn each_trap_fails_once_with_the_pages_that_link_into_it_and_the_number_left_out() {
        let days: String = (0..25)
            .map(|day| format!("<a href=/days?day={day}>{day}</a>"))
            .collect();
        let site = format!(
            "=== /\n<a href=/days>Days</a>\n=== /days\n{days}<a href=/a/b/a/b/a/>a</a>\n\
             === /days?day=3\n<a href=/days?day=24>last</a>"
        );
        let tallied = audit(&CRAWL_TRAP, &site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        let causes: Vec<_> = tallied.findings.iter().map(|f| f.cause.as_str()).collect();
        assert_eq!(causes, ["queries /days", "repeated-segment /a/"]);
        let places: Vec<_> = tallied.findings[0]
            .occurrences
            .iter()
            .map(|place| (place.url.as_str(), place.message.as_str()))
            .collect();
        assert_eq!(
            places,
            [
                (
                    "https://example.com/days",
                    "The link leads to https://example.com/days?day=20. Not requested of /days as further queries: 5."
                ),
                (
                    "https://example.com/days?day=3",
                    "The link leads to https://example.com/days?day=24. Not requested of /days as further queries: 5."
                ),
            ]
        );
    }

    #[test]
    fn session_identifiers_of_all_paths_are_one_finding() {
        let links: String = (0..10)
            .map(|n| format!("<a href='/{}?sid=0123456789abcdef{n}'>{n}</a>", n % 2))
            .collect();
        let tallied = audit(&CRAWL_TRAP, &format!("=== /\n{links}"));
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].occurrences_total, 2);
    }

    #[test]
    fn a_trap_that_no_page_links_to_names_one_of_its_urls() {
        let site = "=== /\nHome\n=== /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n\
            <urlset><url><loc>https://example.com/a/a/a/</loc></url></urlset>\n";
        let tallied = audit(&CRAWL_TRAP, site);
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message.ends_with("1, such as https://example.com/a/a/a/."),
            "{message}"
        );
    }

    #[test]
    fn a_path_that_repeats_itself_fails() {
        let tallied = audit(&CRAWL_TRAP, "=== /\n<a href=/a/b/a/b/a/>a</a>");
        assert_eq!(tallied.affected, 1);
    }
}
