use actix_web::http::Method;
use domain::ports::OrgStore;
use serde_json::json;

use crate::world::{Fixture, call};

#[actix_web::test]
async fn a_site_goes_with_all_that_belongs_to_it() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let (queued, site) = world.queued(&world.acme, "https://example.com/again");
    let (kept, _) = world.queued(&world.acme, "https://example.org/");
    let client = world.client().await;
    let path = format!("/api/mcp/sites/{site}");
    let reply = client.send(call(Method::DELETE, &world.admin, &path)).await;
    assert_eq!((reply.status, reply.text().as_str()), (204, ""));
    assert_eq!(reply.header("Content-Type"), None);
    assert_eq!(reply.header("Content-Encoding"), None);
    assert!(reply.header("X-Request-Id").is_some());
    for gone in [
        format!("runs/{}", completed.run),
        format!("runs/{queued}"),
        format!("reports/{}", completed.report),
        format!("reports/{}/pages", completed.report),
        format!("sites/{site}/history"),
        format!("sites/{site}/schedule"),
    ] {
        let reply = client.get(&world.admin, &format!("/api/mcp/{gone}")).await;
        assert_eq!(reply.status, 404, "{gone}");
    }
    let runs = client.get(&world.admin, "/api/mcp/runs").await.json();
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1);
    assert_eq!(runs["runs"][0]["runId"], kept.as_str());
    let noted = world.stores.audit_log(&world.acme).unwrap().pop().unwrap();
    assert_eq!(
        (noted.event.as_str(), noted.subject.as_str()),
        ("site.deleted", site.as_str())
    );
    // What is gone cannot go again.
    let again = client.send(call(Method::DELETE, &world.admin, &path)).await;
    assert_eq!((again.status, again.code().as_str()), (404, "not_found"));
}

#[actix_web::test]
async fn the_usage_of_the_month_stays() {
    let world = Fixture::new();
    let client = world.client().await;
    let key = &world.rival_admin;
    for host in ["one", "two"] {
        let body = json!({"url": format!("https://{host}.example.com/")});
        let started = client.post(key, "/api/mcp/start-audit", &body).await.json();
        let site = started["siteId"].as_str().unwrap();
        let path = format!("/api/mcp/sites/{site}");
        let reply = client.send(call(Method::DELETE, key, &path)).await;
        assert_eq!(reply.status, 204);
    }
    let account = client.get(key, "/api/mcp/account").await.json();
    assert_eq!(account["plan"]["usage"]["monthlyRuns"], 2);
    assert_eq!(account["plan"]["usage"]["sites"], 0);
}

#[actix_web::test]
async fn another_organizations_site_stays() {
    let world = Fixture::new();
    let (_, foreign) = world.queued(&world.rival, "https://example.com/");
    let client = world.client().await;
    let path = format!("/api/mcp/sites/{foreign}");
    let reply = client.send(call(Method::DELETE, &world.admin, &path)).await;
    assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
    let sites = client.get(&world.rival_admin, "/api/mcp/sites").await;
    assert_eq!(sites.json()["sites"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_query_is_refused() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let path = format!("/api/mcp/sites/{site}?force=1");
    let request = call(Method::DELETE, &world.admin, &path);
    let reply = world.client().await.send(request).await;
    assert_eq!(
        (reply.status, reply.field().as_deref()),
        (400, Some("force"))
    );
}
