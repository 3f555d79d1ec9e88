//! The site answers at one name.

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
    /// The start page is not served a second time under the other name of its host, with `www.` where it has
    /// none or without where it has: that name redirects, does not answer, or both pages name one canonical
    /// URL.
    ///
    /// ## Why it matters
    /// Search engines meet every page twice. Links count for one or the other, and cookies, sign-ins and
    /// caches of one name do not hold at the other.
    ///
    /// ## How to fix it
    /// Redirect the name that should not be shown to the other one permanently, for all paths and for http and
    /// https. If both must answer, let every page name its canonical URL with the one name.
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
    /// Only the start page is asked for, over its own scheme and over http, and only where the host is a
    /// registrable domain or its `www.`. Where the other name answers with another page, it may be another
    /// site, and nothing is said. That plain http answers on the same name is left to http-no-redirect.
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    HOST_VARIANTS_BOTH_LIVE {
        id: "host-variants-both-live",
        title: "The site answers with and without www",
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
    let judged = site
        .probes
        .other_hosts
        .iter()
        // http may lead to where https was asked for already.
        .filter(|probe| {
            probe
                .answer()
                .is_none_or(|answer| answered.insert(&answer.url))
        })
        .map(|probe| judge(site, home, probe));
    Outcome::for_each(judged, |verdict| verdict)
}

/// Whether the answer stands where it was asked for, and not where a redirect led.
fn is_live<'a>(site: &Site, probe: &'a Probe) -> Option<&'a ProbeAnswer> {
    let answer = probe.success()?;
    (answer.url.host_str() != site.start.host_str()).then_some(answer)
}

fn judge(site: &Site, home: &PageFacts, probe: &Probe) -> Verdict {
    let Some(page) = is_live(site, probe).and_then(probe_page) else {
        return match probe.answer().map(|answer| answer.status) {
            Some(401 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 500..) => {
                Verdict::CannotTell("The other name of the host refuses to answer.")
            }
            _ => Verdict::Pass,
        };
    };
    if is_consolidated(&page, home) || page.robots().noindex().is_some() {
        return Verdict::Pass;
    }
    if !is_same_page(&page, home) {
        return Verdict::CannotTell("The other name of the host answers with another page.");
    }
    let other = page.url();
    Verdict::Fail(Evidence::here().at(other.as_str()).message(format!(
        "{other} answers with the same page as {}; a redirect is expected.",
        home.url
    )))
}

/// Whether both pages name one canonical URL, or one of them the other.
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

    fn other(answer: &str) -> Tallied {
        let site = format!("=== /\n{HOME}\n=== https://www.example.com/\n{answer}");
        audit(&HOST_VARIANTS_BOTH_LIVE, &site)
    }

    fn verdict(tallied: &Tallied) -> (u64, u64) {
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn the_same_page_at_the_other_name_fails() {
        let tallied = other(HOME);
        assert_eq!(verdict(&tallied), (1, 1));
        assert_eq!(
            tallied.findings[0].occurrences[0].url,
            "https://www.example.com/"
        );
        let site = format!("=== https://www.example.com/\n{HOME}\n=== http://example.com/\n{HOME}");
        let bare = audit_from(&HOST_VARIANTS_BOTH_LIVE, "https://www.example.com/", &site);
        assert_eq!(verdict(&bare), (1, 1));
    }

    #[test]
    fn a_redirect_an_error_and_no_answer_pass() {
        for answer in [
            "HTTP/1.1 301 X\nLocation: https://example.com/\n",
            "HTTP/1.1 404 X\n\n",
            "FAILS dns",
            "FAILS tls",
        ] {
            assert_eq!(verdict(&other(answer)), (1, 0), "{answer}");
        }
    }

    #[test]
    fn one_page_is_told_once_whichever_way_http_leads_there() {
        let site = format!(
            "=== /\n{HOME}\n=== https://www.example.com/\n{HOME}\n=== http://www.example.com/\nHTTP/1.1 301 X\nLocation: https://www.example.com/\n"
        );
        let tallied = audit(&HOST_VARIANTS_BOTH_LIVE, &site);
        assert_eq!(tallied.findings[0].occurrences_total, 1);
    }

    #[test]
    fn http_at_the_other_name_counts_where_https_does_not_answer() {
        let site = format!(
            "=== /\n{HOME}\n=== https://www.example.com/\nFAILS tls\n=== http://www.example.com/\n{HOME}"
        );
        let tallied = audit(&HOST_VARIANTS_BOTH_LIVE, &site);
        assert_eq!(verdict(&tallied), (1, 1));
        assert_eq!(
            tallied.findings[0].occurrences[0].url,
            "http://www.example.com/"
        );
    }

    #[test]
    fn a_relative_canonical_url_does_not_join_the_two() {
        let relative = format!("<link rel=canonical href=/>{HOME}");
        let site = format!("=== /\n{relative}\n=== https://www.example.com/\n{relative}");
        assert_eq!(audit(&HOST_VARIANTS_BOTH_LIVE, &site).affected, 1);
    }

    #[test]
    fn one_canonical_url_for_both_passes() {
        let named = format!("<link rel=canonical href=https://example.com/>{HOME}");
        assert_eq!(verdict(&other(&named)), (1, 0));
        let header = format!(
            "HTTP/1.1 200 OK\nContent-Type: text/html\nLink: <https://example.com/>; rel=canonical\n\n{HOME}"
        );
        assert_eq!(verdict(&other(&header)), (1, 0));
        let itself = format!("<link rel=canonical href=https://www.example.com/>{HOME}");
        assert_eq!(verdict(&other(&itself)), (1, 1));
    }

    #[test]
    fn another_page_and_a_refusal_say_nothing() {
        for answer in [
            "<title>Domain for sale</title>",
            "HTTP/1.1 403 X\n\n",
            "HTTP/1.1 503 X\n\n",
        ] {
            assert_eq!(verdict(&other(answer)), (0, 0), "{answer}");
        }
    }

    #[test]
    fn its_own_robots_txt_keeps_the_other_name_from_being_asked_for() {
        let site = format!(
            "=== /\n{HOME}\n=== https://www.example.com/robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /\n=== https://www.example.com/\n{HOME}"
        );
        let tallied = audit(&HOST_VARIANTS_BOTH_LIVE, &site);
        assert_eq!(tallied.affected, 0);
    }

    #[test]
    fn subdomains_ports_and_addresses_have_no_other_name() {
        for start in [
            "https://docs.example.com/",
            "https://example.com:8443/",
            "http://127.0.0.1/",
        ] {
            let site = format!("=== {start}\n{HOME}");
            let tallied = audit_from(&HOST_VARIANTS_BOTH_LIVE, start, &site);
            assert_eq!(verdict(&tallied), (0, 0), "{start}");
        }
    }
}
