//! The response of every endpoint to invalid requests.
//!
//! `cargo test -p server --test service bad_requests -- --nocapture` prints the table.

use chrono::{TimeDelta, Utc};
use domain::key::KeySecret;
use rstest::rstest;
use serde_json::{Value, json};
use testkit::SequentialIds;

use crate::client::{Client, Reply};
use crate::{Home, Kind, site};

const NEVER: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";
const START: &str = "/api/mcp/start-audit";

/// A request and its expected response.
struct Row {
    name: String,
    method: &'static str,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    status: u16,
    code: &'static str,
}

impl Row {
    fn get(name: &str, path: &str, key: &str, status: u16, code: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            method: "GET",
            path: path.to_owned(),
            headers: vec![("Authorization".to_owned(), format!("Bearer {key}"))],
            body: Vec::new(),
            status,
            code,
        }
    }

    fn post(
        name: &str,
        key: &str,
        body: impl Into<Vec<u8>>,
        status: u16,
        code: &'static str,
    ) -> Self {
        let row = Self {
            method: "POST",
            body: body.into(),
            ..Self::get(name, START, key, status, code)
        };
        row.header("Content-Type", "application/json")
    }

    fn start(name: &str, key: &str, body: &Value, code: &'static str) -> Self {
        Self::post(name, key, body.to_string(), 400, code)
    }

    fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    fn method(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    fn send(&self, client: &Client) -> Reply {
        let headers: Vec<_> = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        client.raw(self.method, &self.path, &headers, &self.body)
    }

    /// Returns what is wrong with the response, or `None`.
    fn evaluate(&self, answer: &Reply) -> Option<String> {
        let head = answer.head.to_ascii_lowercase();
        let said = &answer.body;
        let problem = [
            (answer.status == self.status, "the status"),
            (said["code"] == self.code, "the code"),
            (said["status"] == self.status, "the status in the body"),
            (
                head.contains("content-type: application/problem+json"),
                "the media type",
            ),
            (
                head.contains(
                    &format!(
                        "x-request-id: {}",
                        said["requestId"].as_str().unwrap_or("?")
                    )
                    .to_ascii_lowercase(),
                ),
                "the request id",
            ),
            (answer.is_closed, "the end of the connection"),
            (
                self.status != 401 || head.contains("www-authenticate: bearer"),
                "WWW-Authenticate",
            ),
            (self.status != 405 || head.contains("\nallow: "), "Allow"),
            (
                said["title"].is_string() && said["detail"].is_string() && said["type"].is_string(),
                "the members",
            ),
        ];
        let wrong: Vec<_> = problem
            .iter()
            .filter(|(holds, _)| !holds)
            .map(|(_, what)| *what)
            .collect();
        (!wrong.is_empty()).then(|| format!("{} wrong: {answer:?}", wrong.join(", ")))
    }
}

/// The keys and ids that the rows use.
struct Subjects {
    admin: String,
    reader: String,
    revoked: String,
    expired: String,
    unknown: String,
    capped: String,
    run: String,
    report: String,
    site: String,
    foreign_run: String,
    foreign_report: String,
    foreign_site: String,
}

fn key(home: &Home, org: &str, further: &[&str]) -> String {
    let mut arguments = vec!["keys", "create", "--org", org, "--name", "x"];
    arguments.extend(further);
    home.printed(&arguments)
}

fn audited(client: &Client, url: &str) -> [String; 3] {
    let report = client.report_on(url);
    ["runId", "reportId", "siteId"].map(|id| report[id].as_str().unwrap().to_owned())
}

