//! The second factor: signing in with it, setting it up, and organizations that require it.

use chrono::TimeDelta;
use domain::account::{RecoveryCode, TimeStep, Token, TotpSecret};
use domain::ports::{Clock, OrgStore, SecondFactorStore};
use domain::report::Variant;
use rstest::rstest;

use super::browser::{Browser, Reply};
use super::html;
use super::pages::check;
use super::targets::{fields, filled, query};
use super::world::{Fixture, PASSWORD, PLAIN, Protected};
use crate::route::{Access, Method};
use crate::router::routes;

const CODE: &str = "/sign-in/code";
const WRONG: &str = "The code is wrong or was used before.";
const ENDED: &str = "Too much time has passed since you entered the password.";

fn world() -> Fixture {
    Fixture::new(Variant::Current, PLAIN)
}

fn code(world: &Fixture, secret: &TotpSecret) -> String {
    secret.code_at(TimeStep::containing(world.clock.now()))
}

/// A code that no step near the current one has.
fn wrong_code(world: &Fixture, secret: &TotpSecret) -> String {
    let current = TimeStep::containing(world.clock.now()).0;
    let near: Vec<_> = (-3..=3)
        .map(|offset| secret.code_at(TimeStep(current + offset)))
        .collect();
    let mut codes = (0..10).map(|digit| digit.to_string().repeat(6));
    codes.find(|code| !near.contains(code)).unwrap()
}

/// The code of the next step, which was not used yet.
fn next_code(world: &Fixture, secret: &TotpSecret) -> String {
    world.clock.advance(TimeDelta::seconds(30));
    code(world, secret)
}

/// Enters the password, and returns the token of the sign-in that waits.
async fn password(browser: &Browser, cookie: Option<&Token>, protected: &Protected) -> Token {
    let form = [
        ("email", protected.person.email.as_str()),
        ("password", PASSWORD),
        ("next", "/settings"),
    ];
    let answer = browser.send(browser.form(cookie, "/sign-in", &form)).await;
    assert!(
        answer.leads_to("/sign-in/code?next=%2Fsettings"),
        "{answer:?}"
    );
    answer.session().unwrap()
}

async fn enter(browser: &Browser, waiting: &Token, code: &str) -> Reply {
    let form = [("code", code), ("next", "/settings")];
    browser.post(Some(waiting), CODE, &form).await
}

async fn works(browser: &Browser, token: &Token) -> bool {
    let answer = browser.get(Some(token), "/settings").await;
    assert!(matches!(answer.status, 200 | 303));
    answer.status == 200
}

#[actix_web::test]
async fn the_code_completes_the_sign_in_with_another_cookie() {
    let world = world();
    let browser = world.browser().await;
    let eve = &world.acme.protected;
    // A session of the browser ends, and a token that somebody planted is not taken over.
    let planted = Token::parse(&"p".repeat(43)).unwrap();
    for before in [&eve.person.token, &planted] {
        let waiting = password(&browser, Some(before), eve).await;
        assert_ne!(waiting, *before);
        assert!(!works(&browser, before).await);
        assert!(!works(&browser, &waiting).await);
        let page = browser.get(Some(&waiting), CODE).await;
        assert_eq!(page.status, 200);
        check(&page, PLAIN, CODE);
        let code = next_code(&world, &eve.secret);
        let answer = enter(&browser, &waiting, &code).await;
        assert!(answer.leads_to("/settings"), "{answer:?}");
        let session = answer.session().unwrap();
        assert!(session != waiting && session != *before);
        assert!(works(&browser, &session).await);
        assert!(!works(&browser, &waiting).await);
        // What waited is over, and the page leads those who are signed in on.
        assert_eq!(enter(&browser, &waiting, &code).await.status, 401);
        let page = browser.get(Some(&session), CODE).await;
        assert!(page.leads_to("/"), "{page:?}");
        let page = browser.get(Some(&waiting), CODE).await;
        assert!(page.leads_to("/sign-in"), "{page:?}");
    }
}

