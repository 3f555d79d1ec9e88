//! Sitemaps: any octets can be parsed within limits, and the result contains only http URLs.

use audit_engine::gather::sitemap::{
    MAX_LOC_BYTES, MAX_PROBLEMS, MAX_URLS, Sitemap, SitemapKind, judge_lastmod,
};
use chrono::NaiveDate;
use url::Url;

/// Parses a document and inspects all its entries.
pub(crate) fn check_property(bytes: &[u8]) {
    let base = Url::parse("https://example.com/a/sitemap.xml").unwrap();
    let sitemap = Sitemap::parse(bytes, &base);
    assert_eq!(
        sitemap,
        Sitemap::parse(bytes, &base),
        "the same octets say the same"
    );
    assert!(sitemap.entries.len() <= MAX_URLS && sitemap.problems.len() <= MAX_PROBLEMS);
    if matches!(sitemap.kind, SitemapKind::Invalid { .. }) {
        assert!(sitemap.entries.is_empty());
    }
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    for entry in sitemap.entries() {
        assert!(entry.loc.len() <= MAX_LOC_BYTES && entry.line > 0);
        let fits = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
        assert!(entry.url().as_ref().is_none_or(fits), "{entry:?}");
        if let Some(lastmod) = &entry.lastmod {
            let _ = judge_lastmod(lastmod, today);
        }
    }
    assert!(sitemap.problems.iter().all(|problem| problem.line > 0));
}
