//! Sitemaps list URLs of their own site.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::urls::sitemap_urls::{is_sitemap, line};
use crate::declare_check;
use crate::gather::sitemap::SitemapEntry;
use crate::site::Site;
use url::Url;

declare_check! {
    /// ## What it checks
    /// Every URL in a sitemap is on the host of the site, with or without `www`.
    ///
    /// ## Why it matters
    /// Search engines ignore entries for hosts that the sitemap does not belong to. If all URLs are
    /// on another host, the base URL of the generator is usually wrong.
    ///
    /// ## How to fix it
    /// Set the base URL of the sitemap generator to the host of the site, or remove the entries.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// <url><loc>https://example.org/times</loc></url>
    /// </urlset>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// <url><loc>https://example.com/times</loc></url>
    /// </urlset>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// The check does not verify whether another site permits the sitemap by listing it in its own
    /// robots.txt. It does not evaluate a sitemap of a site on loopback that lists only URLs on
    /// other hosts, as a local copy of a published site does. It does not compare URLs with the
    /// folder of the sitemap.
    ///
    /// ## Also known as
    /// - Search Console: URL not allowed
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format, sitemap file location
    /// - sitemaps.org, Sitemaps and cross submits
    SITEMAP_URL_OFF_HOST {
        id: "sitemap-url-off-host",
        title: "Sitemap URLs on another host",
        dimension: Seo,
        scope: Resource,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for file in site.sitemaps.iter().filter(|file| is_sitemap(file)) {
        let entries: Vec<(SitemapEntry<'_>, Url)> = file
            .sitemap
            .iter()
            .filter(|sitemap| !sitemap.is_index())
            .flat_map(|sitemap| sitemap.entries())
            .filter_map(|entry| Some((entry, entry.url()?)))
            .collect();
        let is_off = |url: &Url| !site.key.contains(url);
        if site.loopback && entries.iter().all(|(_, url)| is_off(url)) {
            continue;
        }
        let outcome = Outcome::for_each(entries, |(entry, url)| {
            Verdict::pass_if(!is_off(&url), || {
                Evidence::line(line(entry.line), entry.loc).message(format!(
                    "The sitemap lists {url}, which is not on the host of the site."
                ))
            })
        });
        verdicts.record(file.url.as_str(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    fn sitemap(urls: &str) -> String {
        format!("=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\n{urls}")
    }

    #[test]
    fn urls_of_the_site_pass() {
        let tallied = audit(
            &SITEMAP_URL_OFF_HOST,
            &sitemap("https://example.com/\nhttp://www.example.com/a"),
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn urls_of_another_site_fail() {
        let tallied = audit(
            &SITEMAP_URL_OFF_HOST,
            &sitemap("https://example.com/\nhttps://docs.example.com/a"),
        );
        assert_eq!(
            (tallied.affected, tallied.findings[0].occurrences[0].line),
            (1, Some(2))
        );
    }

    #[test]
    fn a_local_copy_of_a_published_site_is_not_applicable() {
        let site = "=== http://127.0.0.1/\nx\n=== http://127.0.0.1/sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://docs.example.org/\n";
        assert_eq!(
            audit_from(&SITEMAP_URL_OFF_HOST, "http://127.0.0.1/", site).applicable,
            0
        );
        let mixed = format!("{site}http://127.0.0.1/");
        assert_eq!(
            audit_from(&SITEMAP_URL_OFF_HOST, "http://127.0.0.1/", &mixed).affected,
            1
        );
    }

    #[test]
    fn entries_of_a_sitemap_index_are_ignored() {
        let index = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>https://cdn.example.org/s.xml</loc></sitemap></sitemapindex>";
        assert_eq!(audit(&SITEMAP_URL_OFF_HOST, &sitemap(index)).affected, 0);
    }
}
