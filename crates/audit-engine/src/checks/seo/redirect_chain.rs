//! Redirects reach their target in one step.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::redirects::{entry_urls, is_loop};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// A URL that is linked, listed in a sitemap or was given to the audit reaches its page after
    /// no more than one redirect.
    ///
    /// ## Why it matters
    /// Every step costs visitors a round trip to the server, and crawlers give up after a number
    /// of them.
    ///
    /// ## How to fix it
    /// Let the first URL redirect to the last one directly. Rules for https, `www` and the final
    /// slash are usually best combined into one.
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
    /// Redirects in a circle are left to redirect-loop, and redirects that scripts or `meta
    /// refresh` make are not seen. Steps on other sites are not followed.
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.4
    /// - Google Search Central, Redirects and Google Search
    REDIRECT_CHAIN {
        id: "redirect-chain",
        title: "Redirects that lead to further redirects",
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
        let outcome = Outcome::of(redirects < 2, || {
            let path: Vec<&str> = chain.iter().map(|step| site.urls.url(*step)).collect();
            Evidence::here()
                .message(format!(
                    "{redirects} redirects instead of one: {}.",
                    path.join(" → ")
                ))
                .cause(
                    &*entry.url,
                    format!("Chain of redirects from {}", entry.url),
                )
        });
        verdicts.judge(&entry.url, outcome);
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
    fn two_redirects_are_one_finding_at_their_first_url() {
        let tallied = audit(
            &REDIRECT_CHAIN,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nHTTP/1.1 301 X\nLocation: /c\n\n=== /c\nc",
        );
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
        assert_eq!(tallied.findings[0].cause, "https://example.com/a");
    }

    #[test]
    fn the_url_that_was_asked_for_counts() {
        let tallied = audit_from(
            &REDIRECT_CHAIN,
            "http://example.com/",
            "=== http://example.com/\nHTTP/1.1 301 X\nLocation: http://www.example.com/\n\n=== http://www.example.com/\nHTTP/1.1 301 X\nLocation: https://www.example.com/\n\n=== https://www.example.com/\nhome",
        );
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_loop_is_another_checks_question() {
        let tallied = audit(
            &REDIRECT_CHAIN,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nHTTP/1.1 301 X\nLocation: /a\n",
        );
        assert_eq!(tallied.affected, 0);
    }
}