fn subjects(home: &Home, service: &crate::Service, url: &str) -> Subjects {
    let admin = service.client();
    let own = admin.get("/api/mcp/account").body["organization"]["organizationId"]
        .as_str()
        .unwrap()
        .to_owned();
    let soon = (Utc::now() + TimeDelta::seconds(2)).to_rfc3339();
    let expired = key(home, &own, &["--expires", &soon]);
    let revoked = key(home, &own, &[]);
    let listed: Value =
        serde_json::from_str(&home.printed(&["keys", "list", "--org", &own, "--json"])).unwrap();
    let id = listed["keys"]
        .as_array()
        .unwrap()
        .iter()
        .find(|key| revoked.starts_with(key["prefix"].as_str().unwrap()));
    home.printed(&["keys", "revoke", id.unwrap()["keyId"].as_str().unwrap()]);
    let other = home.printed(&["orgs", "create", "Other"]);
    let others = Client::new(&service.address, &key(home, &other, &[]));
    let small = home.printed(&["orgs", "create", "Small", "--plan", "small"]);
    let capped = key(home, &small, &[]);
    Client::new(&service.address, &capped).start(url);
    let [run, report, site] = audited(&admin, url);
    let [foreign_run, foreign_report, foreign_site] = audited(&others, url);
    let waiting = Client::new(&service.address, &expired);
    while waiting.get("/api/mcp/account").status == 200 {
        std::thread::yield_now();
    }
    Subjects {
        admin: service.key(),
        reader: key(home, &own, &["--role", "read"]),
        revoked,
        expired,
        unknown: KeySecret::generate(&SequentialIds::default())
            .expose()
            .to_owned(),
        capped,
        run,
        report,
        site,
        foreign_run,
        foreign_report,
        foreign_site,
    }
}

/// Every endpoint, with existing ids.
fn endpoints(subjects: &Subjects) -> Vec<(&'static str, String)> {
    let Subjects {
        run, report, site, ..
    } = subjects;
    vec![
        ("POST", START.to_owned()),
        ("GET", format!("/api/mcp/runs/{run}")),
        ("GET", format!("/api/mcp/reports/{report}")),
        ("GET", "/api/mcp/sites".to_owned()),
        ("GET", format!("/api/mcp/sites/{site}/history")),
        ("GET", format!("/api/mcp/sites/{site}/schedule")),
        ("GET", format!("/api/mcp/sites/{site}/waivers")),
        ("GET", "/api/mcp/account".to_owned()),
        ("GET", "/api/mcp/nothing".to_owned()),
    ]
}

fn credentials(subjects: &Subjects, rows: &mut Vec<Row>) {
    let good = &subjects.admin;
    let mut mistyped = good.clone();
    let last = mistyped.pop();
    mistyped.push(if last == Some('a') { 'b' } else { 'a' });
    let bearer = |key: &str| Some(format!("Bearer {key}"));
    for (method, path) in endpoints(subjects) {
        for (name, authorization) in [
            ("no key", None),
            ("an empty header", Some(String::new())),
            ("Basic", Some("Basic c2s6eA==".to_owned())),
            ("no scheme", Some(good.clone())),
            ("the scheme alone", Some("Bearer".to_owned())),
            ("two keys", Some(format!("Bearer {good} {good}"))),
            (
                "another prefix",
                bearer(&good.replace("sk_service_", "sk_live_")),
            ),
            ("a mistyped key", bearer(&mistyped)),
            ("a key in upper case", bearer(&good.to_uppercase())),
            ("an unknown key", bearer(&subjects.unknown)),
            ("a revoked key", bearer(&subjects.revoked)),
            ("an expired key", bearer(&subjects.expired)),
        ] {
            let row = Row::get(name, &path, "", 401, "unauthorized").method(method);
            rows.push(match authorization {
                Some(value) => row.header("Authorization", &value),
                None => row.without("Authorization"),
            });
        }
    }
}

/// Bodies that are announced but never sent: the server waits for them only with a valid key.
fn missing_bodies(subjects: &Subjects, rows: &mut Vec<Row>) {
    for (name, key) in [("mistyped", "sk_service_x"), ("unknown", &subjects.unknown)] {
        let name = format!("a body that never comes, {name} key");
        let row = Row::post(&name, key, b"", 401, "unauthorized");
        rows.push(row.header("Content-Length", "200000"));
    }
}

