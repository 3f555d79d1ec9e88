use api_types::report::PageList;
use domain::report::{AuditResult, PageDetails, PageVisit, Variant};
use rstest::rstest;
use testkit::sample;

use crate::world::Fixture;

/// A result with that many pages; each is in as many issues as its number says, and in half of them
/// in the older variant.
fn result(pages: u32) -> AuditResult {
    let visit = |number: u32| PageVisit {
        url: format!("https://www.example.com/{number}"),
        status: Some(200),
        depth: Some(number),
        title: Some(format!("Page {number}")),
        bytes: Some(u64::from(number) * 1_000),
        audited: true,
        leads_to: None,
        details: PageDetails {
            description: Some(format!("About {number}")),
            h1: Some("=1+1".to_owned()),
            canonical: Some("https://www.example.com/".to_owned()),
            indexable: Some(number.is_multiple_of(2)),
            language: Some("en".to_owned()),
            words: Some(1_000 - number),
            transfer_bytes: Some(7),
            response_ms: Some(8),
            links_in: Some(9),
            links_out: Some(10),
        },
        scores: domain::report::PageScores::default(),
        issues: number,
        issues_legacy: number / 2,
    };
    AuditResult {
        pages: (0..pages).map(visit).collect(),
        ..sample::clean_audit_result()
    }
}

/// The path of the pages of a report on that many pages.
fn reported(world: &Fixture, pages: u32) -> String {
    let completed = world.completed_with(&world.acme, "https://example.com/", &result(pages));
    format!("/api/mcp/reports/{}/pages", completed.report)
}

async fn list(world: &Fixture, path: &str) -> PageList {
    let reply = world.client().await.get(&world.reader, path).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

#[actix_web::test]
async fn a_page_is_shown_with_what_became_of_it() {
    let world = Fixture::new();
    let mut result = result(1);
    result.pages.push(PageVisit {
        status: None,
        depth: None,
        title: None,
        bytes: None,
        audited: false,
        details: PageDetails::default(),
        ..result.pages[0].clone()
    });
    let completed = world.completed_with(&world.acme, "https://example.com/", &result);
    let path = format!("/api/mcp/reports/{}/pages", completed.report);
    insta::assert_snapshot!(world.get(&path).await.shown(), @r#"
    200
    {
      "nextCursor": null,
      "pages": [
        {
          "bytes": 0,
          "canonical": "https://www.example.com/",
          "depth": 0,
          "description": "About 0",
          "h1": "=1+1",
          "indexable": true,
          "issueCount": 0,
          "language": "en",
          "linksIn": 9,
          "linksOut": 10,
          "responseMs": 8,
          "scores": {
            "accessibility": null,
            "aiReadiness": null,
            "content": null,
            "performance": null,
            "security": null,
            "seo": null
          },
          "status": 200,
          "title": "Page 0",
          "transferBytes": 7,
          "url": "https://www.example.com/0",
          "words": 1000
        },
        {
          "bytes": null,
          "canonical": null,
          "depth": null,
          "description": null,
          "h1": null,
          "indexable": null,
          "issueCount": 0,
          "language": null,
          "linksIn": null,
          "linksOut": null,
          "responseMs": null,
          "scores": {
            "accessibility": null,
            "aiReadiness": null,
            "content": null,
            "performance": null,
            "security": null,
            "seo": null
          },
          "status": null,
          "title": null,
          "transferBytes": null,
          "url": "https://www.example.com/0",
          "words": null
        }
      ]
    }
    "#);
}

#[actix_web::test]
async fn a_report_without_pages_has_none() {
    let world = Fixture::new();
    let path = reported(&world, 0);
    let list = list(&world, &path).await;
    assert_eq!((list.pages.len(), list.next_cursor), (0, None));
}

#[actix_web::test]
async fn all_come_page_by_page_in_their_order() {
    let world = Fixture::new();
    let path = reported(&world, 230);
    let first = list(&world, &path).await;
    assert_eq!(first.pages.len(), 50);
    let mut all = first.pages;
    let mut next = first.next_cursor;
    while let Some(cursor) = next {
        let more = list(&world, &format!("{path}?limit=60&cursor={cursor}")).await;
        all.extend(more.pages);
        next = more.next_cursor;
    }
    let depths: Vec<_> = all.iter().filter_map(|page| page.depth).collect();
    assert_eq!(depths, (0..230).collect::<Vec<_>>());
    let most = list(&world, &format!("{path}?limit=200")).await;
    assert_eq!(most.pages, all[..200]);
    let cursor = most.next_cursor.unwrap();
    let exactly = list(&world, &format!("{path}?limit=30&cursor={cursor}")).await;
    assert_eq!(
        (&exactly.pages[..], exactly.next_cursor),
        (&all[200..], None)
    );
}

#[actix_web::test]
async fn issues_are_counted_as_the_variant_shows_them() {
    let mut world = Fixture::new();
    let path = reported(&world, 5);
    let counts = |list: PageList| {
        let pages = list.pages.into_iter();
        pages.map(|page| page.issue_count).collect::<Vec<_>>()
    };
    assert_eq!(counts(list(&world, &path).await), [0, 1, 2, 3, 4]);
    world.variant = Variant::Legacy;
    assert_eq!(counts(list(&world, &path).await), [0, 0, 1, 1, 2]);
}

#[rstest]
#[case("limit=0", "limit")]
#[case("limit=201", "limit")]
#[case("limit=-1", "limit")]
#[case("limit=1.5", "limit")]
#[case("limit=", "limit")]
#[case("limit=1&limit=1", "limit")]
#[case("cursor=x", "cursor")]
#[case("cursor=", "cursor")]
#[case("cursor=%00", "cursor")]
#[case("cursor=p0000003100000000", "cursor")]
#[case("page=2", "page")]
#[case("status=4", "status")]
#[case("status=404,", "status")]
#[case("sort=issueCountLegacy", "sort")]
#[case("sort=-crawl", "sort")]
#[case("sort=", "sort")]
#[case("format=json", "format")]
#[case("format=csv&limit=5", "limit")]
#[case("format=csv&cursor=x", "cursor")]
#[actix_web::test]
async fn what_is_wrong_is_named(#[case] query: &str, #[case] field: &str) {
    let path = format!("/api/mcp/reports/x/pages?{query}");
    let reply = Fixture::new().get(&path).await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}

#[actix_web::test]
async fn a_cursor_of_another_list_is_refused() {
    let world = Fixture::new();
    let path = reported(&world, 1);
    let cursor = domain::report::CauseCursor { position: 0 }.encode();
    let reply = world.get(&format!("{path}?cursor={cursor}")).await;
    assert_eq!(reply.field().as_deref(), Some("cursor"));
}

#[actix_web::test]
async fn pages_are_sorted_and_filtered() {
    let world = Fixture::new();
    let path = reported(&world, 30);
    let depths = async |query: &str| {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = list(&world, &format!("{path}?limit=4&{query}{cursor}")).await;
            all.extend(page.pages.iter().filter_map(|page| page.depth));
            match page.next_cursor {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return all,
            }
        }
    };
    assert_eq!(depths("sort=words").await[..5], [29, 28, 27, 26, 25]);
    assert_eq!(depths("sort=-words").await, (0..30).collect::<Vec<_>>());
    assert_eq!(depths("sort=-issueCount&status=2xx").await[..2], [29, 28]);
    assert_eq!(depths("q=PAGE%202").await.len(), 11);
    assert_eq!(depths("q=page%202&sort=-depth").await[..2], [29, 28]);
    assert!(depths("status=404,none").await.is_empty());
    let long = "x".repeat(201);
    let reply = world.get(&format!("{path}?q={long}")).await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some("q")));
}

