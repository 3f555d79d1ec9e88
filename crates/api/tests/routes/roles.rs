//! Every operation of the document with a key of every role.

use actix_web::http::Method;
use domain::key::Role;

use crate::openapi::operations;
use crate::world::{Fixture, call};

/// The least role that an operation needs, by the published rule.
fn needed(method: &Method, path: &str) -> Role {
    let of_admins = ["/sites", "/webhooks"];
    if *method == Method::GET || path.ends_with("/actions/handoff") {
        Role::Read
    } else if path.contains("/waivers") {
        Role::Member
    } else if of_admins.iter().any(|part| path.contains(part)) {
        Role::Admin
    } else {
        Role::Member
    }
}

#[actix_web::test]
async fn a_role_that_is_too_low_is_told_so_and_changes_nothing() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let client = world.client().await;
    let keys = [
        (Role::Read, &world.reader),
        (Role::Member, &world.member),
        (Role::Admin, &world.admin),
    ];
    for (_, key) in keys {
        // What notes that a key was used has done so.
        client.get(key, "/api/mcp/account").await;
    }
    let before = format!("{:?}", world.stores);
    let mut refused = 0;
    for (method, path) in operations(world.variant) {
        let needed = needed(&method, &path);
        for (role, key) in keys {
            let request = call(method.clone(), key, &path);
            let reply = client.send(request).await;
            let is_forbidden = reply.status == 403 && reply.code() == "forbidden";
            assert_eq!(
                is_forbidden,
                !role.allows(needed),
                "{role} {method} {path}: {}",
                reply.text()
            );
            if is_forbidden {
                refused += 1;
                let detail = reply.problem()["detail"].to_string();
                assert!(detail.contains(needed.as_str()), "{detail}");
            }
        }
    }
    assert!(refused >= 2);
    assert_eq!(format!("{:?}", world.stores), before);
}
