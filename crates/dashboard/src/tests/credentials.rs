//! Requests without a session, with too low a role, or from another site are refused and change nothing.

use actix_web::http::Method as HttpMethod;
use actix_web::test::TestRequest;
use domain::account::Token;
use domain::key::Role;
use domain::report::Variant;
use rstest::rstest;

use super::browser::{Browser, Reply, encoded};
use super::targets::{fields, filled};
use super::world::{Fixture, PLAIN, SECURE};
use crate::route::{Access, Method, Route};
use crate::router::routes;

/// A token that opens nothing.
fn unknown() -> Token {
    Token::parse(&"x".repeat(43)).unwrap()
}

/// The role that a route needs; none for routes of everybody.
const fn needed(route: &Route) -> Option<Role> {
    match route.access {
        // Pages of the operator are not found by others, whatever their role.
        Access::Open | Access::Public | Access::Operator => None,
        Access::SignedIn(role) | Access::Recent(role) => Some(role),
    }
}

/// Sends what a person with this session would send.
async fn call(world: &Fixture, browser: &Browser, route: &Route, session: Option<&Token>) -> Reply {
    let path = filled(route.path, &world.acme, None);
    match route.method {
        Method::Get => browser.get(session, &path).await,
        Method::Post => {
            let form = fields(world, route.path, &world.acme);
            browser.post(session, &path, &form).await
        }
    }
}

#[rstest]
#[actix_web::test]
async fn without_a_session_pages_lead_to_the_sign_in(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
    #[values(PLAIN, SECURE)] base_url: &str,
) {
    let world = Fixture::new(variant, base_url);
    let browser = world.browser().await;
    let before = world.rows();
    let operator = |route: &&Route| route.access == Access::Operator;
    for route in routes(variant).filter(|route| needed(route).is_some() || operator(route)) {
        let path = filled(route.path, &world.acme, None);
        // A right password alone, before the code of the second factor, is no session.
        let waiting = &world.acme.protected.waiting;
        for session in [None, Some(&unknown()), Some(waiting)] {
            let answer = call(&world, &browser, route, session).await;
            match route.method {
                Method::Get => {
                    let next = encoded(&[("next", &path)]);
                    assert!(answer.leads_to(&format!("/sign-in?{next}")), "{path}");
                    assert_eq!(answer.text, "", "{path}");
                }
                // Forms without a field of their own have the token where a person sends them.
                Method::Post
                    if session.is_none() && fields(&world, route.path, &world.acme).is_empty() =>
                {
                    assert_eq!(answer.status, 303, "{path}");
                }
                Method::Post => {
                    assert_eq!(answer.status, 401, "{path}");
                    assert!(answer.text.contains("<h1>Sign in again</h1>"));
                }
            }
            assert_eq!(answer.header("Set-Cookie"), "", "{path}");
        }
    }
    assert_eq!(world.rows(), before);
}

#[rstest]
#[actix_web::test]
async fn a_lower_role_is_refused(#[values(Variant::Current, Variant::Legacy)] variant: Variant) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let mut refused = 0;
    for route in routes(variant) {
        let lower = Role::ALL
            .into_iter()
            .filter(|role| needed(route).is_some_and(|needed| !role.allows(needed)));
        for role in lower {
            let session = &world.acme.person(role).token;
            let answer = call(&world, &browser, route, Some(session)).await;
            assert_eq!(answer.status, 403, "{} {role}", route.path);
            assert!(
                answer.text.contains("<h1>Not allowed</h1>"),
                "{}",
                route.path
            );
            refused += 1;
        }
    }
    assert!(refused > 30, "{refused}");
    assert_eq!(world.rows(), before);
}

#[rstest]
#[actix_web::test]
async fn forms_need_the_token_of_their_own_session(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let acme = &world.acme;
    let tokens = [
        String::new(),
        acme.elsewhere.token.form_token(),
        acme.member.token.form_token(),
        world.rival.admin.token.form_token(),
        acme.admin.token.form_token().to_uppercase(),
        acme.admin.token.hash().as_str().to_owned(),
    ];
    let forms = routes(variant).filter(|route| route.method == Method::Post);
    for route in forms.filter(|route| needed(route).is_some()) {
        let path = filled(route.path, acme, None);
        let session = Some(&acme.admin.token);
        for token in &tokens {
            let mut form = fields(&world, route.path, acme);
            if !token.is_empty() {
                form.push(("token", token.clone()));
            }
            let answer = browser.send(browser.form(session, &path, &form)).await;
            assert_eq!(answer.status, 403, "{path} {token}");
            assert!(answer.text.contains("<h1>The form was not accepted</h1>"));
        }
        // Neither a query nor a header is the form.
        let form = fields(&world, route.path, acme);
        let token = acme.admin.token.form_token();
        let with_query = format!("{path}?token={token}");
        let request = browser.form(session, &with_query, &form);
        let answer = browser
            .send(request.insert_header(("X-CSRF-Token", token)))
            .await;
        assert_eq!(answer.status, 403, "{path}");
    }
    assert_eq!(world.rows(), before);
}

