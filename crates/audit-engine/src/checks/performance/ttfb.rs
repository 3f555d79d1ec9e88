//! A slow server response time.

use std::time::Duration;

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The first byte of the start page arrives within 600 ms of the request. The time is the
    /// median of three requests over an open connection.
    ///
    /// ## Why it matters
    /// The browser can show nothing before the first byte arrives, so every visitor waits for this
    /// time on every page.
    ///
    /// ## How to fix it
    /// Profile the server's work before it responds: slow queries, results that it could cache,
    /// calls to other services. Serve pages that are the same for all visitors from a cache or a
    /// content delivery network.
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
    /// The time includes the network latency between the audit and the server, and it varies
    /// between audits. It is information and not part of the score.
    ///
    /// ## Also known as
    /// - Lighthouse: `server-response-time`
    /// - Lighthouse: `document-latency-insight`
    /// - Common name: Time to First Byte
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Reduce initial server response time
    TTFB {
        id: "ttfb",
        title: "Slow server response time (TTFB)",
        dimension: Performance,
        scope: Origin,
        severity: Info,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// The longest time to the first byte that passes.
const GOOD: Duration = Duration::from_millis(600);

fn evaluate(site: &Site) -> Outcome {
    let mut samples = site.probes.first_byte.clone();
    samples.sort();
    let Some(median) = samples.get(samples.len() / 2) else {
        return Outcome::CannotTell("The response time of the start page was not measured.");
    };
    Outcome::pass_if(*median <= GOOD, || {
        Evidence::here().message(format!(
            "The first byte arrived after {} ms; expected at most 600 ms.",
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
