//! Sitemaps are valid.

use crate::check::{Evidence, Failures, Outcome, Verdicts};
use crate::common::urls::sitemap_urls::{is_sitemap, is_something_else, line};
use crate::declare_check;
use crate::gather::sitemap::{NAMESPACE, Sitemap, SitemapKind, SitemapProblemKind};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Every sitemap is well-formed XML in the namespace of the sitemap protocol, or a plain list
    /// of URLs. It is UTF-8, it has at least one entry of the right kind (`url` in `urlset`,
    /// `sitemap` in `sitemapindex`), and every entry has an absolute http or https URL.
    ///
    /// ## Why it matters
    /// Search engines stop reading at the first XML error, and skip entries without a valid URL.
    /// They do not learn about the pages in the rest of the file.
    ///
    /// ## How to fix it
    /// Repair the sitemap at the line with the error. Escape `&` as `&amp;`, write absolute URLs, and set
    /// `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` on the root element.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>/</loc></url>
    /// </urlset>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// </urlset>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate elements of other namespaces, such as those for images and news.
    /// RSS and Atom feeds, which some search engines accept, do not count as sitemaps.
    ///
    /// ## Also known as
    /// - Search Console: Parsing error
    /// - Search Console: Incorrect namespace
    /// - Search Console: Invalid URL
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    SITEMAP_INVALID {
        id: "sitemap-invalid",
        title: "Invalid sitemap",
        dimension: Seo,
        scope: Resource,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let usable = site.sitemaps.iter().any(is_sitemap);
    for file in &site.sitemaps {
        let outcome = match (&file.sitemap, file.status) {
            (Some(_), _) if is_something_else(file) => Outcome::NotApplicable,
            (Some(sitemap), _) => evaluate_sitemap(sitemap),
            // If there is no other sitemap, sitemap-missing reports it.
            (None, Some(status @ (404 | 410))) if usable => {
                Outcome::failed(vec![Evidence::here().message(format!(
                    "The sitemap returns status {status}; expected a sitemap file."
                ))])
            }
            (None, _) => Outcome::NotApplicable,
        };
        verdicts.record(file.url.as_str(), outcome);
    }
}

fn evaluate_sitemap(sitemap: &Sitemap) -> Outcome {
    let mut failures = Failures::default();
    if let SitemapKind::Invalid { reason, line: at } = &sitemap.kind {
        let evidence = Evidence {
            line: at.map(line),
            ..Evidence::here()
        };
        failures.push(evidence.message(format!("The file is not a sitemap: {reason}.")));
    }
    failures.extend(sitemap.problems.iter().map(|problem| {
        Evidence {
            line: Some(line(problem.line)),
            ..Evidence::here()
        }
        .message(format!(
            "Line {}: {}.",
            problem.line,
            describe(&problem.kind)
        ))
    }));
    Outcome::from_failures(failures)
}

