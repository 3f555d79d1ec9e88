use crate::world::Fixture;

#[actix_web::test]
async fn the_account_without_caps() {
    let world = Fixture::new();
    world.queued(&world.acme, "https://example.com/");
    insta::assert_snapshot!(world.get("/api/mcp/account").await.shown(), @r#"
    200
    {
      "key": {
        "createdAt": "2026-11-21T12:00:00.000Z",
        "expiresAt": null,
        "keyId": "key_01KXZZ9Q800000000000000003",
        "lastUsedAt": null,
        "name": "ci",
        "prefix": "sk_service_2000",
        "role": "admin"
      },
      "organization": {
        "name": "Acme",
        "organizationId": "org_01KXZZ9Q800000000000000000"
      },
      "plan": {
        "limits": {
          "monthlyRenderedPages": null,
          "monthlyRuns": null,
          "renderedPagesPerRun": null,
          "sites": null,
          "storageBytes": null
        },
        "name": "self_hosted",
        "paid": true,
        "planId": "self_hosted",
        "usage": {
          "monthlyRenderedPages": 0,
          "monthlyRuns": 1,
          "periodEnd": "2026-12-01T00:00:00.000Z",
          "periodStart": "2026-11-01T00:00:00.000Z",
          "sites": 1,
          "storageBytes": 0
        }
      },
      "variant": "current"
    }
    "#);
}

#[actix_web::test]
async fn the_account_with_caps() {
    let world = Fixture::new();
    let client = world.client().await;
    let account = client
        .get(&world.rival_admin, "/api/mcp/account")
        .await
        .json();
    insta::assert_snapshot!(account["plan"], @r#"{"limits":{"monthlyRenderedPages":null,"monthlyRuns":3,"renderedPagesPerRun":null,"sites":2,"storageBytes":null},"name":"free","paid":false,"planId":"free","usage":{"monthlyRenderedPages":0,"monthlyRuns":0,"periodEnd":"2026-12-01T00:00:00.000Z","periodStart":"2026-11-01T00:00:00.000Z","sites":0,"storageBytes":0}}"#);
}

#[actix_web::test]
async fn a_use_is_noted() {
    let world = Fixture::new();
    let client = world.client().await;
    let last_used = async || {
        let account = client.get(&world.reader, "/api/mcp/account").await.json();
        account["key"]["lastUsedAt"].as_str().map(str::to_owned)
    };
    assert_eq!(last_used().await, None);
    assert_eq!(
        last_used().await.as_deref(),
        Some("2026-11-21T12:00:00.000Z")
    );
}
