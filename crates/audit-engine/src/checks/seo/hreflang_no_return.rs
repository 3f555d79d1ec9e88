//! hreflang alternates link back.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::urls::alternates::{self, Named};
use crate::declare_check;
use crate::site::{PageFacts, Site};
use url::Url;

declare_check! {
    /// ## What it checks
    /// Every page that a page declares as a language version with `hreflang` declares that page as one of its
    /// own language versions in return.
    ///
    /// ## Why it matters
    /// Search engines ignore a language version without a return link, because otherwise anyone could claim the
    /// page of another site as a translation.
    ///
    /// ## How to fix it
    /// Give all language versions of a page the same set of `hreflang` links, including one to the page itself.
    /// If a page has no translation, omit the link for that language. Do not link to the start page of that
    /// language instead.
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
    /// The audit must have crawled both pages, so the check skips versions on other sites and versions without
    /// inlinks. It also skips `x-default`, which many versions may share, and pages that are not indexable. A
    /// URL that differs only in scheme, `www.`, slash or parameters, or that redirects to the page, counts as
    /// the page. If sitemaps declare hreflang alternates as well, the check reports nothing.
    ///
    /// ## Also known as
    /// - Screaming Frog: Hreflang: Missing Return Links
    /// - Ahrefs: Missing reciprocal hreflang (no return-tag)
    /// - Common name: No return tags
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_NO_RETURN {
        id: "hreflang-no-return",
        title: "Missing hreflang return links",
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
        return verdicts.cannot_tell(
            "Sitemaps declare hreflang alternates, and the audit does not read them.",
        );
    }
    let mut named = Named::new(site);
    for page in site.pages.iter().filter(|page| alternates::is_judged(page)) {
        let mut verdicts_of_page = Vec::new();
        for (code, url) in alternates::versions(page) {
            if let Some(version) = other_version(site, page, code, url)
                && let Some(returns) = named.names(version, page)
            {
                verdicts_of_page.push(Verdict::pass_if(returns, || {
                    missing_return_link(code, version)
                }));
            }
        }
        if !verdicts_of_page.is_empty() {
            verdicts.record(
                page.url.as_str(),
                Outcome::for_each(verdicts_of_page, |verdict| verdict),
            );
        }
    }
}

/// The audited page at the URL, if it is a different page and can be checked.
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

fn missing_return_link(code: &str, version: &PageFacts) -> Evidence {
    let what = if version.alternates.is_empty() {
        "but that page declares no language versions"
    } else {
        "but that page does not link back"
    };
    Evidence::here()
        .message(format!(
            "The page declares {} as its `{code}` version, {what}.",
            version.url
        ))
        .cause(
            code.to_ascii_lowercase(),
            format!("Missing return links from `{code}` versions"),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const HOME: &str = "<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de><a href=/de>d</a>";

    fn version(response: &str) -> Tallied {
        audit(
            &HREFLANG_NO_RETURN,
            &format!("=== /\n{HOME}\n=== /de\n{response}"),
        )
    }

    #[test]
    fn versions_with_return_links_pass() {
        let tallied = version(HOME);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn a_version_without_a_return_link_fails() {
        for response in ["x", "<link rel=alternate hreflang=fr href=/fr>"] {
            let tallied = version(response);
            assert_eq!((tallied.applicable, tallied.affected), (1, 1), "{response}");
            assert_eq!(tallied.findings[0].cause, "de");
        }
    }

    #[test]
    fn variants_and_redirects_count_as_return_links() {
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
    fn a_return_link_in_a_header_counts() {
        let response = "HTTP/1.1 200 OK\nContent-Type: text/html\nLink: <https://example.com/>; rel=alternate; hreflang=en\n\nx";
        assert_eq!(version(response).affected, 0);
    }

    #[test]
    fn x_default_noindex_and_canonicalized_pages_are_not_applicable() {
        let default =
            "=== /\n<link rel=alternate hreflang=x-default href=/x><a href=/x>x</a>\n=== /x\nx";
        assert_eq!(audit(&HREFLANG_NO_RETURN, default).applicable, 0);
        assert_eq!(version("<meta name=robots content=noindex>").applicable, 0);
        assert_eq!(version("<link rel=canonical href=/>").applicable, 0);
    }

    #[test]
    fn a_version_that_was_not_audited_is_not_applicable() {
        assert_eq!(version("HTTP/1.1 404 X\n\n").applicable, 0);
        let elsewhere = "=== /\n<link rel=alternate hreflang=de href=https://example.de/>\n=== https://example.de/\nx";
        assert_eq!(audit(&HREFLANG_NO_RETURN, elsewhere).applicable, 0);
    }

    #[test]
    fn hreflang_in_sitemaps_cannot_tell() {
        let site = format!(
            "=== /\n{HOME}\n=== /de\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:xhtml='http://www.w3.org/1999/xhtml'><url><loc>https://example.com/de</loc><xhtml:link rel='alternate' hreflang='en' href='https://example.com/'/></url></urlset>"
        );
        let tallied = audit(&HREFLANG_NO_RETURN, &site);
        assert_eq!(tallied.applicable, 0);
        assert!(tallied.unjudged.is_some());
    }
}
