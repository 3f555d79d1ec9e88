//! Very large script files.

use std::collections::HashMap;

use domain::score::Share;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::measures::bytes::size;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No script file transfers more than 250 KiB.
    ///
    /// ## Why it matters
    /// The browser has to download, parse and run a script before the page responds to input. On an
    /// ordinary phone a large script blocks taps for seconds.
    ///
    /// ## How to fix it
    /// Divide the script so that each page loads only the code it uses, remove libraries that you rarely use, and
    /// enable compression.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/large.js" defer></script><p>Open from nine to five.</p></html>
    /// === /large.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// %repeat 40000 harbour;
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/small.js" defer></script><p>Open from nine to five.</p></html>
    /// === /small.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// %repeat 400 harbour;
    /// ```
    ///
    /// ## Limits
    /// The bytes beyond 250 KiB of each script count. The more of them one visit transfers, the more points the check
    /// costs; from 1 MiB on, it costs all its points. The visit is one of the start page or of the average page,
    /// whichever wastes more.
    ///
    /// The transfer size counts: the compressed size of files that are sent compressed. Scripts
    /// that other scripts load are not seen.
    ///
    /// ## Also known as
    /// - Common name: Large JavaScript bundle
    /// - Common name: Excessive JavaScript payload
    ///
    /// ## References
    /// - web.dev, Reduce JavaScript payloads with code splitting
    JS_TOO_HEAVY {
        id: "js-too-heavy",
        title: "JavaScript file larger than 250 KiB",
        dimension: Performance,
        scope: Resource,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The most bytes that a script may transfer.
pub(crate) const MOST_BYTES: u64 = 250 * 1_024;

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 1_024 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let scripts = site
        .resources
        .iter()
        .filter(|resource| resource.kind == ResourceKind::Script && resource.ok());
    let mut wasted = HashMap::new();
    for resource in scripts {
        let bytes = resource.wire_bytes;
        let outcome = Outcome::pass_if(bytes <= MOST_BYTES, || {
            Evidence::here().message(format!(
                "The script transfers {}; expected at most {}.",
                size(bytes),
                size(MOST_BYTES)
            ))
        });
        if verdicts.record(resource.url.as_str(), outcome) {
            wasted.insert(resource.id, bytes.saturating_sub(MOST_BYTES));
        }
    }
    let wasted = wasted_by_visit(site, |_| 0, &wasted);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn audited(bytes: u64) -> (u64, u64) {
        let site = format!(
            "=== /\n<script src=/a defer></script>\n=== /a\nHTTP/1.1 200 OK\n\n%repeat {bytes} x"
        );
        let tallied = audit(&JS_TOO_HEAVY, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn the_limit_passes_and_one_byte_more_fails() {
        assert_eq!(audited(MOST_BYTES), (1, 0));
        assert_eq!(audited(MOST_BYTES + 1), (1, 1));
    }

    #[test]
    fn error_responses_are_not_checked() {
        let site = "=== /\n<script src=/gone defer></script>";
        assert_eq!(audit(&JS_TOO_HEAVY, site).applicable, 0);
    }
}
