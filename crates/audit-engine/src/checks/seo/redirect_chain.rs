//! URLs redirect to their target in one step.

use domain::Severity;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::redirects::{entry_urls, is_loop};
use crate::declare_check;
use crate::site::{Site, UrlId};

declare_check! {
    /// ## What it checks
    /// A URL that is linked, is listed in a sitemap or is the start URL of the audit reaches its
    /// page after at most one redirect.
    ///
    /// ## Why it matters
    /// Every redirect costs visitors a round trip to the server, and crawlers stop following a
    /// chain after a number of redirects.
    ///
    /// ## How to fix it
    /// Send visitors from the first URL directly to the last one. Combine the rules for https, `www` and the trailing
    /// slash into one if possible.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /timetable
    ///
    /// === /timetable
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /timetable/
    ///
    /// === /timetable/
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /timetable/
    ///
    /// === /timetable/
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// `redirect-loop` reports redirect loops. The check does not see redirects by scripts or `meta
    /// refresh`, and does not follow redirects on other sites.
    ///
    /// ## Also known as
    /// - Screaming Frog: Response Codes: Internal Redirect Chain
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.4
    /// - Google Search Central, Redirects and Google Search
    REDIRECT_CHAIN {
        id: "redirect-chain",
        title: "Redirect chains",
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
    for (id, entry) in entry_urls(site) {
        let chain = site.urls.chain(id);
        if is_loop(&chain) {
            continue;
        }
        let redirects = chain.len().saturating_sub(1);
        let outcome = Outcome::pass_if(redirects < 2, || {
            let path: Vec<&str> = chain.iter().map(|step| site.urls.url(*step)).collect();
            Evidence::here()
                .message(format!(
                    "The URL redirects {redirects} times; expected at most one redirect: {}.",
                    path.join(" → ")
                ))
                .cause(&*entry.url, format!("Redirect chain from {}", entry.url))
        });
        // https-downgrade-redirect reports a chain that leaves https; the fact has one price.
        let is_plain = |step: &UrlId| site.urls.url(*step).starts_with("http://");
        let is_downgrade = chain.iter().skip_while(|step| is_plain(step)).any(is_plain);
        let outcome = match is_downgrade {
            true => outcome.with_severity(Severity::Info),
            false => outcome,
        };
        verdicts.record(&entry.url, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    #[test]
    fn pages_and_single_redirects_pass() {
        let tallied = audit(
            &REDIRECT_CHAIN,
            "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\nHTTP/1.1 302 Found\nLocation: /b\n\n=== /b\nb",
        );
        assert_eq!((tallied.applicable, tallied.affected), (3, 0));
    }

    #[test]
    fn a_chain_of_two_redirects_is_one_finding_at_its_first_url() {
        let tallied = audit(
            &REDIRECT_CHAIN,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nHTTP/1.1 301 X\nLocation: /c\n\n=== /c\nc",
        );
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
        assert_eq!(tallied.findings[0].cause, "https://example.com/a");
    }

    #[test]
    fn the_start_url_of_the_audit_counts() {
        let tallied = audit_from(
            &REDIRECT_CHAIN,
            "http://example.com/",
            "=== http://example.com/\nHTTP/1.1 301 X\nLocation: http://www.example.com/\n\n=== http://www.example.com/\nHTTP/1.1 301 X\nLocation: https://www.example.com/\n\n=== https://www.example.com/\nhome",
        );
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_redirect_loop_is_left_to_redirect_loop() {
        let tallied = audit(
            &REDIRECT_CHAIN,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nHTTP/1.1 301 X\nLocation: /a\n",
        );
        assert_eq!(tallied.affected, 0);
    }
}
