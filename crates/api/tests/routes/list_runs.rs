use api_types::run::{RunList, RunStatus};
use rstest::rstest;

use crate::world::{Fixture, unused_id};

async fn page(world: &Fixture, query: &str) -> RunList {
    let reply = world.get(&format!("/api/mcp/runs{query}")).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

fn ids(page: &RunList) -> Vec<&str> {
    page.runs.iter().map(|run| run.run_id.as_str()).collect()
}

#[actix_web::test]
async fn an_organization_without_runs() {
    let world = Fixture::new();
    world.completed(&world.rival, "https://rival.example.com/");
    let reply = world.get("/api/mcp/runs").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "nextCursor": null,
      "runs": []
    }
    "#);
}

#[actix_web::test]
async fn runs_come_page_by_page_newest_first() {
    let world = Fixture::new();
    let started: Vec<_> = (0..5)
        .map(|_| world.queued(&world.acme, "https://example.com/").0)
        .collect();
    let newest_first: Vec<_> = started.iter().rev().map(|id| id.as_str()).collect();
    let first = page(&world, "?limit=2").await;
    assert_eq!(ids(&first), newest_first[..2]);
    let cursor = first.next_cursor.unwrap();
    let second = page(&world, &format!("?limit=2&cursor={cursor}")).await;
    assert_eq!(ids(&second), newest_first[2..4]);
    let cursor = second.next_cursor.unwrap();
    let last = page(&world, &format!("?cursor={cursor}")).await;
    assert_eq!(ids(&last), newest_first[4..]);
    assert_eq!(last.next_cursor, None);
}

#[actix_web::test]
async fn a_page_has_fifty_runs_unless_asked_for_more() {
    let world = Fixture::new();
    for _ in 0..51 {
        world.queued(&world.acme, "https://example.com/");
    }
    assert_eq!(page(&world, "").await.runs.len(), 50);
    let all = page(&world, "?limit=200").await;
    assert_eq!((all.runs.len(), all.next_cursor), (51, None));
}

#[actix_web::test]
async fn filters_combine() {
    let world = Fixture::new();
    let one = world.completed(&world.acme, "https://one.example.com/");
    let (waiting, other) = world.queued(&world.acme, "https://two.example.com/");
    let completed = page(&world, "?status=completed").await;
    assert_eq!(ids(&completed), [one.run.as_str()]);
    assert_eq!(completed.runs[0].status, RunStatus::Completed);
    assert_eq!(
        completed.runs[0].report_id.as_deref(),
        Some(one.report.as_str())
    );
    let on_other = page(&world, &format!("?siteId={other}")).await;
    assert_eq!(ids(&on_other), [waiting.as_str()]);
    let none = page(&world, &format!("?siteId={other}&status=completed")).await;
    assert!(none.runs.is_empty());
    let both = page(&world, "?status=completed,queued").await;
    assert_eq!(ids(&both), [waiting.as_str(), one.run.as_str()]);
    for status in ["queued", "running", "failed", "cancelled"] {
        page(&world, &format!("?status={status}")).await;
    }
}

#[rstest]
#[case("limit=0", "limit")]
#[case("limit=201", "limit")]
#[case("status=done", "status")]
#[case("status=Queued", "status")]
#[case("status=queued,done", "status")]
#[case("cursor=x", "cursor")]
#[case("cursor=r000001a1fdfa460001JD2Y3Z4A5B6C7D8E9F0GHJKM00000000", "cursor")]
#[case("cursor=%C3%A9", "cursor")]
#[case("offset=1", "offset")]
#[actix_web::test]
async fn what_is_wrong_is_named_before_an_id_is_looked_up(
    #[case] query: &str,
    #[case] field: &str,
) {
    let world = Fixture::new();
    let path = format!("/api/mcp/runs?siteId=nothing&{query}");
    let reply = world.get(&path).await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}

#[actix_web::test]
async fn a_site_that_is_not_there_is_404() {
    let world = Fixture::new();
    let foreign = world.completed(&world.rival, "https://rival.example.com/");
    for site in [foreign.site.to_string(), unused_id("site"), "x".to_owned()] {
        let reply = world.get(&format!("/api/mcp/runs?siteId={site}")).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (404, "not_found"),
            "{site}"
        );
    }
}
