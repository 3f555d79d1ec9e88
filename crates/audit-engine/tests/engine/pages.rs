//! The list of URLs that a run requested, and how action items use it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics on unexpected results"
)]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::check::Check;
use audit_engine::checks;
use audit_engine::{AuditOptions, Auditor};
use chrono::{DateTime, Utc};
use domain::Dimension;
use domain::SubjectKind;
use domain::action::{
    ActionStatus, Change, ObservationMode, RunCoverage, RunFacts, TrackedItem, reconcile,
};
use domain::id::{ReportId, RunId, SiteId};
use domain::report::{AuditResult, CrawlMode, PageVisit, Report, Variant};
use domain::run::Device;
use domain::score::DimensionWeights;
use testkit::{ReplayFetcher, SequentialIds};

fn options() -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        external: false,
        ..AuditOptions::default()
    }
}

fn only(id: &str) -> Option<Vec<&'static Check>> {
    Some(vec![checks::find(id).unwrap()])
}

fn audit_from(start: &str, site: &str, options: AuditOptions) -> AuditResult {
    let fetcher = Arc::new(ReplayFetcher::parse(site).unwrap());
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
    tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit(start))
        .unwrap()
        .result
}

fn audit(site: &str, options: AuditOptions) -> AuditResult {
    audit_from("https://example.com/", site, options)
}

/// A page that is requested in every possible way.
const SITE: &str = "\
=== /robots.txt
HTTP/1.1 200 OK
Content-Type: text/plain

User-agent: *
Disallow: /private
Sitemap: https://example.com/map.xml
=== /map.xml
HTTP/1.1 200 OK
Content-Type: application/xml

<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/listed</loc></url><url><loc>https://example.com/listed-gone</loc></url></urlset>
=== /
<html lang=en><title>The  home
 page</title><h1>Home</h1><img src=/i.png><img src=/j.png>
<a href=/old>old</a><a href=/gone>gone</a><a href=/never>never</a><a href=/broken>b</a>
<a href=/a.pdf>pdf</a><a href=/away>away</a><a href=/loop>loop</a><a href=/private/x>p</a>
<a href=https://example.org/>external</a><a href=/dead>dead</a><a href=\"/a%20b?q=%C3%A4#part\">ab</a>
<iframe src=/frame></iframe>
=== /old
HTTP/1.1 301 Moved
Location: /older

=== /older
HTTP/1.1 302 Found
Location: /new#there

=== /new
<title>New</title><img src=/i.png>
=== /gone
HTTP/1.1 410 Gone

=== /broken
HTTP/1.1 500 Broken

=== /a.pdf
HTTP/1.1 200 OK
Content-Type: application/pdf

x
=== /away
HTTP/1.1 301 Moved
Location: https://example.org/

=== /loop
HTTP/1.1 301 Moved
Location: /pool

=== /pool
HTTP/1.1 301 Moved
Location: /loop

=== /dead
FAILS connect
=== /a%20b?q=%C3%A4
<title>New</title><img src=/k.png><img src=/l.png>
=== /listed
<title>Listed</title>
";

fn visit<'a>(result: &'a AuditResult, url: &str) -> &'a PageVisit {
    result.pages.iter().find(|visit| visit.url == url).unwrap()
}

#[test]
fn exactly_the_requested_urls_are_listed() {
    let result = audit(SITE, options());
    let listed: Vec<String> = result
        .pages
        .iter()
        .map(|visit| {
            let status = visit.status.map_or("-".to_owned(), |s| s.to_string());
            let depth = visit.depth.map_or("-".to_owned(), |d| d.to_string());
            let end = visit.leads_to.as_deref().unwrap_or("-");
            let url = visit.url.strip_prefix("https://example.com").unwrap();
            let end = end.strip_prefix("https://example.com").unwrap_or(end);
            let kind = if visit.audited { "page" } else { "other" };
            format!("{kind} {url} {status} {depth} {end}")
        })
        .collect();
    assert_eq!(
        listed,
        [
            "page / 200 0 -",
            "page /a%20b?q=%C3%A4 200 1 -",
            "page /new 200 1 -",
            "page /listed 200 - -",
            "other /old 301 1 /new",
            "other /gone 410 1 -",
            "other /never 404 1 -",
            "other /broken 500 1 -",
            "other /a.pdf 200 1 -",
            "other /away 301 1 -",
            "other /loop 301 1 -",
            "other /dead - 1 -",
            "other /older 302 1 /new",
            "other /pool 301 1 -",
            "other /listed-gone 404 - -",
        ]
    );
}

#[test]
fn page_facts_are_listed_with_the_page() {
    let result = audit(SITE, options());
    let home = &result.pages[0];
    assert_eq!(home.title.as_deref(), Some("The home page"));
    let body = SITE.split("=== /\n").nth(1).unwrap();
    let body = body.split("\n===").next().unwrap();
    assert_eq!(home.bytes, u64::try_from(body.len()).ok());
    let gone = visit(&result, "https://example.com/gone");
    assert_eq!((gone.title.as_deref(), gone.bytes), (None, None));
}

