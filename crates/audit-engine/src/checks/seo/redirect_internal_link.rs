//! Internal links do not go through permanent redirects.

use crate::check::{Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::common::links::status::{LinkStatus, own_link_status, was_requested};
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// No internal link points to a URL that redirects permanently (301 or 308) to an existing
    /// page.
    ///
    /// ## Why it matters
    /// Every visit costs an additional request before the page can load, and crawlers need two
    /// requests per page.
    ///
    /// ## How to fix it
    /// Let the link lead straight to the URL at which the redirect ends. The usual cause is a missing trailing slash.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /times/
    ///
    /// === /times/
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times/">Times</a>
    /// === /times/
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// The check ignores temporary redirects (302, 303, 307), because they request that clients
    /// keep using the original URL. `link-broken-internal` reports redirects that end in an error.
    ///
    /// ## Also known as
    /// - Screaming Frog: Response Codes: Internal Redirection (3xx)
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.4
    /// - Google Search Central, Redirects and Google Search
    REDIRECT_INTERNAL_LINK {
        id: "redirect-internal-link",
        title: "Internal links to permanently redirected URLs",
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
    for page in &site.pages {
        let requested = page.links.iter().filter_map(|link| {
            let entry = site.urls.get(link.target)?;
            (entry.internal && was_requested(entry)).then_some((link, entry))
        });
        let outcome = Outcome::for_each(requested, |(link, entry)| {
            match permanent_redirect(site, link.target, entry) {
                None => Verdict::Pass,
                Some((status, landing)) => Verdict::Fail(
                    link_evidence(site, link)
                        .message(format!(
                            "The link points to {}, which returns status {status} and redirects to {landing}.",
                            entry.url
                        ))
                        .cause(&*entry.url, format!("Links to a permanently redirected URL: {}", entry.url)),
                ),
            }
        });
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// The status of a permanent redirect that ends at an existing page, and the URL of that page.
fn permanent_redirect<'a>(site: &'a Site, id: UrlId, entry: &UrlEntry) -> Option<(u16, &'a str)> {
    let answer = entry.answer().filter(|answer| answer.location.is_some())?;
    let landing = site.urls.get(site.urls.landing(id)?)?;
    let target_exists = own_link_status(landing) == LinkStatus::Fine;
    (matches!(answer.status, 301 | 308) && target_exists).then_some((answer.status, &*landing.url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn redirect(status: u16, target: &str) -> Tallied {
        let site = format!(
            "=== /\n<a href=/a>a</a><a href=/a#x>a</a>\n=== /a\nHTTP/1.1 {status} X\nLocation: {target}\n\n=== /b\nb"
        );
        audit(&REDIRECT_INTERNAL_LINK, &site)
    }

    #[test]
    fn a_link_to_a_page_passes() {
        let tallied = audit(
            &REDIRECT_INTERNAL_LINK,
            "=== /\n<a href=/a>a</a>\n=== /a\na",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_permanent_redirect_fails_once_for_each_target() {
        for status in [301, 308] {
            let tallied = redirect(status, "/b");
            assert_eq!(
                (tallied.affected, tallied.findings.len()),
                (1, 1),
                "{status}"
            );
        }
    }

    #[test]
    fn a_temporary_redirect_passes() {
        for status in [302, 303, 307] {
            assert_eq!(redirect(status, "/b").affected, 0, "{status}");
        }
    }

    #[test]
    fn a_redirect_to_an_error_is_left_to_link_broken_internal() {
        assert_eq!(redirect(301, "/gone").affected, 0);
    }
}
