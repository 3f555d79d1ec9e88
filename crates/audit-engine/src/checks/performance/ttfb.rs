//! The server answers without delay.

use std::time::Duration;

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page begins to arrive within 600 ms of being asked for. The time is the median of
    /// three requests over a connection that is open already.
    ///
    /// ## Why it matters
    /// Nothing of a page can be shown before its first byte is there, so every visitor waits for
    /// this time on every page.
    ///
    /// ## How to fix it
    /// Look at what the server does before it answers: slow queries, work that could be kept in a
    /// cache, calls to other services. Serve pages that are the same for everybody from a cache or
    /// a content delivery network.
    ///
    /// ## Example
    /// ```http
    /// HTTP/2 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// :first-byte-ms: 900
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/2 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// :first-byte-ms: 120
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The time includes the way from the audit to the server, and differs from one audit to the
    /// next; it is information and not part of the score.
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Reduce initial server response time
    TTFB {
        id: "ttfb",
        title: "The server takes long to answer",
        dimension: Performance,
        scope: Origin,
        severity: Info,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// Longest time to the first byte.
const GOOD: Duration = Duration::from_millis(600);

fn evaluate(site: &Site) -> Outcome {
    let mut samples = site.probes.first_byte.clone();
    samples.sort();
    let Some(median) = samples.get(samples.len() / 2) else {
        return Outcome::CannotTell("the start page was not timed");
    };
    Outcome::of(*median <= GOOD, || {
        Evidence::here().message(format!(
            "The first byte came after {} ms; at most 600 ms are expected.",
            grouped(median.as_millis())
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn affected(millis: u32) -> u64 {
        let site =
            format!("=== /\nHTTP/2 200 OK\nContent-Type: text/html\n:first-byte-ms: {millis}\n\nx");
        audit(&TTFB, &site).affected
    }

    #[test]
    fn six_hundred_milliseconds_pass_and_more_fail() {
        assert_eq!((affected(600), affected(601)), (0, 1));
    }
}
