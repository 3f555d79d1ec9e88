//! robots.txt does not exceed the size that crawlers read.

use crate::address::at_origin;
use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::gather::robots::MAX_BYTES;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// robots.txt has no more than 512,000 bytes.
    ///
    /// ## Why it matters
    /// Crawlers may stop reading at 500 KiB. They ignore all rules after that point, so they crawl
    /// pages that robots.txt should block.
    ///
    /// ## How to fix it
    /// Replace long lists of single URLs with patterns such as `Disallow: /*?sort=`, and use
    /// `noindex` to remove pages from search results.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// %repeat 20000 Disallow: /timetables/of/years/long/gone
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Disallow: /timetables/of/years/
    /// ```
    ///
    /// ## Limits
    /// The limit is the minimum that RFC 9309 requires of crawlers; some read more.
    ///
    /// ## Also known as
    /// - Common name: robots.txt size limit
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.5
    ROBOTS_TOO_LARGE {
        id: "robots-too-large",
        title: "robots.txt is larger than 500 KiB",
        dimension: Seo,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(robots) = site.robots.robots() else {
        return Outcome::NotApplicable;
    };
    Outcome::pass_if(!robots.is_truncated(), || {
        Evidence::here()
            .at(at_origin(&site.start, "/robots.txt"))
            .message(format!(
                "robots.txt is larger than {} bytes.",
                grouped(MAX_BYTES)
            ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_small_file_passes_and_a_missing_file_is_not_applicable() {
        let site = "=== /\nx\n=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *";
        let tallied = audit(&ROBOTS_TOO_LARGE, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
        assert_eq!(audit(&ROBOTS_TOO_LARGE, "=== /\nx").applicable, 0);
    }

    #[test]
    fn a_file_one_byte_over_the_limit_fails() {
        let file = |bytes: usize| {
            format!(
                "=== /\nx\n=== /robots.txt\nHTTP/1.1 200 OK\n\n#{}",
                "x".repeat(bytes - 1)
            )
        };
        assert_eq!(audit(&ROBOTS_TOO_LARGE, &file(512_000)).affected, 0);
        assert_eq!(audit(&ROBOTS_TOO_LARGE, &file(512_001)).affected, 1);
    }
}
