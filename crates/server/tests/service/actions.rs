//! The life cycle of action items: from an audit to a brief and a prompt, to the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};
use testkit::{LoopbackServer, TestResponse};

use crate::{Client, Home, Kind, page};

/// A site whose image has no text alternative until it is repaired.
fn site(repaired: &Arc<AtomicBool>) -> LoopbackServer {
    let repaired = Arc::clone(repaired);
    LoopbackServer::start(move |request| match request.target.as_str() {
        "/" if repaired.load(Ordering::SeqCst) => page("Home", "<img src=/x.png alt='A house'>"),
        "/" => page("Home", "<img src=/x.png>"),
        "/x.png" => TestResponse::new(200, "x").header("Content-Type", "image/png"),
        _ => TestResponse::new(404, "nothing"),
    })
    .unwrap()
}

/// The item of a check.
fn item(client: &Client, check: &str) -> Value {
    let list = client.get("/api/mcp/actions?limit=200").body;
    let items = list["actions"].as_array().unwrap().clone();
    let mut of_check = items.into_iter().filter(|item| item["checkId"] == check);
    let item = of_check.next().unwrap();
    assert_eq!(of_check.next(), None, "there is one item for each check");
    item
}

fn brief_when_ready(client: &Client, path: &str) -> Value {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let brief = client.get(path).body;
        if brief["status"] == "ready" {
            return brief;
        }
        assert!(Instant::now() < end, "{brief:#}");
        std::thread::yield_now();
    }
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn an_item_goes_from_an_audit_to_a_brief_and_a_prompt(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let client = service.client();
    let site = site(&Arc::default());
    let report = client.report_on(site.url("/").as_str());
    let item = item(&client, "image-alt");
    let issues = report["issues"].as_array().unwrap();
    let of_check = issues
        .iter()
        .filter(|issue| issue["checkId"] == "image-alt");
    assert!(of_check.clone().count() > 0);
    for issue in of_check {
        assert_eq!(issue["actionId"], item["actionId"]);
    }
    let path = format!(
        "/api/mcp/actions/{}/brief",
        item["actionId"].as_str().unwrap()
    );
    assert_eq!(client.get(&path).body["status"], "none");
    let asked = client.post(&path, &json!({ "instructions": "We use Hugo." }));
    assert_eq!(
        (asked.status, &asked.body["status"]),
        (202, &json!("queued"))
    );
    let brief = brief_when_ready(&client, &path);
    let content = brief["content"].as_str().unwrap();
    for part in [
        "# Brief: `image-alt`",
        "We use Hugo.",
        "--check image-alt",
        "/x.png",
    ] {
        assert!(content.contains(part), "{part}: {content}");
    }
    for format in ["markdown", "cursor"] {
        let body = json!({ "ids": [item["actionId"]], "format": format });
        let handoff = client.post("/api/mcp/actions/handoff", &body);
        assert_eq!(handoff.status, 200, "{handoff:?}");
        let prompt = handoff.body["prompt"].as_str().unwrap();
        assert!(prompt.contains("--check image-alt"), "{prompt}");
    }
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn fixed_issues_are_verified_and_recurring_ones_are_regressions(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let client = service.client();
    let repaired = Arc::new(AtomicBool::new(false));
    let site = site(&repaired);
    let url = site.url("/");
    client.report_on(url.as_str());
    let opened = item(&client, "image-alt");
    let path = format!("/api/mcp/actions/{}", opened["actionId"].as_str().unwrap());
    let mine = json!({ "title": "Describe the house", "priority": "low", "status": "in_progress" });
    assert_eq!(client.send("PATCH", &path, &mine.to_string()).status, 200);

    repaired.store(true, Ordering::SeqCst);
    let report = client.report_on(url.as_str());
    let done = client.get(&path).body;
    assert_eq!(done["status"], "done", "{done:#}");
    assert!(done["verifiedAt"].is_string() && done["resolvedAt"].is_string());
    assert_eq!(done["title"], "Describe the house");
    let comments = client.get(&format!("{path}/comments")).body;
    let said = comments["comments"][0]["body"].as_str().unwrap();
    assert!(said.contains(report["runId"].as_str().unwrap()), "{said}");
    assert_eq!(comments["comments"][0]["author"]["type"], "system");

    repaired.store(false, Ordering::SeqCst);
    client.report_on(url.as_str());
    let again = client.get(&path).body;
    assert_eq!(again["status"], "open", "{again:#}");
    assert_eq!(again["verifiedAt"], Value::Null);
    assert_eq!(
        (&again["title"], &again["priority"]),
        (&mine["title"], &mine["priority"])
    );
    assert_eq!(again["commentCount"], 2);

    let dismissed = json!({ "status": "dismissed" }).to_string();
    assert_eq!(client.send("PATCH", &path, &dismissed).status, 200);
    client.report_on(url.as_str());
    assert_eq!(client.get(&path).body["status"], "dismissed");
    let sites = client.get("/api/mcp/sites").body;
    let open = client
        .get("/api/mcp/actions?status=open,in_progress&limit=200")
        .body;
    let open = open["actions"].as_array().unwrap().len();
    assert_eq!(sites["sites"][0]["openActions"], open);
}
