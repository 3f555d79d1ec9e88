use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::said;
use crate::{Client, Home, Kind, site};

/// Runs several audits, and returns their ids.
fn used(client: &Client, url: &str, runs: usize) -> Vec<String> {
    (0..runs)
        .map(|_| {
            let run = client.start(url);
            client.ended(&run);
            run
        })
        .collect()
}

#[test]
fn a_backup_made_during_runs_is_restored_completely() {
    let (home, site) = (Home::new(Kind::Sqlite), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let before = used(&client, site.url("/").as_str(), 2);
    let under_way: Vec<_> = (0..5)
        .map(|_| client.start(site.url("/").as_str()))
        .collect();
    let file = home.path("backup.db");
    let printed = home.printed(&["backup", file.to_str().unwrap()]);
    assert_eq!(Path::new(&printed), file);
    for run in &under_way {
        client.ended(run);
    }
    let after = client.start(site.url("/").as_str());
    client.ended(&after);
    let key = service.key();
    assert_eq!(service.stop().0, Some(0));

    let refused = home.run(&["restore", file.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("--replace"), "{refused:?}");
    let restored = home.run(&["restore", "--replace", "--json", file.to_str().unwrap()]);
    assert!(restored.status.success(), "{restored:?}");
    let restored: Value = serde_json::from_slice(&restored.stdout).unwrap();
    let kept = restored["kept"].as_str().unwrap();
    assert!(
        Path::new(kept).exists() && kept.contains(".before-restore-"),
        "{kept}"
    );

    let service = home.serve(&["--allow-target", &site.target()]);
    let client = Client::new(&service.address, &key);
    for run in before.iter().chain(&under_way) {
        let run = client.ended(run);
        assert_eq!(run["status"], "completed", "{run:#}");
        let report = run["reportId"].as_str().unwrap();
        let report = client.get(&format!("/api/mcp/reports/{report}"));
        assert_eq!(report.status, 200);
    }
    let gone = client.get(&format!("/api/mcp/runs/{after}"));
    assert_eq!(gone.status, 404, "it was started after the backup");
    let account = client.get("/api/mcp/account").body;
    let started = before.len() + under_way.len();
    assert_eq!(account["plan"]["usage"]["monthlyRuns"], started);
    let (_, log) = service.stop();
    assert!(!log.contains("panicked"), "{log}");
}

#[cfg(unix)]
#[test]
fn a_backup_is_readable_only_by_its_owner_and_never_overwrites() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new(Kind::Sqlite);
    home.printed(&["orgs", "create", "Acme"]);
    let first = home.printed(&["backup"]);
    assert!(
        first.contains("backups/assay-") && first.ends_with("Z.db"),
        "{first}"
    );
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(Path::new(&first)), 0o600);
    assert_eq!(mode(&home.path("data/backups")), 0o700);
    let again = home.run(&["backup", &first]);
    assert_eq!(again.status.code(), Some(3));
    assert!(said(&again).contains("already exists"), "{again:?}");
    let json = home.run(&["backup", "--json", "other.db"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["file"], "other.db");
    let bytes = std::fs::metadata(home.path("other.db")).unwrap().len();
    assert_eq!(json["bytes"], bytes);
}

#[test]
fn a_running_service_protects_its_database_from_restore() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let file = home.printed(&["backup", "backup.db"]);
    let refused = home.run(&["restore", "--replace", &file]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(
        said(&refused).contains("stop the service first"),
        "{refused:?}"
    );
    assert_eq!(service.client().get("/api/mcp/account").status, 200);
}

#[test]
fn an_invalid_backup_is_rejected_and_nothing_changes() {
    let home = Home::new(Kind::Sqlite);
    let org = home.printed(&["orgs", "create", "Acme"]);
    std::fs::write(home.path("words.db"), "hello").unwrap();
    std::fs::write(home.path("live.db"), "hello").unwrap();
    std::fs::write(home.path("live.db-wal"), "hello").unwrap();
    let newer = home.printed(&["backup", "newer.db"]);
    let statement = "INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')";
    let mut copy: diesel::SqliteConnection =
        diesel::Connection::establish(home.path(&newer).to_str().unwrap()).unwrap();
    diesel::connection::SimpleConnection::batch_execute(&mut copy, statement).unwrap();
    drop(copy);
    for (file, words) in [
        ("missing.db", "No such file"),
        ("words.db", "is not an Assay database"),
        ("live.db", "assay backup"),
        ("newer.db", "20991231000000"),
    ] {
        let refused = home.run(&["restore", "--replace", file]);
        assert_eq!(refused.status.code(), Some(3), "{file}: {refused:?}");
        assert!(said(&refused).contains(words), "{file}: {refused:?}");
    }
    assert!(home.printed(&["orgs", "list"]).contains(&org));
    let left = std::fs::read_dir(home.path("data")).unwrap();
    let left: Vec<_> = left
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("restor"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_backup_decrypts_only_with_its_own_secret_key() {
    let (home, site) = (Home::new(Kind::Sqlite), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let made = client.post("/api/mcp/sites", &json!({ "url": site.url("/").as_str() }));
    let path = format!("/api/mcp/sites/{}", made.body["siteId"].as_str().unwrap());
    let options = json!({ "options": { "headers": { "X-Preview": "open-sesame" } } });
    let changed = client.send("PATCH", &path, &options.to_string());
    assert_eq!(changed.status, 200, "{changed:?}");
    let file = home.printed(&["backup", "backup.db"]);
    let bytes = std::fs::read(home.path(&file)).unwrap();
    let holds = |word: &str| {
        bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    assert!(holds("x-preview") && !holds("open-sesame"));
    assert!(!holds(&service.key()));
    service.stop();

    let fits = home.run(&["restore", "--replace", &file]);
    assert!(
        fits.status.success() && !said(&fits).contains("warning"),
        "{fits:?}"
    );
    let other = format!("{}\n", "0".repeat(64));
    std::fs::write(home.path("data/secret.key"), other).unwrap();
    let restored = home.run(&["restore", "--replace", &file]);
    assert!(restored.status.success());
    assert!(
        said(&restored).contains("is not the key of this backup"),
        "{restored:?}"
    );
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
}

#[test]
fn postgresql_backups_use_pg_dump_and_pg_restore() {
    let home = Home::new(Kind::Postgresql);
    let org = home.printed(&["orgs", "create", "Acme"]);
    let refused = home.run(&["backup"]);
    assert_eq!(refused.status.code(), Some(3));
    let words = said(&refused);
    let command = words
        .lines()
        .find(|line| line.trim().starts_with("pg_dump "))
        .unwrap();
    let url = home.database.as_ref().unwrap().url();
    // Skipped if the PostgreSQL client tools are not installed.
    if let Ok(dump) = Command::new("pg_dump").arg("--version").output()
        && dump.status.success()
    {
        let dumped = Command::new("sh")
            .args(["-c", command])
            .current_dir(&home.folder)
            .output()
            .unwrap();
        let differs = said(&dumped).contains("server version mismatch");
        assert!(dumped.status.success() || differs, "{dumped:?}");
        assert!(!words.contains("password=") && words.contains("/"), "{url}");
    }
    let refused = home.run(&["restore", "assay.dump"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("pg_restore"), "{refused:?}");
    assert!(home.printed(&["orgs", "list"]).contains(&org));
}
