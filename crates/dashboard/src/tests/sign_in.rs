//! Signing in and out, and how sessions begin and end.

use actix_web::http::Method;
use chrono::TimeDelta;
use domain::account::Token;
use domain::key::Role;
use domain::report::Variant;
use rstest::rstest;

use super::browser::Browser;
use super::targets::{OTHER_PASSWORD, fields};
use super::world::{Fixture, PASSWORD, PLAIN, Person, SECURE};
use crate::state::DashboardState;

fn world() -> Fixture {
    Fixture::new(Variant::Current, PLAIN)
}

/// Signs in with a cookie that the browser has already, and returns the new token.
async fn sign_in(browser: &Browser, cookie: Option<&Token>, email: &str) -> Token {
    let form = [
        ("email", email),
        ("password", PASSWORD),
        ("next", "/settings"),
    ];
    let answer = browser.send(browser.form(cookie, "/sign-in", &form)).await;
    assert!(answer.leads_to("/settings"), "{answer:?}");
    answer.session().unwrap()
}

async fn works(browser: &Browser, token: &Token) -> bool {
    let answer = browser.get(Some(token), "/settings").await;
    assert!(matches!(answer.status, 200 | 303));
    answer.status == 200
}

#[actix_web::test]
async fn a_cookie_from_before_the_sign_in_is_worthless_after_it() {
    let world = world();
    let browser = world.browser().await;
    // One that somebody else chose, and one that was a session.
    let planted = Token::parse(&"p".repeat(43)).unwrap();
    let new = sign_in(&browser, Some(&planted), &world.acme.reader.email).await;
    assert_ne!(new, planted);
    assert!(works(&browser, &new).await);
    assert!(!works(&browser, &planted).await);
    for before in [&new, &world.rival.admin.token] {
        let after = sign_in(&browser, Some(before), &world.acme.reader.email).await;
        assert!(works(&browser, &after).await);
        assert!(!works(&browser, before).await);
    }
}

#[actix_web::test]
async fn signing_out_ends_the_session_and_removes_the_cookie() {
    let world = world();
    let browser = world.browser().await;
    let admin = &world.acme.admin;
    let answer = browser
        .post::<&str>(Some(&admin.token), "/sign-out", &[])
        .await;
    assert!(answer.leads_to("/sign-in"));
    assert_eq!(
        answer.header("Set-Cookie"),
        "assay_session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0"
    );
    assert!(!works(&browser, &admin.token).await);
    assert!(works(&browser, &world.acme.elsewhere.token).await);
}

#[actix_web::test]
async fn a_session_ends_after_a_week_without_use() {
    let world = world();
    let browser = world.browser().await;
    let (used, idle) = (&world.acme.admin.token, &world.acme.reader.token);
    let week = TimeDelta::days(7);
    world.clock.advance(week - TimeDelta::seconds(1));
    assert!(works(&browser, used).await);
    world.clock.advance(TimeDelta::seconds(1));
    assert!(works(&browser, used).await);
    assert!(!works(&browser, idle).await);
    world.clock.advance(week);
    assert!(!works(&browser, used).await);
}

#[actix_web::test]
async fn a_session_ends_after_thirty_days_of_use() {
    let world = world();
    let browser = world.browser().await;
    let token = &world.acme.admin.token;
    for _ in 0..29 {
        world.clock.advance(TimeDelta::days(1));
        assert!(works(&browser, token).await);
    }
    world.clock.advance(TimeDelta::days(1));
    assert!(!works(&browser, token).await);
}

/// Another session of the administrator.
fn elsewhere(world: &Fixture) -> &Token {
    &world.acme.elsewhere.token
}

#[actix_web::test]
async fn a_session_that_is_ended_elsewhere_is_worthless() {
    let world = world();
    let browser = world.browser().await;
    let admin = &world.acme.admin;
    let path = format!("/settings/sessions/{}/end", admin.session.id);
    let answer = browser
        .post::<&str>(Some(elsewhere(&world)), &path, &[])
        .await;
    assert!(answer.leads_to("/settings/sessions"));
    assert!(!works(&browser, &admin.token).await);
    let third = sign_in(&browser, None, &admin.email).await;
    let path = "/settings/sessions/end-others";
    let answer = browser.post::<&str>(Some(&third), path, &[]).await;
    assert!(answer.leads_to("/settings/sessions"));
    assert!(!works(&browser, elsewhere(&world)).await);
    assert!(works(&browser, &third).await);
    assert!(works(&browser, &world.acme.reader.token).await);
}

#[actix_web::test]
async fn another_password_ends_all_other_sessions_and_renews_this_one() {
    let world = world();
    let browser = world.browser().await;
    let old = &world.acme.admin.token;
    let path = "/settings/account/password";
    let form = fields(&world, path, &world.acme);
    let answer = browser.post(Some(old), path, &form).await;
    let new = answer.session().unwrap();
    assert!(works(&browser, &new).await);
    for ended in [old, elsewhere(&world)] {
        assert!(!works(&browser, ended).await);
    }
    let form = |password| {
        [
            ("email", world.acme.admin.email.as_str()),
            ("password", password),
        ]
    };
    let answer = browser.post(None, "/sign-in", &form(PASSWORD)).await;
    assert_eq!(answer.status, 422);
    let answer = browser.post(None, "/sign-in", &form(OTHER_PASSWORD)).await;
    assert_eq!(answer.status, 303);
}

