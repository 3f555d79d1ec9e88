//! Internal links have no session IDs or tracking parameters.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::page::{LinkTarget, OfTargets};
use crate::view::Page;
use url::Url;

declare_check! {
    /// ## What it checks
    /// No internal link has a session ID (`jsessionid`, `PHPSESSID`, `ASPSESSIONID…`, `CFTOKEN`), a
    /// campaign parameter (`utm_…`) or a click ID (`gclid`, `fbclid`, `msclkid` and similar).
    ///
    /// ## Why it matters
    /// Each parameter value creates another URL for the same page, and search engines crawl all of
    /// them. Campaign parameters on internal links also overwrite the original traffic source in
    /// web analytics.
    ///
    /// ## How to fix it
    /// Remove the parameter from the link. Keep session IDs in cookies, and use campaign parameters only in links on
    /// other sites.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/times?utm_source=home&amp;utm_medium=banner">Times</a></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/times">Times</a></html>
    /// ```
    ///
    /// ## Limits
    /// The check ignores names with other meanings on other sites, such as `sid`, `id` and `ref`, and links
    /// to other sites. In rendered mode, too, the check judges the response, because analytics scripts add
    /// such parameters for one visitor.
    ///
    /// ## Also known as
    /// - Screaming Frog: URL: GA Tracking Parameters
    /// - Common name: Session IDs in URLs
    /// - Common name: UTM parameters on internal links
    ///
    /// ## References
    /// - Google Search Central, URL structure best practices for Google
    URL_SESSION_OR_TRACKING {
        id: "url-session-or-tracking",
        title: "Session IDs or tracking parameters in internal links",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Parameters that contain only a session ID or the source of a click.
const NAMES: [&str; 11] = [
    "phpsessid",
    "jsessionid",
    "cftoken",
    "gclid",
    "gclsrc",
    "dclid",
    "wbraid",
    "gbraid",
    "fbclid",
    "msclkid",
    "yclid",
];

fn evaluate(page: &Page) -> Outcome {
    let internal = page.links().iter().filter_map(|link| match &link.target {
        LinkTarget::Internal(url) => Some((link, url)),
        _ => None,
    });
    let mut targets = OfTargets::default();
    Outcome::for_each(internal, |(link, url)| {
        let is_clean = targets.get(link, || tracking_parameter(url).is_none());
        let Some(name) = Some(url)
            .filter(|_| !is_clean)
            .and_then(|url| tracking_parameter(url))
        else {
            return Verdict::Pass;
        };
        Verdict::Fail(
            page.element(link.node)
                .map_or_else(Evidence::here, Evidence::node)
                .message(format!(
                    "The internal link to {url} has the parameter `{name}`."
                ))
                .cause(
                    name.to_ascii_lowercase(),
                    format!("Internal links with the parameter {name}"),
                ),
        )
    })
}

fn tracking_parameter(url: &Url) -> Option<String> {
    let path_parameter = url
        .path()
        .split(';')
        .skip(1)
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(name, _)| name.eq_ignore_ascii_case("jsessionid"))
        .map(|(name, _)| name.to_owned());
    path_parameter.or_else(|| {
        url.query_pairs()
            .map(|(name, _)| name)
            .find(|name| is_tracking_name(name))
            .map(|name| name.into_owned())
    })
}

fn is_tracking_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.contains(&name.as_str())
        || name.starts_with("aspsessionid")
        || name
            .strip_prefix("utm_")
            .is_some_and(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn clean_links_pass() {
        assert_passes(
            &URL_SESSION_OR_TRACKING,
            "<a href='/a?page=2&sid=5&utm=1'>a</a>",
        );
    }

    #[test]
    fn session_campaign_and_click_parameters_fail() {
        for href in [
            "/a?utm_source=x",
            "?PHPSESSID=1",
            "/a;jsessionid=0A1B?x=1",
            "/a?x=1&fbclid=2",
            "https://www.example.com/?ASPSESSIONIDQQABCDEF=1",
        ] {
            assert_fails(
                &URL_SESSION_OR_TRACKING,
                &format!("<a href='{href}'>a</a>"),
                1,
            );
        }
    }

    #[test]
    fn campaign_parameters_on_external_links_are_ignored() {
        assert_not_applicable(
            &URL_SESSION_OR_TRACKING,
            "<a href='https://example.org/?utm_source=x'>a</a><a name=x></a>",
        );
    }
}
