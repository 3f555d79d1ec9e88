use crate::world::Fixture;

#[actix_web::test]
async fn all_are_listed() {
    let reply = Fixture::new().get("/api/mcp/checks").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "checks": [
        {
          "checkId": "image-alt",
          "dimension": "accessibility",
          "helpUrl": "https://assay.example/checks/image-alt",
          "needsBrowser": false,
          "scope": "page",
          "severity": "critical",
          "title": "Images without a text alternative",
          "weight": 45
        },
        {
          "checkId": "llms-txt-missing",
          "dimension": "aiReadiness",
          "helpUrl": "https://assay.example/checks/llms-txt-missing",
          "needsBrowser": true,
          "scope": "site",
          "severity": "info",
          "title": "No <llms.txt>",
          "weight": 0
        }
      ]
    }
    "#);
}

#[actix_web::test]
async fn the_older_variant_has_none_of_the_sixth_dimension() {
    let world = Fixture::legacy();
    let list = world.get("/api/mcp/checks").await.json();
    assert_eq!(list["checks"].as_array().unwrap().len(), 1);
    assert_eq!(list["checks"][0]["checkId"], "image-alt");
}
