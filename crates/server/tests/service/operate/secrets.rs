use serde_json::json;

use super::said;
use crate::{Client, Home, Kind};

const OTHER: &str = "0000000000000000000000000000000000000000000000000000000000000000\n";
const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// Creates a webhook, whose secret is stored encrypted; returns its path.
fn webhook(client: &Client) -> String {
    let asked = json!({ "url": "https://hooks.example.com/in", "events": ["run.completed"] });
    let made = client.post("/api/mcp/webhooks", &asked);
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.body["webhookId"].as_str().unwrap();
    format!("/api/mcp/webhooks/{id}")
}

#[test]
fn a_service_starts_only_with_the_key_of_its_database() {
    for kind in [Kind::Sqlite, Kind::Postgresql] {
        let home = Home::new(kind);
        let service = home.serve(&[]);
        let key = service.key();
        let webhook = webhook(&service.client());
        service.stop();

        let file = home.path("data/secret.key");
        let right = std::fs::read(&file).unwrap();
        std::fs::write(&file, OTHER).unwrap();
        let refused = home.run(&SERVE);
        assert_eq!(refused.status.code(), Some(3), "{refused:?}");
        let words = said(&refused);
        assert!(words.contains("is not the key of this database"), "{words}");
        assert!(words.contains("assay forget-secrets"), "{words}");

        std::fs::remove_file(&file).unwrap();
        let refused = home.run(&SERVE);
        assert_eq!(refused.status.code(), Some(3), "{refused:?}");
        assert!(said(&refused).contains("secret.key is missing"));
        assert!(!file.exists(), "no new one is created");

        std::fs::write(&file, right).unwrap();
        restrict(&file);
        let service = home.serve(&[]);
        let client = Client::new(&service.address, &key);
        let found = client.get(&webhook).body;
        assert_eq!(found["enabled"], true, "{found:#}");
    }
}

#[cfg(unix)]
fn restrict(file: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;

    std::fs::set_permissions(file, PermissionsExt::from_mode(0o600)).unwrap();
}

#[cfg(not(unix))]
fn restrict(_file: &std::path::Path) {}

#[test]
fn a_worker_has_the_key_of_the_service() {
    let home = Home::new(Kind::Postgresql);
    let service = home.serve(&[]);
    let elsewhere = home.path("elsewhere");
    let url = home.database.as_ref().unwrap().url();
    let worker = std::process::Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["worker", "--database-url", url, "--data-dir"])
        .arg(&elsewhere)
        .output()
        .unwrap();
    assert_eq!(worker.status.code(), Some(3), "{worker:?}");
    assert!(said(&worker).contains("secret.key is missing"));
    assert!(!elsewhere.join("secret.key").exists());
    service.stop();
}

#[test]
fn secrets_of_a_lost_key_are_removed_only_on_request() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let key = service.key();
    let webhook = webhook(&service.client());
    let refused = home.run(&["forget-secrets", "--yes"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("stop the service first"));
    service.stop();

    std::fs::remove_file(home.path("data/secret.key")).unwrap();
    let refused = home.run(&["forget-secrets"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("--yes"), "{refused:?}");
    // As after an upgrade, or with a backup of an earlier version.
    home.undo_last_migration();
    assert_eq!(
        home.printed(&["forget-secrets", "--yes", "--json"]),
        "{\n  \"secondFactors\": 0,\n  \"sites\": 0,\n  \"webhooks\": 1\n}"
    );
    let service = home.serve(&[]);
    let client = Client::new(&service.address, &key);
    assert_eq!(client.get(&webhook).status, 404);
    let doctor = home.run(&["doctor", "--json"]);
    assert!(!String::from_utf8_lossy(&doctor.stdout).contains("forget-secrets"));
}
