//! Static files with a short or missing cache lifetime.

use std::collections::HashMap;

use domain::score::Share;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::measures::bytes::size;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::policy::cache::{Freshness, freshness};
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// Browsers may cache the site's own scripts, style sheets, images and fonts for at least one
    /// day.
    ///
    /// ## Why it matters
    /// Returning visitors, and visitors who open a second page, wait for files that the browser had
    /// already downloaded.
    ///
    /// ## How to fix it
    /// Send `Cache-Control: max-age=31536000, immutable` with files whose name changes when their content changes.
    /// Send `Cache-Control: max-age=86400` or more with all other files.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.css"><p>Open from nine to five.</p></html>
    /// === /site.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    /// Cache-Control: max-age=600
    ///
    /// p { color: navy }
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.5e1d.css"><p>Open from nine to five.</p></html>
    /// === /site.5e1d.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    /// Cache-Control: max-age=31536000, immutable
    ///
    /// p { color: navy }
    /// ```
    ///
    /// ## Limits
    /// The more bytes a second visit transfers again, the more points the check costs; from 1 MiB on, it costs all its
    /// points. The visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// Files with `no-store` or `no-cache` opt out of caching on purpose and are not checked. Files
    /// of other sites are not checked.
    ///
    /// ## Also known as
    /// - Lighthouse: `cache-insight`
    /// - Lighthouse: `uses-long-cache-ttl`
    /// - Common name: Efficient cache policy
    ///
    /// ## References
    /// - RFC 9111, HTTP Caching, section 4.2 Freshness
    /// - Chrome for Developers, Lighthouse: Serve static assets with an efficient cache policy
    CACHE_POLICY_WEAK {
        id: "cache-policy-weak",
        title: "Static files with a short or missing cache lifetime",
        dimension: Performance,
        scope: Resource,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

const DAY_SECONDS: u64 = 86_400;

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 1_024 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let cacheable = site.resources.iter().filter(|resource| {
        resource.internal
            && resource.ok()
            && matches!(
                resource.kind,
                ResourceKind::Script
                    | ResourceKind::Stylesheet
                    | ResourceKind::Image
                    | ResourceKind::Background
                    | ResourceKind::Font
            )
    });
    let mut wasted = HashMap::new();
    for resource in cacheable {
        let outcome = evaluate_lifetime(resource);
        if verdicts.record(resource.url.as_str(), outcome) {
            wasted.insert(resource.id, resource.wire_bytes);
        }
    }
    let wasted = wasted_by_visit(site, |_| 0, &wasted);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}

fn evaluate_lifetime(resource: &ResourceFacts) -> Outcome {
    let message = match freshness(&resource.headers) {
        Freshness::Refused => return Outcome::NotApplicable,
        Freshness::Unknown => {
            return Outcome::CannotTell(
                "The response has an Expires header but no Date header to measure it from.",
            );
        }
        Freshness::Seconds(seconds) if seconds >= DAY_SECONDS => return Outcome::Passed,
        Freshness::Seconds(seconds) => format!(
            "The cache lifetime of the file is {} seconds; expected at least one day ({} seconds). A later visit transfers its {} again.",
            grouped(seconds),
            grouped(DAY_SECONDS),
            size(resource.wire_bytes)
        ),
        Freshness::Unstated => {
            format!(
                "The response declares no cache lifetime; expected at least one day, `Cache-Control: max-age=86400`. A later visit may transfer its {} again.",
                size(resource.wire_bytes)
            )
        }
    };
    let header = resource
        .headers
        .get("cache-control")
        .map_or_else(Evidence::here, |value| {
            Evidence::header("Cache-Control", value)
        });
    Outcome::failed(vec![header.message(message)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn audited(header: &str) -> (u64, u64) {
        let site = format!(
            "=== /\n<img src=/a.png>\n=== /a.png\nHTTP/1.1 200 OK\nContent-Type: image/png\n{header}\n\nx"
        );
        let tallied = audit(&CACHE_POLICY_WEAK, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn one_day_passes_and_less_fails() {
        assert_eq!(audited("Cache-Control: public, max-age=86400"), (1, 0));
        assert_eq!(audited("Cache-Control: max-age=86399"), (1, 1));
        assert_eq!(audited("Expires: 0"), (1, 1));
    }

    #[test]
    fn an_undeclared_lifetime_fails() {
        assert_eq!(audited("ETag: \"x\""), (1, 1));
    }

    #[test]
    fn the_bytes_that_a_later_visit_transfers_are_told() {
        let message = |header: &str| {
            let site = format!(
                "=== /\n<img src=/a.png>\n=== /a.png\nHTTP/1.1 200 OK\nContent-Type: image/png\n{header}\n\n%repeat 500 aaaa"
            );
            let found = audit(&CACHE_POLICY_WEAK, &site).findings;
            found[0].occurrences[0].message.clone()
        };
        let size = "its 1 KiB again.";
        assert!(message("Cache-Control: max-age=60").ends_with(size));
        assert!(message("ETag: \"x\"").ends_with(size));
    }

    #[test]
    fn files_that_opt_out_of_caching_are_not_checked() {
        assert_eq!(audited("Cache-Control: no-cache"), (0, 0));
        assert_eq!(audited("Cache-Control: no-store, max-age=0"), (0, 0));
    }

    #[test]
    fn error_responses_and_other_sites_are_not_checked() {
        let site = "=== /\n<img src=/a.png><img src=https://e.org/b.png>\n=== https://e.org/b.png\nHTTP/1.1 200 OK\n\nx";
        assert_eq!(audit(&CACHE_POLICY_WEAK, site).applicable, 0);
    }
}