#[actix_web::test]
async fn wrong_and_used_codes_look_the_same_and_are_logged() {
    let world = world();
    let browser = world.browser().await;
    let eve = &world.acme.protected;
    let waiting = password(&browser, None, eve).await;
    let used = next_code(&world, &eve.secret);
    assert_eq!(enter(&browser, &waiting, &used).await.status, 303);
    let waiting = password(&browser, None, eve).await;
    let wrong = wrong_code(&world, &eve.secret);
    let failures = || {
        let log = world.stores.audit_log(&world.acme.id).unwrap().into_iter();
        log.filter(|line| line.event == "sign_in.code_failed")
            .count()
    };
    assert_eq!(failures(), 0);
    let mut shown = Vec::new();
    let codes = [used.as_str(), &wrong, "aaaa-bbbb-cccc-dddd", "x", ""];
    for code in codes {
        let answer = enter(&browser, &waiting, code).await;
        assert_eq!(answer.status, 422, "{code}");
        assert_eq!(answer.header("Set-Cookie"), "");
        assert!(answer.text.contains(WRONG), "{}", answer.text);
        check(&answer, PLAIN, code);
        shown.push(answer.text);
    }
    assert!(shown.iter().all(|text| *text == shown[0]));
    assert_eq!(failures(), codes.len());
    let log = world.stores.audit_log(&world.acme.id).unwrap();
    assert!(
        log.last()
            .unwrap()
            .detail
            .ends_with("@example.com, from 203.0.113.7")
    );
    assert!(!works(&browser, &waiting).await);
    let right = next_code(&world, &eve.secret);
    assert_eq!(enter(&browser, &waiting, &right).await.status, 303);
}

#[actix_web::test]
async fn a_recovery_code_signs_in_once() {
    let world = world();
    let browser = world.browser().await;
    let eve = &world.acme.protected;
    let typed = eve.codes[0].expose().to_uppercase().replace('-', " ");
    let waiting = password(&browser, None, eve).await;
    let answer = enter(&browser, &waiting, &typed).await;
    let session = answer.session().unwrap();
    let page = browser.get(Some(&session), "/settings/second-factor").await;
    assert!(page.text.contains("9 of 10 left"), "{}", page.text);
    let waiting = password(&browser, None, eve).await;
    let answer = enter(&browser, &waiting, &typed).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text.contains(WRONG));
    // Nor is it one of another account.
    let rival = &world.rival.protected;
    let waiting = password(&browser, None, rival).await;
    let other = eve.codes[1].expose();
    assert_eq!(enter(&browser, &waiting, &other).await.status, 422);
}

#[actix_web::test]
async fn codes_are_guessed_ten_times_at_once_for_an_account() {
    let world = world();
    let browser = world.browser().await;
    let (eve, rival) = (&world.acme.protected, &world.rival.protected);
    let wrong = wrong_code(&world, &eve.secret);
    let address = |number: u8| std::net::SocketAddr::from(([198, 18, 0, number], 40_000));
    let mut statuses = Vec::new();
    // Another sign-in and another address share the limit.
    for number in 0..100_u8 {
        let sessions = world.state.sessions();
        let client = domain::usecase::Client {
            user_agent: "",
            address: "",
        };
        let waiting = sessions.sign_in(&eve.person.email, PASSWORD, client, None);
        let waiting = waiting.unwrap().token;
        let token = waiting.form_token();
        let form = [("token", token.as_str()), ("code", &wrong)];
        let request = browser.form(Some(&waiting), CODE, &form);
        let answer = browser.send(request.peer_addr(address(number))).await;
        statuses.push(answer.status);
    }
    assert_eq!(statuses[..10], [422; 10]);
    assert_eq!(statuses[10..], [429; 90]);
    // The right code is not tried either, nor to turn the second factor off; a password and others' codes are.
    let waiting = password(&browser, None, eve).await;
    let right = next_code(&world, &eve.secret);
    let refused = enter(&browser, &waiting, &right).await;
    assert_eq!(refused.status, 429);
    // The page can be sent again after the time that it names.
    assert!(refused.text.contains("<h1>Enter the code</h1>"));
    assert!(refused.text.contains("Too many attempts. Wait "));
    assert_ne!(refused.header("Retry-After"), "");
    let disable = "/settings/second-factor/disable";
    let form = [("code", right.as_str())];
    let session = Some(&eve.person.token);
    assert_eq!(browser.post(session, disable, &form).await.status, 429);
    let of_rival = password(&browser, None, rival).await;
    let code = code(&world, &rival.secret);
    assert_eq!(enter(&browser, &of_rival, &code).await.status, 303);
    world.clock.advance(TimeDelta::seconds(60));
    let right = next_code(&world, &eve.secret);
    assert_eq!(enter(&browser, &waiting, &right).await.status, 303);
}

