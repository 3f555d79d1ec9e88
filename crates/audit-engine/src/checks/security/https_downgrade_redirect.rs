//! Redirects from HTTPS to plain HTTP.

use std::collections::HashMap;

use url::Url;

use crate::check::{Evidence, Failures, Outcome, Verdicts};
use crate::common::http::transport::is_plain;
use crate::declare_check;
use crate::site::{LinkFact, PageFacts, Site, UrlId};

declare_check! {
    /// ## What it checks
    /// No HTTPS URL of the site that a page links to redirects to plain HTTP.
    ///
    /// ## Why it matters
    /// The visitor follows a link to a secure page and arrives on a page that others on the network
    /// can read and change. The request also sends the cookies that do not have `Secure`.
    ///
    /// ## How to fix it
    /// Change the redirect so that its `Location` starts with `https://` or is a path. A common
    /// cause is a server behind a reverse proxy that does not know that the visitor uses HTTPS.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Harbour office</title><a href="/tides">Tides</a></html>
    /// === https://example.com/tides
    /// HTTP/1.1 301 Moved Permanently
    /// Location: http://example.com/tides/
    ///
    /// === http://example.com/tides/
    /// <!doctype html><html lang="en"><title>Tides</title><p>High tide at noon.</p></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Harbour office</title><a href="/tides">Tides</a></html>
    /// === https://example.com/tides
    /// HTTP/1.1 301 Moved Permanently
    /// Location: https://example.com/tides/
    ///
    /// === https://example.com/tides/
    /// <!doctype html><html lang="en"><title>Tides</title><p>High tide at noon.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate redirects of other sites. It also ignores redirects of images,
    /// scripts and style sheets, which browsers block.
    ///
    /// ## Also known as
    /// - CWE: CWE-319
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.4 Redirection 3xx
    /// - CWE-319, Cleartext Transmission of Sensitive Information
    HTTPS_DOWNGRADE_REDIRECT {
        id: "https-downgrade-redirect",
        title: "Redirect downgrades HTTPS to HTTP",
        dimension: Security,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// A redirect from an HTTPS URL of the site to a plain HTTP URL.
#[derive(Debug, Clone, Copy)]
struct Downgrade {
    from: UrlId,
    to: UrlId,
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut known: HashMap<UrlId, Option<Downgrade>> = HashMap::new();
    for page in &site.pages {
        let links: Vec<&LinkFact> = page
            .links
            .iter()
            .filter(|link| is_internal_https(site, link.target))
            .collect();
        let downgrades = links.iter().filter_map(|link| {
            let found = known
                .entry(link.target)
                .or_insert_with(|| downgrade(site, link.target));
            Some((*link, (*found)?))
        });
        let evidence: Failures = downgrades
            .map(|(link, downgrade)| evidence(site, page, link, downgrade))
            .collect();
        verdicts.record(
            page.url.as_str(),
            if links.is_empty() {
                Outcome::NotApplicable
            } else {
                Outcome::from_failures(evidence)
            },
        );
    }
}

/// Whether the URL is an HTTPS URL of the site that returned a response.
fn is_internal_https(site: &Site, id: UrlId) -> bool {
    site.urls.get(id).is_some_and(|entry| {
        entry.internal && entry.url.starts_with("https:") && entry.answer().is_some()
    })
}

/// The first redirect from HTTPS to plain HTTP in the redirect chain of this URL.
fn downgrade(site: &Site, id: UrlId) -> Option<Downgrade> {
    site.urls.get(id)?.answer()?.location?;
    let chain = site.urls.chain(id);
    chain
        .iter()
        .zip(chain.iter().skip(1))
        .find(|(from, to)| {
            is_internal_https(site, **from)
                && Url::parse(site.urls.url(**to)).is_ok_and(|url| is_plain(&url))
        })
        .map(|(from, to)| Downgrade {
            from: *from,
            to: *to,
        })
}

fn evidence(site: &Site, page: &PageFacts, link: &LinkFact, downgrade: Downgrade) -> Evidence {
    let (from, to) = (site.urls.url(downgrade.from), site.urls.url(downgrade.to));
    Evidence::line(
        link.line,
        &format!("href=\"{}\"", site.urls.href(link.href)),
    )
    .at(page.url.as_str())
    .message(format!(
        "The link target redirects over plain HTTP: {from} redirects to {to}; expected HTTPS."
    ))
    .cause(from, format!("Redirect from HTTPS to HTTP: {from}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    #[test]
    fn several_links_to_one_redirect_have_one_cause() {
        let site = "=== /\n<a href=/old>a</a><a href=/b>b</a>\n=== /b\n<a href=/old>a</a>\n=== /old\nHTTP/1.1 302 Found\nLocation: http://example.com/new\n\n=== http://example.com/new\n<a href=http://example.com/x>x</a>";
        let tallied = audit(&HTTPS_DOWNGRADE_REDIRECT, site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 2));
        assert_eq!(tallied.findings.len(), 1);
    }

    #[test]
    fn a_downgrade_later_in_the_redirect_chain_fails() {
        let site = "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 Moved\nLocation: /b\n\n=== /b\nHTTP/1.1 301 Moved\nLocation: http://example.com/c\n\n";
        assert_eq!(audit(&HTTPS_DOWNGRADE_REDIRECT, site).affected, 1);
    }

    #[test]
    fn redirects_that_stay_on_https_pass() {
        let site =
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 Moved\nLocation: /a/\n\n=== /a/\n<p>x";
        let tallied = audit(&HTTPS_DOWNGRADE_REDIRECT, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn sites_on_plain_http_are_not_applicable() {
        let site = "=== http://127.0.0.1/\n<a href=/a>a</a>\n=== http://127.0.0.1/a\n<p>x";
        let tallied = audit_from(&HTTPS_DOWNGRADE_REDIRECT, "http://127.0.0.1/", site);
        assert_eq!(tallied.applicable, 0);
    }
}
