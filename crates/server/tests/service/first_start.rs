use std::io::Read;
use std::os::unix::fs::PermissionsExt;

use rstest::rstest;

use crate::{Client, Home, Kind, Service};

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_first_start_prints_a_key_once_and_what_to_do_next(#[case] kind: Kind) {
    let home = Home::empty(kind);
    let printed = |home: &Home| {
        let command = home.command(&["serve", "--listen", "127.0.0.1:0"]);
        let mut service = Service::start(command, &home.path("none"));
        let address = service.address.clone();
        let mut stdout = service.child.stdout.take().unwrap();
        let key = move |printed: &str| {
            let words = printed.split_whitespace();
            let mut keys = words.filter(|word| word.starts_with("sk_service_"));
            keys.next().map(str::to_owned)
        };
        // The standard output is closed when the service ends.
        service.signal("TERM");
        assert_eq!(service.wait().0, Some(0));
        let mut printed = String::new();
        stdout.read_to_string(&mut printed).unwrap();
        (address, key(&printed), printed)
    };
    let (address, key, text) = printed(&home);
    let key = key.unwrap();
    assert_eq!(key.len(), 60);
    assert!(text.contains(&format!("http://{address}")), "{text}");
    assert!(text.contains("/api/mcp/start-audit"), "{text}");
    let (_, again, text) = printed(&home);
    assert_eq!((again, text.as_str()), (None, ""));

    let service = home.serve(&[]);
    let answer = Client::new(&service.address, &key).get("/api/mcp/account");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.body["key"]["role"], "admin");
    assert!(!home.path("key").exists());
}

#[test]
fn a_key_file_is_readable_only_by_its_owner_and_nothing_is_printed() {
    let home = Home::new(Kind::Sqlite);
    let mut service = home.serve(&[]);
    let mode = std::fs::metadata(home.path("key"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(service.client().get("/api/mcp/account").status, 200);
    let key = service.key();
    let mut stdout = service.child.stdout.take().unwrap();
    let (_, log) = service.stop();
    let mut printed = String::new();
    stdout.read_to_string(&mut printed).unwrap();
    assert!(!printed.contains(&key));
    assert!(
        printed.contains(home.path("key").to_str().unwrap()),
        "{printed}"
    );
    assert!(!log.contains(&key));
}

#[test]
fn data_files_are_readable_only_by_their_owner() {
    let home = Home::new(Kind::Sqlite);
    let _service = home.serve(&[]);
    let mode = |name: &str| {
        std::fs::metadata(home.path(name))
            .unwrap()
            .permissions()
            .mode()
    };
    assert_eq!(mode("data") & 0o777, 0o700);
    assert_eq!(mode("data/assay.db") & 0o777, 0o600);
    assert_eq!(mode("data/secret.key") & 0o777, 0o600);
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_secret_key_is_created_by_the_service_and_kept(#[case] kind: Kind) {
    let home = Home::empty(kind);
    home.printed(&["orgs", "create", "Acme"]);
    let file = home.path("data/secret.key");
    assert!(!file.exists(), "administration needs none");
    let service = home.serve(&[]);
    let key = std::fs::read_to_string(&file).unwrap();
    assert_eq!(key.len(), 65);
    let (_, log) = service.stop();
    assert!(!log.contains(key.trim_end()));
    home.printed(&["orgs", "create", "Other"]);
    home.serve(&[]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), key);
}

#[test]
fn a_secret_key_that_others_can_read_is_refused() {
    let home = Home::new(Kind::Sqlite);
    home.serve(&[]).stop();
    let file = home.path("data/secret.key");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    for arguments in [
        ["serve", "--listen", "127.0.0.1:0"].as_slice(),
        &["orgs", "create", "Acme"],
    ] {
        let output = home.run(arguments);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        let advice = format!("chmod 600 {}", file.display());
        assert!(message.contains(&advice), "{message}");
    }
}
