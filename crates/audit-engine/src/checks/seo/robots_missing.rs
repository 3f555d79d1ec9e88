//! The site has a robots.txt.

use crate::address::at_origin;
use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::{Probe, Site};

declare_check! {
    /// ## What it checks
    /// The origin of the start page answers `/robots.txt` with a file, not with 404 or 410.
    ///
    /// ## Why it matters
    /// Crawlers ask for it before anything else. Without it they may visit everything, which is
    /// allowed, but the site cannot point them to its sitemap.
    ///
    /// ## How to fix it
    /// Put a text file at `/robots.txt`. `User-agent: *`, `Allow: /` and a `Sitemap:` line with
    /// the whole URL of the sitemap are enough.
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
    /// This is information and not part of the score: a site without the file is valid. Other answers than success, 404 and 410
    /// are not judged here.
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.3.1.3
    ROBOTS_MISSING {
        id: "robots-missing",
        title: "The site has no robots.txt",
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
                .message(format!("robots.txt answers {status}.")),
        ]),
        Some(_) => Outcome::CannotTell("robots.txt answers neither with a file nor with 404."),
        None => Outcome::CannotTell("robots.txt did not answer."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn answers(status: u16) -> Tallied {
        audit(
            &ROBOTS_MISSING,
            &format!("=== /\nx\n=== /robots.txt\nHTTP/1.1 {status} X\n\n"),
        )
    }

    #[test]
    fn a_file_passes_even_if_it_is_empty() {
        assert_eq!((answers(200).applicable, answers(200).affected), (1, 0));
    }

    #[test]
    fn none_fails() {
        assert_eq!(answers(404).affected, 1);
        assert_eq!(answers(410).affected, 1);
    }

    #[test]
    fn a_refusal_is_not_judged() {
        assert_eq!(answers(403).applicable, 0);
    }
}
