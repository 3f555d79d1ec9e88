use testkit::sample;

use crate::world::Fixture;

#[actix_web::test]
async fn a_picture_is_a_jpeg_file_that_runs_nothing() {
    let world = Fixture::new();
    let report = world.pictured(&world.acme);
    let reply = world
        .get(&format!("/api/mcp/reports/{report}/artifacts/art_2"))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.body, sample::artifact(2).jpeg);
    let tag = format!("\"{}\"", sample::artifact(2).info().sha256);
    for (name, value) in [
        ("Content-Type", "image/jpeg"),
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ("Cache-Control", "private, max-age=86400, immutable"),
        ("ETag", &tag),
    ] {
        assert_eq!(reply.header(name), Some(value), "{name}");
    }
}

#[actix_web::test]
async fn the_pictures_of_a_report_are_listed() {
    let world = Fixture::new();
    let report = world.pictured(&world.acme);
    let reply = world
        .get(&format!("/api/mcp/reports/{report}/artifacts"))
        .await;
    let list: api_types::artifact::ArtifactList = serde_json::from_slice(&reply.body).unwrap();
    let ids: Vec<_> = list
        .artifacts
        .iter()
        .map(|one| one.artifact_id.as_str())
        .collect();
    assert_eq!(ids, ["art_1", "art_2"]);
    assert_eq!(
        (list.artifacts[0].width, list.artifacts[0].size_bytes),
        (412, 4)
    );
    let bare = world.completed(&world.acme, "https://example.com/").report;
    let reply = world
        .get(&format!("/api/mcp/reports/{bare}/artifacts"))
        .await;
    assert_eq!(reply.text(), r#"{"artifacts":[]}"#);
}

#[actix_web::test]
async fn there_is_no_picture_of_another_organization_and_none_that_was_deleted() {
    let world = Fixture::new();
    let own = world.pictured(&world.acme);
    let foreign = world.pictured(&world.rival);
    for (report, id) in [
        (&foreign, "art_1"),
        (&own, "art_3"),
        (&own, "art_49"),
        (&own, "x"),
    ] {
        let path = format!("/api/mcp/reports/{report}/artifacts/{id}");
        let reply = world.get(&path).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (404, "not_found"),
            "{path}"
        );
    }
    let reply = world
        .get(&format!("/api/mcp/reports/{foreign}/artifacts"))
        .await;
    assert_eq!(reply.status, 404);
    for name in world.objects.all().into_keys() {
        let name = domain::ports::ObjectName::new(name).unwrap();
        domain::ports::ObjectStore::delete(&world.objects, &name).unwrap();
    }
    let reply = world
        .get(&format!("/api/mcp/reports/{own}/artifacts/art_1"))
        .await;
    assert_eq!(reply.status, 404);
}

#[actix_web::test]
async fn a_store_that_does_not_answer_is_a_problem_without_its_reason() {
    let world = Fixture::new();
    let report = world.pictured(&world.acme);
    let fault = domain::ports::ObjectError::Unavailable("s3://secret-bucket".to_owned());
    world.objects.set_fault(Some(fault));
    let reply = world
        .get(&format!("/api/mcp/reports/{report}/artifacts/art_1"))
        .await;
    assert_eq!(reply.status, 503);
    assert!(!reply.text().contains("secret-bucket"), "{}", reply.text());
}
