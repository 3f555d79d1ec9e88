//! Language versions name themselves.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::urls::alternates::{self, Named};
use crate::declare_check;
use crate::site::{PageFacts, Site};

declare_check! {
    /// ## What it checks
    /// A page that names language versions by `hreflang` is one of them itself.
    ///
    /// ## Why it matters
    /// Search engines want every version to name all versions, itself included. A set without the page itself
    /// may be read wrongly or ignored.
    ///
    /// ## How to fix it
    /// Add an entry with the language and the address of the page itself. It is simplest to write the same set
    /// of entries into all versions.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1>
    /// ```
    ///
    /// ## Limits
    /// An address that differs from the page's in scheme, `www.`, slash or parameters, or is redirected to it,
    /// counts as the page. Pages that search engines may not index are left out, and a local copy of a published
    /// site that names the versions of that site alone. Where sitemaps name language versions, too, nothing is
    /// said.
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_NO_SELF {
        id: "hreflang-no-self",
        title: "Pages that are not among their own language versions",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
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
        if is_copy(site, page) || alternates::versions(page).is_empty() {
            continue;
        }
        if let Some(names_itself) = named.names(page, page) {
            verdicts.judge(
                page.url.as_str(),
                Outcome::of(names_itself, || Evidence::here().message(message(page))),
            );
        }
    }
}

/// Whether the page is a local copy that names versions of the published site.
fn is_copy(site: &Site, page: &PageFacts) -> bool {
    site.loopback
        && !page
            .alternates
            .iter()
            .any(|(_, url)| site.key.contains(url))
}

fn message(page: &PageFacts) -> String {
    const SHOWN: usize = 5;
    let versions = alternates::versions(page);
    let mut codes: Vec<&str> = versions.iter().map(|(code, _)| *code).take(SHOWN).collect();
    if versions.len() > SHOWN {
        codes.push("…");
    }
    format!(
        "The page names language versions ({}), but not itself.",
        codes.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};

    fn page(head: &str) -> Tallied {
        audit(&HREFLANG_NO_SELF, &format!("=== /\n{head}"))
    }

    #[test]
    fn a_set_with_the_page_passes() {
        for href in [
            "/",
            "/#top",
            "http://www.example.com/",
            "/?a=b",
            "/index.html",
        ] {
            let tallied = page(&format!(
                "<link rel=alternate hreflang=de href=/de><link rel=alternate hreflang=en href={href}>"
            ));
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{href}");
        }
        assert_eq!(
            page("<link rel=alternate hreflang=x-default href=/>").affected,
            0
        );
    }

    #[test]
    fn a_set_without_it_fails() {
        let tallied = page(
            "<link rel=alternate hreflang=de href=/de><link rel=alternate hreflang=fr href=/fr>",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        assert!(
            tallied.findings[0].occurrences[0]
                .message
                .contains("(de, fr)")
        );
    }

    #[test]
    fn pages_without_versions_and_those_not_to_be_indexed_are_not_judged() {
        assert_eq!(
            page("<link rel=alternate type=application/rss+xml href=/f>").applicable,
            0
        );
        let set = "<link rel=alternate hreflang=de href=/de>";
        assert_eq!(
            page(&format!("<meta name=robots content=noindex>{set}")).applicable,
            0
        );
        assert_eq!(
            page(&format!("<link rel=canonical href=/en>{set}")).applicable,
            0
        );
    }

    #[test]
    fn a_copy_on_loopback_that_names_the_public_site_is_not_judged() {
        let set = "<link rel=alternate hreflang=de href=https://docs.example.org/de/a>";
        let copy = format!("=== http://127.0.0.1/\n{set}");
        assert_eq!(
            audit_from(&HREFLANG_NO_SELF, "http://127.0.0.1/", &copy).applicable,
            0
        );
        let own = "=== http://127.0.0.1/\n<link rel=alternate hreflang=de href=/de>";
        assert_eq!(
            audit_from(&HREFLANG_NO_SELF, "http://127.0.0.1/", own).affected,
            1
        );
    }
}
