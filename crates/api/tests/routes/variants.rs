//! The older variant: paid plans alone, five subscores.

use actix_web::http::Method;
use domain::action::ActionItem;
use domain::audit_log::Actor;
use domain::ports::OrgStore;
use domain::report::Variant;
use serde_json::json;
use testkit::sample;

use crate::openapi::operations;
use crate::world::{Fixture, call};

#[actix_web::test]
async fn every_call_of_an_organization_that_does_not_pay_is_402() {
    let world = Fixture::legacy();
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
    let world = Fixture::new();
    let reply = world
        .client()
        .await
        .get(&world.rival_admin, "/api/mcp/account")
        .await;
    assert_eq!(reply.status, 200);
}

#[actix_web::test]
async fn every_operation_is_open_on_the_entry_plan() {
    let world = Fixture::new();
    let client = world.client().await;
    let operations = operations(world.variant);
    assert!(operations.len() > 30);
    for (method, path) in operations {
        let request = call(method.clone(), &world.rival_admin, &path);
        let reply = client.send(request).await;
        // Without ids and bodies an operation can only succeed, or miss these.
        assert!(
            [200, 202, 400, 404].contains(&reply.status),
            "{method} {path}: {}",
            reply.text()
        );
        let has_nothing_to_miss = method == Method::GET && !path.contains("/x");
        assert!(!has_nothing_to_miss || reply.status == 200, "{path}");
    }
    let body = json!({ "url": "https://example.com/" });
    let started = client.post(&world.rival_admin, "/api/mcp/start-audit", &body);
    assert_eq!(started.await.status, 202);
}

#[actix_web::test]
async fn the_sixth_dimension_is_nowhere() {
    let world = Fixture::legacy();
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
    let (current, legacy) = (Fixture::new(), Fixture::legacy());
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

#[actix_web::test]
async fn the_paths_of_action_items_are_not_there_in_the_older_variant() {
    let world = Fixture::legacy();
    let item = world.own_action(&world.acme, "Do it");
    let client = world.client().await;
    let unknown = world.get("/api/mcp/nothing").await.problem();
    for (method, template) in operations(Variant::Current) {
        let Some(rest) = template.strip_prefix("/api/mcp/actions") else {
            continue;
        };
        let path = format!(
            "/api/mcp/actions{}",
            rest.replace("/x", &format!("/{}", item.id))
        );
        for key in [&world.admin, &world.reader] {
            // Neither the role nor the input is judged where nothing stands.
            let request = call(method.clone(), key, &path)
                .insert_header(("Content-Type", "text/plain"))
                .set_payload("no JSON");
            let reply = client.send(request).await;
            assert_eq!(reply.status, 404, "{method} {path}: {}", reply.text());
            assert_eq!(reply.problem(), unknown);
        }
        for (key, expected) in [("", 401), (&*world.rival_admin, 402)] {
            let reply = client.send(call(method.clone(), key, &path)).await;
            assert_eq!(reply.status, expected, "{method} {path}");
        }
    }
}

#[actix_web::test]
async fn issues_name_their_action_item_in_the_current_variant_alone() {
    for world in [Fixture::new(), Fixture::legacy()] {
        let completed = world.completed(&world.acme, "https://example.com/");
        let path = format!("/api/mcp/reports/{}", completed.report);
        let report = world.get(&path).await.json();
        let items = world.actions(&world.acme);
        assert!(items.len() > 3);
        for issue in report["issues"].as_array().unwrap() {
            let is_of = |item: &&ActionItem| {
                let audit = item.audit.as_ref();
                audit.is_some_and(|audit| issue["checkId"] == audit.check_id.as_str())
            };
            let item = items.iter().find(is_of).map(|item| item.id.as_str());
            let expected = match world.variant {
                Variant::Current => json!(item),
                Variant::Legacy => json!(null),
            };
            assert_eq!(issue["actionId"], expected, "{}", issue["checkId"]);
        }
    }
}
