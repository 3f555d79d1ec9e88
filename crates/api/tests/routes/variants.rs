//! The older variant: paid plans alone, five subscores.

use actix_web::http::Method;
use domain::audit_log::Actor;
use domain::ports::OrgStore;
use serde_json::json;
use testkit::sample;

use crate::openapi::operations;
use crate::world::{World, call};

#[actix_web::test]
async fn every_call_of_an_organization_that_does_not_pay_is_402() {
    let world = World::legacy();
    let client = world.client().await;
    let mut paths = operations(world.variant);
    paths.push((Method::GET, "/api/mcp/nothing".to_owned()));
    paths.push((Method::DELETE, "/api/mcp/account".to_owned()));
    for (method, path) in paths {
        let reply = client.send(call(method, &world.rival_admin, &path)).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (402, "payment_required"),
            "{path}"
        );
    }
    let account = "/api/mcp/account";
    assert_eq!(client.get(&world.admin, account).await.status, 200);
    let by = Actor::CommandLine;
    assert!(
        world
            .stores
            .set_plan(&world.rival, "team", sample::noon(), &by)
            .unwrap()
    );
    assert_eq!(client.get(&world.rival_admin, account).await.status, 200);
}

#[actix_web::test]
async fn nobody_is_asked_to_pay_in_the_current_variant() {
    let world = World::new();
    let reply = world
        .client()
        .await
        .get(&world.rival_admin, "/api/mcp/account")
        .await;
    assert_eq!(reply.status, 200);
}

#[actix_web::test]
async fn the_sixth_dimension_is_nowhere() {
    let world = World::legacy();
    let completed = world.completed(&world.acme, "https://example.com/");
    for path in [
        format!("reports/{}", completed.report),
        format!("reports/{}/pages", completed.report),
        format!(
            "reports/{}/diff?against={}",
            completed.report, completed.report
        ),
        format!("runs/{}", completed.run),
        format!("sites/{}/history", completed.site),
        "runs".to_owned(),
        "checks".to_owned(),
        "sites".to_owned(),
        "account".to_owned(),
    ] {
        let reply = world.get(&format!("/api/mcp/{path}")).await;
        assert_eq!(reply.status, 200, "{path}");
        assert!(!reply.text().contains("aiReadiness"), "{path}");
    }
}

#[actix_web::test]
async fn scores_are_those_of_the_variant() {
    let (current, legacy) = (World::new(), World::legacy());
    let mut overall = Vec::new();
    for (world, dimensions) in [(&current, 6), (&legacy, 5)] {
        let completed = world.completed(&world.acme, "https://example.com/");
        let report = world
            .get(&format!("/api/mcp/reports/{}", completed.report))
            .await
            .json();
        let history = world
            .get(&format!("/api/mcp/sites/{}/history", completed.site))
            .await
            .json();
        let sites = world.get("/api/mcp/sites").await.json();
        assert_eq!(report["subscores"].as_object().unwrap().len(), dimensions);
        assert_eq!(
            report["summaries"].as_object().unwrap().len(),
            dimensions + 1
        );
        assert_eq!(history["runs"][0]["subscores"], report["subscores"]);
        assert_eq!(history["runs"][0]["overallScore"], report["overallScore"]);
        assert_eq!(sites["sites"][0]["latestScore"], report["overallScore"]);
        assert_eq!(report["variant"], json!(world.variant.as_str()));
        overall.push(report["overallScore"].clone());
    }
    assert_ne!(
        overall[0], overall[1],
        "the sample tells the variants apart"
    );
}
