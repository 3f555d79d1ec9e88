use actix_web::http::Method;
use chrono::TimeDelta;
use domain::event::EventKind;
use domain::ports::{DeliveryFairness, OrgStore, WebhookStore, WorkerId};
use domain::webhook::{DeliveryAttempt, Verdict};
use rstest::rstest;
use serde_json::{Value, json};
use testkit::sample;

use crate::world::{Client, Fixture, Reply, call};

const WEBHOOKS: &str = "/api/mcp/webhooks";

fn body() -> Value {
    json!({"url": "https://hooks.example.com/in?token=hunter2#x", "events": ["run.failed", "run.completed"]})
}

/// Makes a webhook, and answers its path and its secret.
async fn made(world: &Fixture, client: &Client) -> (String, String) {
    let reply = client.post(&world.admin, WEBHOOKS, &body()).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let secret = reply.json()["secret"].as_str().unwrap().to_owned();
    let path = reply.header("Location").unwrap().to_owned();
    (path, secret)
}

#[actix_web::test]
async fn a_webhook_is_made_and_its_secret_is_shown_once() {
    let world = Fixture::new();
    let client = world.client().await;
    let reply = client.post(&world.admin, WEBHOOKS, &body()).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    201
    {
      "createdAt": "2026-11-21T12:00:00.000Z",
      "disabledReason": null,
      "enabled": true,
      "events": [
        "run.completed",
        "run.failed"
      ],
      "secret": "whsec_49C40000000000000000000000000000000000000000",
      "updatedAt": "2026-11-21T12:00:00.000Z",
      "url": "https://hooks.example.com/in?token=hunter2",
      "webhookId": "whk_01KXZZ9Q80000000000000YGJ1"
    }
    "#);
    let secret = reply.json()["secret"].as_str().unwrap().to_owned();
    let path = reply.header("Location").unwrap();
    let mut expected = reply.json();
    expected.as_object_mut().unwrap().remove("secret");
    assert_eq!(world.get(path).await.json(), expected);
    assert_eq!(
        world.get(WEBHOOKS).await.json(),
        json!({ "webhooks": [expected] })
    );
    let changed = client
        .patch(&world.admin, path, &json!({"enabled": false}))
        .await;
    let tested = client
        .post(&world.admin, &format!("{path}/test"), &json!({}))
        .await;
    for reply in [changed, tested] {
        assert!(!reply.text().contains(&secret));
    }
    let log = world.stores.audit_log(&world.acme).unwrap();
    let log = format!("{log:?}");
    assert!(!log.contains(&secret) && !log.contains("hunter2"), "{log}");
}

#[rstest]
#[case::nothing(json!({}), Some("url"))]
#[case::no_events(json!({"url": "https://a.example/"}), Some("events"))]
#[case::empty(json!({"url": "https://a.example/", "events": []}), Some("events"))]
#[case::unknown(json!({"url": "https://a.example/", "events": ["run.started"]}), Some("events[0]"))]
#[case::test_is_no_choice(json!({"url": "https://a.example/", "events": ["test"]}), Some("events[0]"))]
#[case::twice(json!({"url": "https://a.example/", "events": ["run.failed", "run.failed"]}), Some("events[1]"))]
#[case::no_url(json!({"url": "hooks", "events": ["run.failed"]}), Some("url"))]
#[case::scheme(json!({"url": "ftp://a.example/", "events": ["run.failed"]}), Some("url"))]
#[case::user(json!({"url": "https://me:pw@a.example/", "events": ["run.failed"]}), Some("url"))]
#[case::own_secret(json!({"url": "https://a.example/", "events": ["run.failed"], "secret": "x"}), Some("secret"))]
#[actix_web::test]
async fn what_is_wrong_is_named_and_no_webhook_is_made(
    #[case] body: Value,
    #[case] field: Option<&str>,
) {
    let world = Fixture::new();
    let client = world.client().await;
    let reply = client.post(&world.admin, WEBHOOKS, &body).await;
    let found = (reply.status, reply.code(), reply.field());
    assert_eq!(
        (found.0, found.1.as_str(), found.2.as_deref()),
        (400, "invalid_request", field)
    );
    assert_eq!(world.get(WEBHOOKS).await.json(), json!({"webhooks": []}));
}

