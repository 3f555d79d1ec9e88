//! Every URL of the site can be requested.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::common::links::status::requested_urls;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::Site;
use crate::site::UrlState;

declare_check! {
    /// ## What it checks
    /// Every URL of the site that is linked or listed in a sitemap gives an answer: its host name
    /// resolves, the connection and TLS come about, and an answer arrives in time.
    ///
    /// ## Why it matters
    /// Nobody who follows the link gets to see a page, and search engines count it as an outage.
    ///
    /// ## How to fix it
    /// The finding names the step that failed. For a name without an address correct the link or
    /// the DNS entry, for TLS the certificate, and for a timeout look at what the server does for
    /// so long.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// FAILS timeout
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// A fault of the network between the audit and the site looks the same. URLs of other sites
    /// are left to link-broken-external.
    ///
    /// ## References
    /// - Google Search Central, How HTTP status codes, and network and DNS errors affect Google Search
    FETCH_FAILED {
        id: "fetch-failed",
        title: "URLs that did not answer",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let inlinks = Inlinks::direct(site);
    for (id, entry) in requested_urls(site) {
        let outcome = match &entry.state {
            UrlState::Failed(kind, message) => {
                let linked = inlinks.to(id).map_or_else(String::new, |inlink| {
                    format!("; {} links to it", inlink.page.url)
                });
                let message = message.trim_end_matches('.');
                Outcome::failed(vec![
                    Evidence::here()
                        .message(format!("{}: {message}{linked}.", step(*kind)))
                        .cause(&*entry.url, format!("No answer from {}", entry.url)),
                ])
            }
            _ => Outcome::Passed,
        };
        verdicts.judge(&entry.url, outcome);
    }
}

const fn step(kind: FetchErrorKind) -> &'static str {
    match kind {
        FetchErrorKind::Dns => "The host name did not resolve",
        FetchErrorKind::Connect => "The connection failed",
        FetchErrorKind::Tls => "TLS failed",
        FetchErrorKind::Timeout => "The answer took too long",
        FetchErrorKind::Protocol => "The answer was not valid HTTP",
        FetchErrorKind::NotAllowed => "The request was not allowed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn any_answer_passes() {
        let tallied = audit(
            &FETCH_FAILED,
            "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\na",
        );
        assert_eq!((tallied.applicable, tallied.affected), (3, 0));
    }

    #[test]
    fn a_url_without_an_answer_fails_with_its_step_and_a_page_that_links_to_it() {
        let tallied = audit(&FETCH_FAILED, "=== /\n<a href=/a>a</a>\n=== /a\nFAILS tls");
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(message.contains("TLS failed") && message.contains("example.com/ links to it"));
    }

    #[test]
    fn an_error_status_is_an_answer() {
        let tallied = audit(
            &FETCH_FAILED,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 500 x",
        );
        assert_eq!(tallied.affected, 0);
    }
}
