//! Files that browsers fetch again too soon.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::policy::cache::{Freshness, freshness};
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// The site's own scripts, style sheets, images and fonts may be kept by browsers for at least a
    /// day.
    ///
    /// ## Why it matters
    /// A visitor who comes back, or goes on to the next page, waits for files that the browser already
    /// had.
    ///
    /// ## How to fix it
    /// Send `Cache-Control: max-age=31536000, immutable` with files whose name changes when their
    /// content does, and `Cache-Control: max-age=86400` or more with the others.
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
    /// Files that ask not to be stored, or to be checked each time, do so on purpose and are not
    /// judged. Files of other sites are not judged.
    ///
    /// ## References
    /// - RFC 9111, HTTP Caching, section 4.2 Freshness
    /// - Chrome for Developers, Lighthouse: Serve static assets with an efficient cache policy
    CACHE_POLICY_WEAK {
        id: "cache-policy-weak",
        title: "Browsers fetch files again too soon",
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

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let judged = site.resources.iter().filter(|resource| {
        resource.internal
            && resource.ok()
            && matches!(
                resource.kind,
                ResourceKind::Script
                    | ResourceKind::Stylesheet
                    | ResourceKind::Image
                    | ResourceKind::Font
            )
    });
    for resource in judged {
        verdicts.judge(resource.url.as_str(), judge(resource));
    }
}

fn judge(resource: &ResourceFacts) -> Outcome {
    let message = match freshness(&resource.headers) {
        Freshness::Refused => return Outcome::NotApplicable,
        Freshness::Unknown => {
            return Outcome::CannotTell("An answer has Expires and no Date to count from.");
        }
        Freshness::Seconds(seconds) if seconds >= DAY_SECONDS => return Outcome::Passed,
        Freshness::Seconds(seconds) => format!(
            "The file may be kept for {} seconds; at least a day, {} seconds, is expected.",
            grouped(seconds),
            grouped(DAY_SECONDS)
        ),
        Freshness::Unstated => {
            "The response does not say how long the file may be kept; at least a day is expected."
                .to_owned()
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

    fn judged(header: &str) -> (u64, u64) {
        let site = format!(
            "=== /\n<img src=/a.png>\n=== /a.png\nHTTP/1.1 200 OK\nContent-Type: image/png\n{header}\n\nx"
        );
        let tallied = audit(&CACHE_POLICY_WEAK, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_day_passes_and_less_fails() {
        assert_eq!(judged("Cache-Control: public, max-age=86400"), (1, 0));
        assert_eq!(judged("Cache-Control: max-age=86399"), (1, 1));
        assert_eq!(judged("Expires: 0"), (1, 1));
    }

    #[test]
    fn silence_fails() {
        assert_eq!(judged("ETag: \"x\""), (1, 1));
    }

    #[test]
    fn files_that_are_checked_on_purpose_are_not_judged() {
        assert_eq!(judged("Cache-Control: no-cache"), (0, 0));
        assert_eq!(judged("Cache-Control: no-store, max-age=0"), (0, 0));
    }

    #[test]
    fn errors_and_other_sites_are_not_judged() {
        let site = "=== /\n<img src=/a.png><img src=https://e.org/b.png>\n=== https://e.org/b.png\nHTTP/1.1 200 OK\n\nx";
        assert_eq!(audit(&CACHE_POLICY_WEAK, site).applicable, 0);
    }
}