#[actix_web::test]
async fn a_sign_in_waits_ten_minutes() {
    let world = world();
    let browser = world.browser().await;
    let eve = &world.acme.protected;
    let waiting = password(&browser, None, eve).await;
    world.clock.advance(TimeDelta::minutes(10));
    let answer = enter(&browser, &waiting, &code(&world, &eve.secret)).await;
    assert_eq!(answer.status, 401);
    assert!(answer.text.contains(ENDED));
    assert_eq!(answer.header("Set-Cookie"), "");
    let fields = html::values(&answer.text, "input", "value");
    assert!(fields.contains(&"/settings".to_owned()), "{fields:?}");
    let page = browser.get(Some(&waiting), CODE).await;
    assert!(page.leads_to("/sign-in"));
}

#[actix_web::test]
async fn the_form_needs_the_token_of_its_sign_in() {
    let world = world();
    let browser = world.browser().await;
    let eve = &world.acme.protected;
    let before = world.rows();
    let other = &world.rival.protected.waiting;
    let code = code(&world, &eve.secret);
    for token in [
        String::new(),
        other.form_token(),
        world.acme.admin.token.form_token(),
    ] {
        let form = [("token", token.as_str()), ("code", &code)];
        let answer = browser
            .send(browser.form(Some(&eve.waiting), CODE, &form))
            .await;
        assert_eq!(answer.status, 403, "{token}");
        assert_eq!(answer.header("Set-Cookie"), "");
    }
    // Without a sign-in, or with the cookie of a session, there is nothing to complete.
    let unknown = Token::parse(&"x".repeat(43)).unwrap();
    for cookie in [None, Some(&unknown), Some(&world.acme.reader.token)] {
        let answer = browser.post(cookie, CODE, &[("code", &code)]).await;
        assert_eq!(answer.status, 401, "{answer:?}");
        assert_eq!(answer.header("Set-Cookie"), "");
    }
    // Nor does a form of another site complete it.
    let form = [("token", eve.waiting.form_token()), ("code", code.clone())];
    let request = browser
        .form(Some(&eve.waiting), CODE, &form)
        .insert_header(("Origin", "https://evil.example"));
    assert_eq!(browser.send(request).await.status, 403);
    assert_eq!(world.rows(), before);
    assert_eq!(enter(&browser, &eve.waiting, &code).await.status, 303);
}

#[actix_web::test]
async fn a_reset_link_does_not_get_round_the_code() {
    let world = world();
    let browser = world.browser().await;
    let eve = &world.acme.protected;
    let sessions = world.state.sessions();
    let by = domain::audit_log::Actor::CommandLine;
    let link = sessions.one_time_links().issue_password_reset(
        &world.acme.id,
        &eve.person.member,
        domain::usecase::Issuer::Operator,
        &by,
    );
    let mut form = fields(&world, "/reset-password", &world.acme);
    form[0].1 = link.unwrap().expose().to_owned();
    let answer = browser.post(None, "/reset-password", &form).await;
    assert!(answer.leads_to("/sign-in/code?next=%2F"), "{answer:?}");
    let waiting = answer.session().unwrap();
    assert!(!works(&browser, &waiting).await);
    // What waited with the old password is over.
    assert_eq!(
        enter(&browser, &eve.waiting, &code(&world, &eve.secret))
            .await
            .status,
        401
    );
    let answer = enter(&browser, &waiting, &code(&world, &eve.secret)).await;
    assert!(works(&browser, &answer.session().unwrap()).await);
}