fn paths_and_queries(subjects: &Subjects, rows: &mut Vec<Row>) {
    let Subjects {
        admin,
        site,
        report,
        ..
    } = subjects;
    for (method, path) in endpoints(subjects) {
        if path.ends_with("nothing") {
            rows.push(Row::get("an unknown path", &path, admin, 404, "not_found"));
            continue;
        }
        for wrong in [
            "DELETE",
            "PUT",
            "PATCH",
            "OPTIONS",
            if method == "GET" { "POST" } else { "GET" },
        ] {
            // Three paths here support two methods.
            let has_it = match wrong {
                "POST" => path == "/api/mcp/sites" || path.ends_with("/waivers"),
                "PUT" => path.ends_with("/schedule"),
                _ => false,
            };
            if has_it {
                continue;
            }
            rows.push(
                Row::get("another method", &path, admin, 405, "method_not_allowed").method(wrong),
            );
        }
        rows.push(Row::get(
            "an unknown path below",
            &format!("{path}/x/y/z"),
            admin,
            404,
            "not_found",
        ));
        if method == "GET" {
            for (name, query) in [
                ("an unknown parameter", "nothing=1"),
                ("a parameter without a value", "nothing"),
                ("a broken escape", "%zz=1"),
                ("not UTF-8", "%ff=1"),
            ] {
                rows.push(Row::get(
                    name,
                    &format!("{path}?{query}"),
                    admin,
                    400,
                    "invalid_request",
                ));
            }
        }
    }
    for limit in [
        "-1",
        "0",
        "101",
        "1000000000000000000000",
        "abc",
        "1.5",
        "",
        "%20",
        "1e1",
        "0x1",
        "+5",
        "5&limit=6",
    ] {
        let path = format!("/api/mcp/sites/{site}/history?limit={limit}");
        rows.push(Row::get(
            &format!("limit={limit}"),
            &path,
            admin,
            400,
            "invalid_request",
        ));
    }
    for format in ["docx", "", "PDF_URL", "html,csv"] {
        let path = format!("/api/mcp/reports/{report}?format={format}");
        rows.push(Row::get(
            &format!("format={format}"),
            &path,
            admin,
            400,
            "invalid_request",
        ));
    }
}

fn ids(subjects: &Subjects, rows: &mut Vec<Row>) {
    let Subjects {
        admin,
        run,
        report,
        site,
        foreign_run,
        foreign_report,
        foreign_site,
        ..
    } = subjects;
    for (prefix, shape, own, foreign) in [
        ("run", "/api/mcp/runs/{}", run, foreign_run),
        ("rep", "/api/mcp/reports/{}", report, foreign_report),
        ("site", "/api/mcp/sites/{}/history", site, foreign_site),
        ("site", "/api/mcp/sites/{}/schedule", site, foreign_site),
        ("site", "/api/mcp/sites/{}/waivers", site, foreign_site),
    ] {
        let lower = own.to_lowercase();
        let never = format!("{prefix}_{NEVER}");
        let another_type = format!("key_{NEVER}");
        for (name, id) in [
            ("another organization's id", foreign.as_str()),
            ("an id that never existed", never.as_str()),
            ("an id of another type", another_type.as_str()),
            ("an id in lower case", lower.as_str()),
            ("a malformed id", "nonsense"),
            ("a quote", "%27%20OR%201=1"),
            ("a NUL", "%00"),
            ("not UTF-8", "%ff"),
            ("a long id", &"x".repeat(2_000)),
        ] {
            rows.push(Row::get(
                name,
                &shape.replace("{}", id),
                admin,
                404,
                "not_found",
            ));
        }
    }
}

