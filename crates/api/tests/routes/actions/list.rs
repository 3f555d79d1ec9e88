use api_types::action::{ActionList, ActionStatus, Priority};
use domain::action::{ActionComment, ActionPatch, Author, CommentBody, CommentCursor, FieldPatch};
use domain::audit_log::Actor;
use domain::id::{ActionId, CommentId, KeyId};
use domain::ports::ActionStore;
use rstest::rstest;
use testkit::sample;

use crate::world::{Fixture, unused_id};

async fn page(world: &Fixture, query: &str) -> ActionList {
    let reply = world.get(&format!("/api/mcp/actions{query}")).await;
    assert_eq!(reply.status, 200, "{query} {}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

fn ids(page: &ActionList) -> Vec<&str> {
    let items = page.actions.iter();
    items.map(|item| item.action_id.as_str()).collect()
}

fn patch(world: &Fixture, id: &ActionId, patch: &ActionPatch) {
    let (now, by) = (sample::noon(), Actor::CommandLine);
    let patched = (world.stores).patch_action(&world.acme, id, patch, now, &by);
    patched.unwrap();
}

#[actix_web::test]
async fn an_organization_without_items() {
    let world = Fixture::new();
    world.completed(&world.rival, "https://rival.example.com/");
    let reply = world.get("/api/mcp/actions").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "actions": [],
      "nextCursor": null
    }
    "#);
}

#[actix_web::test]
async fn what_audits_and_people_say_is_to_be_done_by_priority() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    world.own_action(&world.acme, "Ask the agency");
    let client = world.client().await;
    let reply = client.get(&world.reader, "/api/mcp/actions").await;
    insta::assert_snapshot!(reply.shown());
    let list: ActionList = serde_json::from_slice(&reply.body).unwrap();
    let priorities = list.actions.iter().map(|item| item.priority);
    assert!(priorities.map(rank).is_sorted());
}

const fn rank(priority: Priority) -> u8 {
    match priority {
        Priority::Critical => 0,
        Priority::High => 1,
        Priority::Medium => 2,
        Priority::Low => 3,
    }
}

#[actix_web::test]
async fn items_come_page_by_page() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let all = page(&world, "").await;
    assert_eq!((all.actions.len(), &all.next_cursor), (5, &None));
    let mut seen = Vec::new();
    let mut query = "?limit=2".to_owned();
    loop {
        let next = page(&world, &query).await;
        assert!(next.actions.len() <= 2);
        seen.extend(next.actions);
        let Some(cursor) = next.next_cursor else {
            break;
        };
        query = format!("?limit=2&cursor={cursor}");
    }
    assert_eq!(seen, all.actions);
}

#[actix_web::test]
async fn a_page_has_fifty_items_unless_asked_for_more() {
    let world = Fixture::new();
    for number in 0..51 {
        world.own_action(&world.acme, &format!("Item {number}"));
    }
    assert_eq!(page(&world, "").await.actions.len(), 50);
    assert_eq!(page(&world, "?limit=1").await.actions.len(), 1);
    let all = page(&world, "?limit=200").await;
    assert_eq!((all.actions.len(), all.next_cursor), (51, None));
}

#[actix_web::test]
async fn filters_combine() {
    let world = Fixture::new();
    let one = world.completed(&world.acme, "https://one.example.com/");
    let other = world.completed(&world.acme, "https://two.example.com/");
    let ada = world.person(&world.acme, "ada");
    let own = world.own_action(&world.acme, "Ask the agency");
    let hers = ActionPatch {
        status: Some(domain::action::ActionStatus::InProgress),
        assignee: FieldPatch::Set(ada.clone()),
        ..ActionPatch::default()
    };
    patch(&world, &own.id, &hers);
    let noindex = world.action_of(&world.acme, "noindex");
    patch(&world, &noindex.id, &hers);

    let (one, other) = (one.site, other.site);
    for (query, expected) in [
        (String::new(), 11),
        ("?status=open".to_owned(), 9),
        ("?status=in_progress".to_owned(), 2),
        ("?status=open,in_progress".to_owned(), 11),
        ("?status=done,dismissed".to_owned(), 0),
        ("?status=open,open".to_owned(), 9),
        ("?status=open%2Cdone".to_owned(), 9),
        ("?priority=critical".to_owned(), 2),
        ("?priority=critical,medium,high,low".to_owned(), 11),
        ("?status=in_progress&priority=critical".to_owned(), 1),
        (format!("?siteId={one}"), 5),
        (format!("?siteId={other}"), 5),
        (format!("?assigneeId={ada}"), 2),
        (format!("?assigneeId={ada}&priority=medium"), 1),
        (format!("?assigneeId={ada}&status=open"), 0),
        (format!("?assigneeId={}", unused_id("mem")), 0),
        ("?assigneeId=ada".to_owned(), 0),
    ] {
        let found = page(&world, &query).await;
        assert_eq!(found.actions.len(), expected, "{query}");
    }
    let found = page(&world, &format!("?assigneeId={ada}&status=in_progress")).await;
    assert_eq!(ids(&found), [noindex.id.as_str(), own.id.as_str()]);
    assert_eq!(found.actions[0].status, ActionStatus::InProgress);
}

