//! Links to other sites work.

use crate::check::{Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::Site;
use crate::site::{LinkFact, UrlState};

declare_check! {
    /// ## What it checks
    /// Every link to another site leads to an existing page: the URL does not return 404 or 410,
    /// and its host name resolves.
    ///
    /// ## Why it matters
    /// Broken links reduce the trust of readers in the page, and an expired domain may soon belong
    /// to someone else.
    ///
    /// ## How to fix it
    /// Find the new location of the page and correct the URL, or remove the link. For a deleted
    /// page, the Internet Archive may have a copy to link to.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="https://harbour.example.org/tides">Tides</a>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="https://harbour.example.org/tides">Tides</a>
    /// === https://harbour.example.org/tides
    /// <!doctype html><title>Tides</title>
    /// ```
    ///
    /// ## Limits
    /// The check skips all other errors, including 403, 429, 5xx and timeouts, because a server may
    /// return them only to crawlers. If no other site responds at all, the check assumes a network
    /// problem of the audit. The audit requests each URL twice before it reports the URL as broken.
    ///
    /// ## Also known as
    /// - Screaming Frog: Response Codes: External Client Error (4xx)
    /// - Common name: Dead link
    /// - Common name: Link rot
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, sections 15.5.5 and 15.5.11
    LINK_BROKEN_EXTERNAL {
        id: "link-broken-external",
        title: "Broken external links",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [ExternalLinks],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let is_online = site
        .urls
        .iter()
        .any(|(_, entry)| !entry.internal && entry.status().is_some());
    for page in &site.pages {
        let links = page.links.iter().filter(|link| !is_internal(site, link));
        let reason = "The audit could not verify any external link.";
        let outcome =
            Outcome::for_each_known(links, reason, |link| verdict_for(site, link, is_online));
        verdicts.record(page.url.as_str(), outcome);
    }
}

fn is_internal(site: &Site, link: &LinkFact) -> bool {
    site.urls
        .get(link.target)
        .is_none_or(|entry| entry.internal)
}

/// The verdict on the target of the link; `None` if its response is inconclusive.
fn verdict_for(site: &Site, link: &LinkFact, is_online: bool) -> Option<Verdict> {
    let landing = site.urls.landing(link.target);
    let problem = match landing
        .and_then(|id| site.urls.get(id))
        .map(|entry| &entry.state)
    {
        Some(UrlState::Responded(answer)) => match answer.status {
            200..=299 => return Some(Verdict::Pass),
            status @ (404 | 410) => format!("returns status {status}"),
            _ => return None,
        },
        Some(UrlState::Failed(FetchErrorKind::Dns, _)) if is_online => {
            "has a host name that does not resolve".to_owned()
        }
        _ => return None,
    };
    let url = site.urls.url(link.target);
    Some(Verdict::Fail(
        link_evidence(site, link)
            .message(format!("The link leads to {url}, which {problem}."))
            .cause(url, format!("Broken external link to {url}")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const ONLINE: &str = "<a href=https://up.test/>u</a>\n=== https://up.test/\nup";

    fn links_to(response: &str) -> Tallied {
        audit(
            &LINK_BROKEN_EXTERNAL,
            &format!(
                "=== /\n<a href=https://other.test/a>a</a>\n=== https://other.test/a\n{response}"
            ),
        )
    }

    #[test]
    fn an_existing_page_passes() {
        assert_eq!(links_to("<p>x").affected, 0);
        assert_eq!(links_to("<p>x").applicable, 1);
    }

    #[test]
    fn status_404_and_410_fail() {
        assert_eq!(links_to("HTTP/1.1 404 Not Found\n\n").affected, 1);
        assert_eq!(links_to("HTTP/1.1 410 Gone\n\n").affected, 1);
    }

    #[test]
    fn denied_requests_and_server_errors_are_not_applicable() {
        for status in [401, 403, 405, 429, 451, 500, 503, 999] {
            assert_eq!(
                links_to(&format!("HTTP/1.1 {status} X\n\n")).applicable,
                0,
                "{status}"
            );
        }
    }

    #[test]
    fn a_host_name_that_does_not_resolve_fails() {
        let site = format!("=== /\n<a href=https://gone.invalid/>g</a>{ONLINE}");
        assert_eq!(audit(&LINK_BROKEN_EXTERNAL, &site).findings.len(), 1);
    }

    #[test]
    fn if_no_other_site_responds_dns_errors_cannot_tell() {
        let tallied = audit(
            &LINK_BROKEN_EXTERNAL,
            "=== /\n<a href=https://gone.invalid/>g</a>",
        );
        assert_eq!(tallied.applicable, 0);
        assert!(tallied.unjudged.is_some());
    }
}
