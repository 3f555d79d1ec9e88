//! Guessing passwords.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use chrono::TimeDelta;
use domain::report::Variant;

use super::browser::Browser;
use super::html;
use super::world::{Fixture, PASSWORD, PLAIN};

async fn try_to_sign_in(browser: &Browser, from: IpAddr, email: &str, password: &str) -> u16 {
    let form = [("email", email), ("password", password)];
    let request = browser.form(None, "/sign-in", &form);
    let request = request.peer_addr(SocketAddr::new(from, 40_000));
    // Only proxies that the operator trusts may name another client.
    let request = request.insert_header(("X-Forwarded-For", "198.51.100.99"));
    let answer = browser.send(request).await;
    if answer.status == 429 {
        assert!(answer.text.contains("<h1>Sign in</h1>"));
        let seconds: u64 = answer.header("Retry-After").parse().unwrap();
        assert!((1..=60).contains(&seconds), "{seconds}");
        let wait = format!("Too many attempts. Wait {seconds} second");
        assert!(answer.text.contains(&wait), "{}", answer.text);
        assert_eq!(answer.header("Set-Cookie"), "");
    }
    answer.status
}

fn address(number: u16) -> IpAddr {
    let [high, low] = number.to_be_bytes();
    Ipv4Addr::new(198, 18, high, low).into()
}

#[actix_web::test]
async fn an_account_is_tried_ten_times_at_once_from_wherever() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let email = &world.acme.admin.email;
    let mut statuses = Vec::new();
    for number in 0..10_000_u16 {
        // Neither case nor white space makes another account.
        let written = match number % 3 {
            0 => email.to_uppercase(),
            1 => format!("  {email} "),
            _ => email.clone(),
        };
        statuses.push(try_to_sign_in(&browser, address(number % 200), &written, "wrong").await);
    }
    let refused = statuses.iter().filter(|status| **status == 429).count();
    assert_eq!(statuses[..10], [422; 10]);
    assert_eq!(refused, 9_990);
    // From an address that tried nothing yet, with the right password.
    let fresh = address(500);
    assert_eq!(try_to_sign_in(&browser, fresh, email, PASSWORD).await, 429);
    let other = &world.acme.reader.email;
    assert_eq!(try_to_sign_in(&browser, fresh, other, PASSWORD).await, 303);
    world.clock.advance(TimeDelta::seconds(60));
    assert_eq!(try_to_sign_in(&browser, fresh, email, PASSWORD).await, 303);
    assert_eq!(try_to_sign_in(&browser, fresh, email, PASSWORD).await, 429);
}

#[actix_web::test]
async fn an_address_tries_twenty_times_at_once_whatever_the_account() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let mut statuses = Vec::new();
    for number in 0..10_000_u16 {
        let email = format!("person{number}@example.com");
        statuses.push(try_to_sign_in(&browser, address(1), &email, "wrong").await);
    }
    let refused = statuses.iter().filter(|status| **status == 429).count();
    assert_eq!(statuses[..20], [422; 20]);
    assert_eq!(refused, 9_980);
    let email = &world.acme.admin.email;
    assert_eq!(
        try_to_sign_in(&browser, address(1), email, PASSWORD).await,
        429
    );
    // What was refused did not count against the account.
    assert_eq!(
        try_to_sign_in(&browser, address(2), email, PASSWORD).await,
        303
    );
    world.clock.advance(TimeDelta::seconds(6));
    assert_eq!(
        try_to_sign_in(&browser, address(1), email, PASSWORD).await,
        303
    );
}

#[actix_web::test]
async fn a_stolen_session_guesses_no_password() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    let mut statuses = Vec::new();
    for number in 0..30 {
        let wrong = format!("wrong {number}");
        let path = ["/confirm", "/settings/account/password"][number % 2];
        let form = [
            ("target", "/settings"),
            ("password", &wrong),
            ("current-password", &wrong),
            ("new-password", "walrus-teapot-77-gravel-moon"),
            ("repeated-password", "walrus-teapot-77-gravel-moon"),
        ];
        statuses.push(browser.post(session, path, &form).await.status);
    }
    assert_eq!(statuses[..10], [422; 10]);
    assert_eq!(statuses[10..], [429; 20]);
}

#[actix_web::test]
async fn the_form_that_waits_for_the_password_is_kept_after_too_many_attempts() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    let form = [
        ("target", "/settings/api"),
        ("is-form", "yes"),
        ("kept.name", "deploy"),
        ("password", "wrong"),
    ];
    for _ in 0..10 {
        let wrong = browser.post(session, "/confirm", &form).await;
        assert_eq!(wrong.status, 422);
    }
    let refused = browser.post(session, "/confirm", &form).await;
    assert_eq!(refused.status, 429);
    let seconds: u64 = refused.header("Retry-After").parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    assert!(refused.text.contains("Too many attempts. Wait "));
    let fields = html::values(&refused.text, "input", "name");
    assert!(fields.iter().any(|name| name == "kept.name"), "{fields:?}");
}

#[actix_web::test]
async fn the_page_and_the_form_that_wait_for_a_sign_in_are_kept_after_too_many_attempts() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let email = &world.acme.admin.email;
    let form = [
        ("email", email.as_str()),
        ("password", "wrong"),
        ("next", "/sites?q=shop"),
        ("kept-form", "/settings/api"),
        ("kept.name", "deploy"),
    ];
    for _ in 0..10 {
        assert_eq!(browser.post(None, "/sign-in", &form).await.status, 422);
    }
    let refused = browser.post(None, "/sign-in", &form).await;
    assert_eq!(refused.status, 429);
    let values = html::values(&refused.text, "input", "value");
    for kept in [email, "/sites?q=shop", "/settings/api", "deploy"] {
        assert!(
            values.iter().any(|value| value == kept),
            "{kept}: {values:?}"
        );
    }
    assert!(!refused.text.contains("wrong"));
}

#[actix_web::test]
async fn nobody_searches_for_addresses_of_accounts() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let mut statuses = Vec::new();
    for _ in 0..30 {
        let form = [("email", "ada-rival@example.com")];
        let path = "/settings/account/email";
        statuses.push(browser.post(session, path, &form).await.status);
    }
    assert_eq!(statuses[..10], [422; 10]);
    assert_eq!(statuses[10..], [429; 20]);
}