fn bodies(subjects: &Subjects, rows: &mut Vec<Row>) {
    let key = subjects.admin.as_str();
    let url = "https://example.com/";
    let fine = json!({ "url": url }).to_string();
    let row = |name: &str, body: Vec<u8>, status, code| Row::post(name, key, body, status, code);
    for (name, body) in [
        ("nothing", ""),
        ("broken JSON", "{\"url\":"),
        ("a trailing comma", "{\"url\":\"https://example.com/\",}"),
        ("single quotes", "{'url':'https://example.com/'}"),
        ("two values", "{\"url\":\"https://example.com/\"}{}"),
        ("an array", "[]"),
        ("a text", "\"https://example.com/\""),
        ("null", "null"),
        (
            "a field twice",
            "{\"url\":\"https://example.com/\",\"url\":\"https://example.com/\"}",
        ),
        (
            "an unknown field",
            "{\"url\":\"https://example.com/\",\"org\":\"x\"}",
        ),
        ("a NUL", "{\"url\":\"https://example.com/\\u0000\"}"),
        (
            "a lone surrogate",
            "{\"url\":\"https://example.com/\\ud800\"}",
        ),
        (
            "NaN",
            "{\"url\":\"https://example.com/\",\"options\":{\"maxPages\":NaN}}",
        ),
    ] {
        rows.push(row(name, body.into(), 400, "invalid_request"));
    }
    rows.push(row(
        "a byte order mark",
        format!("\u{feff}{fine}").into(),
        400,
        "invalid_request",
    ));
    rows.push(row(
        "not UTF-8",
        b"{\"url\":\"https://example.com/\xff\"}".to_vec(),
        400,
        "invalid_request",
    ));
    rows.push(row(
        "deep nesting",
        "[".repeat(100_000).into(),
        400,
        "invalid_request",
    ));
    rows.push(row(
        "256 KiB and a byte",
        vec![b' '; 256 * 1024 + 1],
        413,
        "payload_too_large",
    ));
    rows.push(row(
        "256 KiB",
        vec![b' '; 256 * 1024],
        400,
        "invalid_request",
    ));
    for (name, media_type) in [
        ("a form", "application/x-www-form-urlencoded"),
        ("a multipart form", "multipart/form-data; boundary=x"),
        ("plain text", "text/plain"),
        (
            "JSON in another charset",
            "application/json; charset=utf-16",
        ),
        ("no media type at all", ""),
    ] {
        let row = row(name, fine.clone().into(), 415, "unsupported_media_type");
        rows.push(row.header("Content-Type", media_type));
    }
    let row = row(
        "no Content-Type",
        fine.into(),
        415,
        "unsupported_media_type",
    );
    rows.push(row.without("Content-Type"));

    for (name, value) in [
        ("a number", json!(5)),
        ("null", json!(null)),
        ("an empty text", json!("")),
        ("an array", json!([url])),
        ("no scheme", json!("example.com")),
        ("another scheme", json!("ftp://example.com/")),
        ("a script", json!("javascript:alert(1)")),
        ("a file", json!("file:///etc/passwd")),
        ("a user name", json!("https://user@example.com/")),
        ("a password", json!("https://user:secret@example.com/")),
        ("too long", json!(format!("{url}{}", "x".repeat(2_100)))),
        ("no host", json!("https:///")),
    ] {
        rows.push(Row::start(
            &format!("url: {name}"),
            key,
            &json!({ "url": value }),
            "invalid_request",
        ));
    }
    for target in [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://192.168.0.1/",
        "http://172.16.0.1/",
        "http://100.64.0.1/",
        "http://169.254.169.254/",
        "http://[fd00:ec2::254]/",
        "http://[::ffff:10.0.0.1]/",
        "http://intranet/",
        "http://printer.local/",
        "http://app.internal/",
        "https://example.com:22/",
        "https://example.com:6379/",
    ] {
        rows.push(Row::start(
            &format!("url: {target}"),
            key,
            &json!({ "url": target }),
            "target_not_allowed",
        ));
    }
    for (name, site) in [
        ("a number", json!(5)),
        ("an array", json!([])),
        ("an object", json!({})),
    ] {
        let body = json!({ "url": url, "siteId": site });
        rows.push(Row::start(
            &format!("siteId: {name}"),
            key,
            &body,
            "invalid_request",
        ));
    }
    for (name, site) in [
        ("another organization's", subjects.foreign_site.clone()),
        ("one that never existed", format!("site_{NEVER}")),
        ("malformed", "nonsense".to_owned()),
        ("empty", String::new()),
    ] {
        let body = json!({ "url": url, "siteId": site }).to_string();
        rows.push(Row::post(
            &format!("siteId: {name}"),
            key,
            body,
            404,
            "not_found",
        ));
    }
    let body = json!({ "url": url, "siteId": subjects.site });
    rows.push(Row::start(
        "siteId: of another host",
        key,
        &body,
        "invalid_request",
    ));
}

