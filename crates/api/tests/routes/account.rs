use crate::world::World;

#[actix_web::test]
async fn the_account_without_caps() {
    let world = World::new();
    world.queued(&world.acme, "https://example.com/");
    insta::assert_snapshot!(world.get("/api/mcp/account").await.shown(), @"");
}

#[actix_web::test]
async fn the_account_with_caps() {
    let world = World::new();
    let client = world.client().await;
    let account = client
        .get(&world.rival_admin, "/api/mcp/account")
        .await
        .json();
    insta::assert_snapshot!(account["plan"], @"");
}

#[actix_web::test]
async fn a_use_is_noted() {
    let world = World::new();
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
