//! Language versions answer.

use crate::check::Verdicts;
use crate::common::links::status::{LinkStatus, link_status};
use crate::common::urls::alternates;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::{Site, UrlEntry, UrlId, UrlState};

declare_check! {
    /// ## What it checks
    /// No address that a page names as one of its language versions by `hreflang` answers with a status of 400
    /// or above, redirects to one that does, or lies on a host without an address.
    ///
    /// ## Why it matters
    /// Readers of that language are not sent to their version, and search engines may ignore all versions of
    /// the page, since they do not confirm one another.
    ///
    /// ## How to fix it
    /// Correct the address in the template, or remove the entry of a version that does not exist. Most often the
    /// template names a translation of every page, though only some are translated.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de" href="https://example.com/de"><h1>Ferries</h1>
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
    /// left to hreflang-invalid-code. Statuses that turn visitors away, such as 401, 403 and 429, and other errors
    /// than 404 and 410 of other sites are not judged. Links to the address are left to link-broken-internal.
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_TO_ERROR {
        id: "hreflang-to-error",
        title: "Language versions answer with an error",
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
        |code| format!("The `{code}` versions of pages answer with an error"),
        |_, id, entry| fault(site, id, entry),
    );
}

/// What is wrong; the outer none where nobody can know.
fn fault(site: &Site, id: UrlId, entry: &UrlEntry) -> Option<Option<String>> {
    match link_status(site, id) {
        LinkStatus::Broken(what) => is_sure(entry).then_some(Some(what)),
        LinkStatus::Fine => Some(None),
        // A redirect answers, wherever it leads.
        LinkStatus::Unknown => entry.answer()?.location.map(|_| None),
    }
}

/// Of other sites only what lasts is believed: they owe a stranger no answer.
fn is_sure(entry: &UrlEntry) -> bool {
    entry.internal
        || match &entry.state {
            UrlState::Answered(answer) => matches!(answer.status, 404 | 410),
            UrlState::Failed(kind, _) => *kind == FetchErrorKind::Dns,
            UrlState::Known | UrlState::Skipped(_) => false,
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
        audit(&HREFLANG_TO_ERROR, &site)
    }

    #[test]
    fn a_page_passes() {
        let tallied = version("<p>x");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn an_error_fails_though_nothing_links_to_it() {
        for answer in ["HTTP/1.1 404 X\n\n", "HTTP/1.1 500 X\n\n"] {
            let tallied = version(answer);
            assert_eq!((tallied.applicable, tallied.affected), (1, 1), "{answer}");
            assert_eq!(tallied.findings[0].cause, "de");
        }
    }

    #[test]
    fn refusals_and_invalid_codes_are_not_judged() {
        assert_eq!(version("HTTP/1.1 403 X\n\n").applicable, 0);
        let invalid = "=== /\n<link rel=alternate hreflang=en-UK href=/uk>";
        assert_eq!(audit(&HREFLANG_TO_ERROR, invalid).applicable, 0);
    }

    #[test]
    fn an_address_is_told_once_and_by_its_language() {
        let site = "=== /\n<link rel=alternate hreflang=x-default href=/x><link rel=alternate hreflang=de href=/x>";
        let tallied = audit(&HREFLANG_TO_ERROR, site);
        assert_eq!(
            (tallied.findings.len(), tallied.findings[0].cause.as_str()),
            (1, "de")
        );
    }

    #[test]
    fn another_site_is_believed_when_the_page_is_gone_but_not_when_it_fails() {
        let site = |answer: &str| {
            let site = format!(
                "=== /\n<link rel=alternate hreflang=de href=https://example.de/>\n=== https://example.de/\n{answer}"
            );
            let tallied = audit(&HREFLANG_TO_ERROR, &site);
            (tallied.applicable, tallied.affected)
        };
        assert_eq!(site("HTTP/1.1 404 X\n\n"), (1, 1));
        assert_eq!(site("HTTP/1.1 503 X\n\n"), (0, 0));
        assert_eq!(site("<p>x"), (1, 0));
    }

    #[test]
    fn versions_in_headers_count() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nLink: </de>; rel=\"alternate\"; hreflang=\"de\", </x>; rel=next\n\nx";
        assert_eq!(audit(&HREFLANG_TO_ERROR, site).affected, 1);
    }

    #[test]
    fn a_page_that_is_not_to_be_found_is_not_judged() {
        let site =
            "=== /\n<meta name=robots content=noindex><link rel=alternate hreflang=de href=/de>";
        assert_eq!(audit(&HREFLANG_TO_ERROR, site).applicable, 0);
    }
}
