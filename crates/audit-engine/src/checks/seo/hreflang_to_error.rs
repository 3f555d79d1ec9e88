//! hreflang URLs do not return errors.

use crate::check::Verdicts;
use crate::common::links::status::{LinkStatus, link_status};
use crate::common::urls::alternates;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::{Site, UrlEntry, UrlId, UrlState};

declare_check! {
    /// ## What it checks
    /// No URL that a page declares as a language version with `hreflang` returns a status of 400 or above,
    /// redirects to a URL that does, or has a host name that does not resolve.
    ///
    /// ## Why it matters
    /// Search engines do not send readers of that language to their version. They may ignore all versions of
    /// the page, because the return links are missing.
    ///
    /// ## How to fix it
    /// Fix the URL in the template, or remove the link to a version that does not exist. The usual cause is a
    /// template that declares a translation of every page although only some are translated.
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
    /// The check only evaluates versions whose status is known. The status is known if the crawl
    /// found the URL, or if the audit requested it because a page declares it. The audit requests
    /// at most 500 such URLs of a site, and requests those on other sites only if external links
    /// are checked. `hreflang-invalid-code` reports versions with invalid codes. The check skips
    /// status codes that deny access to the crawler, such as 401, 403 and 429. For other sites, it
    /// skips all errors except 404, 410 and DNS errors. `link-broken-internal` reports links to the
    /// URL.
    ///
    /// ## Also known as
    /// - Screaming Frog: Hreflang: Non-200 Hreflang URLs
    /// - Ahrefs: Hreflang to redirect or broken page
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_TO_ERROR {
        id: "hreflang-to-error",
        title: "Hreflang points to a broken URL",
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
        |code| format!("Broken `{code}` hreflang URLs"),
        |_, id, entry| problem(site, id, entry),
    );
}

/// The problem with the version. `None` if it cannot be checked, `Some(None)` if it is fine.
fn problem(site: &Site, id: UrlId, entry: &UrlEntry) -> Option<Option<String>> {
    match link_status(site, id) {
        LinkStatus::Broken(what) => is_reliable(entry).then_some(Some(what)),
        LinkStatus::Fine => Some(None),
        // A redirect is a response as well; hreflang-to-redirect reports it.
        LinkStatus::Unknown => entry.answer()?.location.map(|_| None),
    }
}

/// Whether the error is reliable. Other sites may block crawlers, so only their permanent errors count.
fn is_reliable(entry: &UrlEntry) -> bool {
    entry.internal
        || match &entry.state {
            UrlState::Responded(answer) => matches!(answer.status, 404 | 410),
            UrlState::Failed(kind, _) => *kind == FetchErrorKind::Dns,
            UrlState::Known | UrlState::Skipped(_) => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn version(response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de>\n=== /de\n{response}"
        );
        audit(&HREFLANG_TO_ERROR, &site)
    }

    #[test]
    fn a_page_passes() {
        let tallied = version("<p>x");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn an_error_fails_without_inlinks() {
        for response in ["HTTP/1.1 404 X\n\n", "HTTP/1.1 500 X\n\n"] {
            let tallied = version(response);
            assert_eq!((tallied.applicable, tallied.affected), (1, 1), "{response}");
            assert_eq!(tallied.findings[0].cause, "de");
        }
    }

    #[test]
    fn denied_requests_and_invalid_codes_are_not_applicable() {
        assert_eq!(version("HTTP/1.1 403 X\n\n").applicable, 0);
        let invalid = "=== /\n<link rel=alternate hreflang=en-UK href=/uk>";
        assert_eq!(audit(&HREFLANG_TO_ERROR, invalid).applicable, 0);
    }

    #[test]
    fn a_url_with_two_codes_is_reported_once_by_its_language() {
        let site = "=== /\n<link rel=alternate hreflang=x-default href=/x><link rel=alternate hreflang=de href=/x>";
        let tallied = audit(&HREFLANG_TO_ERROR, site);
        assert_eq!(
            (tallied.findings.len(), tallied.findings[0].cause.as_str()),
            (1, "de")
        );
    }

    #[test]
    fn on_other_sites_only_permanent_errors_fail() {
        let site = |response: &str| {
            let site = format!(
                "=== /\n<link rel=alternate hreflang=de href=https://example.de/>\n=== https://example.de/\n{response}"
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
    fn a_noindex_page_is_not_applicable() {
        let site = "=== /\n<a href=/n>n</a>\n=== /n\n<meta name=robots content=noindex><link rel=alternate hreflang=de href=/de>";
        assert_eq!(audit(&HREFLANG_TO_ERROR, site).applicable, 0);
    }
}