#[actix_web::test]
async fn a_form_that_waits_for_the_sign_in_waits_for_the_code_too() {
    let world = world();
    let browser = world.browser().await;
    let eve = &world.acme.protected;
    let form = [
        ("email", eve.person.email.as_str()),
        ("password", PASSWORD),
        ("kept-form", "/settings/account/name"),
        ("kept.name", "Eve <Example>"),
    ];
    let answer = browser.post(None, "/sign-in", &form).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    check(&answer, PLAIN, "/sign-in");
    assert!(answer.text.contains("<h1>Enter the code</h1>"));
    let waiting = answer.session().unwrap();
    let kept = "name=\"kept.name\" value=\"Eve &#60;Example&#62;\"";
    assert!(answer.text.contains(kept), "{}", answer.text);
    let (wrong, right) = (
        wrong_code(&world, &eve.secret),
        next_code(&world, &eve.secret),
    );
    let with = |code| [form[2], form[3], ("code", code)];
    let answer = browser.post(Some(&waiting), CODE, &with(&wrong)).await;
    assert!(answer.status == 422 && answer.text.contains(kept));
    let answer = browser.post(Some(&waiting), CODE, &with(&right)).await;
    let session = answer.session().unwrap();
    let again = "<h1>Send the form again</h1>";
    assert!(answer.text.contains(again), "{answer:?}");
    assert!(answer.text.contains(&session.form_token()));
    assert!(answer.text.contains("value=\"Eve &#60;Example&#62;\""));
}

/// Sets a second factor up for the reader of `acme`, and returns what the app has, the recovery codes and the session.
async fn set_up(world: &Fixture, browser: &Browser) -> (TotpSecret, Vec<String>, Token) {
    let session = Some(&world.acme.reader.token);
    let answer = browser
        .post::<&str>(session, "/settings/second-factor/start", &[])
        .await;
    let path = "/settings/second-factor/set-up";
    assert!(answer.leads_to(path), "{answer:?}");
    let page = browser.get(session, path).await;
    check(&page, PLAIN, path);
    let images = html::values(&page.text, "img", "src");
    assert!(images[0].starts_with("data:image/svg+xml;base64,"));
    let shown = page.text.split("id=\"key\">").nth(1).unwrap();
    let shown = shown.split('<').next().unwrap();
    assert!(shown.split(' ').all(|group| group.len() == 4), "{shown}");
    let secret = TotpSecret::parse(&shown.replace(' ', "")).unwrap();
    let wrong = wrong_code(world, &secret);
    let answer = browser.post(session, path, &[("code", wrong)]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text.contains(WRONG) && answer.text.contains(shown));
    let code = code(world, &secret);
    let answer = browser.post(session, path, &[("code", code)]).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    check(&answer, PLAIN, path);
    let listed = answer.text.split("class=\"codes\">").nth(1).unwrap();
    let listed = listed.split('<').next().unwrap().lines();
    let codes: Vec<_> = listed.map(str::to_owned).collect();
    assert_eq!(codes.len(), 10);
    assert!(codes.iter().all(|code| RecoveryCode::parse(code).is_some()));
    let new = answer.session().unwrap();
    assert!(answer.text.contains(&new.form_token()));
    (secret, codes, new)
}

