//! The site is served under one host name.

use std::collections::HashSet;

use crate::address::without_fragment;
use crate::check::{Evidence, Outcome, Verdict};
use crate::common::http::home::NO_START_PAGE;
use crate::common::http::probe_page::probe_page;
use crate::declare_check;
use crate::site::{PageFacts, Probe, ProbeAnswer, Site};
use crate::view::Page;
use url::Url;

declare_check! {
    /// ## What it checks
    /// The start page is not served a second time under the other host name: with `www.` if the site has none,
    /// or without it if the site has one. The other host name redirects or does not respond, or both pages
    /// declare the same canonical URL.
    ///
    /// ## Why it matters
    /// Search engines find every page twice and split the links between the two host names. Cookies, sign-ins
    /// and caches of one host name do not apply to the other.
    ///
    /// ## How to fix it
    /// Redirect the unwanted host name permanently to the preferred one, for all paths and for http and https.
    /// If both must respond, declare canonical URLs with the preferred host name on every page.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><h1>Ferries to the islands</h1>
    /// === https://www.example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><h1>Ferries to the islands</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><h1>Ferries to the islands</h1>
    /// === https://www.example.com/
    /// HTTP/1.1 301 Moved Permanently
    /// Location: https://example.com/
    /// ```
    ///
    /// ## Limits
    /// The audit requests only the start page, over its own scheme and over http, and only if the
    /// host is a registrable domain or its `www.` subdomain. If the other host name serves a
    /// different page, it may be a different site, and the check reports nothing.
    /// `http-no-redirect` reports plain http on the same host name.
    ///
    /// ## Also known as
    /// - Common name: www and non-www duplicate content
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    HOST_VARIANTS_BOTH_LIVE {
        id: "host-variants-both-live",
        title: "Same site on both www and non-www hosts",
        dimension: Seo,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    if site.probes.other_hosts.is_empty() {
        return Outcome::NotApplicable;
    }
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let mut answered = HashSet::new();
    let verdicts = site
        .probes
        .other_hosts
        .iter()
        // The http URL may redirect to the https URL that was already requested.
        .filter(|probe| {
            probe
                .answer()
                .is_none_or(|answer| answered.insert(&answer.url))
        })
        .map(|probe| verdict_for(site, home, probe));
    Outcome::for_each(verdicts, |verdict| verdict)
}

/// The successful response of the other host, unless it redirected to the host of the site.
fn live_response<'a>(site: &Site, probe: &'a Probe) -> Option<&'a ProbeAnswer> {
    let answer = probe.success()?;
    (answer.url.host_str() != site.start.host_str()).then_some(answer)
}

fn verdict_for(site: &Site, home: &PageFacts, probe: &Probe) -> Verdict {
    let Some(page) = live_response(site, probe).and_then(probe_page) else {
        return match probe.answer().map(|answer| answer.status) {
            Some(401 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 500..) => Verdict::CannotTell(
                "The other host name denied the request or returned a server error.",
            ),
            _ => Verdict::Pass,
        };
    };
    if is_consolidated(&page, home) || page.robots().noindex().is_some() {
        return Verdict::Pass;
    }
    if !is_same_page(&page, home) {
        return Verdict::CannotTell("The other host name serves a different page.");
    }
    let other = page.url();
    Verdict::Fail(Evidence::here().at(other.as_str()).message(format!(
        "{other} serves the same page as {}; expected a redirect.",
        home.url
    )))
}

/// Whether both pages have the same canonical URL. A page without a canonical link is its own canonical.
fn is_consolidated(page: &Page, home: &PageFacts) -> bool {
    let own = |url: Option<&Url>, itself: &Url| {
        url.map_or_else(|| without_fragment(itself), without_fragment)
    };
    own(page.canonicals().first(), page.url()) == own(home.canonicals.first(), &home.url)
}