/// The headers of requests that no page of the service sends.
const FOREIGN: [&[(&str, &str)]; 9] = [
    &[],
    &[("Sec-Fetch-Site", "cross-site")],
    &[("Sec-Fetch-Site", "none")],
    &[("Sec-Fetch-Site", "same-site")],
    &[("Origin", "https://evil.example")],
    &[("Origin", "null")],
    &[("Origin", "http://127.0.0.1:9999")],
    &[
        ("Origin", "https://evil.example"),
        ("Sec-Fetch-Site", "same-origin"),
    ],
    &[("Origin", PLAIN), ("Sec-Fetch-Site", "cross-site")],
];

fn foreign(browser: &Browser, path: &str, body: &str, headers: &[(&str, &str)]) -> TestRequest {
    let mut request = browser
        .bare(HttpMethod::POST, path)
        .insert_header(("Content-Type", "application/x-www-form-urlencoded"))
        .set_payload(body.to_owned());
    for (name, value) in headers {
        request = request.insert_header((*name, *value));
    }
    request
}

#[rstest]
#[actix_web::test]
async fn forms_of_other_sites_are_refused(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let token = &world.acme.admin.token;
    for route in routes(variant).filter(|route| route.method == Method::Post) {
        let path = filled(route.path, &world.acme, None);
        let mut form = fields(&world, route.path, &world.acme);
        form.push(("token", token.form_token()));
        for headers in FOREIGN {
            let request = foreign(&browser, &path, &encoded(&form), headers);
            let answer = browser
                .send(browser.with_session(request, Some(token)))
                .await;
            assert_eq!(answer.status, 403, "{path} {headers:?}");
            assert_eq!(answer.header("Set-Cookie"), "", "{path} {headers:?}");
        }
    }
    assert_eq!(world.rows(), before);
}

#[rstest]
#[actix_web::test]
async fn only_forms_are_read_as_forms(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let token = &world.acme.admin.token;
    for route in routes(variant).filter(|route| route.method == Method::Post) {
        let path = filled(route.path, &world.acme, None);
        let mut form = fields(&world, route.path, &world.acme);
        form.push(("token", token.form_token()));
        for kind in [
            "text/plain",
            "application/json",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencodedx",
            "",
        ] {
            let request = browser
                .bare(HttpMethod::POST, &path)
                .insert_header(("Origin", PLAIN))
                .set_payload(encoded(&form));
            let request = match kind {
                "" => request,
                kind => request.insert_header(("Content-Type", kind)),
            };
            let answer = browser
                .send(browser.with_session(request, Some(token)))
                .await;
            assert_eq!(answer.status, 400, "{path} {kind}");
        }
    }
    assert_eq!(world.rows(), before);
}

#[rstest]
#[actix_web::test]
async fn an_old_password_entry_is_asked_for_again(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    world.clock.advance(chrono::TimeDelta::minutes(15));
    let before = world.rows();
    let recent = routes(variant).filter(|route| matches!(route.access, Access::Recent(_)));
    let mut asked = 0;
    for route in recent {
        let path = filled(route.path, &world.acme, None);
        let answer = call(&world, &browser, route, Some(&world.acme.admin.token)).await;
        assert_eq!(answer.status, 200, "{path}");
        let heading = "<h1>Confirm your password</h1>";
        assert!(answer.text.contains(heading), "{path}: {}", answer.text);
        assert!(!answer.text.contains("class=\"made\""), "{path}");
        asked += 1;
    }
    assert!(asked >= 6, "{asked}");
    assert_eq!(world.rows(), before);
}