#[actix_web::test]
async fn another_address_ends_all_other_sessions_and_renews_this_one() {
    let world = world();
    let browser = world.browser().await;
    let old = &world.acme.admin.token;
    let form = [("email", "Lovelace@Example.com")];
    let answer = browser
        .post(Some(old), "/settings/account/email", &form)
        .await;
    assert!(answer.leads_to("/settings/account?changed=email"));
    let new = answer.session().unwrap();
    assert!(works(&browser, &new).await);
    for ended in [old, elsewhere(&world)] {
        assert!(!works(&browser, ended).await);
    }
    let form = |email| [("email", email), ("password", PASSWORD)];
    let before = form(&world.acme.admin.email);
    let answer = browser.post(None, "/sign-in", &before).await;
    assert_eq!(answer.status, 422);
    let after = form("lovelace@example.com");
    let answer = browser.post(None, "/sign-in", &after).await;
    assert_eq!(answer.status, 303);
}

/// Whether an account of another organization or a member of the own one has the address looks the same.
#[actix_web::test]
async fn the_refusal_of_an_address_does_not_say_who_has_it() {
    let world = world();
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let mut shown = Vec::new();
    for email in [
        "ada-rival@example.com",
        "dot-acme@example.com",
        "bob-acme@example.com",
    ] {
        let path = "/settings/account/email";
        let answer = browser.post(session, path, &[("email", email)]).await;
        assert_eq!(answer.status, 422, "{email}");
        assert_eq!(answer.header("Set-Cookie"), "", "{email}");
        let problem = "This address cannot be used. Choose another one.";
        assert!(answer.text.contains(problem), "{email}");
        shown.push(answer.text.replace(email, "EMAIL"));
    }
    assert!(shown.iter().all(|text| *text == shown[0]));
}

#[actix_web::test]
async fn another_name_is_shown_and_ends_no_session() {
    let world = world();
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let path = "/settings/account/name";
    let form = [("name", "  Cy <Twombly> ")];
    let answer = browser.post(session, path, &form).await;
    assert!(answer.leads_to("/settings/account?changed=name"));
    let answer = browser.get(session, "/settings/account?changed=name").await;
    assert!(answer.text.contains("The name was changed."));
    assert!(answer.text.contains("value=\"Cy &#60;Twombly&#62;\""));
    let answer = browser.post(session, path, &[("name", " ")]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text.contains("Name: a name is required."));
}

#[rstest]
#[case::role("role")]
#[case::removal("remove")]
#[actix_web::test]
async fn a_change_of_a_member_ends_the_sessions_of_the_member(#[case] change: &str) {
    let world = world();
    let browser = world.browser().await;
    let Person { member, token, .. } = world.acme.person(Role::Member);
    let path = format!("/settings/members/{member}/{change}");
    let form = [("role", "read")];
    let answer = browser
        .post(Some(&world.acme.admin.token), &path, &form)
        .await;
    assert!(answer.leads_to("/settings/members"), "{answer:?}");
    assert!(!works(&browser, token).await);
    assert!(works(&browser, &world.acme.reader.token).await);
}

#[actix_web::test]
async fn an_unknown_address_and_a_wrong_password_look_the_same() {
    let world = world();
    let browser = world.browser().await;
    let known = world.acme.admin.email.as_str();
    let unknown = "eve-acme@example.com";
    assert_eq!(known.len(), unknown.len());
    let mut shown = Vec::new();
    for email in [known, unknown] {
        let form = [("email", email), ("password", "wrong")];
        let answer = browser.post(None, "/sign-in", &form).await;
        assert_eq!(answer.status, 422);
        let headers = answer.headers.iter();
        let mut headers: Vec<_> = headers
            .filter(|(name, _)| name.as_str() != "x-request-id")
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        headers.sort();
        assert!(answer.text.contains(email));
        shown.push((headers, answer.text.replace(email, "EMAIL")));
    }
    assert_eq!(shown[0], shown[1]);
}

#[rstest]
#[case::plain(PLAIN, "assay_session", "")]
#[case::tls(SECURE, "__Host-assay_session", " Secure;")]
#[actix_web::test]
async fn the_cookie_is_kept_to_this_service(
    #[case] base_url: &str,
    #[case] name: &str,
    #[case] secure: &str,
) {
    let world = Fixture::new(Variant::Current, base_url);
    let browser = world.browser().await;
    let form = [
        ("email", world.acme.admin.email.as_str()),
        ("password", PASSWORD),
    ];
    let answer = browser.post(None, "/sign-in", &form).await;
    let token = answer.session().unwrap();
    assert_eq!(
        answer.header("Set-Cookie"),
        format!(
            "{name}={}; HttpOnly; SameSite=Lax;{secure} Path=/; Max-Age=2592000",
            token.expose()
        )
    );
    assert_eq!(answer.text, "");
    assert!(works(&browser, &token).await);
    // The name of the other scheme is no cookie of this service.
    let other = match name {
        "assay_session" => "__Host-assay_session",
        _ => "assay_session",
    };
    let request = browser.bare(Method::GET, "/settings");
    let cookie = format!("{other}={}", token.expose());
    let answer = browser
        .send(request.insert_header(("Cookie", cookie)))
        .await;
    assert_eq!(answer.status, 303);
}

