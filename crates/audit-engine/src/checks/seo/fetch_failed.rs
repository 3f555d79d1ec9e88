//! Every URL of the site returns an HTTP response.

use crate::check::{Evidence, Extent, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::common::links::status::requested_urls;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::Site;
use crate::site::UrlState;

declare_check! {
    /// ## What it checks
    /// Every URL of the site that is linked or listed in a sitemap returns an HTTP response: its
    /// host name resolves, the connection and the TLS handshake succeed, and the response arrives
    /// before the timeout.
    ///
    /// ## Why it matters
    /// Visitors who follow the link see no page, and search engines treat the failure as an outage.
    ///
    /// ## How to fix it
    /// Repair the step at which the request failed: correct the link or the DNS record for a DNS error, fix the
    /// certificate for a TLS error, and find out why the server responds slowly for a timeout.
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
    /// A network failure between the audit and the site looks the same. `link-broken-external`
    /// reports URLs of other sites.
    ///
    /// ## Also known as
    /// - Screaming Frog: Response Codes: Internal No Response
    /// - Common name: Unreachable URL
    ///
    /// ## References
    /// - Google Search Central, How HTTP status codes, and network and DNS errors affect Google Search
    FETCH_FAILED {
        id: "fetch-failed",
        title: "URLs without a valid HTTP response",
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
                        .message(format!("{}: {message}{linked}.", failed_step(*kind)))
                        .cause(
                            &*entry.url,
                            format!("No valid HTTP response from {}", entry.url),
                        ),
                ])
                .with_extent(Extent::PageLost)
            }
            _ => Outcome::Passed,
        };
        verdicts.record(&entry.url, outcome);
    }
}

const fn failed_step(kind: FetchErrorKind) -> &'static str {
    match kind {
        FetchErrorKind::Dns => "The host name did not resolve",
        FetchErrorKind::Connect => "The connection failed",
        FetchErrorKind::Tls => "The TLS connection failed",
        FetchErrorKind::Timeout => "The request timed out",
        FetchErrorKind::Protocol => "The response was not valid HTTP",
        FetchErrorKind::NotAllowed => "The request was not allowed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn any_response_passes() {
        let tallied = audit(
            &FETCH_FAILED,
            "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\na",
        );
        assert_eq!((tallied.applicable, tallied.affected), (3, 0));
    }

    #[test]
    fn a_url_without_a_response_fails_with_the_failed_step_and_an_inlink() {
        let tallied = audit(&FETCH_FAILED, "=== /\n<a href=/a>a</a>\n=== /a\nFAILS tls");
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message.contains("The TLS connection failed")
                && message.contains("example.com/ links to it")
        );
    }

    #[test]
    fn an_error_status_is_a_response() {
        let tallied = audit(
            &FETCH_FAILED,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 500 x",
        );
        assert_eq!(tallied.affected, 0);
    }
}
