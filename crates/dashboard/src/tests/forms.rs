//! Every page is shown to everybody who may see it, and every form changes something. Tests of refusals send the same
//! forms, so none of them passes only because a form was wrong.

use domain::key::Role;
use domain::report::Variant;
use rstest::rstest;

use super::targets::{fields, filled, only_shows, query, session_for};
use super::world::{Fixture, PLAIN};
use crate::route::{Access, Method};
use crate::router::routes;

const VARIANTS: [Variant; 2] = [Variant::Current, Variant::Legacy];

#[actix_web::test]
async fn pages_are_shown_to_all_roles_that_may_see_them() {
    for variant in VARIANTS {
        let world = Fixture::new(variant, PLAIN);
        let browser = world.browser().await;
        for route in routes(variant).filter(|route| route.method == Method::Get) {
            let path = filled(route.path, &world.acme, None) + &query(route.path, &world.acme);
            let needed = match route.access {
                Access::Open | Access::Public => Role::Read,
                Access::SignedIn(role) | Access::Recent(role) => role,
                // The fixture's operator is the administrator.
                Access::Operator => Role::Admin,
            };
            let roles = Role::ALL.into_iter().filter(|role| role.allows(needed));
            for role in roles {
                let person = world.acme.person(role);
                let answer = browser.get(Some(&person.token), &path).await;
                let is_shown = answer.status == 200
                    || (answer.status == 303 && !answer.header("Location").contains("sign-in"));
                assert!(is_shown, "{variant:?} {path} {role}: {answer:?}");
            }
        }
    }
}

#[rstest]
#[actix_web::test]
async fn forms_change_something_for_the_least_role(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    for route in routes(variant).filter(|route| route.method == Method::Post) {
        let world = Fixture::new(variant, PLAIN);
        let browser = world.browser().await;
        let acme = &world.acme;
        let session = match route.access {
            _ if session_for(route.path, acme).is_some() => session_for(route.path, acme),
            Access::Open | Access::Public => None,
            Access::SignedIn(role) | Access::Recent(role) => Some(&acme.person(role).token),
            Access::Operator => Some(&acme.admin.token),
        };
        let path = filled(route.path, acme, None);
        if route.path.ends_with("/enable") {
            let disable = path.replace("/enable", "/disable");
            browser.post::<&str>(session, &disable, &[]).await;
        }
        let before = world.rows();
        let form = fields(&world, route.path, acme);
        let answer = browser.post(session, &path, &form).await;
        assert!(answer.status < 400, "{path}: {answer:?}");
        assert_eq!(world.rows() == before, only_shows(route.path), "{path}");
    }
}

#[actix_web::test]
async fn people_see_no_form_that_their_role_cannot_send() {
    for variant in VARIANTS {
        let world = Fixture::new(variant, PLAIN);
        let browser = world.browser().await;
        for role in [Role::Read, Role::Member] {
            let token = &world.acme.person(role).token;
            for route in routes(variant).filter(|route| route.method == Method::Get) {
                let path = filled(route.path, &world.acme, None) + &query(route.path, &world.acme);
                let answer = browser.get(Some(token), &path).await;
                for action in super::html::values(&answer.text, "form", "action") {
                    let sent = routes(variant).find(|route| {
                        route.method == Method::Post && super::html::is_of(route.path, &action)
                    });
                    let needed = match sent.map(|route| route.access) {
                        Some(Access::SignedIn(needed) | Access::Recent(needed)) => needed,
                        _ => Role::Read,
                    };
                    assert!(
                        role.allows(needed),
                        "{role} sees the form {action} on {path}"
                    );
                }
            }
        }
    }
}
