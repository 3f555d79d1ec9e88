//! Pages with hreflang links also link to themselves.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::urls::alternates::{self, Named};
use crate::declare_check;
use crate::site::{PageFacts, Site};

declare_check! {
    /// ## What it checks
    /// A page that declares language versions with `hreflang` declares itself as one of them.
    ///
    /// ## Why it matters
    /// Search engines expect every version to declare all versions, including itself. They may misinterpret or
    /// ignore a set without the page itself.
    ///
    /// ## How to fix it
    /// Add an `hreflang` link with the language and the URL of the page itself: `<link rel="alternate" hreflang="en"
    /// href="https://example.com/times">`. The simplest solution is the same set of links on all versions.
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
    /// A URL that differs from the URL of the page only in scheme, `www.`, slash or parameters, or that
    /// redirects to it, counts as the page. The check skips pages that are not indexable, and local copies of
    /// a published site that declare only versions of the published site. If sitemaps declare hreflang
    /// alternates as well, the check reports nothing.
    ///
    /// ## Also known as
    /// - Screaming Frog: Hreflang: Missing Self Reference
    /// - Ahrefs: Self-reference hreflang annotation missing
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_NO_SELF {
        id: "hreflang-no-self",
        title: "Missing self-referencing hreflang",
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
        return verdicts.cannot_tell(
            "Sitemaps declare hreflang alternates, and the audit does not read them.",
        );
    }
    let mut named = Named::new(site);
    for page in site.pages.iter().filter(|page| alternates::is_judged(page)) {
        if is_copy(site, page) || alternates::versions(page).is_empty() {
            continue;
        }
        if let Some(has_self_reference) = named.names(page, page) {
            verdicts.record(
                page.url.as_str(),
                Outcome::pass_if(has_self_reference, || {
                    Evidence::here().message(message(page))
                }),
            );
        }
    }
}

/// Whether the page is a local copy that declares only versions of the published site.
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
    let mut codes: Vec<String> = versions
        .iter()
        .map(|(code, _)| (*code).to_owned())
        .take(SHOWN)
        .collect();
    if versions.len() > SHOWN {
        codes.push(format!("{} more", versions.len() - SHOWN));
    }
    format!(
        "The page declares language versions ({}), but not itself; expected one with {}.",
        codes.join(", "),
        page.url
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
    fn a_set_with_a_self_reference_passes() {
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
    fn a_set_without_a_self_reference_fails() {
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
    fn pages_without_versions_and_non_indexable_pages_are_not_applicable() {
        assert_eq!(
            page("<link rel=alternate type=application/rss+xml href=/f>").applicable,
            0
        );
        let set = "<link rel=alternate hreflang=de href=/de>";
        let hidden = format!("<meta name=robots content=noindex>{set}");
        let site = format!("=== /\n<a href=/n>n</a>\n=== /n\n{hidden}");
        assert_eq!(audit(&HREFLANG_NO_SELF, &site).applicable, 0);
        let copy = format!("<link rel=canonical href=/en>{set}");
        let tallied = page(&format!("{copy}\n=== /en\nx"));
        assert_eq!(tallied.applicable, 0);
    }

    #[test]
    fn a_local_copy_that_declares_the_public_site_is_not_applicable() {
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
