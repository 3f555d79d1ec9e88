//! Language versions may be indexed.

use crate::check::Verdicts;
use crate::common::urls::alternates;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No page that another page names as one of its language versions by `hreflang` has `noindex` or `none` in
    /// a robots instruction.
    ///
    /// ## Why it matters
    /// Search engines are asked to show that version to the readers of its language, and asked by the version
    /// itself not to. They send those readers to another language.
    ///
    /// ## How to fix it
    /// Remove `noindex` from the version if it is ready to be found. If it is not, remove its entry from the
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
    /// A version is judged only if it was audited: that it is on the same site, and linked or in a sitemap.
    /// Versions with invalid codes are left to hreflang-invalid-code. That linked pages have `noindex` at all is
    /// told by noindex-page.
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    /// - Google Search Central, Block Search indexing with noindex
    HREFLANG_TO_NOINDEX {
        id: "hreflang-to-noindex",
        title: "Language versions are kept out of search engines",
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
    alternates::judge_versions(
        site,
        verdicts,
        |code| format!("The `{code}` versions of pages are kept out of search engines"),
        |_, id, _| {
            let page = site.page_at(id)?;
            let noindex = page.noindex.as_ref();
            Some(noindex.map(|token| format!("is kept out of search engines by `{token}`")))
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn version(answer: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de><a href=/de>d</a>\n=== /de\n{answer}"
        );
        audit(&HREFLANG_TO_NOINDEX, &site)
    }

    #[test]
    fn a_page_passes_and_one_with_noindex_fails() {
        assert_eq!((version("x").applicable, version("x").affected), (1, 0));
        for answer in [
            "<meta name=googlebot content=none>",
            "HTTP/1.1 200 OK\nContent-Type: text/html\nX-Robots-Tag: noindex\n\nx",
        ] {
            assert_eq!(version(answer).affected, 1, "{answer}");
        }
    }

    #[test]
    fn what_is_no_page_or_was_not_read_is_not_judged() {
        assert_eq!(version("HTTP/1.1 404 X\n\n").applicable, 0);
        let unlinked = "=== /\n<link rel=alternate hreflang=de href=/de>\n=== /de\n<meta name=robots content=noindex>";
        assert_eq!(audit(&HREFLANG_TO_NOINDEX, unlinked).applicable, 0);
    }
}