fn options(subjects: &Subjects, rows: &mut Vec<Row>) {
    let long = format!("/{}", "x".repeat(501));
    for options in [
        json!([]),
        json!("fast"),
        json!({ "nothing": 1 }),
        json!({ "maxPages": -1 }),
        json!({ "maxPages": 0 }),
        json!({ "maxPages": 100_001 }),
        json!({ "maxPages": 1.5 }),
        json!({ "maxPages": "10" }),
        json!({ "maxPages": true }),
        json!({ "maxPages": 4_294_967_297_u64 }),
        json!({ "maxDepth": -1 }),
        json!({ "maxDepth": "1" }),
        json!({ "maxDepth": 4_294_967_296_u64 }),
        json!({ "mode": "fast" }),
        json!({ "mode": "rendered" }),
        json!({ "mode": 1 }),
        json!({ "device": "fridge" }),
        json!({ "include": "/docs" }),
        json!({ "include": [1] }),
        json!({ "include": ["docs"] }),
        json!({ "exclude": [""] }),
        json!({ "exclude": [long] }),
        json!({ "exclude": vec!["/x"; 51] }),
        json!({ "respectRobots": false }),
        json!({ "userAgent": "x" }),
        json!({ "headers": { "Host": "b" } }),
    ] {
        let body = json!({ "url": "https://example.com/", "options": options });
        let name = format!("options: {options:.60}");
        rows.push(Row::start(&name, &subjects.admin, &body, "invalid_request"));
    }
}

fn waivers(subjects: &Subjects, rows: &mut Vec<Row>) {
    let path = format!("/api/mcp/sites/{}/waivers", subjects.site);
    let post = |name: &str, key: &str, path: &str, body: &Value, status, code| Row {
        path: path.to_owned(),
        ..Row::post(name, key, body.to_string(), status, code)
    };
    let fine = json!({ "checkId": "image-alt", "reason": "Accepted." });
    let at = |field: &str, value: Value| {
        let mut body = fine.clone();
        body[field] = value;
        body
    };
    for body in [
        json!({}),
        json!([]),
        json!({ "checkId": "image-alt" }),
        json!({ "reason": "Accepted." }),
        at("checkId", json!(null)),
        at("checkId", json!("")),
        at("checkId", json!("nonsense")),
        at("checkId", json!("Image-Alt")),
        at("checkId", json!(["image-alt"])),
        at("reason", json!(null)),
        at("reason", json!("")),
        at("reason", json!(" \n\t")),
        at("reason", json!(5)),
        at("reason", json!("a\u{0}b")),
        at("reason", json!("a\u{1b}b")),
        at("reason", json!("x".repeat(1_001))),
        at("path", json!("")),
        at("path", json!("docs")),
        at("path", json!("https://example.com/docs")),
        at("path", json!("/a b")),
        at("path", json!("/a\nb")),
        at("path", json!(["/docs"])),
        at("path", json!(format!("/{}", "x".repeat(500)))),
        at("cause", json!("")),
        at("cause", json!("nonsense")),
        at("cause", json!("24680937B262FA3F5604926F6291D7F9")),
        at("cause", json!("24680937b262fa3f5604926f6291d7f9a")),
        at("expiresAt", json!("")),
        at("expiresAt", json!("soon")),
        at("expiresAt", json!("2027-01-31")),
        at("expiresAt", json!("2027-02-30T00:00:00Z")),
        at("expiresAt", json!("2020-01-31T00:00:00Z")),
        at("expiresAt", json!(1_800_000_000)),
        at("author", json!("me")),
        at("waiverId", json!("wvr_1")),
    ] {
        let name = format!("waiver: {body:.36}");
        rows.push(post(
            &name,
            &subjects.admin,
            &path,
            &body,
            400,
            "invalid_request",
        ));
    }
    let (name, key) = ("a waiver with a key that may only read", &subjects.reader);
    rows.push(post(name, key, &path, &fine, 403, "forbidden"));
    for (name, site) in [
        (
            "a waiver of another organization's site",
            &subjects.foreign_site,
        ),
        (
            "a waiver of a site that never existed",
            &format!("site_{NEVER}"),
        ),
    ] {
        let path = format!("/api/mcp/sites/{site}/waivers");
        rows.push(post(name, &subjects.admin, &path, &fine, 404, "not_found"));
    }
    for (name, key, id, status, code) in [
        (
            "a waiver that never existed",
            &subjects.admin,
            &*format!("wvr_{NEVER}"),
            404,
            "not_found",
        ),
        (
            "a malformed id of a waiver",
            &subjects.admin,
            "nonsense",
            404,
            "not_found",
        ),
        (
            "a deletion with a key that may only read",
            &subjects.reader,
            "nonsense",
            403,
            "forbidden",
        ),
    ] {
        let row = Row::get(name, &format!("{path}/{id}"), key, status, code);
        rows.push(row.method("DELETE"));
    }
}

