use rstest::rstest;
use serde_json::Value;

use crate::{Client, Home, Kind};

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn keys_are_made_and_revoked_beside_a_running_service(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&[]);
    let org = home.printed(&["orgs", "create", "Another"]);
    let key = home.printed(&[
        "keys", "create", "--org", &org, "--name", "ci", "--role", "read",
    ]);
    let client = Client::new(&service.address, &key);
    let account = client.get("/api/mcp/account").body;
    assert_eq!(account["organization"]["organizationId"], org);
    assert_eq!(account["organization"]["name"], "Another");
    assert_eq!(account["key"]["role"], "read");

    let listed: Value =
        serde_json::from_str(&home.printed(&["keys", "list", "--org", &org, "--json"])).unwrap();
    let id = listed["keys"][0]["keyId"].as_str().unwrap();
    assert!(!listed.to_string().contains(&key));
    assert!(
        home.printed(&["keys", "list", "--org", &org])
            .contains("active")
    );
    assert_eq!(
        home.printed(&["keys", "list", "--org", "Another"]),
        home.printed(&["keys", "--org", &org])
    );
    assert!(!home.run(&["keys"]).status.success());
    let end = id.chars().skip(id.len() - 8).collect::<String>();
    for refused in ["zzz", "zzzzzzzz", "key_01JD2Y3Z4A5B6C7D8E9F0GHJKM"] {
        let output = home.run(&["keys", "revoke", refused]);
        assert_eq!(output.status.code(), Some(3), "{refused}: {output:?}");
    }
    home.printed(&["keys", "revoke", &end.to_lowercase()]);
    assert_eq!(client.get("/api/mcp/account").status, 401);
    assert!(
        home.printed(&["keys", "list", "--org", &org])
            .contains("revoked")
    );
}

#[test]
fn members_are_added_and_removed() {
    let home = Home::new(Kind::Sqlite);
    let org = home.printed(&["orgs", "create", "Acme"]);
    let add = [
        "members",
        "add",
        "--org",
        &org,
        "--name",
        "Ada",
        "--email",
        "Ada@example.com",
    ];
    let member = home.printed(&add);
    assert!(member.starts_with("mem_"));
    let again = home.run(&add);
    assert_eq!(again.status.code(), Some(3), "{again:?}");
    assert!(
        home.printed(&["members", "list", "--org", &org])
            .contains("ada@example.com")
    );
    home.printed(&["members", "remove", "--org", &org, &member]);
    assert!(
        !home
            .printed(&["members", "list", "--org", &org])
            .contains("ada")
    );
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_operator_sees_and_resets_second_factors(#[case] kind: Kind) {
    let home = Home::new(kind);
    let org = home.printed(&["orgs", "create", "Acme"]);
    let add = |name: &str| {
        let email = format!("{name}@example.com");
        home.printed(&[
            "members", "add", "--org", &org, "--name", name, "--email", &email,
        ])
    };
    let (ada, bob) = (add("ada"), add("bob"));
    let (account, time) = ("acc_01JD2Y3Z4A5B6C7D8E9F0GHJKM", "2026-11-26 12:00:00");
    home.execute(&format!(
        "INSERT INTO accounts (id, email, name, password_hash, created_at, password_changed_at)
         VALUES ('{account}', 'ada@example.com', 'ada', '', '{time}', '{time}')"
    ));
    home.execute(&format!(
        "UPDATE members SET account_id = '{account}' WHERE id = '{ada}'"
    ));
    // Sealed with a key that this machine need not have.
    home.execute(&format!(
        "INSERT INTO second_factors (account_id, sealed_secret, last_step, created_at, enabled_at)
         VALUES ('{account}', 'v1:00', 1, '{time}', '{time}')"
    ));
    let listed = || home.printed(&["members", "list", "--org", &org]);
    let with = |answer: &str| {
        let listed = listed();
        let columns = |line: &str| {
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let lines: Vec<_> = listed.lines().map(columns).collect();
        let member = lines.iter().find(|line| line.last() == Some(&ada)).unwrap();
        assert_eq!(member[1], answer, "{listed}");
        listed
    };
    assert!(with("yes").starts_with("ROLE"), "{}", listed());
    let json: Value =
        serde_json::from_str(&home.printed(&["members", "list", "--org", &org, "--json"])).unwrap();
    let members = json["members"].as_array().unwrap();
    let of = |id: &str| members.iter().find(|member| member["memberId"] == id);
    assert_eq!(of(&ada).unwrap()["secondFactor"], true);
    assert_eq!(of(&bob).unwrap()["secondFactor"], false);
    let reset = |member: &str| {
        let output = home.run(&["members", "reset-second-factor", "--org", &org, member]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.stdout, b"", "{message}");
        (output.status.code(), message)
    };
    let (status, message) = reset(&bob);
    assert_eq!(status, Some(3), "{message}");
    assert!(message.contains("has no second factor"), "{message}");
    let (status, message) = reset("mem_1");
    assert_eq!(status, Some(3), "{message}");
    assert!(
        message.contains("mem_1 is too short for the id of a member"),
        "{message}"
    );
    let (status, message) = reset(&ada);
    assert_eq!(status, Some(0), "{message}");
    assert!(message.contains("is removed"), "{message}");
    with("no");
    assert_eq!(reset(&ada).0, Some(3));
}

#[test]
fn a_plan_that_is_not_configured_keeps_the_service_from_starting() {
    let home = Home::new(Kind::Sqlite);
    let config = home.path("assay.toml");
    std::fs::write(&config, "[plans.team]\nsites = 3\n").unwrap();
    let org = home.printed(&["orgs", "create", "Acme"]);
    let unknown = home.run(&["plans", "set", "--org", &org, "--plan", "gold"]);
    assert_eq!(unknown.status.code(), Some(2), "{unknown:?}");
    home.printed(&["plans", "set", "--org", &org, "--plan", "team"]);
    assert!(home.printed(&["plans", "list"]).contains("team"));
    std::fs::write(&config, "").unwrap();
    let refused = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.status.code(), Some(3));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        message.contains(&org) && message.contains("`team`"),
        "{message}"
    );
}

