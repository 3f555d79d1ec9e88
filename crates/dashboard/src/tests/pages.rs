//! What every page has and lacks: headers, no inline script or style, nothing of another host, no secret.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use domain::account::{RecoveryCode, Token, TotpSecret};
use domain::key::Role;
use domain::ports::{RunStore, SiteStore};
use domain::report::Variant;
use rstest::rstest;
use testkit::sample;

use super::browser::{Browser, Reply};
use super::targets::{fields, filled, query};
use super::world::{Fixture, Org, PASSWORD, PLAIN, SECURE};
use super::{html, log};
use crate::route::{Access, Method};
use crate::router::routes;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Of a picture, which runs and loads nothing.
const PICTURE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// Pages that are opened from one start at most.
const MAX_PAGES: usize = 1_500;

/// Judges an answer by what holds for all.
pub(super) fn check(answer: &Reply, base_url: &str, what: &str) {
    let is_stream = answer.header("Content-Type") == "text/event-stream";
    let is_picture = answer.header("Content-Type") == "image/jpeg";
    if !is_stream {
        let policy = if is_picture { PICTURE_POLICY } else { POLICY };
        assert_eq!(answer.header("Content-Security-Policy"), policy, "{what}");
        let hsts = match base_url.starts_with("https://") {
            true => "max-age=31536000",
            false => "",
        };
        assert_eq!(answer.header("Strict-Transport-Security"), hsts, "{what}");
        let opener = answer.header("Cross-Origin-Opener-Policy");
        assert_eq!(opener, "same-origin", "{what}");
        let permissions = answer.header("Permissions-Policy");
        assert!(permissions.contains("camera=()"), "{what}");
    }
    for (name, value) in [
        (
            "Cache-Control",
            if is_picture {
                "private, max-age=86400, immutable"
            } else {
                "no-store"
            },
        ),
        ("X-Content-Type-Options", "nosniff"),
        // An event stream has no links and no forms.
        (
            "Referrer-Policy",
            if is_stream {
                "no-referrer"
            } else {
                "same-origin"
            },
        ),
    ] {
        assert_eq!(answer.header(name), value, "{what}");
    }
    assert_eq!(answer.header("X-Request-Id").len(), 26, "{what}");
    assert!(answer.status < 500, "{what}: {answer:?}");
    if is_page(answer) {
        let read = html::read(&answer.text);
        assert!(read.is_ok(), "{what}: {read:?}\n{}", answer.text);
    }
    let location = answer.header("Location");
    let is_own = location.starts_with('/') && !location.starts_with("//");
    assert!(location.is_empty() || is_own, "{what}: {location}");
}

/// Whether an answer is shown as a page. A report that is downloaded is a file with rules of its own.
pub(super) fn is_page(answer: &Reply) -> bool {
    let is_html = answer.header("Content-Type") == "text/html; charset=utf-8";
    is_html && answer.header("Content-Disposition").is_empty()
}

/// Addresses that are opened of one path at most: they differ in their queries, which sort and filter the same list.
const MAX_QUERIES: usize = 25;

/// Opens all pages that can be reached from the routes, by their links.
pub(super) async fn crawl(
    world: &Fixture,
    browser: &Browser,
    session: Option<&Token>,
) -> Vec<(String, Reply)> {
    let variant = world.state.settings.variant;
    let pages = routes(variant).filter(|route| route.method == Method::Get);
    let mut waiting: VecDeque<String> = pages
        .map(|route| filled(route.path, &world.acme, None) + &query(route.path, &world.acme))
        .collect();
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    let mut by_path: BTreeMap<String, usize> = BTreeMap::new();
    let mut answers = Vec::new();
    while let Some(path) = waiting.pop_front() {
        if answers.len() >= MAX_PAGES {
            break;
        }
        let answer = browser.get(session, &path).await;
        for link in html::values(&answer.text, "a", "href") {
            let link = link.split('#').next().unwrap_or_default().to_owned();
            let is_page = routes(variant)
                .any(|route| route.method == Method::Get && html::is_of(route.path, &link));
            if is_page && seen.insert(link.clone()) {
                let path = link.split('?').next().unwrap_or_default().to_owned();
                let opened = by_path.entry(path).or_default();
                *opened += 1;
                if *opened <= MAX_QUERIES {
                    waiting.push_back(link);
                }
            }
        }
        answers.push((path, answer));
    }
    answers
}

/// Addresses that other parts of the service answer, and those of checks: the reports of the fixture name some that
/// the catalogue does not have.
const OTHERS: [&str; 4] = ["/assets/", "/checks/", "/docs/", "/openapi.json"];

