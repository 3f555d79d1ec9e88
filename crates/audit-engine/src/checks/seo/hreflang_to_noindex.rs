//! hreflang URLs are indexable.

use crate::check::Verdicts;
use crate::common::robots::noindex::{Sitewide, sitewide};
use crate::common::urls::alternates;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No page that another page declares as a language version with `hreflang` has `noindex` or `none` in a
    /// robots directive.
    ///
    /// ## Why it matters
    /// The `hreflang` link asks search engines to show that version to readers of its language, but `noindex`
    /// forbids it. Search engines send those readers to a version in another language.
    ///
    /// ## How to fix it
    /// If the version is ready to be indexed, remove its `noindex`. Otherwise, remove its `hreflang` link from the
    /// other versions until it is.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1><a href="/de">Deutsch</a>
    /// === /de
    /// <!doctype html><html lang="de"><meta name="robots" content="noindex"><title>Insellinie</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Fähren</h1>
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
    /// The check evaluates only versions that were audited: they are on the same site, and are
    /// linked or listed in a sitemap or a feed. `hreflang-invalid-code` reports versions with
    /// invalid codes. `noindex-page` reports linked pages with `noindex`. If most pages of the site have
    /// `noindex`, `noindex-sitewide` reports it instead.
    ///
    /// ## Also known as
    /// - Screaming Frog: Hreflang: Noindex Return Links
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    /// - Google Search Central, Block Search indexing with noindex
    HREFLANG_TO_NOINDEX {
        id: "hreflang-to-noindex",
        title: "Hreflang points to a noindex page",
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
    if matches!(sitewide(site), Some(Sitewide::Majority(_))) {
        return;
    }
    alternates::judge_versions(
        site,
        verdicts,
        |code| format!("`{code}` hreflang URLs with noindex"),
        |_, id, _| {
            let page = site.page_at(id)?;
            let noindex = page.noindex.as_ref();
            Some(
                noindex
                    .map(|token| format!("is excluded from indexing by the directive `{token}`")),
            )
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn version(response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de><a href=/de>d</a>\n=== /de\n{response}"
        );
        audit(&HREFLANG_TO_NOINDEX, &site)
    }

    #[test]
    fn a_page_passes_and_one_with_noindex_fails() {
        assert_eq!((version("x").applicable, version("x").affected), (1, 0));
        for response in [
            "<meta name=googlebot content=none>",
            "HTTP/1.1 200 OK\nContent-Type: text/html\nX-Robots-Tag: noindex\n\nx",
        ] {
            assert_eq!(version(response).affected, 1, "{response}");
        }
    }

    #[test]
    fn a_site_with_noindex_on_most_pages_is_left_to_noindex_sitewide() {
        let site = "=== /\n<link rel=alternate hreflang=de href=/de><meta name=robots content=noindex><a href=/de>d</a>\n=== /de\n<meta name=robots content=noindex>d";
        assert_eq!(audit(&HREFLANG_TO_NOINDEX, site).applicable, 0);
    }

    #[test]
    fn errors_and_unlinked_versions_are_not_applicable() {
        assert_eq!(version("HTTP/1.1 404 X\n\n").applicable, 0);
        let unlinked = "=== /\n<link rel=alternate hreflang=de href=/de>\n=== /de\n<meta name=robots content=noindex>";
        assert_eq!(audit(&HREFLANG_TO_NOINDEX, unlinked).applicable, 0);
    }
}
