use actix_web::http::Method;
use domain::id::SiteId;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Client, Fixture, Reply, call};

fn path(site: &SiteId) -> String {
    format!("/api/mcp/sites/{site}/schedule")
}

async fn put(client: &Client, key: &str, path: &str, body: &Value) -> Reply {
    client
        .send(call(Method::PUT, key, path).set_json(body))
        .await
}

#[actix_web::test]
async fn a_schedule_is_set_and_looked_at() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let body = json!({
        "enabled": true, "frequency": "custom", "cron": "30  4 * * 1-5", "timezone": "Europe/Berlin",
    });
    let client = world.client().await;
    let reply = put(&client, &world.admin, &path(&site), &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "cron": "30 4 * * 1-5",
      "enabled": true,
      "frequency": "custom",
      "lastRunAt": null,
      "lastRunId": null,
      "nextRunAt": "2026-11-23T03:30:00.000Z",
      "siteId": "site_01KXZZ9Q80000000000000000B",
      "timezone": "Europe/Berlin"
    }
    "#);
    assert_eq!(world.get(&path(&site)).await.json(), reply.json());
}

#[rstest]
#[case("daily", "2026-11-22T02")]
#[case("weekly", "2026-11-23T02")]
#[case("monthly", "2026-12-01T02")]
#[actix_web::test]
async fn usual_frequencies_are_between_three_and_four_by_the_clocks_of_the_zone(
    #[case] frequency: &str,
    #[case] next: &str,
) {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    // As clients send back what they were given.
    let body = json!({
        "enabled": true, "frequency": frequency, "cron": null, "timezone": "Europe/Berlin",
    });
    let client = world.client().await;
    let reply = put(&client, &world.admin, &path(&site), &body).await.json();
    let due = reply["nextRunAt"].as_str().unwrap();
    assert!(due.starts_with(next), "{due}");
    assert_eq!(reply["frequency"], frequency);
}

#[actix_web::test]
async fn a_schedule_that_is_off_is_never_due() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    for enabled in [true, false] {
        let body = json!({"enabled": enabled, "frequency": "daily", "timezone": "UTC"});
        let reply = put(&client, &world.admin, &path(&site), &body).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.json()["nextRunAt"].is_string(), enabled);
        assert_eq!(reply.json()["enabled"], enabled);
    }
}

#[rstest]
#[case::nothing(json!({}), Some("enabled"))]
#[case::no_zone(json!({"enabled": true, "frequency": "daily"}), Some("timezone"))]
#[case::no_frequency(json!({"enabled": true, "timezone": "UTC"}), Some("frequency"))]
#[case::unknown_zone(json!({"enabled": true, "frequency": "daily", "timezone": "Mars"}), Some("timezone"))]
#[case::unknown_frequency(json!({"enabled": true, "frequency": "hourly", "timezone": "UTC"}), Some("frequency"))]
#[case::no_cron(json!({"enabled": true, "frequency": "custom", "timezone": "UTC"}), Some("cron"))]
#[case::cron_too_many(json!({"enabled": true, "frequency": "daily", "cron": "0 0 * * *", "timezone": "UTC"}), Some("cron"))]
#[case::six_fields(json!({"enabled": true, "frequency": "custom", "cron": "0 0 0 * * *", "timezone": "UTC"}), Some("cron"))]
#[case::never(json!({"enabled": true, "frequency": "custom", "cron": "0 0 30 2 *", "timezone": "UTC"}), Some("cron"))]
#[case::no_bool(json!({"enabled": "yes", "frequency": "daily", "timezone": "UTC"}), Some("enabled"))]
#[case::more(json!({"enabled": true, "frequency": "daily", "timezone": "UTC", "hour": 3}), Some("hour"))]
#[actix_web::test]
async fn what_is_wrong_is_named_and_nothing_is_changed(
    #[case] body: Value,
    #[case] field: Option<&str>,
) {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let before = world.get(&path(&site)).await.json();
    // The input comes before the id.
    for path in [path(&site), "/api/mcp/sites/x/schedule".to_owned()] {
        let reply = put(&client, &world.admin, &path, &body).await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, field),
            "{}",
            reply.text()
        );
    }
    assert_eq!(world.get(&path(&site)).await.json(), before);
}
