use api_types::report::PageList;
use domain::report::{AuditResult, PageVisit, Variant};
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
          "depth": 0,
          "issueCount": 0,
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
          "url": "https://www.example.com/0"
        },
        {
          "bytes": null,
          "depth": null,
          "issueCount": 0,
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
          "url": "https://www.example.com/0"
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
#[case("status=404", "status")]
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