#[test]
fn redirects_of_the_start_url_are_listed_if_they_are_on_the_site() {
    const MOVED: &str = "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n\n\
         === https://example.com/\nHTTP/1.1 302 Found\nLocation: https://www.example.com/en#top\n\n\
         === https://www.example.com/en\n<p>x <a href=http://example.com/>x</a>\n";
    let result = audit_from("http://example.com/", MOVED, options());
    let listed: Vec<_> = result
        .pages
        .iter()
        .map(|visit| (visit.url.as_str(), visit.depth, visit.leads_to.as_deref()))
        .collect();
    let end = Some("https://www.example.com/en");
    assert_eq!(
        listed,
        [
            ("https://www.example.com/en", Some(0), None),
            ("http://example.com/", Some(0), end),
            ("https://example.com/", Some(0), end),
        ]
    );

    let elsewhere = MOVED.replace("www.example.com", "docs.example.com");
    let result = audit_from("http://example.com/", &elsewhere, options());
    assert_eq!(result.pages.len(), 1, "another host is another site");
}

#[test]
fn the_list_does_not_depend_on_response_times_or_later_requests() {
    let lists = [1, 2, 32].map(|concurrency| {
        let options = AuditOptions {
            concurrency: Some(concurrency),
            ..options()
        };
        audit(SITE, options)
    });
    assert_eq!(lists[0], lists[1]);
    assert_eq!(lists[0], lists[2]);
    // External links that lead back to the site are requested with HEAD.
    let back = format!(
        "{SITE}=== https://example.org/\nHTTP/1.1 301 Moved\nLocation: https://example.com/private/x\n\n"
    );
    let external = AuditOptions {
        external: true,
        only: only("image-alt"),
        ..options()
    };
    let without = AuditOptions {
        only: only("image-alt"),
        ..options()
    };
    assert_eq!(audit(&back, external).pages, audit(&back, without).pages);
}

#[test]
fn listed_urls_are_spelled_as_in_occurrences() {
    let result = audit(SITE, options());
    let places: BTreeSet<&str> = result
        .findings
        .iter()
        .filter(|finding| finding.subject == SubjectKind::Page)
        .flat_map(|finding| finding.occurrences())
        .map(|place| place.url.as_str())
        .collect();
    let is_found_at = |visit: &&PageVisit| places.contains(visit.url.as_str());
    let with_places: Vec<_> = result.pages.iter().filter(is_found_at).collect();
    // Every page has some finding.
    let audited = result.pages.iter().filter(|visit| visit.audited).count();
    assert_eq!(
        with_places.iter().filter(|visit| visit.audited).count(),
        audited
    );
    // No occurrence spells a listed URL differently.
    let listed: BTreeSet<&str> = result
        .pages
        .iter()
        .map(|visit| visit.url.as_str())
        .collect();
    let elsewhere: Vec<_> = places.difference(&listed).collect();
    assert_eq!(
        elsewhere,
        [
            &"https://example.com/map.xml",
            &"https://example.com/private/x"
        ]
    );
}

/// The number of findings on an address; exact if no occurrence was dropped.
fn counted(result: &AuditResult, url: &str, dimensions: &[Dimension]) -> u32 {
    let found = result
        .findings
        .iter()
        .filter(|finding| dimensions.contains(&finding.dimension))
        .filter(|finding| finding.occurrences().any(|place| place.url == url))
        .count();
    u32::try_from(found).unwrap()
}

#[test]
fn each_url_has_the_number_of_its_issues() {
    let external = AuditOptions {
        external: true,
        ..options()
    };
    let result = audit(SITE, external);
    for visit in &result.pages {
        let expected = counted(&result, &visit.url, Variant::Current.dimensions());
        let legacy = counted(&result, &visit.url, Variant::Legacy.dimensions());
        assert_eq!(visit.issues, expected, "{}", visit.url);
        assert_eq!(visit.issues_legacy, legacy, "{}", visit.url);
    }
    let home = &result.pages[0];
    assert!(home.issues > home.issues_legacy && home.issues_legacy > 0);
    // Problems of a URL are reported on the pages that link to it.
    assert_eq!(visit(&result, "https://example.com/gone").issues, 0);
}

/// A site with many pages that each have several images without alt text.
fn flawed(pages: usize, images: usize) -> String {
    let mut site = "=== /\n".to_owned();
    for n in 1..pages {
        site += &format!("<a href=/{n}>{n}</a>");
    }
    for n in 1..pages {
        site += &format!("\n=== /{n}\n{}", "<img src=/i.png>".repeat(images));
    }
    site
}