#[actix_web::test]
async fn a_cursor_belongs_to_an_order() {
    let world = Fixture::new();
    let path = reported(&world, 9);
    let cursor = list(&world, &format!("{path}?limit=4&sort=words"))
        .await
        .next_cursor;
    let cursor = cursor.unwrap();
    for query in ["", "&sort=-words", "&sort=bytes"] {
        let reply = world.get(&format!("{path}?cursor={cursor}{query}")).await;
        assert_eq!(reply.field().as_deref(), Some("cursor"), "{query}");
    }
}

#[actix_web::test]
async fn pages_of_an_issue_are_listed() {
    let world = Fixture::new();
    let result = sample::audit_result();
    let completed = world.completed_with(&world.acme, "https://example.com/", &result);
    let report = format!("/api/mcp/reports/{}", completed.report);
    let shown: api_types::report::Report =
        serde_json::from_slice(&world.get(&report).await.body).unwrap();
    let issue = shown.issues.iter().find(|issue| issue.affected_pages == 1);
    let issue = &issue.unwrap().issue_id;
    let page = list(&world, &format!("{report}/pages?issue={issue}")).await;
    assert_eq!(page.pages.len(), 1);
    for unknown in ["iss_01KAK2NB6HV2X4Z6B8DFHKMQST", "image-alt"] {
        let reply = world.get(&format!("{report}/pages?issue={unknown}")).await;
        assert_eq!(reply.status, 404, "{unknown}");
    }
}

#[actix_web::test]
async fn all_pages_are_one_csv_file() {
    let world = Fixture::new();
    let path = reported(&world, 230);
    let reply = world
        .get(&format!("{path}?format=csv&sort=-words&q=page%202"))
        .await;
    assert_eq!(reply.status, 200);
    let text = reply.text();
    let lines: Vec<_> = text.split("\r\n").collect();
    // Page 2, pages 20 to 29 and pages 200 to 229, behind the header; the last line ends as the others do.
    assert_eq!(lines.len(), 1 + 41 + 1);
    let second = "https://www.example.com/2,200,2,Page 2,About 2,'=1+1,https://www.example.com/,true,en,998,2000,7,8,9,10,2,,,,,,";
    assert_eq!(lines[1], second);
    let name = reply.header("content-disposition").unwrap_or_default();
    assert!(
        name.starts_with("attachment; filename=\"pages-rep_"),
        "{name}"
    );
}