#[actix_web::test]
async fn a_person_sets_a_second_factor_up_and_turns_it_off() {
    let world = world();
    let browser = world.browser().await;
    let reader = &world.acme.reader;
    let path = "/settings/second-factor";
    let before = browser.get(Some(&reader.token), path).await;
    check(&before, PLAIN, path);
    assert!(before.text.contains("○ off"));
    let (secret, codes, session) = set_up(&world, &browser).await;
    assert!(!works(&browser, &reader.token).await);
    let session = Some(&session);
    let page = browser.get(session, path).await;
    check(&page, PLAIN, path);
    assert!(page.text.contains("● on since") && page.text.contains("10 of 10 left"));
    // Neither the secret nor the codes are shown again.
    for code in &codes {
        assert!(!page.text.contains(code));
    }
    let again = browser.get(session, "/settings/second-factor/set-up").await;
    assert!(again.leads_to(path), "{again:?}");
    let start = "/settings/second-factor/start";
    let again = browser.post::<&str>(session, start, &[]).await;
    assert!(again.leads_to(path), "{again:?}");
    let renew = "/settings/second-factor/recovery-codes";
    let wrong = wrong_code(&world, &secret);
    let answer = browser.post(session, renew, &[("code", wrong)]).await;
    assert!(answer.status == 422 && answer.text.contains(WRONG));
    let code = next_code(&world, &secret);
    let answer = browser.post(session, renew, &[("code", &code)]).await;
    assert_eq!(answer.status, 200);
    check(&answer, PLAIN, renew);
    assert_eq!(answer.header("Set-Cookie"), "");
    let listed = answer.text.split("class=\"codes\">").nth(1).unwrap();
    let new: Vec<_> = listed.split('<').next().unwrap().lines().collect();
    assert!(new.len() == 10 && new.iter().all(|code| !codes.contains(&(*code).to_owned())));
    let disable = "/settings/second-factor/disable";
    for refused in [code.as_str(), &codes[0], ""] {
        let answer = browser.post(session, disable, &[("code", refused)]).await;
        assert!(answer.status == 422 && answer.text.contains(WRONG));
    }
    let answer = browser.post(session, disable, &[("code", new[0])]).await;
    assert!(answer.leads_to("/settings/second-factor?changed=disabled"));
    let page = browser
        .get(session, "/settings/second-factor?changed=disabled")
        .await;
    assert!(page.text.contains("○ off") && page.text.contains("The second factor is off."));
    let form = [("email", reader.email.as_str()), ("password", PASSWORD)];
    let answer = browser.post(None, "/sign-in", &form).await;
    assert!(answer.leads_to("/"), "{answer:?}");
}

#[actix_web::test]
async fn a_secret_that_was_replaced_or_is_too_old_is_not_turned_on() {
    let world = world();
    let browser = world.browser().await;
    let bob = Some(&world.acme.member.token);
    let path = "/settings/second-factor/set-up";
    world.clock.advance(TimeDelta::hours(1));
    let form = [("target", path), ("password", PASSWORD)];
    let confirmed = browser.post(bob, "/confirm", &form).await;
    assert!(confirmed.leads_to(path), "{confirmed:?}");
    let bob = confirmed.session().unwrap();
    let page = browser.get(Some(&bob), path).await;
    assert!(page.leads_to("/settings/second-factor"), "{page:?}");
    let code = code(&world, &world.acme.unproven);
    let answer = browser.post(Some(&bob), path, &[("code", code)]).await;
    let late = "/settings/second-factor?changed=late";
    assert!(answer.leads_to(late), "{answer:?}");
    assert!(works(&browser, &bob).await);
    assert_eq!(
        world
            .stores
            .members_with_second_factor(&world.acme.id)
            .unwrap(),
        std::slice::from_ref(&world.acme.protected.person.member)
    );
}

/// Requires a second factor of the members of `acme`.
async fn require(world: &Fixture, browser: &Browser) {
    let session = Some(&world.acme.protected.person.token);
    let form = [("second-factor", "required")];
    let answer = browser
        .post(session, "/settings/required-second-factor", &form)
        .await;
    assert!(answer.leads_to("/settings"), "{answer:?}");
}