#[actix_web::test]
async fn links_lead_to_pages_that_the_person_may_see() {
    for variant in [Variant::Current, Variant::Legacy] {
        let world = Fixture::new(variant, PLAIN);
        let browser = world.browser().await;
        for role in Role::ALL {
            let session = Some(&world.acme.person(role).token);
            let pages = crawl(&world, &browser, session).await;
            let shown = pages.iter().filter(|(_, answer)| answer.status == 200);
            let mut opened = BTreeSet::new();
            for (path, answer) in shown {
                for link in html::values(&answer.text, "a", "href") {
                    if !link.starts_with('/') || OTHERS.iter().any(|start| link.starts_with(start))
                    {
                        continue;
                    }
                    let link = link.split('#').next().unwrap_or_default();
                    if !opened.insert(link.to_owned()) {
                        continue;
                    }
                    let answer = browser.get(session, link).await;
                    let is_page = matches!(answer.status, 200 | 303);
                    assert!(
                        is_page,
                        "{variant:?} {role}: {path} leads to {link}: {answer:?}"
                    );
                }
            }
        }
    }
}

/// What is secret of the people of the world.
fn secrets(world: &Fixture) -> Vec<String> {
    let orgs = [&world.acme, &world.rival].into_iter();
    orgs.flat_map(|org| {
        [
            &org.admin.token,
            &org.member.token,
            &org.reader.token,
            &org.elsewhere.token,
            &org.protected.person.token,
            &org.protected.waiting,
        ]
    })
    .flat_map(|token| [token.expose().to_owned(), token.hash().as_str().to_owned()])
    .chain([PASSWORD.to_owned()])
    .collect()
}

/// What is secret of the second factors of an organization's people.
fn of_second_factors(org: &Org) -> Vec<String> {
    let codes = org.protected.codes.iter().map(RecoveryCode::expose);
    codes
        .flat_map(|code| [code.replace('-', ""), code])
        .chain([&org.protected.secret, &org.unproven].map(TotpSecret::expose))
        .collect()
}

fn assert_no_secret(text: &str, secrets: &[String], what: &str) {
    for secret in secrets {
        assert!(!text.contains(secret), "{what} holds {secret}");
    }
}

#[rstest]
#[actix_web::test]
async fn every_page_is_strict_and_holds_no_secret(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
    #[values(PLAIN, SECURE)] base_url: &str,
) {
    let world = Fixture::new(variant, base_url);
    let browser = world.browser().await;
    let secrets = secrets(&world);
    let people = [
        Some(&world.acme.admin.token),
        Some(&world.acme.reader.token),
        Some(&world.rival.admin.token),
        None,
    ];
    for session in people {
        let pages = crawl(&world, &browser, session).await;
        assert!(pages.len() > 10, "{}", pages.len());
        for (path, answer) in pages {
            check(&answer, base_url, &path);
            assert_no_secret(&answer.text, &secrets, &path);
            if variant == Variant::Legacy {
                let words = ["/actions", "AI readiness", "ction item", "andoff"];
                let mention = words.iter().find(|word| answer.text.contains(**word));
                assert_eq!(mention, None, "{path}");
            }
        }
    }
}

#[rstest]
#[actix_web::test]
async fn every_answer_to_a_form_is_strict_and_holds_no_secret(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    for route in routes(variant).filter(|route| route.method == Method::Post) {
        let world = Fixture::new(variant, SECURE);
        let browser = world.browser().await;
        let secrets = secrets(&world);
        let path = filled(route.path, &world.acme, None);
        let form = fields(&world, route.path, &world.acme);
        for session in [
            None,
            Some(&world.acme.reader.token),
            Some(&world.acme.admin.token),
        ] {
            let foreign = browser.send(browser.form(session, &path, &form)).await;
            for answer in [foreign, browser.post(session, &path, &form).await] {
                check(&answer, SECURE, &path);
                assert_no_secret(&answer.text, &secrets, &path);
                if let Some(opened) = answer.session() {
                    assert!(!answer.text.contains(opened.expose()), "{path}");
                }
            }
        }
    }
}