fn describe(kind: &SitemapProblemKind) -> String {
    let text = match kind {
        SitemapProblemKind::NotUtf8 => "the file is not UTF-8",
        SitemapProblemKind::BrokenGzip => "the gzip data is corrupt",
        SitemapProblemKind::NotWellFormed { reason } => {
            return format!("the XML is not well-formed: {reason}");
        }
        SitemapProblemKind::WrongNamespace { found: Some(found) } => {
            return format!("the namespace is `{found}`; expected `{NAMESPACE}`");
        }
        SitemapProblemKind::WrongNamespace { found: None } => {
            return format!("the root element has no namespace; expected `{NAMESPACE}`");
        }
        SitemapProblemKind::MissingLoc => "the entry has no URL",
        SitemapProblemKind::RelativeLoc => "the URL is not absolute",
        SitemapProblemKind::InvalidLoc => "the URL is not a valid http or https URL",
        SitemapProblemKind::UnknownEntity => {
            "the URL contains an entity reference that XML does not define"
        }
        SitemapProblemKind::LocTooLong => "the URL is too long",
        SitemapProblemKind::WrongEntry { found, expected } => {
            return format!("the entry is a `{found}`; expected `{expected}` in this root element");
        }
        SitemapProblemKind::NoEntries { expected } => {
            return format!("the root element has no entries; expected at least one `{expected}`");
        }
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const NS: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";

    const LOC: &str = "<loc>https://example.com/</loc>";
    const URL: &str = "<url><loc>https://example.com/</loc></url>";

    fn sitemap(body: &str) -> Tallied {
        audit(
            &SITEMAP_INVALID,
            &format!("=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\n{body}"),
        )
    }

    #[test]
    fn url_lists_and_xml_sitemaps_pass() {
        for body in [
            "https://example.com/\n".to_owned(),
            format!("<urlset {NS}><url><loc>https://example.com/?a=1&amp;b</loc></url></urlset>"),
            format!(
                "<?xml version='1.0'?>\n<urlset {NS} xmlns:x='urn:x'><url x:a='1' xml:lang='de'>{LOC}<x:y/></url></urlset>"
            ),
            format!("\n<urlset {NS}>{URL}</urlset>"),
            format!("<urlset {NS}><a xmlns:b='urn:b'><b:c/></a>{URL}</urlset>"),
        ] {
            let tallied = sitemap(&body);
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{body}");
        }
    }

    #[test]
    fn invalid_sitemaps_fail() {
        for body in [
            format!("<urlset {NS}><url><loc>https://example.com/?a=1&b</loc></url></urlset>"),
            format!("<urlset {NS}><url><loc>https://example.com/</loc></url>"),
            format!("<urlset {NS}><url><lastmod>2026</lastmod></url></urlset>"),
            "<urlset><url><loc>https://example.com/</loc></url></urlset>".to_owned(),
            "<opml><body/></opml>".to_owned(),
            format!("\n<?xml version='1.0'?><urlset {NS}>{URL}</urlset>"),
            format!(" <?xml version='1.0'?><urlset {NS}>{URL}</urlset>"),
            format!("<urlset {NS}><url>{LOC}<image:image/></url></urlset>"),
            format!("<urlset {NS}><url x:y='1'>{LOC}</url></urlset>"),
            format!("<urlset {NS}><a:b xmlns:a='urn:a'/><a:b/>{URL}</urlset>"),
            format!("<urlset {NS}><url a='1' a='2'>{LOC}</url></urlset>"),
            format!("<urlset {NS} {NS}>{URL}</urlset>"),
            format!("<urlset {NS}><url a=1>{LOC}</url></urlset>"),
            format!("<urlset {NS}>{URL}<!-- \u{1} --></urlset>"),
            format!("<urlset {NS}>\u{8}{URL}</urlset>"),
            format!("<urlset {NS}></urlset>"),
            format!("<urlset {NS}/>"),
            format!("<urlset {NS}><!-- none yet --></urlset>"),
            format!("<sitemapindex {NS}></sitemapindex>"),
            format!("<sitemapindex {NS}>{URL}</sitemapindex>"),
            format!("<urlset {NS}><sitemap>{LOC}</sitemap>{URL}</urlset>"),
        ] {
            assert_eq!(sitemap(&body).affected, 1, "{body}");
        }
    }

    #[test]
    fn an_html_page_at_the_default_location_is_not_applicable() {
        assert_eq!(
            sitemap("<!doctype html><html lang='en'><title>x</title></html>").applicable,
            0
        );
        assert_eq!(sitemap("").applicable, 0);
    }

    #[test]
    fn a_listed_file_that_returns_404_fails_if_another_sitemap_exists() {
        let site = "=== /\nx\n=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://example.com/a.txt\nSitemap: https://example.com/b.txt\n=== /a.txt\nHTTP/1.1 200 OK\n\nhttps://example.com/";
        let tallied = audit(&SITEMAP_INVALID, site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
    }

    #[test]
    fn a_missing_sitemap_is_not_applicable() {
        assert_eq!(audit(&SITEMAP_INVALID, "=== /\nx").applicable, 0);
    }
}