#[test]
fn issues_without_stored_occurrences_are_counted() {
    let options = AuditOptions {
        only: only("image-alt"),
        max_pages: 2_000,
        ..options()
    };
    let result = audit(&flawed(1_100, 2), options);
    let finding = &result.findings[0];
    assert_eq!(finding.occurrences().count(), 1_000);
    let last = &result.pages[1_099];
    assert!(finding.occurrences().all(|place| place.url != last.url));
    assert_eq!((last.issues, last.issues_legacy), (1, 1));
    assert_eq!(result.pages[0].issues, 0);
    let sum: u32 = result.pages.iter().map(|visit| visit.issues).sum();
    assert_eq!(sum, 1_099);
}

/// The changes that a later audit makes to the action item that an earlier one opened.
fn reconciled(before: &str, after: &str, after_options: AuditOptions) -> Vec<Change> {
    let at = |seconds: i64| -> DateTime<Utc> { DateTime::from_timestamp(seconds, 0).unwrap() };
    let ids = SequentialIds::default();
    let (run_id, report_id) = (RunId::make(&ids), ReportId::make(&ids));
    let site_id = SiteId::make(&ids);
    let coverage_of = |result: &AuditResult| {
        let report = Report::assemble(result, Variant::Current, &DimensionWeights::default());
        let coverage = RunCoverage::from_result(result, &report, Device::Mobile);
        assert_eq!(
            coverage.mode(),
            ObservationMode::new(CrawlMode::Static, Device::Mobile)
        );
        (report, coverage)
    };
    let first = AuditOptions {
        only: only("image-alt"),
        ..options()
    };
    let (report, coverage) = coverage_of(&audit(before, first));
    let facts = |now, coverage| RunFacts {
        run_id: &run_id,
        report_id: &report_id,
        site_id: &site_id,
        started_at: at(now - 10),
        now: at(now),
        coverage,
    };
    let opened = reconcile(&[], &report.issues, &facts(100, &coverage), &ids);
    let [Change::Open(action)] = opened.changes.as_slice() else {
        panic!("{opened:?}");
    };
    let item = TrackedItem {
        id: action.id.clone(),
        check_id: action.audit.check_id.clone(),
        status: ActionStatus::Open,
        resolved_at: None,
        verified_at: None,
        waived_at: None,
        evidence: action.evidence.clone(),
    };
    let later = AuditOptions {
        only: only("image-alt"),
        ..after_options
    };
    let (report, coverage) = coverage_of(&audit(after, later));
    reconcile(&[item], &report.issues, &facts(200, &coverage), &ids).changes
}

const FLAWED: &str = "\
=== /
<a href=/fixed>1</a><a href=/gone>2</a><a href=/moved>3</a>
=== /fixed
<img src=/i.png>
=== /gone
<img src=/i.png>
=== /moved
<img src=/i.png>
";

const REPAIRED: &str = "\
=== /
<a href=/fixed>1</a><a href=/gone>2</a><a href=/moved>3</a>
=== /fixed
<img src=/i.png alt=Plan>
=== /gone
HTTP/1.1 404 Not Found

=== /moved
HTTP/1.1 301 Moved
Location: /twice

=== /twice
HTTP/1.1 308 Moved
Location: /here

=== /here
<img src=/i.png alt=Plan>
";

#[test]
fn an_item_is_closed_when_its_pages_are_fixed_gone_or_moved() {
    let changes = reconciled(FLAWED, REPAIRED, options());
    assert!(
        matches!(changes.as_slice(), [Change::Verify { .. }]),
        "{changes:?}"
    );
}

#[test]
fn an_item_stays_open_if_the_page_cap_excludes_one_of_its_pages() {
    for max_pages in [1, 2] {
        let capped = AuditOptions {
            max_pages,
            ..options()
        };
        assert_eq!(reconciled(FLAWED, REPAIRED, capped), [], "{max_pages}");
    }
    // With one more page, the redirect targets are audited as well.
    let enough = AuditOptions {
        max_pages: 3,
        ..options()
    };
    assert_eq!(reconciled(FLAWED, REPAIRED, enough).len(), 1);
}

#[test]
fn an_item_stays_open_if_a_page_fails_or_redirects_off_the_site() {
    for answer in [
        "FAILS timeout",
        "HTTP/1.1 500 Broken\n",
        "HTTP/1.1 301 Moved\nLocation: https://example.org/\n",
    ] {
        let after = REPAIRED.replace("HTTP/1.1 404 Not Found\n", answer);
        assert_eq!(reconciled(FLAWED, &after, options()), [], "{answer}");
    }
}

#[test]
fn an_item_stays_open_if_the_redirect_target_has_the_problem() {
    let after = REPAIRED.replace(
        "=== /here\n<img src=/i.png alt=Plan>",
        "=== /here\n<img src=/i.png>",
    );
    let changes = reconciled(FLAWED, &after, options());
    assert!(
        matches!(changes.as_slice(), [Change::Refresh { .. }]),
        "{changes:?}"
    );
}
