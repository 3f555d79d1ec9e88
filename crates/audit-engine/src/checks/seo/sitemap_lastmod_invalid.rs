//! Dates in sitemaps are valid.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::urls::sitemap_urls::{is_sitemap, line};
use crate::declare_check;
use crate::gather::sitemap::{LastmodState, judge_lastmod};
use crate::site::Site;
use chrono::NaiveDate;

declare_check! {
    /// ## What it checks
    /// Every `lastmod` is a date in the W3C format: `2026-11-20`, or with time and time zone
    /// `2026-11-20T08:30:00+01:00`. An empty `lastmod` is not a date.
    ///
    /// ## Why it matters
    /// Search engines use the date to decide which pages to crawl again. They ignore dates that
    /// they cannot parse, and ignore all `lastmod` values if too many are wrong.
    ///
    /// ## How to fix it
    /// Write dates as `YYYY-MM-DD`. If the generator does not know when a page changed, omit
    /// `lastmod`.
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
    /// <url><loc>https://example.com/times</loc><lastmod>20 November 2026</lastmod></url>
    /// </urlset>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
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
    /// <url><loc>https://example.com/times</loc><lastmod>2026-11-20</lastmod></url>
    /// </urlset>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the date is correct or in the future.
    ///
    /// ## Also known as
    /// - Search Console: Invalid date
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - W3C Note, Date and Time Formats
    SITEMAP_LASTMOD_INVALID {
        id: "sitemap-lastmod-invalid",
        title: "Invalid lastmod dates in the sitemap",
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
        let dated = file
            .sitemap
            .iter()
            .flat_map(|sitemap| sitemap.entries())
            .filter_map(|entry| Some((entry, entry.lastmod?)));
        let verdicts_of_dates = dated.map(|(entry, lastmod)| {
            // With the maximum date as today, no date is in the future.
            let state = judge_lastmod(lastmod.trim(), NaiveDate::MAX);
            Verdict::pass_if(state != LastmodState::Malformed, || {
                Evidence::line(line(entry.line), entry.loc).message(format!(
                    "The lastmod is `{lastmod}`; expected a date in the W3C format."
                ))
            })
        });
        let empty = file
            .sitemap
            .iter()
            .flat_map(|sitemap| &sitemap.empty_lastmods)
            .map(|at| {
                let evidence = Evidence {
                    line: Some(line(*at)),
                    ..Evidence::here()
                };
                Verdict::Fail(
                    evidence.message("The lastmod is empty; expected a date in the W3C format."),
                )
            });
        let outcome = Outcome::for_each(verdicts_of_dates.chain(empty), |verdict| verdict);
        verdicts.record(file.url.as_str(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn dated(lastmod: &str) -> Tallied {
        audit(
            &SITEMAP_LASTMOD_INVALID,
            &format!(
                "=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc>{lastmod}</url></urlset>"
            ),
        )
    }

    #[test]
    fn dates_in_the_w3c_format_pass() {
        for date in ["2026", "2026-11-20", "2026-11-20T08:30Z", "2999-01-01"] {
            let tallied = dated(&format!("<lastmod>{date}</lastmod>"));
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{date}");
        }
    }

    #[test]
    fn other_dates_fail() {
        for date in ["20.11.2026", "2026-13-01", "2026-11-20 08:30", "yesterday"] {
            assert_eq!(
                dated(&format!("<lastmod>{date}</lastmod>")).affected,
                1,
                "{date}"
            );
        }
    }

    #[test]
    fn an_empty_date_fails() {
        for empty in [
            "<lastmod/>",
            "<lastmod></lastmod>",
            "<lastmod> \n </lastmod>",
        ] {
            assert_eq!(dated(empty).affected, 1, "{empty}");
        }
    }

    #[test]
    fn a_sitemap_without_dates_is_not_applicable() {
        assert_eq!(dated("").applicable, 0);
    }
}