#[test]
fn unknown_ids_and_wrong_values_are_named() {
    let home = Home::new(Kind::Sqlite);
    let org = home.printed(&["orgs", "create", "Acme"]);
    let never = "org_01JD2Y3Z4A5B6C7D8E9F0GHJKM";
    for (arguments, status, word) in [
        (
            vec!["keys", "create", "--org", never, "--name", "x"],
            3,
            never,
        ),
        (vec!["keys", "revoke", "key_1"], 3, "key_1"),
        (vec!["keys", "list", "--org", never], 3, never),
        (vec!["members", "list", "--org", "nonsense"], 3, "nonsense"),
        (vec!["orgs", "create", " "], 2, "name"),
        (
            vec!["orgs", "create", "X", "--plan", "gold"],
            2,
            "self_hosted",
        ),
        (
            vec![
                "keys",
                "create",
                "--org",
                &org,
                "--name",
                "x",
                "--expires",
                "soon",
            ],
            2,
            "soon",
        ),
        (
            vec![
                "keys",
                "create",
                "--org",
                &org,
                "--name",
                "x",
                "--expires",
                "2020-01-01T00:00:00Z",
            ],
            2,
            "past",
        ),
        (
            vec![
                "keys", "create", "--org", &org, "--name", "x", "--role", "root",
            ],
            2,
            "admin",
        ),
    ] {
        let output = home.run(&arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {message}"
        );
        assert!(message.contains(word), "{arguments:?}: {message}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
}

#[test]
fn read_commands_do_not_create_a_missing_database() {
    let home = Home::new(Kind::Sqlite);
    for arguments in [
        vec!["orgs", "list"],
        vec!["keys", "revoke", "key_1"],
        vec!["members", "list", "--org", "org_1"],
    ] {
        let output = home.run(&arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {message}");
        assert!(message.contains("--data-dir"), "{message}");
    }
    assert!(!home.path("data").exists());
}
