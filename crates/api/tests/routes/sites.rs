use chrono::TimeDelta;
use domain::audit_log::Actor;
use domain::ports::{NewRun, ScheduleOutcome, ScheduleStore};
use domain::schedule::{Frequency, ScheduleChange, Timetable};
use serde_json::json;
use testkit::sample;

use crate::world::Fixture;

#[actix_web::test]
async fn an_organization_without_sites() {
    let world = Fixture::new();
    let reply = world.get("/api/mcp/sites").await;
    assert_eq!((reply.status, reply.json()), (200, json!({"sites": []})));
}

#[actix_web::test]
async fn sites_show_their_latest_run_and_score() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let (latest, _) = world.queued(&world.acme, "https://example.com/again");
    world.queued(&world.rival, "https://rival.example.com/");
    let reply = world.get("/api/mcp/sites").await;
    let sites = reply.json()["sites"].clone();
    assert_eq!(sites.as_array().unwrap().len(), 1);
    assert_eq!(sites[0]["latestRun"]["runId"], latest.as_str());
    let mut site = sites[0].clone();
    site["latestRun"] = json!("a run");
    assert_eq!(site["siteId"], completed.site.as_str());
    insta::assert_snapshot!(site, @r#"{"createdAt":"2026-11-21T12:00:00.000Z","latestRun":"a run","latestScore":77,"name":"example.com","openActions":5,"siteId":"site_01KXZZ9Q80000000000000000B","url":"https://example.com/"}"#);
}

#[actix_web::test]
async fn a_history_has_scores_where_there_are_some() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let later = NewRun {
        now: sample::noon() + chrono::TimeDelta::minutes(1),
        ..sample::new_run(&world.ids, "https://example.com/")
    };
    let (queued, site) = world.queue(&world.acme, &later);
    assert_eq!(site, completed.site);
    let reply = world.get(&format!("/api/mcp/sites/{site}/history")).await;
    let history = reply.json();
    assert_eq!(history["siteId"], site.as_str());
    assert_eq!(history["runs"][0]["runId"], queued.as_str());
    assert_eq!(history["runs"][0]["overallScore"], json!(null));
    assert_eq!(history["runs"][0]["subscores"], json!(null));
    assert_eq!(history["runs"][1]["runId"], completed.run.as_str());
    assert_eq!(history["runs"][1]["status"], "completed");
    insta::assert_snapshot!(history["runs"][1]["subscores"], @r#"{"accessibility":80,"aiReadiness":98,"content":100,"performance":99,"security":100,"seo":40}"#);
    insta::assert_snapshot!(history["runs"][1]["overallScore"], @"77");
}

#[actix_web::test]
async fn a_history_has_ten_runs_unless_asked_for_more() {
    let world = Fixture::new();
    let mut site = None;
    for _ in 0..12 {
        site = Some(world.queued(&world.acme, "https://example.com/").1);
    }
    let path = format!("/api/mcp/sites/{}/history", site.unwrap());
    let client = world.client().await;
    for (query, expected) in [
        ("", 10),
        ("?limit=1", 1),
        ("?limit=11", 11),
        ("?limit=100", 12),
    ] {
        let reply = client.get(&world.reader, &format!("{path}{query}")).await;
        let runs = reply.json()["runs"].as_array().unwrap().len();
        assert_eq!(runs, expected, "{query}");
    }
    for limit in ["0", "101", "-1", "1.0", "ten", "", "%", "1&limit=2"] {
        let reply = client
            .get(&world.reader, &format!("{path}?limit={limit}"))
            .await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, Some("limit")),
            "{limit}"
        );
    }
}

#[actix_web::test]
async fn a_site_without_a_schedule() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let reply = world.get(&format!("/api/mcp/sites/{site}/schedule")).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "cron": null,
      "enabled": false,
      "frequency": null,
      "lastRunAt": null,
      "lastRunId": null,
      "nextRunAt": null,
      "siteId": "site_01KXZZ9Q80000000000000000B",
      "timezone": null
    }
    "#);
}

#[actix_web::test]
async fn a_site_with_a_schedule() {
    let world = Fixture::new();
    let site = world.completed(&world.acme, "https://example.com/").site;
    let weekly = Frequency::Custom("0 6 * * 1".to_owned());
    let change = ScheduleChange {
        enabled: true,
        timetable: Timetable::new(weekly, "Europe/Berlin").unwrap(),
    };
    let (stores, noon) = (&world.stores, sample::noon());
    let set = stores.set_schedule(
        &world.acme,
        &site,
        &change,
        Some(noon),
        noon,
        &Actor::System,
    );
    assert!(set.unwrap().is_some());
    let due = stores.enabled_schedule(&world.acme, &site);
    let due = due.unwrap().unwrap();
    let run = sample::new_run(&world.ids, "https://example.com/");
    let next = noon + TimeDelta::days(7);
    let started = stores.start_scheduled(&due, Ok(&run), Some(next), noon);
    assert!(
        matches!(started, Ok(ScheduleOutcome::Started(_))),
        "{started:?}"
    );
    let reply = world.get(&format!("/api/mcp/sites/{site}/schedule")).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "cron": "0 6 * * 1",
      "enabled": true,
      "frequency": "custom",
      "lastRunAt": "2026-11-21T12:00:00.000Z",
      "lastRunId": "run_01KXZZ9Q80000000000000000R",
      "nextRunAt": "2026-11-28T12:00:00.000Z",
      "siteId": "site_01KXZZ9Q80000000000000000B",
      "timezone": "Europe/Berlin"
    }
    "#);
}

#[actix_web::test]
async fn a_site_is_as_in_the_list() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let list = world.get("/api/mcp/sites").await.json();
    let site = &list["sites"][0];
    let path = format!("/api/mcp/sites/{}", site["siteId"].as_str().unwrap());
    let reply = world.get(&path).await;
    assert_eq!((reply.status, &reply.json()), (200, site));
}
