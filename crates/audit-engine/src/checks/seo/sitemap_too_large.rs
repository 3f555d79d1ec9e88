//! Sitemaps do not exceed the limits of the protocol.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::urls::sitemap_urls::is_sitemap;
use crate::declare_check;
use crate::gather::sitemap::Sitemap;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No sitemap lists more than 50,000 URLs, no sitemap index lists more than 50,000 sitemaps, and no file is
    /// larger than 50 MiB (52,428,800 bytes) uncompressed.
    ///
    /// ## Why it matters
    /// Search engines reject a larger sitemap, or stop reading at the limit. They do not learn about the pages
    /// after it.
    ///
    /// ## How to fix it
    /// Divide the sitemap into several files, list them in a sitemap index, and list the index in robots.txt.
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
    /// %repeat 50001 <url><loc>https://example.com/</loc></url>
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
    /// Entries without a valid URL count, and a URL that is listed twice counts twice. The check does not
    /// evaluate files whose download does not complete in time.
    ///
    /// ## Also known as
    /// - Screaming Frog: Sitemaps: XML Sitemap With Over 50k URLs
    /// - Screaming Frog: Sitemaps: XML Sitemap With Over 50MB
    /// - Search Console: Sitemap file size error
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Build and submit a sitemap
    SITEMAP_TOO_LARGE {
        id: "sitemap-too-large",
        title: "Sitemap exceeds 50,000 entries or 50 MiB",
        dimension: Seo,
        scope: Resource,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for file in site.sitemaps.iter().filter(|file| is_sitemap(file)) {
        if let Some(sitemap) = &file.sitemap {
            verdicts.record(
                file.url.as_str(),
                Outcome::from_failures(exceeded_limits(sitemap).into()),
            );
        }
    }
}

fn exceeded_limits(sitemap: &Sitemap) -> Vec<Evidence> {
    let mut found = Vec::new();
    if sitemap.too_many {
        let entries = if sitemap.is_index() {
            "sitemaps"
        } else {
            "URLs"
        };
        found.push(format!("The file lists more than 50,000 {entries}."));
    }
    if sitemap.too_large {
        found.push("The file is larger than 52,428,800 bytes uncompressed.".to_owned());
    }
    found
        .into_iter()
        .map(|message| Evidence::here().message(message))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};
    use url::Url;

    fn sitemap(body: &str) -> Tallied {
        let site = format!("=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\n{body}");
        audit(&SITEMAP_TOO_LARGE, &site)
    }

    #[test]
    fn a_small_file_passes_and_an_html_page_is_not_applicable() {
        let tallied = sitemap("https://example.com/");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
        assert_eq!(sitemap("<!doctype html><html>").applicable, 0);
    }

    #[test]
    fn an_index_with_too_many_sitemaps_fails() {
        let index = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n%repeat 50001 <sitemap><loc>https://example.com/s</loc></sitemap>\n</sitemapindex>";
        let tallied = sitemap(index);
        assert_eq!(tallied.affected, 1);
        assert!(
            tallied.findings[0].occurrences[0]
                .message
                .contains("50,000 sitemaps")
        );
    }

    #[test]
    fn a_file_at_the_size_limit_passes_and_one_byte_more_fails() {
        let base = Url::parse("https://example.com/sitemap.txt").unwrap();
        let mut bytes = b"https://example.com/\n".to_vec();
        bytes.resize(52_428_800, b' ');
        assert_eq!(exceeded_limits(&Sitemap::parse(&bytes, &base)).len(), 0);
        bytes.push(b' ');
        assert_eq!(exceeded_limits(&Sitemap::parse(&bytes, &base)).len(), 1);
    }
}
