//! Invalid keys: every operation returns 401, and changes nothing.

use domain::key::KeySecret;
use rstest::rstest;
use serde_json::Value;
use testkit::SequentialIds;

use super::{Fixture, VARIANTS, dump, problem};
use crate::Kind;

/// How many requests were sent, and which responses were wrong.
#[derive(Debug, Default)]
struct Outcome {
    cells: usize,
    opened: Vec<String>,
    /// Operations that changed the database.
    changes: Vec<String>,
}

/// Creates a key for the first organization; returns its id and its secret.
fn another_key(world: &Fixture) -> (String, String) {
    let account = world.service.client().get("/api/mcp/account").body;
    let org = account["organization"]["organizationId"].as_str().unwrap();
    let secret = world
        .home
        .printed(&["keys", "create", "--org", org, "--name", "old"]);
    let listed = world
        .home
        .printed(&["keys", "list", "--org", org, "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let newest = listed["keys"].as_array().unwrap().last().unwrap();
    (newest["keyId"].as_str().unwrap().to_owned(), secret)
}

/// Invalid values of `Authorization`; `None` for no such header.
fn bad_credentials(world: &Fixture) -> Vec<(&'static str, Option<String>)> {
    let valid = world.service.key();
    let (revoked_id, revoked) = another_key(world);
    world.home.printed(&["keys", "revoke", &revoked_id]);
    let (expired_id, expired) = another_key(world);
    dump::expire(&world.home, &expired_id);
    let unknown = KeySecret::generate(&SequentialIds::after(77));
    let mut mistyped = valid.clone();
    let last = mistyped.pop().unwrap();
    mistyped.push(if last == '0' { '1' } else { '0' });
    let bearer = |key: &str| Some(format!("Bearer {key}"));
    vec![
        ("no header", None),
        ("empty", Some(String::new())),
        ("Basic", Some("Basic dXNlcjpwYXNz".to_owned())),
        ("no prefix", Some(valid.clone())),
        (
            "wrong prefix",
            bearer(&valid.replace("sk_service_", "sk_another_")),
        ),
        ("bad checksum", bearer(&mistyped)),
        ("unknown", bearer(unknown.expose())),
        ("revoked", bearer(&revoked)),
        ("expired", bearer(&expired)),
    ]
}

fn try_all(world: &Fixture, credentials: &[(&'static str, Option<String>)]) -> Outcome {
    let client = world.service.client();
    let mut outcome = Outcome::default();
    for operation in &world.operations {
        let before = world.dump();
        for (case, value) in credentials {
            outcome.cells += 1;
            let request = operation.request(&world.own, None);
            let mut headers = vec![("Content-Type", "application/json")];
            headers.extend(
                value
                    .as_ref()
                    .map(|value| ("Authorization", value.as_str())),
            );
            let answer = client.raw(
                &request.method,
                &request.path,
                &headers,
                request.body.as_bytes(),
            );
            let is_refused = answer.status == 401
                && problem(&answer)["code"] == "unauthorized"
                && answer
                    .head
                    .to_lowercase()
                    .contains("\r\nwww-authenticate: bearer");
            if !is_refused {
                let name = &operation.name;
                outcome
                    .opened
                    .push(format!("{name}, {case}: {}", answer.status));
            }
        }
        if world.dump() != before {
            outcome.changes.push(operation.name.clone());
        }
    }
    outcome
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn nothing_opens_without_a_valid_key(#[case] kind: Kind) {
    for variant in VARIANTS {
        let world = Fixture::new(kind, variant);
        let outcome = try_all(&world, &bad_credentials(&world));
        println!(
            "credentials, {kind:?}, {variant}: {} operations, {} cells, {} opened, {} changes",
            world.operations.len(),
            outcome.cells,
            outcome.opened.len(),
            outcome.changes.len()
        );
        assert_eq!(outcome.opened, Vec::<String>::new());
        assert_eq!(outcome.changes, Vec::<String>::new());
        assert_eq!(outcome.cells, 9 * world.operations.len());
    }
}

/// Counter-test: with a valid key instead of the invalid ones, the matrix reports every operation that reads.
#[test]
fn the_matrix_detects_a_key_that_works() {
    let world = Fixture::new(Kind::Sqlite, "current");
    let valid = [("valid", Some(format!("Bearer {}", world.service.key())))];
    let outcome = try_all(&world, &valid);
    println!(
        "credentials, twin with a valid key: {} of {} cells opened",
        outcome.opened.len(),
        outcome.cells
    );
    assert!(outcome.opened.len() >= outcome.cells);
}
