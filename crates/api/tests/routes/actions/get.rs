use domain::report::AuditResult;
use testkit::sample;

use super::path_of;
use crate::world::Fixture;

#[actix_web::test]
async fn an_item_of_an_audit() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let item = world.action_of(&world.acme, "image-alt");
    let client = world.client().await;
    let reply = client.get(&world.reader, &path_of(&item.id, "")).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "actionId": "act_01KXZZ9Q80000000000000000M",
      "affectedPages": 60,
      "assigneeId": null,
      "briefStatus": "none",
      "checkId": "image-alt",
      "commentCount": 0,
      "createdAt": "2026-11-21T12:00:00.000Z",
      "description": "Some people are kept out.\n\nHow to fix it: Repair what image-alt names. Then audit again.",
      "dimension": "accessibility",
      "dueDate": null,
      "priority": "high",
      "reportId": "rep_01KXZZ9Q80000000000000000C",
      "resolvedAt": null,
      "severity": "serious",
      "siteId": "site_01KXZZ9Q80000000000000000B",
      "status": "open",
      "title": "Images without a text alternative",
      "updatedAt": "2026-11-21T12:00:00.000Z",
      "verifiedAt": null
    }
    "#);
}

/// The keys stand in the order of the contract.
#[actix_web::test]
async fn the_keys_of_an_item() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Ask the agency");
    let reply = world.get(&path_of(&item.id, "")).await;
    insta::assert_snapshot!(reply.text(), @r#"{"actionId":"act_01KXZZ9Q80000000000000000A","title":"Ask the agency","description":"","status":"open","priority":"medium","assigneeId":null,"dueDate":null,"siteId":null,"checkId":null,"dimension":null,"severity":null,"reportId":null,"affectedPages":null,"commentCount":0,"briefStatus":"none","createdAt":"2026-11-21T12:00:00.000Z","updatedAt":"2026-11-21T12:00:00.000Z","resolvedAt":null,"verifiedAt":null}"#);
}

#[actix_web::test]
async fn an_item_that_an_audit_no_longer_finds_is_done_and_says_why() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let id = world.action_of(&world.acme, "image-alt").id;
    let fixed = AuditResult {
        requested_url: "https://example.com/".to_owned(),
        ..sample::clean_audit_result()
    };
    let run = world.completed_with(&world.acme, "https://example.com/", &fixed);
    let item = world.get(&path_of(&id, "")).await.json();
    assert_eq!(item["status"], "done");
    assert_eq!(item["commentCount"], 1);
    assert!(item["resolvedAt"].is_string() && item["verifiedAt"].is_string());
    let comments = world.get(&path_of(&id, "/comments")).await.json();
    let said = &comments["comments"][0];
    assert_eq!(said["author"]["type"], "system");
    assert!(said["author"]["id"].is_null());
    assert!(said["body"].as_str().unwrap().contains(run.run.as_str()));
}
