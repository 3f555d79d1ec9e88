//! Links do not lead into an infinite URL space.

use std::collections::{HashMap, HashSet};

use crate::check::{Evidence, Outcome};
use crate::common::links::inlinks::link_evidence;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::site::{Site, Trap, TrapKind, UrlId};

declare_check! {
    /// ## What it checks
    /// No links lead into an infinite URL space. The crawler does not request URLs that look like
    /// one: a path of more than 20 segments; a path that repeats a segment more than twice; more
    /// than 20 queries of one path, linked from pages of that path; more than two session
    /// identifiers of one URL; links from more than ten pages with the same text and links; or more
    /// than ten redirects in a row.
    ///
    /// ## Why it matters
    /// Calendars, filters, session IDs and wrong relative links generate more URLs than any crawler
    /// can visit. Search engines waste crawl budget on them and find the real pages later or never.
    ///
    /// ## How to fix it
    /// End calendars at their last entry, keep filters and session IDs out of links, write relative
    /// links from the root, and block the rest in robots.txt.
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
    /// A finite list of more than 20 pages by query looks the same, so the check never counts in
    /// the score. The URLs that were not requested may contain pages that exist nowhere else. The
    /// check reports the 100 largest traps.
    ///
    /// ## Also known as
    /// - Common name: Spider trap
    /// - Common name: Infinite URL space
    ///
    /// ## References
    /// - Google Search Central, Managing crawling of faceted navigation URLs
    /// - Google Search Central, URL structure best practices for Google
    CRAWL_TRAP {
        id: "crawl-trap",
        title: "Crawl trap",
        dimension: Seo,
        scope: Site,
        severity: Info,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// The number of traps reported, largest first.
const MAX_REPORTED: usize = 100;

fn evaluate(site: &Site) -> Outcome {
    let reported: Vec<&Trap> = site.traps.iter().take(MAX_REPORTED).collect();
    if reported.is_empty() {
        return Outcome::Passed;
    }
    let mut evidence = links_into(site, &reported);
    for (trap, evidence) in reported.iter().zip(&mut evidence) {
        if evidence.is_empty() {
            // The trap was discovered through redirects or sitemaps.
            let message = format!("{}. Example: {}.", not_requested(trap), trap.example);
            evidence.push(with_cause(Evidence::here().message(message), trap));
        }
    }
    Outcome::Failed(evidence.into_iter().flatten().collect())
}

/// The first link of each page into each trap.
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
            let message = format!("The link leads to {target}. {}.", not_requested(trap));
            let evidence = link_evidence(site, link)
                .at(page.url.as_str())
                .message(message);
            found.push(with_cause(evidence, trap));
        }
    }
    found
}

/// The number and kind of URLs that the crawler did not request.
fn not_requested(trap: &Trap) -> String {
    let which = match trap.kind {
        TrapKind::DeepPath => "paths of more than 20 segments",
        TrapKind::RepeatedSegment => "paths that repeat a segment more than twice",
        TrapKind::Queries => "more query strings of the same path",
        TrapKind::Sessions => "more session identifiers of the same URL",
        TrapKind::SamePages => "links on pages with identical content",
        TrapKind::Redirects => "endless redirects",
    };
    let (path, count) = (&trap.path, grouped(trap.skipped()));
    format!("URLs of {path} not requested: {count} ({which})")
}

/// Adds the cause to the evidence. All session identifiers share one cause, because one setting adds
/// them to every path.
fn with_cause(evidence: Evidence, trap: &Trap) -> Evidence {
    let (kind, path) = (trap.kind.as_str(), &trap.path);
    let title = match trap.kind {
        TrapKind::Sessions => {
            return evidence.cause(kind, "Session identifiers in link URLs");
        }
        TrapKind::DeepPath => format!("Ever deeper paths in {path}"),
        TrapKind::RepeatedSegment => format!("Repeated path segments in {path}"),
        TrapKind::Queries => format!("Unlimited query strings of {path}"),
        TrapKind::SamePages => format!("Unlimited URLs with identical content in {path}"),
        TrapKind::Redirects => format!("Endless redirects of {path}"),
    };
    evidence.cause(format!("{kind} {path}"), title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_finite_site_passes() {
        let tallied = audit(&CRAWL_TRAP, "=== /\n<a href=/a?b=1>a</a>\n=== /a?b=1\na");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn each_trap_is_one_finding_with_the_linking_pages_and_the_skipped_count() {
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
        let occurrences: Vec<_> = tallied.findings[0]
            .occurrences
            .iter()
            .map(|occurrence| (occurrence.url.as_str(), occurrence.message.as_str()))
            .collect();
        assert_eq!(
            occurrences,
            [
                (
                    "https://example.com/days",
                    "The link leads to https://example.com/days?day=20. URLs of /days not requested: 5 (more query strings of the same path)."
                ),
                (
                    "https://example.com/days?day=3",
                    "The link leads to https://example.com/days?day=24. URLs of /days not requested: 5 (more query strings of the same path)."
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
    fn a_trap_without_inlinks_names_an_example_url() {
        let site = "=== /\nHome\n=== /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n\
            <urlset><url><loc>https://example.com/a/a/a/</loc></url></urlset>\n";
        let tallied = audit(&CRAWL_TRAP, site);
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message.contains("not requested: 1 (")
                && message.ends_with("Example: https://example.com/a/a/a/."),
            "{message}"
        );
    }

    #[test]
    fn a_path_with_repeated_segments_fails() {
        let tallied = audit(&CRAWL_TRAP, "=== /\n<a href=/a/b/a/b/a/>a</a>");
        assert_eq!(tallied.affected, 1);
    }
}
