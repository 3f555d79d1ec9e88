//! Pages served over https link to https URLs.

use crate::algorithms::by_place::ByPlace;
use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::common::links::status::{LinkStatus, link_status};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::{LinkFact, Site, UrlEntry, UrlId};
use url::Url;

declare_check! {
    /// ## What it checks
    /// No page served over https links to an http URL, or declares one of the site as its canonical
    /// URL, if the same URL is known to work over https.
    ///
    /// ## Why it matters
    /// The request is sent unencrypted before a redirect to https, if there is one. Attackers on the network
    /// can read and change it. The target site receives no referrer.
    ///
    /// ## How to fix it
    /// Change `http:` to `https:` in the link, or in the canonical URL: search engines prefer https.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><a href="http://tides.example.org/today">Tides</a>
    /// === http://tides.example.org/today
    /// HTTP/1.1 301 Moved Permanently
    /// Location: https://tides.example.org/today
    ///
    /// === https://tides.example.org/today
    /// <!doctype html><html lang="en"><title>Tides</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><a href="https://tides.example.org/today">Tides</a>
    /// === https://tides.example.org/today
    /// <!doctype html><html lang="en"><title>Tides</title>
    /// ```
    ///
    /// ## Limits
    /// The audit does not try https URLs on its own. It knows that https works only if the http URL
    /// redirects to the https URL, or if another link leads to it. `redirect-internal-link` reports
    /// internal links that redirect permanently. The check skips URLs with an explicit port.
    ///
    /// ## Also known as
    /// - Ahrefs: HTTPS page has internal links to HTTP
    /// - Common name: Insecure link
    ///
    /// ## References
    /// - W3C, Referrer Policy, "strict-origin-when-cross-origin"
    LINK_HTTPS_TO_HTTP {
        id: "link-https-to-http",
        title: "Links to HTTP although HTTPS is available",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut https_status = ByPlace::default();
    for page in site
        .pages
        .iter()
        .filter(|page| page.url.scheme() == "https")
    {
        let links = page.links.iter().filter_map(|link| {
            let entry = site.urls.get(link.target)?;
            Some((link.target, entry, Some(link)))
        });
        // A canonical URL that redirects has a check of its own.
        let canonical = canonical::known_target(site, page).filter(|(_, entry)| {
            entry.url.starts_with("http:") && matches!(entry.status(), Some(200..=299))
        });
        let references = links.chain(canonical.map(|(id, entry)| (id, entry, None)));
        let reason =
            "The audit does not know for any http link whether the target works over https.";
        let outcome = Outcome::for_each_known(references, reason, |(target, entry, link)| {
            if !entry.url.starts_with("http:") {
                return Some(Verdict::Pass);
            }
            let works_over_https =
                *https_status.get_or_find(target.index(), || works_over_https(site, target, entry));
            works_over_https.map(|works| {
                Verdict::pass_if(!works, || match link {
                    Some(link) => evidence(site, link, entry),
                    None => canonical_evidence(entry),
                })
            })
        });
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// Whether the same URL works over https; `None` if this is unknown or another check reports the link.
fn works_over_https(site: &Site, id: UrlId, entry: &UrlEntry) -> Option<bool> {
    let mut https_url = Url::parse(&entry.url)
        .ok()
        .filter(|url| url.port().is_none())?;
    https_url.set_scheme("https").ok()?;
    let https_id = site.urls.find(&https_url)?;
    let answer = entry.answer();
    if entry.internal && answer.is_some_and(|answer| matches!(answer.status, 301 | 308)) {
        return None;
    }
    match link_status(site, https_id) {
        LinkStatus::Fine => Some(true),
        LinkStatus::Broken(_) => Some(false),
        LinkStatus::Unknown => None,
    }
    .filter(|_| https_id != id)
}

fn evidence(site: &Site, link: &LinkFact, entry: &UrlEntry) -> Evidence {
    let host = Url::parse(&entry.url).ok();
    let host = host.as_ref().and_then(Url::host_str).unwrap_or_default();
    link_evidence(site, link)
        .message(format!(
            "The link leads to {}, which is also available over https.",
            entry.url
        ))
        .cause(
            host,
            format!("Links to {host} over http although https is available"),
        )
}

fn canonical_evidence(entry: &UrlEntry) -> Evidence {
    Evidence::here()
        .message(format!(
            "The canonical URL of the page is {}, which is also available over https.",
            entry.url
        ))
        .cause(
            "canonical",
            "Canonical URLs are on http although https is available",
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};

    fn link(target: &str, responses: &str) -> Tallied {
        audit(
            &LINK_HTTPS_TO_HTTP,
            &format!("=== /\n<a href='{target}'>a</a>\n{responses}"),
        )
    }

    fn counts(tallied: &Tallied) -> (u64, u64) {
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn an_http_url_that_redirects_to_https_fails() {
        let tallied = link(
            "http://other.example/a?b#c",
            "=== http://other.example/a?b\nHTTP/1.1 302 X\nLocation: https://other.example/a?b\n\n=== https://other.example/a?b\nx",
        );
        assert_eq!(counts(&tallied), (1, 1));
        assert_eq!(tallied.findings[0].cause, "other.example");
    }

    #[test]
    fn an_http_url_whose_https_url_is_linked_as_well_fails() {
        let tallied = link(
            "http://other.example/'><a href='https://other.example/",
            "=== http://other.example/\nx\n=== https://other.example/\nx",
        );
        assert_eq!(counts(&tallied), (1, 1));
    }

    #[test]
    fn undiscovered_https_urls_are_not_requested() {
        let responses = "=== http://other.example/\nx\n=== https://other.example/\nx";
        assert_eq!(counts(&link("http://other.example/", responses)), (0, 0));
    }

    #[test]
    fn a_redirect_to_another_host_or_to_an_error_passes() {
        for target in ["https://www.other.example/", "https://other.example/"] {
            let responses = format!(
                "=== http://other.example/\nHTTP/1.1 301 X\nLocation: {target}\n\n=== https://www.other.example/\nx"
            );
            assert_eq!(
                link("http://other.example/", &responses).affected,
                0,
                "{target}"
            );
        }
    }

    #[test]
    fn permanent_internal_redirects_pass_here() {
        let responses = "=== http://example.com/a\nHTTP/1.1 301 X\nLocation: https://example.com/a\n\n=== /a\nx";
        assert_eq!(link("http://example.com/a", responses).affected, 0);
    }

    #[test]
    fn internal_pages_that_work_over_both_schemes_fail() {
        let responses = "=== http://example.com/a\nx\n=== /a\nx";
        let tallied = link("http://example.com/a'><a href='/a", responses);
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_canonical_url_on_http_that_works_over_both_schemes_fails() {
        const CANONICAL: &str = "=== /\n<link rel=canonical href=http://example.com/>x";
        let canonical = |http: &str| {
            let site = format!("{CANONICAL}\n=== http://example.com/\n{http}");
            counts(&audit(&LINK_HTTPS_TO_HTTP, &site))
        };
        assert_eq!(canonical("x"), (1, 1));
        // Redirects and errors are those of other checks.
        assert_eq!(
            canonical("HTTP/1.1 301 X\nLocation: https://example.com/\n"),
            (0, 0)
        );
        assert_eq!(canonical("HTTP/1.1 404 X\n\n"), (0, 0));
        let own = "=== /\n<link rel=canonical href=https://example.com/>x";
        assert_eq!(counts(&audit(&LINK_HTTPS_TO_HTTP, own)), (0, 0));
    }

    #[test]
    fn http_pages_and_pages_without_links_are_not_applicable() {
        let site = "=== http://example.com/\n<a href=/a>a</a>";
        assert_eq!(
            counts(&audit_from(
                &LINK_HTTPS_TO_HTTP,
                "http://example.com/",
                site
            )),
            (0, 0)
        );
        assert_eq!(counts(&audit(&LINK_HTTPS_TO_HTTP, "=== /\nx")), (0, 0));
    }
}