/// Whatever a person does over plain http from another machine: a page that explains TLS, and no cookie.
#[actix_web::test]
async fn nobody_signs_in_over_plain_http_from_another_machine() {
    let base_url = "http://assay.internal:8080";
    let world = Fixture::new(Variant::Current, base_url);
    let browser = world.browser().await;
    let before = world.rows();
    let email = world.acme.admin.email.as_str();
    let form = [("email", email), ("password", PASSWORD)];
    let setup = format!("/setup?link={}", world.acme.setup.expose());
    let answers = [
        browser.post(None, "/sign-in", &form).await,
        browser.get(None, "/sign-in").await,
        browser.get(None, &setup).await,
        browser.get(Some(&world.acme.admin.token), "/").await,
        browser
            .post(None, "/setup", &fields(&world, "/setup", &world.acme))
            .await,
    ];
    for answer in answers {
        assert_eq!(answer.status, 403);
        assert!(answer.text.contains("<h1>TLS is needed to sign in</h1>"));
        assert_eq!(answer.header("Set-Cookie"), "");
    }
    assert_eq!(world.rows(), before);
}

/// A name that leads to the machine of the service is not its own name (DNS rebinding), and a `Host` with a user or a
/// port before another host is no way around.
#[actix_web::test]
async fn the_host_of_a_request_decides_whether_it_is_from_another_machine() {
    let world = world();
    let browser = world.browser().await;
    for (host, status) in [
        ("127.0.0.1:8080", 200),
        ("localhost:8080", 200),
        ("[::1]:8080", 200),
        ("192.168.1.5:8080", 403),
        ("evil.example", 403),
        ("127.0.0.1@evil.example", 403),
        ("localhost.evil.example", 403),
        ("evil.example#localhost", 403),
        ("", 403),
    ] {
        let request = actix_web::test::TestRequest::with_uri("/sign-in");
        let answer = browser.send(request.insert_header(("Host", host))).await;
        assert_eq!(answer.status, status, "{host}");
    }
}

#[actix_web::test]
async fn the_operator_can_allow_plain_http() {
    let base_url = "http://assay.internal:8080";
    let world = Fixture::new(Variant::Current, base_url);
    let settings = super::world::settings(Variant::Current, base_url);
    let state = DashboardState {
        settings: std::sync::Arc::new(crate::DashboardSettings {
            allow_plain_http: true,
            ..settings
        }),
        ..world.state.clone()
    };
    let browser = Browser::new(&state).await;
    let token = sign_in(&browser, None, &world.acme.admin.email).await;
    assert!(works(&browser, &token).await);
}

#[actix_web::test]
async fn a_form_that_outlives_its_session_is_kept_and_sent_again() {
    let world = world();
    let browser = world.browser().await;
    let path = format!("/actions/{}/comments", world.acme.action);
    let form = [("body", "A long <b>text</b>"), ("password", "secret words")];
    let before = world.rows();
    let answer = browser.post(None, &path, &form).await;
    assert_eq!(answer.status, 401);
    assert!(
        answer
            .text
            .contains("name=\"kept.body\" value=\"A long &#60;b&#62;text&#60;/b&#62;\"")
    );
    assert!(!answer.text.contains("secret words"));
    assert_eq!(world.rows(), before);
    let member = &world.acme.member;
    let form = [
        ("email", member.email.as_str()),
        ("password", PASSWORD),
        ("kept-form", &path),
        ("kept.body", "A long <b>text</b>"),
    ];
    let answer = browser.post(None, "/sign-in", &form).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let token = answer.session().unwrap();
    assert!(answer.text.contains(&format!("action=\"{path}\"")));
    assert!(answer.text.contains(&token.form_token()));
    assert!(!answer.text.contains(token.expose()));
}

#[actix_web::test]
async fn a_sign_in_leads_to_pages_of_this_service_alone() {
    let world = world();
    let browser = world.browser().await;
    for next in [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/a\r\nSet-Cookie: a=b",
        "\t//evil.example",
    ] {
        let form = [
            ("email", world.acme.admin.email.as_str()),
            ("password", PASSWORD),
            ("next", next),
            ("kept-form", next),
        ];
        let answer = browser.post(None, "/sign-in", &form).await;
        world.clock.advance(TimeDelta::minutes(1));
        let signed_in = answer.leads_to("/")
            || (answer.status == 200
                && answer.text.contains("<form method=\"post\" action=\"/\">"));
        assert!(signed_in, "{next}: {answer:?}");
        let query = super::browser::encoded(&[("next", next)]);
        let path = format!("/sign-in?{query}");
        let answer = browser.get(Some(&world.acme.reader.token), &path).await;
        assert!(answer.leads_to("/"), "{next}: {answer:?}");
    }
}
