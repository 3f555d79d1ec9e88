use std::process::Command;

use rstest::rstest;
use serde_json::{Value, json};

use crate::{Client, Home, Kind, site};

#[test]
fn a_second_service_on_the_same_file_says_so_and_ends() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let second = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(3));
    let message = String::from_utf8(second.stderr).unwrap();
    assert!(message.contains("another `assay serve`"), "{message}");
    assert_eq!(service.client().get("/api/mcp/account").status, 200);
}

#[test]
fn two_services_share_a_postgresql_database() {
    let (home, site) = (Home::new(Kind::Postgresql), site());
    let first = home.serve(&["--allow-target", &site.target()]);
    let second = home.serve(&["--allow-target", &site.target()]);
    let through_first = first.client();
    let through_second = Client::new(&second.address, &first.key());
    let run = through_first.start(site.url("/").as_str());
    assert_eq!(through_second.ended(&run)["status"], "completed");
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn no_key_is_logged(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let key = service.key();
    let secret = key.trim_start_matches("sk_service_").to_owned();
    client.report_on(site.url("/").as_str());
    client.get(&format!("/api/mcp/runs/{key}"));
    client.get(&format!("/api/mcp/sites?key={key}"));
    client.get(&format!("/{key}"));
    client.post("/api/mcp/start-audit", &json!({ "url": key }));
    Client::new(&service.address, &format!("{key}x")).get("/api/mcp/account");
    let (status, log) = service.stop();
    assert_eq!(status, Some(0));
    assert!(log.lines().count() > 5, "{log}");
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        assert!(event["level"].is_string(), "{line}");
        assert!(!line.contains(&secret), "{line}");
    }
}

#[test]
fn health_and_documents_need_no_key() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let nobody = Client::new(&service.address, "nothing");
    for path in ["/healthz", "/readyz", "/openapi.json", "/docs/"] {
        let answer = nobody.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(
            answer.head.to_ascii_lowercase().contains("x-request-id: "),
            "{path}"
        );
    }
    assert_eq!(nobody.get("/api/mcp/account").status, 401);
}

#[test]
fn a_service_without_dashboard_shows_what_it_is_and_no_sign_in() {
    let home = Home::new(Kind::Sqlite);
    std::fs::write(home.path("assay.toml"), "[dashboard]\nenabled = false\n").unwrap();
    let service = home.serve(&[]);
    let nobody = Client::new(&service.address, "nothing");
    let browser = [("Accept", "text/html,*/*;q=0.8")];
    for path in ["/", "/checks", "/docs/errors", "/robots.txt", "/docs/"] {
        let reply = nobody.raw("GET", path, &browser, b"");
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
    }
    let (head, icon) = nobody.bytes("GET", "/favicon.ico");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(icon.starts_with(&[0, 0, 1, 0]));
    for (method, path, status) in [
        ("GET", "/sign-in", 404),
        ("GET", "/nothing", 404),
        ("POST", "/healthz", 405),
        ("POST", "/", 405),
    ] {
        for (accept, kind) in [
            ("text/html,*/*;q=0.8", "text/html"),
            ("application/json", "application/problem+json"),
        ] {
            let reply = nobody.raw(method, path, &[("Accept", accept)], b"");
            assert_eq!(reply.status, status, "{path}: {reply:?}");
            let head = reply.head.to_ascii_lowercase();
            assert!(
                head.contains(&format!("content-type: {kind}")),
                "{path}: {head}"
            );
        }
    }
    let reply = nobody.raw("GET", "/api/mcp/account", &browser, b"");
    assert_eq!(reply.status, 401);
    assert!(
        reply
            .head
            .to_ascii_lowercase()
            .contains("application/problem+json")
    );
}

#[test]
fn every_check_of_the_engine_is_explained_without_a_key() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let list = service.client().get("/api/mcp/checks").body;
    let checks = list["checks"].as_array().unwrap();
    assert!(checks.len() > 100, "{}", checks.len());
    let nobody = Client::new(&service.address, "nothing");
    for check in checks {
        let url = check["helpUrl"].as_str().unwrap();
        let path = url.find("/checks/").and_then(|at| url.get(at..)).unwrap();
        assert_eq!(nobody.get(path).status, 200, "{url}");
    }
    assert_eq!(nobody.get("/checks/nothing").status, 404);
}

#[test]
fn a_port_that_is_taken_leaves_nothing_behind() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let elsewhere = home.path("elsewhere");
    let refused = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["serve", "--listen", &service.address, "--data-dir"])
        .arg(&elsewhere)
        .current_dir(&home.folder)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(3));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains(&service.address), "{message}");
    assert!(!elsewhere.exists());
}
