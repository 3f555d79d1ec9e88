//! Language versions are named by the address that answers.

use crate::check::Verdicts;
use crate::common::links::status::{LinkStatus, link_status};
use crate::common::urls::alternates;
use crate::declare_check;
use crate::site::{Site, UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// No address that a page names as one of its language versions by `hreflang` is redirected permanently.
    ///
    /// ## Why it matters
    /// Search engines want each version to name the others by their final addresses. Behind a redirect, the
    /// versions do not confirm one another, and may be ignored.
    ///
    /// ## How to fix it
    /// Write the address that the redirect leads to into the template: with https, and with or without the
    /// slash at the end, as the server wants it.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1>
    /// === /de
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /de/
    ///
    /// === /de/
    /// <!doctype html><html lang="de"><title>Insellinie</title><h1>Fähren</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1>
    /// === /de
    /// <!doctype html><html lang="de"><title>Insellinie</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Fähren</h1>
    /// ```
    ///
    /// ## Limits
    /// A version is judged only if it is known: the crawl met it, or it was asked for because a page names it,
    /// which at most 500 of a site are, and those on other sites where external links are. Versions with invalid codes are
    /// left to hreflang-invalid-code. Temporary redirects are not judged: they may depend on the visitor. Nor is
    /// `x-default`, which is meant for pages that choose a language. A redirect that ends at an error is left to
    /// hreflang-to-error.
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_TO_REDIRECT {
        id: "hreflang-to-redirect",
        title: "Language versions are redirected",
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
    alternates::judge_versions(
        site,
        verdicts,
        |code| format!("The `{code}` versions of pages are redirected"),
        |code, id, entry| {
            if alternates::is_default(code) {
                return None;
            }
            fault(site, id, entry)
        },
    );
}

/// What is wrong; the outer none where nobody can know.
fn fault(site: &Site, id: UrlId, entry: &UrlEntry) -> Option<Option<String>> {
    let answer = entry.answer()?;
    match (answer.status, answer.location) {
        (200..=299, _) => Some(None),
        (status @ (301 | 308), Some(target)) => match link_status(site, id) {
            LinkStatus::Broken(_) => None,
            LinkStatus::Fine | LinkStatus::Unknown => Some(Some(format!(
                "answers {status} and leads on to {}",
                site.urls.url(target)
            ))),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn version(answer: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de>\n=== /de\n{answer}"
        );
        audit(&HREFLANG_TO_REDIRECT, &site)
    }

    #[test]
    fn a_page_passes() {
        let tallied = version("<p>x");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_permanent_redirect_fails() {
        for status in [301, 308] {
            let tallied = version(&format!(
                "HTTP/1.1 {status} X\nLocation: /de/\n\n=== /de/\nx"
            ));
            assert_eq!((tallied.applicable, tallied.affected), (1, 1), "{status}");
        }
    }

    #[test]
    fn temporary_redirects_and_errors_are_not_judged() {
        for answer in [
            "HTTP/1.1 302 X\nLocation: /\n\n",
            "HTTP/1.1 307 X\nLocation: /\n\n",
            "HTTP/1.1 404 X\n\n",
        ] {
            assert_eq!(version(answer).applicable, 0, "{answer}");
        }
    }

    #[test]
    fn the_default_may_choose_a_language() {
        let site = "=== /\n<link rel=alternate hreflang=x-default href=/x>\n=== /x\nHTTP/1.1 301 X\nLocation: /\n\n";
        assert_eq!(audit(&HREFLANG_TO_REDIRECT, site).applicable, 0);
    }
}