#[actix_web::test]
async fn the_log_holds_no_secret() {
    log::everything();
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let mut secrets = secrets(&world);
    for org in [&world.acme, &world.rival] {
        let links = [&org.setup, &org.invitation, &org.reset];
        secrets.extend(links.map(|link| link.expose().to_owned()));
        secrets.push(org.admin.token.form_token());
        secrets.extend(of_second_factors(org));
    }
    let session = Some(&world.acme.admin.token);
    crawl(&world, &browser, session).await;
    for route in routes(Variant::Current).filter(|route| route.method == Method::Post) {
        let path = filled(route.path, &world.acme, None);
        let form = fields(&world, route.path, &world.acme);
        for session in [None, Some(&world.rival.admin.token), session] {
            let answer = browser.post(session, &path, &form).await;
            secrets.extend(answer.session().map(|opened| opened.expose().to_owned()));
        }
    }
    // Also where the database fails with what it was asked.
    let failure = domain::ports::StoreError::Failed("a cause for the operator".to_owned());
    world.stores.break_with(Some(failure));
    let answer = browser.get(session, "/settings").await;
    assert_eq!(answer.status, 500);
    assert!(!answer.text.contains("a cause for the operator"));
    let text = log::everything();
    assert!(text.contains("a cause for the operator"));
    assert!(text.contains("http.route=\"/settings/api\""), "{text}");
    assert_no_secret(&text, &secrets, "the log");
}

#[actix_web::test]
async fn the_database_holds_no_secret() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let mut secrets = vec![PASSWORD.to_owned()];
    for org in [&world.acme, &world.rival] {
        for person in [&org.admin, &org.member, &org.reader] {
            secrets.push(person.token.expose().to_owned());
            secrets.push(person.token.form_token());
        }
        let links = [&org.setup, &org.invitation, &org.reset];
        secrets.extend(links.map(|link| link.expose().to_owned()));
        secrets.extend(of_second_factors(org));
        secrets.push(org.protected.waiting.expose().to_owned());
    }
    let session = Some(&world.acme.admin.token);
    let form = [("name", "deploy"), ("role", "read"), ("days", "30")];
    let made = browser.post(session, "/settings/api", &form).await;
    let key = made.text.split("id=\"secret\">").nth(1).unwrap();
    secrets.push(key.split('<').next().unwrap().to_owned());
    let email = &world.acme.reader.email;
    let form = [("email", email.as_str()), ("password", PASSWORD)];
    let signed_in = browser.send(browser.form(None, "/sign-in", &form)).await;
    secrets.push(signed_in.session().unwrap().expose().to_owned());
    let rows = world.rows().join("\n");
    let hash = world.acme.admin.token.hash();
    assert!(rows.contains(hash.as_str()), "the rows have no session");
    assert_no_secret(&rows, &secrets, "the database");
}

#[actix_web::test]
async fn a_long_list_of_sites_has_pages() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    for number in 0..60 {
        let run = sample::new_run(&world.ids, &format!("https://site{number}.example/"));
        world.stores.start_run(&world.acme.id, &run).unwrap();
    }
    let listed = |answer: &Reply| -> BTreeSet<String> {
        let links = html::values(&answer.text, "a", "href").into_iter();
        links.filter(|link| link.starts_with("/sites/")).collect()
    };
    let first = browser.get(session, "/").await;
    let links = html::values(&first.text, "a", "href");
    let next = links.iter().find(|link| link.contains("after=")).unwrap();
    let second = browser.get(session, next).await;
    let (first, second) = (listed(&first), listed(&second));
    let all = world
        .stores
        .find_sites(&world.acme.id, "", 1_000)
        .unwrap()
        .len();
    assert!(all > 60);
    assert_eq!((first.len(), second.len()), (50, all - 50));
    assert!(first.is_disjoint(&second));
}

#[actix_web::test]
async fn failures_of_the_database_are_pages() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    for (failure, status) in [
        (
            domain::ports::StoreError::Unavailable("away".to_owned()),
            503,
        ),
        (domain::ports::StoreError::Failed("broken".to_owned()), 500),
    ] {
        world.stores.break_with(Some(failure));
        // Pages that show nothing of an organization do not need it.
        for route in routes(Variant::Current).filter(|route| route.access != Access::Open) {
            let path = filled(route.path, &world.acme, None) + &query(route.path, &world.acme);
            let answer = match route.method {
                Method::Get => browser.get(session, &path).await,
                Method::Post => {
                    let form = fields(&world, route.path, &world.acme);
                    browser.post(session, &path, &form).await
                }
            };
            assert_eq!(answer.status, status, "{path}");
            assert_eq!(answer.header("Content-Security-Policy"), POLICY);
            assert!(html::read(&answer.text).is_ok(), "{path}");
            assert!(!answer.text.contains("broken"), "{path}");
        }
    }
}

#[actix_web::test]
async fn assets_are_kept_by_browsers() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    for asset in crate::assets::all() {
        let answer = browser.get(None, &asset.path).await;
        assert_eq!(answer.status, 200);
        let cached = match asset.is_permanent {
            true => "public, max-age=31536000, immutable",
            false => "public, max-age=86400",
        };
        assert_eq!(answer.header("Cache-Control"), cached);
        assert_eq!(answer.header("Set-Cookie"), "");
    }
}
