//! Language versions name one another.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::urls::alternates::{self, Named};
use crate::declare_check;
use crate::site::{PageFacts, Site};
use url::Url;

declare_check! {
    /// ## What it checks
    /// Every page that a page names as one of its language versions by `hreflang` names that page as one of its
    /// own versions in return.
    ///
    /// ## Why it matters
    /// Search engines ignore a version that does not link back, since anybody could claim the page of somebody
    /// else as a translation.
    ///
    /// ## How to fix it
    /// Give all versions of a page the same set of `hreflang` entries, the page itself included. Where a page is
    /// not translated, leave the entry of that language out instead of naming the start page of the language.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1><a href="/de">Deutsch</a>
    /// === /de
    /// <!doctype html><html lang="de"><title>Insellinie</title><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Fähren</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1><a href="/de">Deutsch</a>
    /// === /de
    /// <!doctype html><html lang="de"><title>Insellinie</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Fähren</h1>
    /// ```
    ///
    /// ## Limits
    /// Both pages must have been audited: versions on other sites, and those that nothing links to, are not
    /// judged. Nor is `x-default`, which many versions may share, nor pages that search engines may not index.
    /// An address that differs in scheme, `www.`, slash or parameters, or is redirected, counts as the page.
    /// Where sitemaps name language versions, too, nothing is said.
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_NO_RETURN {
        id: "hreflang-no-return",
        title: "Language versions do not link back",
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
    if alternates::in_sitemaps(site) {
        return verdicts
            .cannot_tell("Sitemaps name language versions, and their entries are not read.");
    }
    let mut named = Named::of(site);
    for page in site.pages.iter().filter(|page| alternates::is_judged(page)) {
        let mut judged = Vec::new();
        for (code, url) in alternates::versions(page) {
            if let Some(version) = other_version(site, page, code, url)
                && let Some(returns) = named.names(version, page)
            {
                judged.push(Verdict::of(returns, || missing(code, version)));
            }
        }
        if !judged.is_empty() {
            verdicts.judge(
                page.url.as_str(),
                Outcome::for_each(judged, |verdict| verdict),
            );
        }
    }
}

/// The audited page behind the address, if it is another one and can be judged.
fn other_version<'a>(
    site: &'a Site,
    page: &PageFacts,
    code: &str,
    url: &Url,
) -> Option<&'a PageFacts> {
    if alternates::is_default(code) {
        return None;
    }
    let (id, _) = site.lookup(url)?;
    let version = site.page_at(id)?;
    (version.id != page.id && alternates::is_judged(version)).then_some(version)
}

fn missing(code: &str, version: &PageFacts) -> Evidence {
    let what = if version.alternates.is_empty() {
        "which names no language versions at all"
    } else {
        "which does not name this page as one of its versions"
    };
    Evidence::here()
        .message(format!(
            "The page names {} as its `{code}` version, {what}.",
            version.url
        ))
        .cause(
            code.to_ascii_lowercase(),
            format!("The `{code}` versions of pages do not link back"),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const HOME: &str = "<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de><a href=/de>d</a>";

    fn version(answer: &str) -> Tallied {
        audit(
            &HREFLANG_NO_RETURN,
            &format!("=== /\n{HOME}\n=== /de\n{answer}"),
        )
    }

    #[test]
    fn versions_that_name_one_another_pass() {
        let tallied = version(HOME);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn a_version_that_names_others_or_none_fails() {
        for answer in ["x", "<link rel=alternate hreflang=fr href=/fr>"] {
            let tallied = version(answer);
            assert_eq!((tallied.applicable, tallied.affected), (1, 1), "{answer}");
            assert_eq!(tallied.findings[0].cause, "de");
        }
    }

    #[test]
    fn other_ways_to_write_the_address_are_a_return() {
        for href in [
            "http://www.example.com/",
            "/?lang=en",
            "/index.html",
            "/home",
        ] {
            let site = format!(
                "=== /\n{HOME}<a href=/home>h</a>\n=== /de\n<link rel=alternate hreflang=en href={href}>\n=== /home\nHTTP/1.1 301 X\nLocation: /\n\n"
            );
            assert_eq!(audit(&HREFLANG_NO_RETURN, &site).affected, 0, "{href}");
        }
    }

    #[test]
    fn a_return_in_a_header_counts() {
        let answer = "HTTP/1.1 200 OK\nContent-Type: text/html\nLink: <https://example.com/>; rel=alternate; hreflang=en\n\nx";
        assert_eq!(version(answer).affected, 0);
    }

    #[test]
    fn the_default_pages_with_noindex_and_canonical_copies_are_not_judged() {
        let default =
            "=== /\n<link rel=alternate hreflang=x-default href=/x><a href=/x>x</a>\n=== /x\nx";
        assert_eq!(audit(&HREFLANG_NO_RETURN, default).applicable, 0);
        assert_eq!(version("<meta name=robots content=noindex>").applicable, 0);
        assert_eq!(version("<link rel=canonical href=/>").applicable, 0);
    }

    #[test]
    fn a_version_that_was_not_audited_is_not_judged() {
        assert_eq!(version("HTTP/1.1 404 X\n\n").applicable, 0);
        let elsewhere = "=== /\n<link rel=alternate hreflang=de href=https://example.de/>\n=== https://example.de/\nx";
        assert_eq!(audit(&HREFLANG_NO_RETURN, elsewhere).applicable, 0);
    }

    #[test]
    fn versions_in_sitemaps_leave_it_open() {
        let site = format!(
            "=== /\n{HOME}\n=== /de\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'><url><loc>https://example.com/de</loc><xhtml:link rel='alternate' hreflang='en' href='https://example.com/'/></url></urlset>"
        );
        let tallied = audit(&HREFLANG_NO_RETURN, &site);
        assert_eq!(tallied.applicable, 0);
        assert!(tallied.unjudged.is_some());
    }
}