fn roles_and_caps(subjects: &Subjects, url: &str, rows: &mut Vec<Row>) {
    let body = json!({ "url": url }).to_string();
    rows.push(Row::post(
        "a key that may only read",
        &subjects.reader,
        body.clone(),
        403,
        "forbidden",
    ));
    rows.push(Row::post(
        "the month's runs are used up",
        &subjects.capped,
        body,
        403,
        "plan_limit_hit",
    ));
    let other = json!({ "url": "https://example.com/" }).to_string();
    rows.push(Row::post(
        "one site too many",
        &subjects.capped,
        other,
        403,
        "plan_limit_hit",
    ));
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn every_bad_request_is_answered_with_its_status_and_code(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    std::fs::write(
        home.path("assay.toml"),
        "[plans.small]\nsites = 1\nmonthly_runs = 1\n",
    )
    .unwrap();
    let service = home.serve(&["--allow-target", &site.target()]);
    let url = site.url("/").to_string();
    let subjects = subjects(&home, &service, &url);
    let mut rows = Vec::new();
    credentials(&subjects, &mut rows);
    missing_bodies(&subjects, &mut rows);
    paths_and_queries(&subjects, &mut rows);
    ids(&subjects, &mut rows);
    bodies(&subjects, &mut rows);
    options(&subjects, &mut rows);
    waivers(&subjects, &mut rows);
    roles_and_caps(&subjects, &url, &mut rows);

    let client = service.client();
    let (mut table, mut wrong) = (String::new(), Vec::new());
    for row in &rows {
        let answer = row.send(&client);
        let path = row
            .path
            .replace(&subjects.run, "{runId}")
            .replace(&subjects.report, "{reportId}")
            .replace(&subjects.site, "{siteId}");
        let path: String = path.chars().take(60).collect();
        table.push_str(&format!(
            "{:<7} {path:<60} {:<46} {} {}\n",
            row.method,
            row.name,
            answer.status,
            answer.body["code"].as_str().unwrap_or("-")
        ));
        wrong.extend(
            row.evaluate(&answer)
                .map(|what| format!("{} {} ({}): {what}", row.method, row.path, row.name)),
        );
    }
    assert!(
        wrong.is_empty(),
        "{} of {} are wrong:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
    println!("{table}{kind:?}: {} bad requests, none wrong", rows.len());

    // Values at the limits are accepted, and none of the requests above was stored.
    let path = format!("/api/mcp/sites/{}/waivers", subjects.site);
    assert_eq!(client.get(&path).body["waivers"], json!([]));
    let waiver = json!({
        "checkId": "image-alt", "reason": "x".repeat(1_000), "path": format!("/{}", "x".repeat(499)),
    });
    assert_eq!(client.post(&path, &waiver).status, 201);
    for limit in [1, 100] {
        let path = format!("/api/mcp/sites/{}/history?limit={limit}", subjects.site);
        assert_eq!(client.get(&path).status, 200, "limit={limit}");
    }
    assert_eq!(
        client.get("/api/mcp/sites").body["sites"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_older_variant_asks_for_a_paid_plan(#[case] kind: Kind) {
    let home = Home::new(kind);
    std::fs::write(
        home.path("assay.toml"),
        "variant = \"legacy\"\n[plans.free]\npaid = false\n",
    )
    .unwrap();
    let service = home.serve(&[]);
    let org = home.printed(&["orgs", "create", "Free", "--plan", "free"]);
    let free = key(&home, &org, &[]);
    let client = service.client();
    for (method, path) in [
        ("POST", START),
        ("GET", "/api/mcp/runs/x"),
        ("GET", "/api/mcp/reports/x"),
        ("GET", "/api/mcp/sites"),
        ("GET", "/api/mcp/sites/x/history"),
        ("GET", "/api/mcp/sites/x/schedule"),
        ("GET", "/api/mcp/account"),
        ("GET", "/api/mcp/nothing"),
    ] {
        let row = Row::get("not paid", path, &free, 402, "payment_required").method(method);
        let wrong = row.evaluate(&row.send(&client));
        assert_eq!(wrong, None, "{method} {path}");
    }
    assert_eq!(client.get("/api/mcp/account").status, 200);
    home.printed(&["plans", "set", "--org", &org, "--plan", "self_hosted"]);
    assert_eq!(
        Client::new(&service.address, &free)
            .get("/api/mcp/account")
            .status,
        200
    );
}