#[actix_web::test]
async fn a_confirmed_form_is_sent_again_by_the_person() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    world.clock.advance(chrono::TimeDelta::minutes(15));
    let old = &world.acme.admin.token;
    let form = [
        ("target", "/settings/api"),
        ("is-form", "yes"),
        ("kept.name", "deploy"),
        ("kept.role", "read"),
        ("kept.days", "30"),
        ("password", "wrong"),
    ];
    let keys = || domain::ports::KeyStore::keys(&world.stores, &world.acme.id).unwrap();
    let before = keys();
    let wrong = browser.post(Some(old), "/confirm", &form).await;
    assert_eq!(wrong.status, 422, "{wrong:?}");
    assert!(wrong.text.contains("The password is wrong."));
    assert_eq!(wrong.header("Set-Cookie"), "");
    let form = form.map(|(name, value)| match name {
        "password" => (name, super::world::PASSWORD),
        _ => (name, value),
    });
    let answer = browser.post(Some(old), "/confirm", &form).await;
    let new = answer.session().unwrap();
    assert!(
        answer.text.contains("name=\"days\" value=\"30\""),
        "{answer:?}"
    );
    assert!(answer.text.contains(&new.form_token()));
    assert_eq!(keys(), before, "nothing is made before the person sends it");
    // The session was renewed: the old token is worth nothing, the new one makes the change.
    let form = [("name", "deploy"), ("role", "read"), ("days", "30")];
    assert_eq!(
        browser.post(Some(old), "/settings/api", &form).await.status,
        401
    );
    assert_eq!(
        browser
            .post(Some(&new), "/settings/api", &form)
            .await
            .status,
        200
    );
    assert_eq!(keys().len(), before.len() + 1);
}

#[actix_web::test]
async fn the_older_variant_has_no_action_items() {
    let world = Fixture::new(Variant::Legacy, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let only_current = routes(Variant::Current).filter(|route| !route.in_legacy);
    let mut checked = 0;
    for route in only_current {
        for session in [None, Some(&world.acme.admin.token)] {
            let answer = call(&world, &browser, route, session).await;
            assert_eq!(answer.status, 404, "{}", route.path);
        }
        checked += 1;
    }
    assert!(checked >= 9, "{checked}");
    assert_eq!(world.rows(), before);
}

#[rstest]
#[actix_web::test]
async fn the_pages_of_the_operator_are_for_the_accounts_that_the_configuration_names(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let others = [&world.acme.member, &world.acme.reader, &world.rival.admin];
    let of_operator = routes(variant).filter(|route| route.access == Access::Operator);
    let paths: Vec<_> = of_operator.map(|route| route.path).collect();
    assert_eq!(paths, ["/admin", "/admin/doctor"]);
    for path in paths {
        let own = browser.get(Some(&world.acme.admin.token), path).await;
        assert_eq!(own.status, 200, "{path}");
        assert!(own.text.contains("href=\"/admin\""), "{path}");
        for person in others {
            let answer = browser.get(Some(&person.token), path).await;
            assert_eq!(answer.status, 404, "{path}");
            assert!(!answer.text.contains("href=\"/admin\""), "{path}");
        }
        for session in [None, Some(&unknown())] {
            let answer = browser.get(session, path).await;
            assert!(answer.header("Location").starts_with("/sign-in?"), "{path}");
        }
    }
}

#[actix_web::test]
async fn the_operator_sees_all_organizations_a_page_at_a_time_and_the_examination() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    for number in 0..30 {
        world.organization(&format!("Organization {number}"));
    }
    let first = browser.get(session, "/admin").await;
    let listed = |text: &str| text.matches("<code>org_").count();
    assert_eq!(listed(&first.text), 25);
    let links = super::html::values(&first.text, "a", "href");
    let next = links.iter().find(|link| link.contains("after=")).unwrap();
    let second = browser.get(session, next.split('#').next().unwrap()).await;
    assert_eq!(listed(&second.text), 33 - 25);
    assert!(first.text.contains("self_hosted"));
    let examined = browser.get(session, "/admin/doctor").await;
    for text in ["database.schema", "Make a backup.", "with 1 warning"] {
        assert!(examined.text.contains(text), "{text}: {}", examined.text);
    }
}

#[actix_web::test]
async fn an_unknown_address_is_a_page_for_browsers_and_a_problem_for_programs() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    for (accept, kind) in [
        ("text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "application/problem+json"),
    ] {
        let request = browser.bare(HttpMethod::GET, "/no-such-page");
        let answer = browser
            .send(request.insert_header(("Accept", accept)))
            .await;
        assert_eq!((answer.status, answer.header("Content-Type")), (404, kind));
    }
}

#[actix_web::test]
async fn other_methods_are_refused_with_those_that_there_are() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let before = world.rows();
    let token = &world.acme.admin.token;
    for path in crate::router::paths(&world.state.settings) {
        let allowed = crate::router::allow(&world.state.settings, path);
        let path = filled(path, &world.acme, None);
        for method in [HttpMethod::PUT, HttpMethod::DELETE, HttpMethod::PATCH] {
            let request = browser.bare(method, &path);
            let answer = browser
                .send(browser.with_session(request, Some(token)))
                .await;
            assert_eq!(answer.status, 405, "{path}");
            assert_eq!(answer.header("Allow"), allowed, "{path}");
        }
    }
    assert_eq!(world.rows(), before);
}
