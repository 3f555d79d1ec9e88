//! One-time links work once, in time, unaltered, and for their own purpose.

use chrono::TimeDelta;
use domain::account::{LinkPurpose, Token};
use domain::report::Variant;
use rstest::rstest;

use super::browser::Browser;
use super::html;
use super::targets::fields;
use super::world::{Fixture, Org, PLAIN};
use crate::pages::link_path;

const PURPOSES: [(LinkPurpose, &str); 3] = [
    (LinkPurpose::Setup, "/setup"),
    (LinkPurpose::Invitation, "/join"),
    (LinkPurpose::PasswordReset, "/reset-password"),
];

const fn link(org: &Org, purpose: LinkPurpose) -> &Token {
    match purpose {
        LinkPurpose::Setup => &org.setup,
        LinkPurpose::Invitation => &org.invitation,
        LinkPurpose::PasswordReset => &org.reset,
    }
}

/// Opens the link and sends its form; both say that it does not work.
async fn is_gone(browser: &Browser, world: &Fixture, path: &str, text: &str) {
    let before = world.rows();
    let query = super::browser::encoded(&[("link", text)]);
    let page = browser.get(None, &format!("{path}?{query}")).await;
    let mut form = fields(world, path, &world.acme);
    for (name, value) in &mut form {
        if *name == "link" {
            text.clone_into(value);
        }
    }
    let taken = browser.post(None, path, &form).await;
    for answer in [page, taken] {
        assert_eq!(answer.status, 410, "{path} {text}");
        assert!(answer.text.contains("<h1>This link does not work</h1>"));
        assert_eq!(answer.header("Set-Cookie"), "");
    }
    assert_eq!(world.rows(), before, "{path} {text}");
}

#[rstest]
#[actix_web::test]
async fn a_link_works_once(#[values(0, 1, 2)] index: usize) {
    let (purpose, path) = PURPOSES[index];
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let token = link(&world.acme, purpose);
    // Looking at it does not use it, also not by a program that opens links in letters.
    for _ in 0..3 {
        let answer = browser.get(None, &link_path(purpose, token)).await;
        assert_eq!(answer.status, 200, "{path}");
    }
    let form = fields(&world, path, &world.acme);
    let answer = browser.post(None, path, &form).await;
    assert!(answer.leads_to("/"), "{path} {answer:?}");
    let session = answer.session().unwrap();
    assert_eq!(browser.get(Some(&session), "/").await.status, 200);
    is_gone(&browser, &world, path, token.expose()).await;
}

#[rstest]
#[actix_web::test]
async fn a_link_works_in_time(#[values(0, 1, 2)] index: usize) {
    let (purpose, path) = PURPOSES[index];
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let token = link(&world.acme, purpose);
    let lifetime = TimeDelta::from_std(purpose.lifetime()).unwrap();
    world.clock.advance(lifetime - TimeDelta::seconds(1));
    let answer = browser.get(None, &link_path(purpose, token)).await;
    assert_eq!(answer.status, 200, "{path}");
    world.clock.advance(TimeDelta::seconds(1));
    is_gone(&browser, &world, path, token.expose()).await;
}

#[actix_web::test]
async fn an_altered_link_does_not_work() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    for (purpose, path) in PURPOSES {
        let text = link(&world.acme, purpose).expose();
        let (first, rest) = text.split_at(1);
        let other = if first == "a" { "b" } else { "a" };
        for altered in [
            format!("{other}{rest}"),
            rest.to_owned(),
            format!("{text}a"),
            text.to_lowercase() + "A",
            format!("{rest}\u{e4}"),
            String::new(),
            "' OR 1=1 --".to_owned(),
            link(&world.acme, purpose).hash().as_str().to_owned(),
            world.acme.admin.token.expose().to_owned(),
        ] {
            is_gone(&browser, &world, path, &altered).await;
        }
    }
}

#[actix_web::test]
async fn a_link_of_another_purpose_does_not_work() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    for (purpose, _) in PURPOSES {
        for (other, path) in PURPOSES {
            if other != purpose {
                let text = link(&world.acme, purpose).expose();
                is_gone(&browser, &world, path, text).await;
            }
        }
    }
}

#[actix_web::test]
async fn a_link_that_was_replaced_does_not_work() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let admin = Some(&world.acme.admin.token);
    let path = format!("/settings/members/{}/invitation", world.acme.guest);
    let answer = browser.post::<&str>(admin, &path, &[]).await;
    assert!(answer.text.contains("/join?link="), "{answer:?}");
    is_gone(&browser, &world, "/join", world.acme.invitation.expose()).await;
}

#[actix_web::test]
async fn a_weak_password_does_not_use_the_link() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    for (_, path) in PURPOSES {
        let before = world.rows();
        for (password, repeated) in [
            ("short", "short"),
            ("password1234", "password1234"),
            (
                "walrus-teapot-77-gravel-moon",
                "walrus-teapot-77-gravel-noon",
            ),
        ] {
            let mut form = fields(&world, path, &world.acme);
            for (name, value) in &mut form {
                match *name {
                    "password" => password.clone_into(value),
                    "repeated" => repeated.clone_into(value),
                    _ => {}
                }
            }
            let answer = browser.post(None, path, &form).await;
            assert_eq!(answer.status, 422, "{path} {password}");
            assert!(!answer.text.contains(password), "{path} {password}");
        }
        assert_eq!(world.rows(), before);
    }
}

#[actix_web::test]
async fn what_was_entered_is_kept_after_too_many_attempts() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let form = [
        ("link", world.acme.setup.expose()),
        ("name", "Grace Hopper"),
        ("email", "grace@example.com"),
        ("password", "short"),
        ("repeated", "short"),
    ];
    for _ in 0..10 {
        assert_eq!(browser.post(None, "/setup", &form).await.status, 422);
    }
    let refused = browser.post(None, "/setup", &form).await;
    assert_eq!(refused.status, 429);
    assert!(refused.text.contains("Too many attempts. Wait "));
    let values = html::values(&refused.text, "input", "value");
    for kept in ["Grace Hopper", "grace@example.com"] {
        assert!(
            values.iter().any(|value| value == kept),
            "{kept}: {values:?}"
        );
    }
}
