//! hreflang URLs do not redirect permanently.

use crate::check::Verdicts;
use crate::common::links::status::{LinkStatus, link_status};
use crate::common::urls::alternates;
use crate::declare_check;
use crate::site::{Site, UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// No URL that a page declares as a language version with `hreflang` redirects permanently.
    ///
    /// ## Why it matters
    /// Search engines expect each version to declare the final URLs of the others. If a URL redirects, the
    /// return links do not match, and search engines may ignore the versions.
    ///
    /// ## How to fix it
    /// Write the target URL of the redirect into the template, with https and with or without the trailing
    /// slash, as the server expects.
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
    /// The check only evaluates versions whose status is known. The status is known if the crawl
    /// found the URL, or if the audit requested it because a page declares it. The audit requests
    /// at most 500 such URLs of a site, and requests those on other sites only if external links
    /// are checked. `hreflang-invalid-code` reports versions with invalid codes. The check skips
    /// temporary redirects, because they may depend on the visitor, and `x-default`, which is meant
    /// for pages that choose a language. `hreflang-to-error` reports redirects that end at an
    /// error.
    ///
    /// ## Also known as
    /// - Screaming Frog: Hreflang: Non-200 Hreflang URLs
    /// - Ahrefs: Hreflang to redirect or broken page
    ///
    /// ## References
    /// - Google Search Central, Tell Google about localized versions of your page
    HREFLANG_TO_REDIRECT {
        id: "hreflang-to-redirect",
        title: "Hreflang points to a redirect",
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
        |code| format!("Redirected `{code}` hreflang URLs"),
        |code, id, entry| {
            if alternates::is_default(code) {
                return None;
            }
            problem(site, id, entry)
        },
    );
}

/// The problem with the version. `None` if it cannot be checked, `Some(None)` if it is fine.
fn problem(site: &Site, id: UrlId, entry: &UrlEntry) -> Option<Option<String>> {
    let answer = entry.answer()?;
    match (answer.status, answer.location) {
        (200..=299, _) => Some(None),
        (status @ (301 | 308), Some(target)) => match link_status(site, id) {
            LinkStatus::Broken(_) => None,
            LinkStatus::Fine | LinkStatus::Unknown => Some(Some(format!(
                "returns status {status} and redirects to {}",
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

    fn version(response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de>\n=== /de\n{response}"
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
    fn temporary_redirects_and_errors_are_not_applicable() {
        for response in [
            "HTTP/1.1 302 X\nLocation: /\n\n",
            "HTTP/1.1 307 X\nLocation: /\n\n",
            "HTTP/1.1 404 X\n\n",
        ] {
            assert_eq!(version(response).applicable, 0, "{response}");
        }
    }

    #[test]
    fn x_default_is_not_applicable() {
        let site = "=== /\n<link rel=alternate hreflang=x-default href=/x>\n=== /x\nHTTP/1.1 301 X\nLocation: /\n\n";
        assert_eq!(audit(&HREFLANG_TO_REDIRECT, site).applicable, 0);
    }
}
