use actix_web::http::Method;
use actix_web::test::TestRequest;

use crate::world::{Fixture, Reply};

async fn open(world: &Fixture, path: &str) -> Reply {
    let request = TestRequest::with_uri(path);
    world.client().await.send(request).await
}

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
    assert_eq!(open(&world, "/checks/llms-txt-missing").await.status, 404);
    assert_eq!(open(&world, "/checks/image-alt").await.status, 200);
}

#[actix_web::test]
async fn each_is_explained_where_its_help_url_points() {
    let world = Fixture::new();
    let list = world.get("/api/mcp/checks").await.json();
    for check in list["checks"].as_array().unwrap() {
        let url = check["helpUrl"].as_str().unwrap();
        let path = url.strip_prefix("https://assay.example").unwrap();
        let page = open(&world, path).await;
        assert_eq!(page.status, 200);
        let kind = page.header("Content-Type");
        assert_eq!(kind, Some("text/html; charset=utf-8"));
        let text = page.text();
        assert_eq!(text.matches("<h1").count(), 1, "{text}");
        assert!(text.contains("<html lang=\"en\">"), "{text}");
    }
}

#[actix_web::test]
async fn the_documentation_becomes_a_page() {
    let page = open(&Fixture::new(), "/checks/image-alt").await;
    insta::assert_snapshot!(page.text(), @r#"
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Images without a text alternative – Assay</title>
    <meta name="description" content="Images without a text alternative: what the check image-alt tests, why it matters, and how to fix what it finds.">
    <link rel="stylesheet" href="style.css">
    <link rel="alternate" type="text/markdown" href="image-alt.md">
    </head>
    <body>
    <nav aria-label="Documentation"><a href="../docs/">API documentation</a></nav>
    <main>
    <h1>Images without a text alternative</h1>
    <dl>
    <dt>Check</dt><dd><code>image-alt</code></dd>
    <dt>Dimension</dt><dd>Accessibility</dd>
    <dt>Severity</dt><dd>critical (up to 45 points)</dd>
    <dt>Scope</dt><dd>page</dd>
    <dt>Needs a browser</dt><dd>no</dd>
    </dl>
    <h2>What it checks</h2>
    <p>Every <code>img</code> has an accessible name &amp; &lt;b&gt;more&lt;/b&gt;.</p>
    <p>&lt;script&gt;alert(1)&lt;/script&gt;
    </p>
    <h2>Example</h2>
    <p>This fails:</p>
    <pre><code class="language-html">&lt;img src="plan.png"&gt;
    </code></pre>
    <h2>References</h2>
    <ul>
    <li>WCAG 2.2, success criterion 1.1.1</li>
    </ul>
    </main>
    </body>
    </html>
    "#);
}

#[actix_web::test]
async fn a_title_is_escaped_and_headings_are_below_it() {
    let text = open(&Fixture::new(), "/checks/llms-txt-missing")
        .await
        .text();
    assert!(text.contains("<h1>No &lt;llms.txt&gt;</h1>"), "{text}");
    assert!(text.contains("<h2>What it checks</h2>"), "{text}");
}

#[actix_web::test]
async fn a_page_loads_its_stylesheet_and_nothing_else() {
    let world = Fixture::new();
    let page = open(&world, "/checks/image-alt").await;
    let policy = page.header("Content-Security-Policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'; "));
    assert!(page.text().contains("href=\"style.css\""));
    let style = open(&world, "/checks/style.css").await;
    assert_eq!(style.status, 200);
    assert_eq!(
        style.header("Content-Type"),
        Some("text/css; charset=utf-8")
    );
    assert!(style.text().contains("prefers-color-scheme: dark"));
    assert!(!style.text().contains("url("));
}

#[actix_web::test]
async fn what_is_no_check_has_no_page() {
    let world = Fixture::new();
    for id in [
        "nothing",
        "Image-Alt",
        "image-alt%20",
        "%ff",
        "%00",
        "..%2fdocs",
    ] {
        let reply = open(&world, &format!("/checks/{id}")).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (404, "not_found"),
            "{id}"
        );
    }
    assert_eq!(open(&world, "/checks").await.status, 404);
    assert_eq!(open(&world, "/checks/").await.status, 404);
    let request = TestRequest::with_uri("/checks/image-alt").method(Method::POST);
    let reply = world.client().await.send(request).await;
    assert_eq!(reply.status, 405);
}