fn is_same_page(page: &Page, home: &PageFacts) -> bool {
    let heading = page
        .html("h1")
        .map(|h1| h1.text())
        .find(|text| !text.is_empty());
    let words = u32::try_from(page.main_words()).unwrap_or(u32::MAX);
    let title = page.title();
    title.is_some()
        && title == home.title.as_deref()
        && heading.as_deref() == home.h1.as_ref().map(|h1| &*h1.text)
        && words.abs_diff(home.words) <= home.words / 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};

    const HOME: &str = "<title>Island Line</title><h1>Ferries</h1>";

    fn other(response: &str) -> Tallied {
        let site = format!("=== /\n{HOME}\n=== https://www.example.com/\n{response}");
        audit(&HOST_VARIANTS_BOTH_LIVE, &site)
    }

    fn counts(tallied: &Tallied) -> (u64, u64) {
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn the_same_page_on_the_other_host_fails() {
        let tallied = other(HOME);
        assert_eq!(counts(&tallied), (1, 1));
        assert_eq!(
            tallied.findings[0].occurrences[0].url,
            "https://www.example.com/"
        );
        let site = format!("=== https://www.example.com/\n{HOME}\n=== http://example.com/\n{HOME}");
        let bare = audit_from(&HOST_VARIANTS_BOTH_LIVE, "https://www.example.com/", &site);
        assert_eq!(counts(&bare), (1, 1));
    }

    #[test]
    fn a_redirect_an_error_and_no_response_pass() {
        for response in [
            "HTTP/1.1 301 X\nLocation: https://example.com/\n",
            "HTTP/1.1 404 X\n\n",
            "FAILS dns",
            "FAILS tls",
        ] {
            assert_eq!(counts(&other(response)), (1, 0), "{response}");
        }
    }

    #[test]
    fn a_page_reached_over_https_and_by_redirect_from_http_is_one_occurrence() {
        let site = format!(
            "=== /\n{HOME}\n=== https://www.example.com/\n{HOME}\n=== http://www.example.com/\nHTTP/1.1 301 X\nLocation: https://www.example.com/\n"
        );
        let tallied = audit(&HOST_VARIANTS_BOTH_LIVE, &site);
        assert_eq!(tallied.findings[0].occurrences_total, 1);
    }

    #[test]
    fn http_on_the_other_host_counts_if_https_fails() {
        let site = format!(
            "=== /\n{HOME}\n=== https://www.example.com/\nFAILS tls\n=== http://www.example.com/\n{HOME}"
        );
        let tallied = audit(&HOST_VARIANTS_BOTH_LIVE, &site);
        assert_eq!(counts(&tallied), (1, 1));
        assert_eq!(
            tallied.findings[0].occurrences[0].url,
            "http://www.example.com/"
        );
    }

    #[test]
    fn a_relative_canonical_does_not_consolidate_the_hosts() {
        let relative = format!("<link rel=canonical href=/>{HOME}");
        let site = format!("=== /\n{relative}\n=== https://www.example.com/\n{relative}");
        assert_eq!(audit(&HOST_VARIANTS_BOTH_LIVE, &site).affected, 1);
    }

    #[test]
    fn a_shared_canonical_passes() {
        let named = format!("<link rel=canonical href=https://example.com/>{HOME}");
        assert_eq!(counts(&other(&named)), (1, 0));
        let header = format!(
            "HTTP/1.1 200 OK\nContent-Type: text/html\nLink: <https://example.com/>; rel=canonical\n\n{HOME}"
        );
        assert_eq!(counts(&other(&header)), (1, 0));
        let itself = format!("<link rel=canonical href=https://www.example.com/>{HOME}");
        assert_eq!(counts(&other(&itself)), (1, 1));
    }

    #[test]
    fn a_different_page_and_a_denied_request_cannot_tell() {
        for response in [
            "<title>Domain for sale</title>",
            "HTTP/1.1 403 X\n\n",
            "HTTP/1.1 503 X\n\n",
        ] {
            assert_eq!(counts(&other(response)), (0, 0), "{response}");
        }
    }

    #[test]
    fn robots_txt_of_the_other_host_blocks_the_request() {
        let site = format!(
            "=== /\n{HOME}\n=== https://www.example.com/robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /\n=== https://www.example.com/\n{HOME}"
        );
        let tallied = audit(&HOST_VARIANTS_BOTH_LIVE, &site);
        assert_eq!(tallied.affected, 0);
    }

    #[test]
    fn subdomains_ports_and_ip_addresses_have_no_host_variant() {
        for start in [
            "https://docs.example.com/",
            "https://example.com:8443/",
            "http://127.0.0.1/",
        ] {
            let site = format!("=== {start}\n{HOME}");
            let tallied = audit_from(&HOST_VARIANTS_BOTH_LIVE, start, &site);
            assert_eq!(counts(&tallied), (0, 0), "{start}");
        }
    }
}