#[actix_web::test]
async fn the_next_page_is_one_of_the_same_filters() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    for number in 0..4 {
        world.own_action(&world.acme, &format!("Item {number}"));
    }
    let query = format!("?siteId={}&limit=3", completed.site);
    let first = page(&world, &query).await;
    let cursor = first.next_cursor.unwrap();
    let last = page(&world, &format!("{query}&cursor={cursor}")).await;
    assert_eq!((last.actions.len(), last.next_cursor), (2, None));
}

#[rstest]
#[case("limit=0", "limit")]
#[case("limit=201", "limit")]
#[case("limit=-1", "limit")]
#[case("limit=ten", "limit")]
#[case("status=", "status")]
#[case("status=closed", "status")]
#[case("status=Open", "status")]
#[case("status=open,", "status")]
#[case("status=,open", "status")]
#[case("status=open,,done", "status")]
#[case("status=open,%20done", "status")]
#[case("status=open;done", "status")]
#[case("status=open&status=done", "status")]
#[case("status=open%00", "status")]
#[case("priority=urgent", "priority")]
#[case("priority=critical,", "priority")]
#[case("priority=0", "priority")]
#[case("siteId=", "siteId")]
#[case("assigneeId=", "assigneeId")]
#[case("assigneeId=mem_%00", "assigneeId")]
#[case("cursor=x", "cursor")]
#[case("cursor=", "cursor")]
#[case(
    "cursor=a0000001a1fdfa460001JD2Y3Z4A5B6C7D8E9F0GHJKM00000000",
    "cursor"
)]
#[case("cursor=%C3%A9", "cursor")]
#[case("offset=1", "offset")]
#[case("dueDate=2026-12-24", "dueDate")]
#[actix_web::test]
async fn what_is_wrong_is_named_before_an_id_is_looked_up(
    #[case] query: &str,
    #[case] field: &str,
) {
    let world = Fixture::new();
    let site = if field == "siteId" {
        ""
    } else {
        "siteId=nothing&"
    };
    let path = format!("/api/mcp/actions?{site}{query}");
    let reply = world.get(&path).await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}

#[actix_web::test]
async fn a_cursor_of_another_list_is_none_of_this_one() {
    let world = Fixture::new();
    let comment = ActionComment {
        id: CommentId::make(&world.ids),
        action_id: ActionId::make(&world.ids),
        body: CommentBody::parse("Fine.").unwrap(),
        author: Author::Key {
            id: KeyId::make(&world.ids),
            name: "ci".to_owned(),
        },
        created_at: sample::noon(),
    };
    let cursor = CommentCursor::after(&comment).encode();
    let reply = world
        .get(&format!("/api/mcp/actions?cursor={cursor}"))
        .await;
    assert_eq!(reply.field().as_deref(), Some("cursor"));
}

#[actix_web::test]
async fn a_site_that_is_not_there_comes_before_an_assignee_who_is_not() {
    let world = Fixture::new();
    for assignee in ["nobody", &unused_id("mem")] {
        let path = format!(
            "/api/mcp/actions?siteId={}&assigneeId={assignee}",
            unused_id("site")
        );
        let reply = world.get(&path).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
    }
}
