//! Links to other sites work.

use crate::check::{Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::Site;
use crate::site::{LinkFact, UrlState};

declare_check! {
    /// ## What it checks
    /// Every link to another site leads to a page that exists: it does not answer 404 or 410, and
    /// its host name has an address.
    ///
    /// ## Why it matters
    /// A link that leads nowhere costs readers their trust in the page, and an expired domain may
    /// soon belong to somebody else.
    ///
    /// ## How to fix it
    /// Find where the page has moved to and correct the address, or remove the link. For pages
    /// that are gone, the Internet Archive may have a copy to link to.
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
    /// All other answers, among them 403, 429, 5xx and timeouts, may be meant for automated
    /// visitors alone and are not judged. When no other site answers at all, the fault is taken
    /// to be on the side of the audit. Each address was asked for twice before it counts as
    /// broken.
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, sections 15.5.5 and 15.5.11
    LINK_BROKEN_EXTERNAL {
        id: "link-broken-external",
        title: "Broken links to other sites",
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
        let reason = "No link to another site could be verified.";
        let outcome = Outcome::for_each_known(links, reason, |link| judge(site, link, is_online));
        verdicts.judge(page.url.as_str(), outcome);
    }
}

fn is_internal(site: &Site, link: &LinkFact) -> bool {
    site.urls
        .get(link.target)
        .is_none_or(|entry| entry.internal)
}

/// What the link's target answered; none where that says nothing.
fn judge(site: &Site, link: &LinkFact, is_online: bool) -> Option<Verdict> {
    let landing = site.urls.landing(link.target);
    let what = match landing
        .and_then(|id| site.urls.get(id))
        .map(|entry| &entry.state)
    {
        Some(UrlState::Answered(answer)) => match answer.status {
            200..=299 => return Some(Verdict::Pass),
            status @ (404 | 410) => format!("answers {status}"),
            _ => return None,
        },
        Some(UrlState::Failed(FetchErrorKind::Dns, _)) if is_online => {
            "has a host name without an address".to_owned()
        }
        _ => return None,
    };
    let url = site.urls.url(link.target);
    Some(Verdict::Fail(
        link_evidence(site, link)
            .message(format!("The link leads to {url}, which {what}."))
            .cause(url, format!("Broken link to {url}")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const ONLINE: &str = "<a href=https://up.test/>u</a>\n=== https://up.test/\nup";

    fn links_to(answer: &str) -> Tallied {
        audit(
            &LINK_BROKEN_EXTERNAL,
            &format!(
                "=== /\n<a href=https://other.test/a>a</a>\n=== https://other.test/a\n{answer}"
            ),
        )
    }

    #[test]
    fn a_page_that_exists_passes() {
        assert_eq!(links_to("<p>x").affected, 0);
        assert_eq!(links_to("<p>x").applicable, 1);
    }

    #[test]
    fn a_page_that_is_gone_fails() {
        assert_eq!(links_to("HTTP/1.1 404 Not Found\n\n").affected, 1);
        assert_eq!(links_to("HTTP/1.1 410 Gone\n\n").affected, 1);
    }

    #[test]
    fn refusals_and_faults_are_not_judged() {
        for status in [401, 403, 405, 429, 451, 500, 503, 999] {
            assert_eq!(
                links_to(&format!("HTTP/1.1 {status} X\n\n")).applicable,
                0,
                "{status}"
            );
        }
    }

    #[test]
    fn a_name_without_an_address_fails() {
        let site = format!("=== /\n<a href=https://gone.invalid/>g</a>{ONLINE}");
        assert_eq!(audit(&LINK_BROKEN_EXTERNAL, &site).findings.len(), 1);
    }

    #[test]
    fn without_any_answer_from_outside_nobody_is_blamed() {
        let tallied = audit(
            &LINK_BROKEN_EXTERNAL,
            "=== /\n<a href=https://gone.invalid/>g</a>",
        );
        assert_eq!(tallied.applicable, 0);
        assert!(tallied.unjudged.is_some());
    }
}
