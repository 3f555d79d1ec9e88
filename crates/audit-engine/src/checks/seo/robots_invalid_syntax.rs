//! robots.txt has no syntax errors.

use crate::address::at_origin;
use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::gather::robots::RobotsIssueKind;
use crate::site::{Probe, Site};

declare_check! {
    /// ## What it checks
    /// Every rule in robots.txt follows a `User-agent` line, every pattern begins with `/` or `*`,
    /// every `Sitemap` is an absolute URL, every line has the form `field: value`, no line is longer
    /// than the 16,663 bytes that Googlebot reads, and the file is UTF-8.
    ///
    /// ## Why it matters
    /// Crawlers ignore lines that they cannot parse. A rule that should block them, or the URL of
    /// the sitemap, is lost without an error message.
    ///
    /// ## How to fix it
    /// Correct the lines of robots.txt that crawlers cannot read: `Disallow: /private/` instead of `Disallow:
    /// private`, and `Sitemap: https://example.com/sitemap.xml` instead of a path.
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
    /// Disallow: private
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
    /// Disallow: /private
    /// ```
    ///
    /// ## Limits
    /// Fields that RFC 9309 does not define, such as `Crawl-delay`, `Host`, `Clean-param` or
    /// `Content-Signal`, are not errors. The check does not evaluate whether the rules block the
    /// intended URLs.
    ///
    /// ## Also known as
    /// - Lighthouse: `robots-txt`
    /// - Common name: Invalid robots.txt
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2
    /// - Lighthouse audit robots-txt
    ROBOTS_INVALID_SYNTAX {
        id: "robots-invalid-syntax",
        title: "Syntax errors in robots.txt",
        dimension: Seo,
        scope: Origin,
        severity: Moderate,
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
    let url = at_origin(&site.start, "/robots.txt");
    if is_markup(site) {
        return Outcome::failed(vec![Evidence::here().at(url).message(
            "The response to /robots.txt is markup; expected a text file with rules.",
        )]);
    }
    let failures = robots.issues().iter().filter_map(|issue| {
        let message = describe(issue.kind)?;
        Some(
            Evidence::line(u32::try_from(issue.line).unwrap_or(u32::MAX), &issue.text)
                .at(url.as_str())
                .message(format!("Line {} {message}.", issue.line)),
        )
    });
    Outcome::from_failures(failures.collect())
}

/// Whether the response is markup. A server that returns the same page for every URL also returns it
/// for /robots.txt.
fn is_markup(site: &Site) -> bool {
    let body = site
        .probes
        .robots_txt
        .as_ref()
        .and_then(Probe::success)
        .map(|answer| &answer.body);
    body.is_some_and(|body| body.trim_ascii_start().starts_with(b"<"))
}

const fn describe(kind: RobotsIssueKind) -> Option<&'static str> {
    match kind {
        RobotsIssueKind::RuleBeforeGroup => Some("is a rule before any User-agent line"),
        RobotsIssueKind::NoProductToken => Some("is a User-agent line without a name"),
        RobotsIssueKind::PatternStart => Some("has a pattern that does not begin with / or *"),
        RobotsIssueKind::SitemapUrl => Some("has a Sitemap that is not an absolute URL"),
        RobotsIssueKind::NoColon => Some("has no colon"),
        RobotsIssueKind::NotUtf8 => Some("is not UTF-8"),
        RobotsIssueKind::TooLong => {
            Some("is longer than the 16,663 bytes that Googlebot reads of a line")
        }
        // Crawl-delay is not part of RFC 9309, so its value is not evaluated.
        RobotsIssueKind::CrawlDelay => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn robots(text: &str) -> Tallied {
        audit(
            &ROBOTS_INVALID_SYNTAX,
            &format!(
                "=== /\nx\n=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\n{text}"
            ),
        )
    }

    #[test]
    fn fields_that_the_standard_does_not_define_pass() {
        let text = "# note\nUser-agent: *\nDisallow:\nCrawl-delay: soon\nHost: a\nClean-param: x /y\nContent-Signal: ai-train=no\nSitemap: https://example.com/s.xml\n";
        let tallied = robots(text);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn each_invalid_line_is_an_occurrence() {
        let tallied = robots("Disallow: /a\nUser-agent: *\nDisallow: b\nhello\nSitemap: /s.xml\n");
        let lines: Vec<_> = tallied.findings[0]
            .occurrences
            .iter()
            .map(|o| o.line)
            .collect();
        assert_eq!(lines, [Some(1), Some(3), Some(4), Some(5)]);
    }

    #[test]
    fn an_html_page_instead_of_the_file_is_one_occurrence() {
        let tallied = robots("\n<!doctype html>\n<title>App</title>\n<div id=root></div>");
        assert_eq!(tallied.findings[0].occurrences.len(), 1);
    }

    #[test]
    fn a_missing_robots_txt_is_not_applicable() {
        assert_eq!(audit(&ROBOTS_INVALID_SYNTAX, "=== /\nx").applicable, 0);
    }
}
