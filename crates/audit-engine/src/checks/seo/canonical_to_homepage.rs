//! Pages do not declare the homepage as canonical.

use crate::check::{Evidence, Outcome};
use crate::common::urls::canonical::pages_to_root;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Fewer than three pages declare the root URL of the site as their canonical URL. The start page
    /// itself, variants of its URL and copies of it do not count.
    ///
    /// ## Why it matters
    /// A canonical URL asks search engines to show that URL instead of the page. If a template declares the
    /// root URL on every page, the pages disappear from search results, or search engines ignore the
    /// canonical links of the site.
    ///
    /// ## How to fix it
    /// Declare the URL of each page as its own canonical URL. The usual mistake in templates is a canonical
    /// URL built from the host alone. Each page of a paginated list declares itself, not the first page.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/"><title>Home – Island Line</title><a href="/times">Times</a> <a href="/fares">Fares</a> <a href="/boats">Boats</a>
    /// === /times
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/"><title>Times – Island Line</title><p>The first ferry leaves at six.</p>
    /// === /fares
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/"><title>Fares – Island Line</title><p>A day ticket is nine euros.</p>
    /// === /boats
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/"><title>Boats – Island Line</title><p>Two boats cross the bay.</p>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/"><title>Home – Island Line</title><a href="/times">Times</a> <a href="/fares">Fares</a>
    /// === /times
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/times"><title>Times – Island Line</title><p>The first ferry leaves at six.</p>
    /// === /fares
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/fares"><title>Fares – Island Line</title><p>A day ticket is nine euros.</p>
    /// ```
    ///
    /// ## Limits
    /// Pages that are the start page with a few words changed, such as the variants of an A/B test, may
    /// rightly declare the root URL. Pages with `noindex` count, but are not reported. The check ignores pages that
    /// declare several canonical URLs. On a local copy of a published site, the root URL of any host counts.
    ///
    /// ## Also known as
    /// - Lighthouse: `canonical`
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - Lighthouse audit canonical
    CANONICAL_TO_HOMEPAGE {
        id: "canonical-to-homepage",
        title: "Canonical points to the homepage",
        dimension: Seo,
        scope: Site,
        severity: Serious,
        confidence: Medium,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    if site.pages.iter().all(|page| page.canonicals.is_empty()) {
        return Outcome::NotApplicable;
    }
    let failures = pages_to_root(site).into_iter().map(|page| {
        Evidence::here().at(page.url.as_str()).message(format!(
            "The canonical URL of the page is the homepage of the site; expected the URL of the page itself, {}.",
            page.url
        ))
    });
    Outcome::from_failures(failures.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};

    fn pages(canonical: &str, paths: &[&str]) -> Tallied {
        audit(
            &CANONICAL_TO_HOMEPAGE,
            &recording("https://example.com", canonical, paths),
        )
    }

    fn recording(origin: &str, canonical: &str, paths: &[&str]) -> String {
        let links: String = paths
            .iter()
            .map(|path| format!("<a href='{path}'>x</a>"))
            .collect();
        let pages: String = paths
            .iter()
            .map(|path| {
                format!(
                    "=== {origin}{path}\n<link rel=canonical href={canonical}><p>The page {path}.\n"
                )
            })
            .collect();
        format!("=== {origin}/\n{links}\n{pages}")
    }

    #[test]
    fn three_pages_are_one_finding_with_three_occurrences() {
        let tallied = pages("https://example.com/", &["/a", "/b", "/blog/page/2/"]);
        assert_eq!((tallied.affected, tallied.findings.len()), (1, 1));
        assert_eq!(tallied.findings[0].occurrences_total, 3);
        assert_eq!(
            tallied.findings[0].occurrences[0].url,
            "https://example.com/a"
        );
    }

    #[test]
    fn two_pages_pass() {
        let tallied = pages("https://example.com/", &["/a", "/b"]);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_page_with_noindex_counts_and_is_not_reported() {
        let site = recording(
            "https://example.com",
            "https://example.com/",
            &["/a", "/b", "/c"],
        );
        let site = site.replace(
            "<p>The page /c.",
            "<meta name=robots content=noindex><p>The page /c.",
        );
        let tallied = audit(&CANONICAL_TO_HOMEPAGE, &site);
        assert_eq!(
            (tallied.affected, tallied.findings[0].occurrences_total),
            (1, 2)
        );
    }

    #[test]
    fn variants_of_the_start_page_url_pass() {
        let variants = ["/?a=b", "/index.html", "/index.php?x=y", "/default.aspx"];
        assert_eq!(pages("https://example.com/", &variants).affected, 0);
    }

    #[test]
    fn copies_of_the_start_page_pass() {
        let text = "<link rel=canonical href=/><p>Ferries cross the bay every day of the year. <a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>";
        let site = format!("=== /\n{text}\n=== /a\n{text}\n=== /b\n{text}\n=== /c\n{text}");
        assert_eq!(audit(&CANONICAL_TO_HOMEPAGE, &site).affected, 0);
    }

    #[test]
    fn script_rendered_pages_without_text_pass() {
        let shell = "<link rel=canonical href=/><script src=/app.js></script>";
        let site = format!(
            "=== /\n{shell}<a href=/a></a><a href=/b></a><a href=/c></a>\n=== /a\n{shell}\n=== /b\n{shell}\n=== /c\n{shell}"
        );
        assert_eq!(audit(&CANONICAL_TO_HOMEPAGE, &site).affected, 0);
    }

    #[test]
    fn canonicals_to_another_site_or_another_page_pass() {
        let paths = ["/a", "/b", "/c"];
        assert_eq!(pages("https://example.org/", &paths).affected, 0);
        assert_eq!(pages("https://example.com/start", &paths).affected, 0);
    }

    #[test]
    fn on_loopback_the_root_of_any_host_counts() {
        let paths = ["/a", "/b", "/c"];
        let site = recording("http://127.0.0.1", "https://docs.example.org/", &paths);
        assert_eq!(
            audit_from(&CANONICAL_TO_HOMEPAGE, "http://127.0.0.1/", &site).affected,
            1
        );
        let site = recording("http://127.0.0.1", "https://docs.example.org/a", &paths);
        assert_eq!(
            audit_from(&CANONICAL_TO_HOMEPAGE, "http://127.0.0.1/", &site).affected,
            0
        );
    }

    #[test]
    fn a_site_without_canonicals_is_not_applicable() {
        assert_eq!(audit(&CANONICAL_TO_HOMEPAGE, "=== /\nx").applicable, 0);
    }
}
