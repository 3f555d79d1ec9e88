//! Pages on https link to https.

use crate::algorithms::by_place::ByPlace;
use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::common::links::status::{LinkStatus, link_status};
use crate::declare_check;
use crate::site::{LinkFact, Site, UrlEntry, UrlId};
use url::Url;

declare_check! {
    /// ## What it checks
    /// No page that came over https links to a plain http address of which the same address with https is known
    /// to answer.
    ///
    /// ## Why it matters
    /// The click travels in plain text before it is redirected, if it is: whoever is on the way can read and
    /// change it. The other site does not learn where its visitors come from.
    ///
    /// ## How to fix it
    /// Write `https:` instead of `http:` into the link.
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
    /// Addresses with https that nothing on the site names are not tried out: it is known only where the http
    /// address redirects to it, or where another link leads to it. Internal links that are redirected
    /// permanently are left to redirect-internal-link. Addresses with a port of their own are not judged.
    ///
    /// ## References
    /// - W3C, Referrer Policy, "strict-origin-when-cross-origin"
    LINK_HTTPS_TO_HTTP {
        id: "link-https-to-http",
        title: "Links to http though https answers",
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
    let mut twins = ByPlace::default();
    for page in site
        .pages
        .iter()
        .filter(|page| page.url.scheme() == "https")
    {
        let links = page.links.iter().filter_map(|link| {
            let entry = site.urls.get(link.target)?;
            Some((link, entry))
        });
        let reason = "Of no http link is it known whether https answers.";
        let outcome = Outcome::for_each_known(links, reason, |(link, entry)| {
            if !entry.url.starts_with("http:") {
                return Some(Verdict::Pass);
            }
            let answers = *twins.get_or_find(link.target.index(), || {
                twin_answers(site, link.target, entry)
            });
            answers.map(|answers| Verdict::of(!answers, || evidence(site, link, entry)))
        });
        verdicts.judge(page.url.as_str(), outcome);
    }
}

/// Whether the same address answers over https; none where nobody knows, or another check tells.
fn twin_answers(site: &Site, id: UrlId, entry: &UrlEntry) -> Option<bool> {
    let mut twin = Url::parse(&entry.url)
        .ok()
        .filter(|url| url.port().is_none())?;
    twin.set_scheme("https").ok()?;
    let twin = site.urls.find(&twin)?;
    let answer = entry.answer();
    if entry.internal && answer.is_some_and(|answer| matches!(answer.status, 301 | 308)) {
        return None;
    }
    match link_status(site, twin) {
        LinkStatus::Fine => Some(true),
        LinkStatus::Broken(_) => Some(false),
        LinkStatus::Unknown => None,
    }
    .filter(|_| twin != id)
}

fn evidence(site: &Site, link: &LinkFact, entry: &UrlEntry) -> Evidence {
    let host = Url::parse(&entry.url).ok();
    let host = host.as_ref().and_then(Url::host_str).unwrap_or_default();
    link_evidence(site, link)
        .message(format!(
            "The link leads to {}, which answers over https as well.",
            entry.url
        ))
        .cause(
            host,
            format!("Links to {host} by http though https answers"),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};

    fn link(target: &str, answers: &str) -> Tallied {
        audit(
            &LINK_HTTPS_TO_HTTP,
            &format!("=== /\n<a href='{target}'>a</a>\n{answers}"),
        )
    }

    fn verdict(tallied: &Tallied) -> (u64, u64) {
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn an_address_that_redirects_to_its_twin_fails() {
        let tallied = link(
            "http://other.example/a?b#c",
            "=== http://other.example/a?b\nHTTP/1.1 302 X\nLocation: https://other.example/a?b\n\n=== https://other.example/a?b\nx",
        );
        assert_eq!(verdict(&tallied), (1, 1));
        assert_eq!(tallied.findings[0].cause, "other.example");
    }

    #[test]
    fn an_address_whose_twin_is_linked_as_well_fails() {
        let tallied = link(
            "http://other.example/'><a href='https://other.example/",
            "=== http://other.example/\nx\n=== https://other.example/\nx",
        );
        assert_eq!(verdict(&tallied), (1, 1));
    }

    #[test]
    fn twins_that_nobody_named_are_not_tried() {
        let answers = "=== http://other.example/\nx\n=== https://other.example/\nx";
        assert_eq!(verdict(&link("http://other.example/", answers)), (0, 0));
    }

    #[test]
    fn a_redirect_elsewhere_or_to_an_error_is_no_twin() {
        for target in ["https://www.other.example/", "https://other.example/"] {
            let answers = format!(
                "=== http://other.example/\nHTTP/1.1 301 X\nLocation: {target}\n\n=== https://www.other.example/\nx"
            );
            assert_eq!(
                link("http://other.example/", &answers).affected,
                0,
                "{target}"
            );
        }
    }

    #[test]
    fn redirects_within_the_site_are_told_by_another_check() {
        let answers = "=== http://example.com/a\nHTTP/1.1 301 X\nLocation: https://example.com/a\n\n=== /a\nx";
        assert_eq!(link("http://example.com/a", answers).affected, 0);
    }

    #[test]
    fn pages_of_the_site_that_answer_either_way_fail() {
        let answers = "=== http://example.com/a\nx\n=== /a\nx";
        let tallied = link("http://example.com/a'><a href='/a", answers);
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn pages_on_plain_http_and_pages_without_links_are_not_judged() {
        let site = "=== http://example.com/\n<a href=/a>a</a>";
        assert_eq!(
            verdict(&audit_from(
                &LINK_HTTPS_TO_HTTP,
                "http://example.com/",
                site
            )),
            (0, 0)
        );
        assert_eq!(verdict(&audit(&LINK_HTTPS_TO_HTTP, "=== /\nx")), (0, 0));
    }
}
