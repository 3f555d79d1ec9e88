//! Very large scripts.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::bytes::size;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No script file transfers more than 250 KiB.
    ///
    /// ## Why it matters
    /// A script has to be loaded, read and run before the page reacts. On an ordinary phone a large one
    /// keeps the page deaf to taps for seconds.
    ///
    /// ## How to fix it
    /// Split the script so that each page loads only what it uses, remove libraries that are hardly used,
    /// and switch compression on.
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
    /// Bytes count as they travel, compressed where they are. Scripts that scripts load are not seen.
    ///
    /// ## References
    /// - web.dev, Reduce JavaScript payloads with code splitting
    JS_TOO_HEAVY {
        id: "js-too-heavy",
        title: "Very large scripts",
        dimension: Performance,
        scope: Resource,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// Bytes that a script may transfer.
const MOST_BYTES: u64 = 250 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let judged = site
        .resources
        .iter()
        .filter(|resource| resource.kind == ResourceKind::Script && resource.ok());
    for resource in judged {
        let bytes = resource.wire_bytes;
        let outcome = Outcome::of(bytes <= MOST_BYTES, || {
            Evidence::here().message(format!(
                "The script transfers {}; expected are at most {}.",
                size(bytes),
                size(MOST_BYTES)
            ))
        });
        verdicts.judge(resource.url.as_str(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn judged(bytes: u64) -> (u64, u64) {
        let site = format!(
            "=== /\n<script src=/a defer></script>\n=== /a\nHTTP/1.1 200 OK\n\n%repeat {bytes} x"
        );
        let tallied = audit(&JS_TOO_HEAVY, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn the_limit_passes_and_one_byte_more_fails() {
        assert_eq!(judged(MOST_BYTES), (1, 0));
        assert_eq!(judged(MOST_BYTES + 1), (1, 1));
    }

    #[test]
    fn missing_files_are_not_judged() {
        let site = "=== /\n<script src=/gone defer></script>";
        assert_eq!(audit(&JS_TOO_HEAVY, site).applicable, 0);
    }
}
