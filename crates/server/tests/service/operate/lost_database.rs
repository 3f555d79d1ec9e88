use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::said;
use crate::{Home, Kind};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// The environment of a service whose database was deleted, with a backup of it.
fn lost() -> Home {
    let home = Home::new(Kind::Sqlite);
    home.serve(&[]).stop();
    let backup = home.path("backup.db");
    home.printed(&["backup", backup.to_str().unwrap()]);
    std::fs::remove_file(home.path("data/assay.db")).unwrap();
    home
}

#[test]
fn a_lost_database_is_not_recreated_beside_its_key() {
    let home = lost();
    let (file, key) = (home.path("data/assay.db"), home.path("data/secret.key"));
    for is_empty in [false, true] {
        if is_empty {
            std::fs::write(&file, "").unwrap();
        }
        for arguments in [
            SERVE.as_slice(),
            &["orgs", "create", "Acme"],
            &["orgs", "list"],
            &["migrate"],
            &["invariants"],
            &["forget-secrets", "--yes"],
        ] {
            let refused = home.run(arguments);
            assert_eq!(refused.status.code(), Some(3), "{refused:?}");
            let words = said(&refused);
            for part in [
                file.to_str().unwrap(),
                key.to_str().unwrap(),
                "assay restore",
            ] {
                assert!(words.contains(part), "{arguments:?}: {words}");
            }
        }
        let length = std::fs::metadata(&file).map(|found| found.len()).ok();
        assert_eq!(length, is_empty.then_some(0));
    }
    let doctor = home.run(&["doctor", "--json"]);
    assert_eq!(doctor.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let checks = found["checks"].as_array().unwrap();
    let of_database = checks.iter().find(|check| check["check"] == "database");
    let of_database = of_database.unwrap();
    assert_eq!(of_database["status"], "problem");
    let remedy = of_database["remedy"].as_str().unwrap();
    assert!(remedy.contains("assay restore"), "{remedy}");
}

#[test]
fn a_lost_database_is_restored_beside_its_key() {
    let home = lost();
    let backup = home.path("backup.db");
    home.printed(&["restore", backup.to_str().unwrap()]);
    let service = home.serve(&[]);
    // The key of the first start is in the backup.
    assert_eq!(service.client().get("/api/mcp/account").status, 200);
}

#[test]
fn without_the_key_a_new_database_is_made() {
    let home = lost();
    let key = home.path("data/secret.key");
    std::fs::rename(&key, home.path("data/secret.key.old")).unwrap();
    std::fs::remove_file(home.path("key")).unwrap();
    let service = home.serve(&[]);
    assert_eq!(service.client().get("/api/mcp/account").status, 200);
    assert!(key.exists());
}

/// The first process on a new PostgreSQL database may get the key that all processes will use.
#[test]
fn a_key_beside_an_empty_postgresql_database_is_used() {
    let home = Home::new(Kind::Postgresql);
    std::fs::create_dir(home.path("data")).unwrap();
    let file = home.path("data/secret.key");
    let key = format!("{}\n", "5e".repeat(32));
    std::fs::write(&file, &key).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    let service = home.serve(&[]);
    assert_eq!(service.client().get("/api/mcp/account").status, 200);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), key);
}