#[rstest]
#[case("http://127.0.0.1/in")]
#[case("http://0x7f.1/in")]
#[case("http://[::1]/in")]
#[case("http://169.254.169.254/latest")]
#[case("http://localhost/in")]
#[case("http://hooks.internal/in")]
#[case("https://hooks.example.com:22/in")]
#[actix_web::test]
async fn a_receiver_that_is_not_allowed_is_refused_also_in_a_change(#[case] url: &str) {
    let world = Fixture::new();
    let client = world.client().await;
    let (path, _) = made(&world, &client).await;
    let before = world.get(&path).await.json();
    let full = json!({"url": url, "events": ["run.failed"]});
    let unknown = format!("{WEBHOOKS}/x");
    for reply in [
        client.post(&world.admin, WEBHOOKS, &full).await,
        client
            .patch(&world.admin, &path, &json!({ "url": url }))
            .await,
        client
            .patch(&world.admin, &unknown, &json!({ "url": url }))
            .await,
    ] {
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (400, "target_not_allowed")
        );
        assert_eq!(reply.field().as_deref(), Some("url"));
    }
    assert_eq!(world.get(&path).await.json(), before);
    assert_eq!(
        world.get(WEBHOOKS).await.json()["webhooks"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[actix_web::test]
async fn a_webhook_is_changed() {
    let world = Fixture::new();
    let client = world.client().await;
    let (path, _) = made(&world, &client).await;
    world.clock.advance(TimeDelta::seconds(5));
    let body = json!({"url": "https://b.example", "events": ["action.updated"], "enabled": false});
    let reply = client.patch(&world.admin, &path, &body).await;
    assert_eq!(reply.status, 200);
    let changed = reply.json();
    assert_eq!(changed["url"], "https://b.example/");
    assert_eq!(changed["events"], json!(["action.updated"]));
    assert_eq!(
        (&changed["enabled"], &changed["disabledReason"]),
        (&json!(false), &json!("turned_off"))
    );
    assert_eq!(changed["updatedAt"], "2026-11-21T12:00:05.000Z");
    let on = client
        .patch(&world.admin, &path, &json!({"enabled": true}))
        .await
        .json();
    assert_eq!(
        (&on["enabled"], &on["disabledReason"]),
        (&json!(true), &Value::Null)
    );
    for (body, field) in [
        (json!({}), None),
        (json!({"enabled": null}), Some("enabled")),
        (json!({"events": null}), Some("events")),
        (json!({"events": []}), Some("events")),
        (json!({"secret": "x"}), Some("secret")),
    ] {
        let reply = client.patch(&world.admin, &path, &body).await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, field),
            "{body}"
        );
    }
    assert_eq!(world.get(&path).await.json(), on);
}

#[actix_web::test]
async fn a_webhook_is_removed_with_its_deliveries() {
    let world = Fixture::new();
    let client = world.client().await;
    let (path, _) = made(&world, &client).await;
    let gone = client.send(call(Method::DELETE, &world.admin, &path)).await;
    assert_eq!((gone.status, gone.text().as_str()), (204, ""));
    for path in [path.clone(), format!("{path}/deliveries")] {
        assert_eq!(world.get(&path).await.status, 404);
    }
    let again = client.send(call(Method::DELETE, &world.admin, &path)).await;
    assert_eq!(again.status, 404);
}

