//! Ids of other organizations: every operation with an id responds as if the resource did not exist.

use rstest::rstest;
use serde_json::Value;

use super::{Fixture, VARIANTS, problem};
use crate::{Client, Kind};

/// An id that was never used.
const NEVER: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";

/// How many requests were sent, and which responses were wrong.
#[derive(Debug, Default)]
struct Outcome {
    operations: usize,
    places: usize,
    cells: usize,
    leaks: Vec<String>,
    /// Operations that changed the database.
    changes: Vec<String>,
}

/// Tries every operation with ids that do not belong to the organization of `key`.
fn try_all(world: &Fixture, key: &str) -> Outcome {
    let client = Client::new(&world.service.address, key);
    let mut outcome = Outcome::default();
    let mut expected: Option<Value> = None;
    for operation in &world.operations {
        outcome.operations += usize::from(!operation.places.is_empty());
        let before = world.dump();
        for place in &operation.places {
            outcome.places += 1;
            let kind = place.kind();
            let prefix = world.foreign[kind].split('_').next().unwrap();
            let never = format!("{prefix}_{NEVER}");
            for (case, id) in [
                ("foreign", world.foreign[kind].as_str()),
                ("never existed", &never),
                ("malformed", "no-id"),
                ("deleted", world.deleted[kind].as_str()),
            ] {
                outcome.cells += 1;
                let request = operation.request(&world.own, Some((place, id)));
                let answer = client.send(&request.method, &request.path, &request.body);
                let same = expected.get_or_insert_with(|| problem(&answer));
                if answer.status != 404 || problem(&answer) != *same {
                    let name = &operation.name;
                    let status = answer.status;
                    outcome
                        .leaks
                        .push(format!("{name}, {place:?}, {case}: {status}"));
                }
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
fn what_is_of_another_organization_cannot_be_told_from_what_never_was(#[case] kind: Kind) {
    for variant in VARIANTS {
        let world = Fixture::new(kind, variant);
        let outcome = try_all(&world, &world.service.key());
        println!(
            "isolation, {kind:?}, {variant}: {} operations with {} ids, {} cells, {} leaks, {} changes",
            outcome.operations,
            outcome.places,
            outcome.cells,
            outcome.leaks.len(),
            outcome.changes.len()
        );
        assert_eq!(outcome.leaks, Vec::<String>::new());
        assert_eq!(outcome.changes, Vec::<String>::new());
        // Four kinds of foreign ids for each id in the document.
        assert_eq!(outcome.cells, 4 * places_of_the_document(&world));
    }
}

/// Counts the ids in the document in an independent way.
fn places_of_the_document(world: &Fixture) -> usize {
    let text = world
        .service
        .client()
        .raw("GET", "/openapi.json", &[], b"")
        .body;
    let mut places = 0;
    for (path, item) in text["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            // A picture has the number of its place in its report, which is no id of an organization.
            places += path.replace("{artifactId}", "art_1").matches('{').count();
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            places += parameters
                .filter(|parameter| parameter["in"] == "query")
                .filter(|parameter| {
                    ["siteId", "against"]
                        .iter()
                        .any(|id| parameter["name"] == **id)
                })
                .count();
            let body = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
                .as_str()
                .map(|reference| text.pointer(reference.trim_start_matches('#')).unwrap());
            let fields = body.and_then(|schema| schema["properties"].as_object());
            places += ["siteId", "ids"]
                .iter()
                .filter(|id| fields.is_some_and(|fields| fields.contains_key(**id)))
                .count();
        }
    }
    places
}

/// Counter-test: with the key of the organization that owns the ids, nothing is isolated, and the matrix reports it.
#[test]
fn the_matrix_detects_missing_tenant_isolation() {
    let world = Fixture::new(Kind::Sqlite, "current");
    let outcome = try_all(&world, &world.foreign_key);
    println!(
        "isolation, twin without the defence: {} of {} cells are leaks",
        outcome.leaks.len(),
        outcome.cells
    );
    let is_noticed = |name: &str| {
        let mut leaks = outcome.leaks.iter();
        leaks.any(|leak| leak.starts_with(&format!("{name}, ")) && leak.contains("foreign"))
    };
    assert!(is_noticed("get_report") && is_noticed("get_run") && is_noticed("list_actions"));
}