#[actix_web::test]
async fn only_an_administrator_with_a_second_factor_requires_it() {
    let world = world();
    let browser = world.browser().await;
    let path = "/settings/required-second-factor";
    let before = world.rows();
    for (choice, problem) in [
        ("required", "Set up a second factor for your own account"),
        ("", "Choose whether"),
    ] {
        let form = [("second-factor", choice)];
        let answer = browser
            .post(Some(&world.acme.admin.token), path, &form)
            .await;
        assert_eq!(answer.status, 422);
        assert!(answer.text.contains(problem), "{}", answer.text);
    }
    assert_eq!(world.rows(), before);
    require(&world, &browser).await;
    let session = Some(&world.acme.protected.person.token);
    let page = browser.get(session, "/settings").await;
    assert!(page.text.contains("● Required"), "{}", page.text);
    assert!(page.text.contains("1 of 4 members"), "{}", page.text);
    let members = browser.get(session, "/settings/members").await;
    assert_eq!(members.text.matches("<td>○ no</td>").count(), 4);
    let form = [("second-factor", "optional")];
    assert!(
        browser
            .post(session, path, &form)
            .await
            .leads_to("/settings")
    );
    assert_eq!(
        world
            .stores
            .org(&world.acme.id)
            .unwrap()
            .map(|org| org.requires_second_factor),
        Some(false)
    );
}

#[rstest]
#[actix_web::test]
async fn without_the_required_factor_nothing_of_the_organization_is_shown(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    require(&world, &browser).await;
    let before = world.rows();
    let admin = Some(&world.acme.admin.token);
    let (mut refused, mut shown) = (0, Vec::new());
    for route in routes(variant) {
        let needs_session = !matches!(route.access, Access::Open | Access::Public);
        let path = filled(route.path, &world.acme, None) + &query(route.path, &world.acme);
        if route.is_without_second_factor {
            assert!(needs_session, "{path}");
            if route.method == Method::Get {
                let answer = browser.get(admin, &path).await;
                for text in [
                    "example.com/",
                    world.acme.member.email.as_str(),
                    world.acme.site.as_str(),
                    "href=\"/settings/members\"",
                    "href=\"/actions\"",
                ] {
                    assert!(!answer.text.contains(text), "{path}: {text}");
                }
                shown.push(route.path);
            }
            continue;
        }
        if !needs_session {
            continue;
        }
        let answer = match route.method {
            Method::Get => browser.get(admin, &path).await,
            Method::Post => {
                let form = fields(&world, route.path, &world.acme);
                browser.post(admin, &path, &form).await
            }
        };
        assert!(answer.leads_to("/settings/second-factor"), "{path}");
        assert_eq!(answer.text, "", "{path}");
        refused += 1;
    }
    assert!(refused >= 50, "{refused}");
    assert_eq!(
        shown,
        [
            "/settings/account",
            "/settings/second-factor",
            "/settings/second-factor/set-up"
        ]
    );
    assert_eq!(world.rows(), before);
    let page = browser.get(admin, "/settings/second-factor").await;
    assert!(page.text.contains("requires a second factor"));
    // Those who have one see everything, and other organizations of the account are open.
    assert!(works(&browser, &world.acme.protected.person.token).await);
    assert!(works(&browser, &world.rival.admin.token).await);
    let club = [("organization", world.club.as_str())];
    let moved = browser
        .post(admin, "/settings/account/organization", &club)
        .await;
    assert!(works(&browser, &moved.session().unwrap()).await);
}

#[actix_web::test]
async fn a_required_factor_opens_the_pages_once_it_is_set_up() {
    let world = world();
    let browser = world.browser().await;
    require(&world, &browser).await;
    assert!(!works(&browser, &world.acme.reader.token).await);
    let (secret, _, session) = set_up(&world, &browser).await;
    assert!(works(&browser, &session).await);
    let code = next_code(&world, &secret);
    let disable = "/settings/second-factor/disable";
    let answer = browser
        .post(Some(&session), disable, &[("code", code)])
        .await;
    assert_eq!(answer.status, 303);
    let page = browser.get(Some(&session), "/settings").await;
    assert!(page.leads_to("/settings/second-factor"), "{page:?}");
}

#[actix_web::test]
async fn the_account_page_of_a_member_says_whether_there_is_one() {
    let world = world();
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    for (member, text) in [
        (&world.acme.protected.person.member, "<dd>● on</dd>"),
        (&world.acme.reader.member, "<dd>○ off</dd>"),
        (&world.acme.guest, "<dd>○ off</dd>"),
    ] {
        let path = format!("/settings/members/{member}");
        let page = browser.get(session, &path).await;
        assert!(page.text.contains(text), "{}", page.text);
    }
}
