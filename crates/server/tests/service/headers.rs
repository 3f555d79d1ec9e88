//! Request headers of a run: they are sent only to its own site, and stored nowhere in plain text.

use std::sync::{Arc, Mutex};

use rstest::rstest;
use serde_json::json;
use testkit::{LoopbackServer, TestResponse};

use crate::matrix::dump;
use crate::{Home, Kind, page};

const SECRET: &str = "Basic aHVudGVyOmh1bnRlcjI=";

/// A site that records whether requests had the header.
fn site(seen: &Arc<Mutex<Vec<bool>>>, link: String) -> LoopbackServer {
    let seen = Arc::clone(seen);
    LoopbackServer::start(move |request| {
        let value = request.header("authorization");
        seen.lock().unwrap().push(value == Some(SECRET));
        match request.target.as_str() {
            "/" => page(
                "Home",
                &format!("<a href='{link}'>Elsewhere</a><a href=/a>A</a>"),
            ),
            "/a" => page("A", "<p>Words"),
            _ => TestResponse::new(404, "nothing"),
        }
    })
    .unwrap()
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn headers_are_sent_only_to_their_site_and_erased_when_the_run_ends(#[case] kind: Kind) {
    let (own_saw, other_saw) = (Arc::default(), Arc::default());
    let other = site(&other_saw, "/a".to_owned());
    let own = site(&own_saw, other.url("/").to_string());
    let home = Home::new(kind);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let client = service.client();
    let body = json!({ "url": own.url("/").as_str(), "options": { "headers": { "Authorization": SECRET } } });
    let started = client.post("/api/mcp/start-audit", &body);
    assert_eq!(started.status, 202, "{started:?}");
    let run = client.ended(started.body["runId"].as_str().unwrap());
    assert_eq!(run["status"], "completed", "{run:#}");
    assert_eq!(run["options"]["headers"], json!({ "authorization": "***" }));
    let (own_saw, other_saw) = (own_saw.lock().unwrap(), other_saw.lock().unwrap());
    assert!(
        own_saw.len() > 3 && own_saw.iter().all(|with| *with),
        "{own_saw:?}"
    );
    assert!(
        !other_saw.is_empty() && other_saw.iter().all(|with| !with),
        "{other_saw:?}"
    );
    let kept = dump::dump(&home);
    assert!(kept.contains("authorization") && !kept.contains(SECRET));
    let (_, log) = service.stop();
    assert!(!log.contains(SECRET));
}
