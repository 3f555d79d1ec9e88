//! Bodies that start nothing, each with the field that is named.

use actix_web::http::Method;
use domain::ports::SiteStore;

use super::PATH;
use crate::world::{Fixture, call};

const JSON: &str = "application/json";
const INVALID: (u16, &str) = (400, "invalid_request");
const TARGET: (u16, &str) = (400, "target_not_allowed");
const LARGE: (u16, &str) = (413, "payload_too_large");
const MEDIA: (u16, &str) = (415, "unsupported_media_type");

/// The cap on bodies.
const MOST: usize = 256 * 1_024;

/// Content-Type, body, status and code, field.
type Row = (
    &'static str,
    Vec<u8>,
    (u16, &'static str),
    Option<&'static str>,
);

fn row(body: &str, field: Option<&'static str>) -> Row {
    (JSON, body.as_bytes().to_vec(), INVALID, field)
}

/// A URL as the body has it.
fn url(url: &str, expected: (u16, &'static str)) -> Row {
    let body = serde_json::json!({ "url": url }).to_string();
    (JSON, body.into_bytes(), expected, Some("url"))
}

/// One option with its value.
fn option(name: &str, value: &str, field: &'static str) -> Row {
    let body = format!(r#"{{"url":"https://example.com/","options":{{"{name}":{value}}}}}"#);
    row(&body, Some(field))
}

/// A body of that size whose only fault may be its size.
fn padded(size: usize) -> Vec<u8> {
    let mut body = br#"{"url":"https://example.com/","padding":""#.to_vec();
    body.resize(size - 2, b'x');
    body.extend_from_slice(b"\"}");
    body
}

fn shapes() -> Vec<Row> {
    vec![
        row("", None),
        row(" ", None),
        row("{", None),
        row(r#"{"url":"https://example.com/""#, None),
        row(r#"{"url":"https://example.com/"#, None),
        row(r#"{"url":"https://example.com/"}}"#, None),
        row(r#"{"url":"https://example.com/"}{}"#, None),
        row(r#"{"url":"https://example.com/"} true"#, None),
        row(r#"{"url":"https://example.com/",}"#, None),
        row(r#"{'url':'https://example.com/'}"#, None),
        row(r#"{url:"https://example.com/"}"#, None),
        row("{\"url\":\"https://example.com/\"} // why not", None),
        row("\u{feff}{\"url\":\"https://example.com/\"}", None),
        row("null", None),
        row("true", None),
        row("1", None),
        row(r#""https://example.com/""#, None),
        row("[]", None),
        row(r#"["https://example.com/"]"#, None),
        row(r#"[{"url":"https://example.com/"}]"#, None),
        row("NaN", None),
        row(r#"{"url":"https://example.com/\ud800"}"#, None),
        row("{\"url\":\"https://example.com/\n\"}", None),
        row(
            &format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000)),
            None,
        ),
        row(&format!(r#"{{"a":{}"#, r#"{"a":"#.repeat(10_000)), None),
        (
            JSON,
            b"{\"url\":\"https://example.com/\xff\"}".to_vec(),
            INVALID,
            None,
        ),
        (JSON, vec![0xff, 0xfe, b'{', 0, b'}', 0], INVALID, None),
        (JSON, vec![0], INVALID, None),
    ]
}

fn fields() -> Vec<Row> {
    vec![
        row("{}", Some("url")),
        row(r#"{"siteId":null}"#, Some("url")),
        row(r#"{"url":null}"#, Some("url")),
        row(r#"{"url":1}"#, Some("url")),
        row(r#"{"url":true}"#, Some("url")),
        row(r#"{"url":["https://example.com/"]}"#, Some("url")),
        row(r#"{"url":{"href":"https://example.com/"}}"#, Some("url")),
        row(r#"{"URL":"https://example.com/"}"#, Some("URL")),
        row(
            r#"{"url":"https://example.com/","url":"https://example.com/"}"#,
            Some("url"),
        ),
        row(
            r#"{"url":"https://example.com/","\u0075rl":"x"}"#,
            Some("url"),
        ),
        row(
            r#"{"url":"https://example.com/","siteID":"x"}"#,
            Some("siteID"),
        ),
        row(
            r#"{"url":"https://example.com/","site_id":"x"}"#,
            Some("site_id"),
        ),
        row(
            r#"{"url":"https://example.com/","organizationId":"org_1"}"#,
            Some("organizationId"),
        ),
        row(
            r#"{"url":"https://example.com/","trigger":"schedule"}"#,
            Some("trigger"),
        ),
        row(r#"{"url":"https://example.com/","":1}"#, Some("")),
        row(
            r#"{"url":"https://example.com/","__proto__":{}}"#,
            Some("__proto__"),
        ),
        row(
            r#"{"url":"https://example.com/","siteId":1}"#,
            Some("siteId"),
        ),
        row(
            r#"{"url":"https://example.com/","siteId":["site_1"]}"#,
            Some("siteId"),
        ),
        row(
            r#"{"url":"https://example.com/","siteId":"a\u0000"}"#,
            Some("siteId"),
        ),
        row(r#"{"url":"https://example.com/\u0000"}"#, Some("url")),
        row(
            r#"{"url":"https://example.com/","options":[]}"#,
            Some("options"),
        ),
        row(
            r#"{"url":"https://example.com/","options":[1,2,"auto",[],[],"mobile",null,null,null]}"#,
            Some("options"),
        ),
        row(
            r#"{"url":"https://example.com/","options":"fast"}"#,
            Some("options"),
        ),
        row(
            r#"{"url":"https://example.com/","options":1}"#,
            Some("options"),
        ),
        row(
            r#"{"url":"https://example.com/","options":{},"options":{}}"#,
            Some("options"),
        ),
    ]
}

fn options() -> Vec<Row> {
    vec![
        option("maxPages", "0", "options.maxPages"),
        option("maxPages", "-1", "options.maxPages"),
        option("maxPages", "5001", "options.maxPages"),
        option("maxPages", "4294967296", "options.maxPages"),
        option("maxPages", "18446744073709551616", "options.maxPages"),
        option("maxPages", "1.5", "options.maxPages"),
        option("maxPages", "1.0", "options.maxPages"),
        option("maxPages", "1e3", "options.maxPages"),
        option("maxPages", "-0", "options.maxPages"),
        option("maxPages", "\"10\"", "options.maxPages"),
        option("maxPages", "true", "options.maxPages"),
        option("maxPages", "[10]", "options.maxPages"),
        option("maxPages", "{}", "options.maxPages"),
        option("maxPages", "1,\"maxPages\":1", "options.maxPages"),
        option("maxDepth", "-1", "options.maxDepth"),
        option("maxDepth", "0.5", "options.maxDepth"),
        option("maxDepth", "4294967296", "options.maxDepth"),
        option("maxDepth", "\"none\"", "options.maxDepth"),
        option("mode", "\"rendered\"", "options.mode"),
        option("mode", "\"Static\"", "options.mode"),
        option("mode", "\"\"", "options.mode"),
        option("mode", "1", "options.mode"),
        option("mode", "{\"static\":null}", "options.mode"),
        option("mode", "\"static\\u0000\"", "options.mode"),
        option("device", "\"tablet\"", "options.device"),
        option("device", "[\"mobile\"]", "options.device"),
        option("include", "\"/a\"", "options.include"),
        option("include", "{}", "options.include"),
        option("include", "[1]", "options.include[0]"),
        option("include", "[null]", "options.include[0]"),
        option("include", "[\"/a\",\"/b\\u0000\"]", "options.include[1]"),
        option("include", "[\"/a\",\"b\"]", "options.include[1]"),
        option("exclude", "[\"\"]", "options.exclude[0]"),
        option("exclude", "[\"/a b\"]", "options.exclude[0]"),
        option("headers", "[]", "options.headers"),
        option("headers", "\"a: b\"", "options.headers"),
        option("headers", "{\"a\":1}", "options.headers.a"),
        option("headers", "{\"a\":null}", "options.headers.a"),
        option("headers", "{\"a\":\"b\\u0000\"}", "options.headers.a"),
        option("headers", "{\"Host\":\"b\"}", "options.headers.Host"),
        option("userAgent", "\"me\"", "options.userAgent"),
        option("respectRobots", "false", "options.respectRobots"),
        option("respectRobots", "\"no\"", "options.respectRobots"),
        option("max_pages", "1", "options.max_pages"),
        option("concurrency", "1", "options.concurrency"),
    ]
}

fn urls() -> Vec<Row> {
    let long = format!("https://example.com/{}", "a".repeat(2_048));
    vec![
        url("", INVALID),
        url(" ", INVALID),
        url("example.com", INVALID),
        url("//example.com/", INVALID),
        url("/path", INVALID),
        url("ftp://example.com/", INVALID),
        url("file:///etc/passwd", INVALID),
        url("javascript:alert(1)", INVALID),
        url("data:text/html,x", INVALID),
        url("https://", INVALID),
        url("https:///", INVALID),
        url("https://user@example.com/", INVALID),
        url("https://user:secret@example.com/", INVALID),
        url("https://exa mple.com/", INVALID),
        url("https://example.com:99999/", INVALID),
        url("https://[::1", INVALID),
        url(&long, INVALID),
        url("http://127.0.0.1/", TARGET),
        url("http://0x7f.1/", TARGET),
        url("http://2130706433/", TARGET),
        url("http://0177.0.0.1/", TARGET),
        url("http://[::1]/", TARGET),
        url("http://[::ffff:10.0.0.1]/", TARGET),
        url("http://10.0.0.1/", TARGET),
        url("http://169.254.169.254/latest/meta-data/", TARGET),
        url("http://localhost/", TARGET),
        url("http://intranet/", TARGET),
        url("http://printer.local/", TARGET),
        url("https://example.com:22/", TARGET),
        url("https://example.com:8444/", TARGET),
    ]
}

fn media() -> Vec<Row> {
    let fine = br#"{"url":"https://example.com/"}"#.to_vec();
    let form = b"url=https%3A%2F%2Fexample.com%2F".to_vec();
    let parts = b"--x\r\nContent-Disposition: form-data; name=\"url\"\r\n\r\nhttps://example.com/\r\n--x--\r\n".to_vec();
    vec![
        ("", fine.clone(), MEDIA, None),
        ("text/plain", fine.clone(), MEDIA, None),
        ("text/json", fine.clone(), MEDIA, None),
        (
            "application/json; charset=latin1",
            fine.clone(),
            MEDIA,
            None,
        ),
        (
            "application/json; charset=utf-16",
            fine.clone(),
            MEDIA,
            None,
        ),
        ("application/json; version=1", fine.clone(), MEDIA, None),
        ("application/merge-patch+json", fine.clone(), MEDIA, None),
        ("application/jsonp", fine, MEDIA, None),
        ("application/x-www-form-urlencoded", form, MEDIA, None),
        ("multipart/form-data; boundary=x", parts, MEDIA, None),
        (JSON, padded(MOST), INVALID, Some("padding")),
        (JSON, padded(MOST + 1), LARGE, None),
        (JSON, vec![b' '; MOST + 1], LARGE, None),
        // The size comes before the type, the type before the content.
        ("text/plain", padded(MOST + 1), LARGE, None),
        ("text/plain", b"{".to_vec(), MEDIA, None),
    ]
}

fn table() -> Vec<Row> {
    let mut rows = shapes();
    rows.extend([fields(), options(), urls(), media()].concat());
    let many = format!("[{}]", vec!["\"/a\""; 51].join(","));
    rows.push(option("include", &many, "options.include"));
    rows.push(option("exclude", &many, "options.exclude"));
    let long = format!("[\"/{}\"]", "a".repeat(500));
    rows.push(option("exclude", &long, "options.exclude[0]"));
    rows
}

/// Each row twice: with a Content-Length, and without one, as a chunked body has none.
#[actix_web::test]
async fn each_is_refused_with_its_field_and_starts_nothing() {
    let world = Fixture::new();
    let client = world.client().await;
    assert!(table().len() > 100);
    for (kind, body, (status, code), field) in table() {
        for announces_length in [true, false] {
            let mut request = call(Method::POST, &world.member, PATH).set_payload(body.clone());
            if !kind.is_empty() {
                request = request.insert_header(("Content-Type", kind));
            }
            if announces_length {
                request = request.insert_header(("Content-Length", body.len()));
            }
            let reply = client.send(request).await;
            let shown: String = String::from_utf8_lossy(&body).chars().take(120).collect();
            let context = format!("{kind} {shown}\n{}", reply.text());
            assert_eq!(reply.status, status, "{context}");
            assert_eq!(reply.code(), code, "{context}");
            assert_eq!(reply.field().as_deref(), field, "{context}");
            assert!(!reply.text().contains("u32"), "{context}");
            assert!(!reply.text().contains("struct"), "{context}");
        }
    }
    assert_eq!(
        world
            .stores
            .sites(&world.acme, domain::report::Variant::Current)
            .unwrap(),
        []
    );
}

#[actix_web::test]
async fn a_coded_body_is_refused() {
    let world = Fixture::new();
    let client = world.client().await;
    let request = call(Method::POST, &world.member, PATH)
        .insert_header(("Content-Type", JSON))
        .insert_header(("Content-Encoding", "gzip"))
        .set_payload(r#"{"url":"https://example.com/"}"#);
    assert_eq!(client.send(request).await.status, 415);
}

#[actix_web::test]
async fn a_query_is_refused() {
    let world = Fixture::new();
    let client = world.client().await;
    let request = call(Method::POST, &world.member, "/api/mcp/start-audit?dryRun=1")
        .set_json(serde_json::json!({"url": "https://example.com/"}));
    let reply = client.send(request).await;
    assert_eq!(
        (reply.status, reply.field().as_deref()),
        (400, Some("dryRun"))
    );
}

#[actix_web::test]
async fn every_invalid_field_is_named_and_a_number_with_its_range() {
    let world = Fixture::new();
    let client = world.client().await;
    let body =
        serde_json::json!({ "url": 1, "options": { "maxPages": "10", "mode": "fast" }, "more": 1 });
    let reply = client.post(&world.member, PATH, &body).await;
    let problem = reply.problem();
    let errors = problem["errors"].as_array().unwrap();
    let mut found: Vec<_> = errors
        .iter()
        .map(|error| {
            (
                error["field"].as_str().unwrap(),
                error["code"].as_str().unwrap(),
            )
        })
        .collect();
    found.sort_unstable();
    let expected = [
        ("more", "unknown"),
        ("options.maxPages", "wrong_type"),
        ("options.mode", "unknown_value"),
        ("url", "wrong_type"),
    ];
    assert_eq!(found, expected);
    let number = errors
        .iter()
        .find(|error| error["field"] == "options.maxPages");
    let message = number.unwrap()["message"].as_str().unwrap();
    assert!(
        message.starts_with("Must be a whole number from 1 to "),
        "{message}"
    );
    assert!(
        message.ends_with("a text in quotation marks was given."),
        "{message}"
    );
}