#[actix_web::test]
async fn a_test_is_put_on_its_way_and_shows_among_the_deliveries() {
    let world = Fixture::new();
    let client = world.client().await;
    let (path, _) = made(&world, &client).await;
    let test = format!("{path}/test");
    let reply = client.send(call(Method::POST, &world.admin, &test)).await;
    let delivery = reply.json()["deliveryId"].as_str().unwrap().to_owned();
    // It is drawn at random.
    let shown = |reply: &Reply| reply.shown().replace(&delivery, "dlv_RANDOM");
    insta::assert_snapshot!(shown(&reply), @r#"
    202
    {
      "attempts": [],
      "createdAt": "2026-11-21T12:00:00.000Z",
      "deliveryId": "dlv_RANDOM",
      "event": "test",
      "eventId": "evt_01KXZZ9Q80000000000000YGJ4",
      "finishedAt": null,
      "nextAttemptAt": "2026-11-21T12:00:00.000Z",
      "status": "pending",
      "webhookId": "whk_01KXZZ9Q80000000000000YGJ1"
    }
    "#);
    let claimed = world.stores.claim_delivery(
        &WorkerId("w".to_owned()),
        TimeDelta::seconds(30),
        &DeliveryFairness::default(),
        sample::noon(),
    );
    let claim = claimed.unwrap().unwrap();
    assert_eq!(claim.event.kind(), EventKind::Test);
    let attempt = DeliveryAttempt {
        at: sample::noon(),
        duration_ms: 15,
        status_code: Some(503),
        error: None,
    };
    let verdict = Verdict::Again(sample::noon() + TimeDelta::seconds(5));
    let held = world
        .stores
        .finish_delivery(&claim, &attempt, verdict, sample::noon());
    assert!(held.is_ok());
    let list = world.get(&format!("{path}/deliveries")).await;
    insta::assert_snapshot!(shown(&list), @r#"
    200
    {
      "deliveries": [
        {
          "attempts": [
            {
              "at": "2026-11-21T12:00:00.000Z",
              "durationMs": 15,
              "error": null,
              "statusCode": 503
            }
          ],
          "createdAt": "2026-11-21T12:00:00.000Z",
          "deliveryId": "dlv_RANDOM",
          "event": "test",
          "eventId": "evt_01KXZZ9Q80000000000000YGJ4",
          "finishedAt": null,
          "nextAttemptAt": "2026-11-21T12:00:05.000Z",
          "status": "pending",
          "webhookId": "whk_01KXZZ9Q80000000000000YGJ1"
        }
      ],
      "nextCursor": null
    }
    "#);
}

#[actix_web::test]
async fn deliveries_come_page_by_page() {
    let world = Fixture::new();
    let client = world.client().await;
    let (path, _) = made(&world, &client).await;
    for _ in 0..3 {
        world.clock.advance(TimeDelta::seconds(1));
        client
            .send(call(Method::POST, &world.admin, &format!("{path}/test")))
            .await;
    }
    let list = format!("{path}/deliveries");
    let first = world.get(&format!("{list}?limit=2")).await.json();
    assert_eq!(first["deliveries"].as_array().unwrap().len(), 2);
    let cursor = first["nextCursor"].as_str().unwrap();
    let rest = world.get(&format!("{list}?cursor={cursor}")).await.json();
    assert_eq!(rest["deliveries"].as_array().unwrap().len(), 1);
    assert_eq!(rest["nextCursor"], Value::Null);
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("cursor=x", "cursor"),
        ("status=failed", "status"),
    ] {
        let reply = world.get(&format!("{list}?{query}")).await;
        assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
    }
}

#[actix_web::test]
async fn an_organization_has_so_many_webhooks_at_most() {
    let world = Fixture::new();
    let client = world.client().await;
    for _ in 0..50 {
        made(&world, &client).await;
    }
    let reply = client.post(&world.admin, WEBHOOKS, &body()).await;
    assert_eq!((reply.status, reply.code().as_str()), (409, "conflict"));
}

#[actix_web::test]
async fn the_older_variant_has_no_events_of_action_items() {
    let world = Fixture {
        variant: domain::report::Variant::Legacy,
        ..Fixture::new()
    };
    world
        .stores
        .set_plan(
            &world.acme,
            "team",
            sample::noon(),
            &domain::audit_log::Actor::System,
        )
        .unwrap();
    let client = world.client().await;
    made(&world, &client).await;
    for event in ["action.updated", "issue.regressed"] {
        let body = json!({"url": "https://a.example/", "events": [event]});
        let reply = client.post(&world.admin, WEBHOOKS, &body).await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, Some("events[0]"))
        );
        assert!(!reply.text().contains("action item"), "{}", reply.text());
    }
    // Nor are they among the choices that another one is told.
    for reply in [
        client
            .post(
                &world.admin,
                WEBHOOKS,
                &json!({"url": "https://a.example/", "events": ["x"]}),
            )
            .await,
        client
            .patch(
                &world.admin,
                &format!("{WEBHOOKS}/whk_0"),
                &json!({"events": ["x"]}),
            )
            .await,
    ] {
        assert_eq!(reply.status, 400, "{}", reply.text());
        let text = reply.text();
        assert!(text.contains("schedule.skipped"), "{text}");
        assert!(
            !text.contains("action.") && !text.contains("regressed"),
            "{text}"
        );
    }
}

