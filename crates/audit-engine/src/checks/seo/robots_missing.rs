//! The site has a robots.txt.

use crate::address::at_origin;
use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::{Probe, Site};

declare_check! {
    /// ## What it checks
    /// The origin of the start page returns a file for `/robots.txt`, not status 404 or 410.
    ///
    /// ## Why it matters
    /// Crawlers request this file first. Without it they may crawl every URL, which is allowed, but the site cannot
    /// announce its sitemap in robots.txt.
    ///
    /// ## How to fix it
    /// Put a text file at `/robots.txt`. `User-agent: *`, `Allow: /` and, if there is a sitemap, `Sitemap:
    /// https://example.com/sitemap.xml` are sufficient.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
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
    /// Allow: /
    /// Sitemap: https://example.com/sitemap.xml
    /// ```
    ///
    /// ## Limits
    /// This finding is informational and not part of the score: a site without the file is valid. The check does
    /// not evaluate responses other than success, 404 and 410.
    ///
    /// ## Also known as
    /// - Semrush: Robots.txt not found
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.3.1.3
    ROBOTS_MISSING {
        id: "robots-missing",
        title: "Missing robots.txt",
        dimension: Seo,
        scope: Origin,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let answer = site.probes.robots_txt.as_ref().and_then(Probe::answer);
    match answer.map(|answer| answer.status) {
        Some(200..=299) => Outcome::Passed,
        Some(status @ (404 | 410)) => Outcome::failed(vec![
            Evidence::here()
                .at(at_origin(&site.start, "/robots.txt"))
                .message(format!(
                    "/robots.txt returns status {status}; expected a file with rules."
                )),
        ]),
        Some(_) => {
            Outcome::CannotTell("/robots.txt returns neither a success status nor 404 or 410.")
        }
        None => Outcome::CannotTell("The request for /robots.txt got no response."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn audit_status(status: u16) -> Tallied {
        audit(
            &ROBOTS_MISSING,
            &format!("=== /\nx\n=== /robots.txt\nHTTP/1.1 {status} X\n\n"),
        )
    }

    #[test]
    fn an_empty_file_passes() {
        assert_eq!(
            (audit_status(200).applicable, audit_status(200).affected),
            (1, 0)
        );
    }

    #[test]
    fn status_404_and_410_fail() {
        assert_eq!(audit_status(404).affected, 1);
        assert_eq!(audit_status(410).affected, 1);
    }

    #[test]
    fn status_403_is_not_applicable() {
        assert_eq!(audit_status(403).applicable, 0);
    }
}