/// A webhook that was made while the server was of the other variant.
#[actix_web::test]
async fn the_older_variant_shows_no_events_of_action_items() {
    let mut world = Fixture::new();
    let everything = json!({"url": "https://a.example/", "events": [
        "run.failed", "issue.regressed", "action.updated"
    ]});
    let client = world.client().await;
    let reply = client.post(&world.admin, WEBHOOKS, &everything).await;
    let path = reply.header("Location").unwrap().to_owned();
    let item = world.own_action(&world.acme, "Write alternatives");
    let done = json!({"status": "done"});
    let changed = client
        .patch(
            &world.member,
            &format!("/api/mcp/actions/{}", item.id),
            &done,
        )
        .await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    client
        .post(&world.admin, &format!("{path}/test"), &json!({}))
        .await;
    let kinds = |list: &Value| -> Vec<String> {
        let deliveries = list["deliveries"].as_array().unwrap().iter();
        let mut kinds: Vec<_> = deliveries
            .map(|one| one["event"].as_str().unwrap().to_owned())
            .collect();
        kinds.sort();
        kinds
    };
    let list = world.get(&format!("{path}/deliveries")).await.json();
    assert_eq!(kinds(&list), ["action.updated", "test"]);

    world.variant = domain::report::Variant::Legacy;
    let plan = world.stores.set_plan(
        &world.acme,
        "team",
        sample::noon(),
        &domain::audit_log::Actor::System,
    );
    assert!(plan.is_ok());
    let client = world.client().await;
    let turned = client
        .patch(&world.admin, &path, &json!({"enabled": true}))
        .await;
    let shown = [
        world.get(&path).await.json(),
        world.get(WEBHOOKS).await.json()["webhooks"][0].clone(),
        turned.json(),
    ];
    for webhook in shown {
        assert_eq!(webhook["events"], json!(["run.failed"]), "{webhook}");
    }
    let list = world.get(&format!("{path}/deliveries")).await.json();
    assert_eq!(kinds(&list), ["test"]);
    let document = serde_json::to_string(&api::openapi(world.variant)).unwrap();
    for event in ["issue.regressed", "action.updated"] {
        assert!(!document.contains(event), "{event}");
    }
}

/// What receivers get, in both variants.
#[actix_web::test]
async fn events_are_small_and_have_no_words_of_pages() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let events = world.stores.events(&world.acme).unwrap();
    let shown = |variant| {
        let body = api::event_body(&events[0], variant);
        let event: api_types::event::Event = serde_json::from_slice(&body).unwrap();
        assert_eq!(serde_json::to_vec(&event).unwrap(), body);
        let body: Value = serde_json::from_slice(&body).unwrap();
        serde_json::to_string_pretty(&body).unwrap()
    };
    insta::assert_snapshot!(shown(domain::report::Variant::Current), @r#"
    {
      "data": {
        "overallScore": 77,
        "reportId": "rep_01KXZZ9Q80000000000000000C",
        "runId": "run_01KXZZ9Q80000000000000000A",
        "siteId": "site_01KXZZ9Q80000000000000000B",
        "subscores": {
          "accessibility": 80,
          "aiReadiness": 98,
          "content": 100,
          "performance": 99,
          "security": 100,
          "seo": 40
        },
        "trigger": "api",
        "url": "https://example.com/"
      },
      "timestamp": "2026-11-21T12:00:00.000Z",
      "type": "run.completed"
    }
    "#);
    assert!(!shown(domain::report::Variant::Legacy).contains("aiReadiness"));
}
