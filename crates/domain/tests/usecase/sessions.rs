use chrono::TimeDelta;
use domain::account::{Token, WeakPassword};
use domain::audit_log::Actor;
use domain::ports::{AccountStore, OrgStore, StoreError};
use domain::usecase::{Client, Issuer, OpenedSession, PasswordNotChanged, SignInRefused};
use testkit::sample;

use crate::people::{CLIENT, PASSWORD, People, Person};

const EMAIL: &str = "ada@example.com";

fn sign_in(people: &People) -> OpenedSession {
    let sessions = people.sessions();
    sessions.sign_in(EMAIL, PASSWORD, CLIENT, None).unwrap()
}

fn line(person: &Person, event: &str, detail: &str) -> [String; 4] {
    let member = person.member.as_str();
    [member, event, member, detail].map(str::to_owned)
}

#[test]
fn a_person_signs_in_and_the_log_says_from_where() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let lines = people.lines(&org);
    people.world.clock.advance(TimeDelta::minutes(5));
    let sessions = people.sessions();
    let email = " Ada@Example.com ";
    let opened = sessions.sign_in(email, PASSWORD, CLIENT, None).unwrap();
    let found = people.with(&opened.token).unwrap();
    assert_eq!(found.session, opened.session);
    assert_eq!(found.account.id, ada.account);
    assert_eq!(found.membership.organization.id, org);
    assert_eq!(found.membership.member.id, ada.member);
    let noon = sample::noon();
    assert_eq!(found.session.created_at, noon + TimeDelta::minutes(5));
    assert_eq!(found.session.password_entered_at, found.session.created_at);
    assert_eq!(found.session.user_agent, "Firefox");
    assert_eq!(found.session.address, "192.0.2.1");
    let expected = line(&ada, "sign_in.succeeded", "ada@example.com, from 192.0.2.1");
    assert_eq!(people.logged_after(&org, lines), [expected]);
}

#[test]
fn a_wrong_password_and_an_unknown_address_differ_in_nothing() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    people.passwords.verified();
    let wrong = "another long password";
    let lines = people.lines(&org);
    let known = Some(&ada.account);
    for (email, account) in [
        (EMAIL, known),
        ("bob@example.com", None),
        ("no address", None),
        ("", None),
    ] {
        let refused = people.sessions().sign_in(email, wrong, CLIENT, None);
        let refused = refused.unwrap_err();
        let told = SignInRefused::WrongCredentials(None).to_string();
        assert_eq!(refused.to_string(), told, "{email}");
        let expected = SignInRefused::WrongCredentials(account.cloned());
        assert_eq!(refused, expected, "{email}");
        let once = (wrong.to_owned(), account.is_some());
        assert_eq!(people.passwords.verified(), [once], "{email}");
    }
    // Before the response, nothing is written for an account that a wrong password does not cost, too.
    assert_eq!(people.lines(&org), lines);
    let sessions = people.sessions();
    sessions
        .log_failed_sign_in(&ada.account, CLIENT.address)
        .unwrap();
    let log = people.logged_after(&org, lines);
    let expected = line(&ada, "sign_in.failed", "ada@example.com, from 192.0.2.1");
    assert_eq!(log, [expected]);
    let all = people.world.stores.sessions(&ada.account).unwrap();
    assert_eq!(all.len(), 1);
}

#[test]
fn every_organization_of_an_account_is_told() {
    let people = People::new();
    let org = people.world.org.clone();
    let other = people.another_org();
    let ada = people.joined(&org, "ada");
    let elsewhere = people.joined(&other, "ada");
    assert_eq!(elsewhere.account, ada.account);
    let before = [&org, &other].map(|org| people.lines(org));
    let sessions = people.sessions();
    sign_in(&people);
    sessions
        .log_failed_sign_in(&ada.account, CLIENT.address)
        .unwrap();
    for ((org, person), lines) in [(&org, &ada), (&other, &elsewhere)].into_iter().zip(before) {
        let detail = "ada@example.com, from 192.0.2.1";
        let expected =
            ["sign_in.succeeded", "sign_in.failed"].map(|event| line(person, event, detail));
        assert_eq!(people.logged_after(org, lines), expected);
    }
}

#[test]
fn a_token_from_before_a_sign_in_is_worth_nothing_after_it() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let sessions = people.sessions();
    let before = &ada.opened.token;
    let opened = sessions
        .sign_in(EMAIL, PASSWORD, CLIENT, Some(before))
        .unwrap();
    assert_eq!(people.with(before), None);
    assert_ne!(opened.token, *before);
    // One that somebody else chose is not taken over either.
    let chosen = Token::parse(&"a".repeat(43)).unwrap();
    let opened = sessions
        .sign_in(EMAIL, PASSWORD, CLIENT, Some(&chosen))
        .unwrap();
    assert_ne!(opened.token, chosen);
    assert_eq!(people.with(&chosen), None);
    assert!(people.with(&opened.token).is_some());
}

#[test]
fn a_sign_in_that_fails_ends_no_session() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let token = &ada.opened.token;
    let refused = people
        .sessions()
        .sign_in(EMAIL, "wrong", CLIENT, Some(token));
    let account = Some(ada.account.clone());
    assert_eq!(refused, Err(SignInRefused::WrongCredentials(account)));
    assert!(people.with(token).is_some());
}

#[test]
fn what_a_browser_says_of_itself_is_cut() {
    let people = People::new();
    people.joined(&people.world.org, "ada");
    let client = Client {
        user_agent: &"ä".repeat(1_000),
        ..CLIENT
    };
    let opened = people.sessions().sign_in(EMAIL, PASSWORD, client, None);
    let found = people.with(&opened.unwrap().token).unwrap();
    assert_eq!(found.session.user_agent, "ä".repeat(300));
}

#[test]
fn a_session_ends_after_a_week_without_use() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let unused = sign_in(&people);
    let clock = &people.world.clock;
    // Used now and then, it goes on.
    for _ in 0..2 {
        clock.advance(TimeDelta::days(7) - TimeDelta::seconds(1));
        assert!(people.with(&ada.opened.token).is_some());
    }
    assert_eq!(people.with(&unused.token), None);
    clock.advance(TimeDelta::days(7));
    assert_eq!(people.with(&ada.opened.token), None);
}

#[test]
fn a_session_ends_after_thirty_days_however_much_it_is_used() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let clock = &people.world.clock;
    let token = &ada.opened.token;
    for _ in 0..5 {
        clock.advance(TimeDelta::days(6) - TimeDelta::milliseconds(1));
        assert!(people.with(token).is_some());
    }
    clock.advance(TimeDelta::milliseconds(5));
    assert_eq!(people.with(token), None);
}

#[test]
fn a_use_is_stored_once_a_minute() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let used = || people.world.stores.sessions(&ada.account).unwrap()[0].last_seen_at;
    let noon = sample::noon();
    for (seconds, stored) in [(59, 0), (1, 60), (59, 60), (1, 120)] {
        people.world.clock.advance(TimeDelta::seconds(seconds));
        assert!(people.with(&ada.opened.token).is_some());
        assert_eq!(used(), noon + TimeDelta::seconds(stored));
    }
}

#[test]
fn the_password_is_confirmed_with_another_token() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let sessions = people.sessions();
    let old = &ada.opened.token;
    people.world.clock.advance(TimeDelta::hours(1));
    let signed_in = people.with(old).unwrap();
    let now = sample::noon() + TimeDelta::hours(1);
    assert!(!signed_in.session.is_recent(now));
    let wrong = sessions.confirm_password(old, &signed_in, "wrong");
    assert_eq!(wrong, Ok(None));
    assert!(people.with(old).is_some());
    let renewed = sessions.confirm_password(old, &signed_in, PASSWORD);
    let renewed = renewed.unwrap().unwrap();
    assert_eq!(people.with(old), None);
    let found = people.with(&renewed.token).unwrap();
    assert!(found.session.is_recent(now));
    assert_eq!(found.session.id, ada.opened.session.id);
    // The session is no younger for it.
    assert_eq!(found.session.created_at, sample::noon());
    // Its old token confirms nothing more.
    let again = sessions.confirm_password(old, &signed_in, PASSWORD);
    assert_eq!(again, Ok(None));
}

#[test]
fn another_password_ends_the_other_sessions() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let bob = people.joined(&org, "bob");
    let other = sign_in(&people);
    let sessions = people.sessions();
    let by = Actor::CommandLine;
    let reset = sessions
        .one_time_links()
        .issue_password_reset(&org, &ada.member, Issuer::Operator, &by)
        .unwrap();
    people
        .world
        .clock
        .advance(TimeDelta::hours(1) - TimeDelta::minutes(1));
    let signed_in = people.with(&ada.opened.token).unwrap();
    let lines = people.lines(&org);
    let new = "another long password";
    let renewed = sessions
        .change_password(&ada.opened.token, &signed_in, (PASSWORD, new))
        .unwrap()
        .unwrap();
    let expected = line(&ada, "password.changed", "ada@example.com");
    assert_eq!(people.logged_after(&org, lines), [expected]);
    for ended in [&ada.opened.token, &other.token] {
        assert_eq!(people.with(ended), None);
    }
    let found = people.with(&renewed.token).unwrap();
    assert_eq!(found.session.id, ada.opened.session.id);
    let now = sample::noon() + TimeDelta::minutes(59);
    assert_eq!(found.session.password_entered_at, now);
    assert_eq!(found.account.password_changed_at, now);
    assert!(people.with(&bob.opened.token).is_some());
    let refused = sessions.sign_in(EMAIL, PASSWORD, CLIENT, None);
    let refused = refused.unwrap_err();
    assert!(matches!(refused, SignInRefused::WrongCredentials(_)));
    assert!(sessions.sign_in(EMAIL, new, CLIENT, None).is_ok());
    // Whoever has a link from before does not get in with it.
    assert_eq!(sessions.link(&reset), Ok(None));
}

#[test]
fn a_password_is_not_changed_without_the_current_one_or_to_a_weak_one() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let other = sign_in(&people);
    let signed_in = people.with(&ada.opened.token).unwrap();
    let lines = people.lines(&org);
    let change = |current: &str, new: &str| {
        let token = &ada.opened.token;
        let sessions = people.sessions();
        sessions.change_password(token, &signed_in, (current, new))
    };
    let weak = |why: WeakPassword| Err(PasswordNotChanged::Weak(why));
    let long = "a".repeat(129);
    for (current, new, expected) in [
        (
            "wrong",
            "another long password",
            Err(PasswordNotChanged::WrongPassword),
        ),
        (PASSWORD, "short", weak(WeakPassword::TooShort)),
        (PASSWORD, long.as_str(), weak(WeakPassword::TooLong)),
        (PASSWORD, "guessable phrase", weak(WeakPassword::Guessable)),
        // The person's name.
        (
            PASSWORD,
            "ada is my own name",
            weak(WeakPassword::Guessable),
        ),
    ] {
        assert_eq!(change(current, new), expected, "{new}");
    }
    assert_eq!(people.password_hash(EMAIL), format!("hash of {PASSWORD}"));
    for token in [&ada.opened.token, &other.token] {
        assert!(people.with(token).is_some());
    }
    assert_eq!(people.lines(&org), lines);
}

#[test]
fn a_session_moves_to_organizations_of_the_account_alone() {
    let people = People::new();
    let org = people.world.org.clone();
    let [second, third] = [(); 2].map(|()| people.another_org());
    let ada = people.joined(&org, "ada");
    let elsewhere = people.joined(&second, "ada");
    people.joined(&third, "bob");
    let sessions = people.sessions();
    let token = &ada.opened.token;
    let signed_in = people.with(token).unwrap();
    let refused = sessions.switch_organization(token, &signed_in, &third);
    assert_eq!(refused, Ok(None));
    assert!(people.with(token).is_some());
    people.world.clock.advance(TimeDelta::minutes(20));
    let moved = sessions.switch_organization(token, &signed_in, &second);
    let moved = moved.unwrap().unwrap();
    assert_eq!(people.with(token), None);
    let found = people.with(&moved.token).unwrap();
    assert_eq!(found.membership.organization.id, second);
    assert_eq!(found.membership.member.id, elsewhere.member);
    // That is no proof of the password.
    assert_eq!(found.session.password_entered_at, sample::noon());
    // Once the membership is gone, so is the way there.
    let by = Actor::CommandLine;
    let stores = &people.world.stores;
    assert!(
        stores
            .remove_member(&org, &ada.member, sample::noon(), &by)
            .unwrap()
    );
    let back = sessions.switch_organization(&moved.token, &found, &org);
    assert_eq!(back, Ok(None));
}

#[test]
fn a_removed_member_is_signed_out_at_once_and_does_not_get_back() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let (stores, by) = (&people.world.stores, Actor::CommandLine);
    let removed = stores.remove_member(&org, &ada.member, sample::noon(), &by);
    assert!(removed.unwrap());
    assert_eq!(people.with(&ada.opened.token), None);
    let refused = people.sessions().sign_in(EMAIL, PASSWORD, CLIENT, None);
    let refused = refused.unwrap_err();
    assert!(matches!(refused, SignInRefused::WrongCredentials(_)));
}

#[test]
fn a_session_is_ended_by_its_account_alone() {
    let people = People::new();
    let org = people.world.org.clone();
    let [ada, bob] = ["ada", "bob"].map(|name| people.joined(&org, name));
    let sessions = people.sessions();
    let id = &ada.opened.session.id;
    assert_eq!(sessions.end(&bob.account, id), Ok(false));
    assert!(people.with(&ada.opened.token).is_some());
    assert_eq!(sessions.end(&ada.account, id), Ok(true));
    assert_eq!(people.with(&ada.opened.token), None);
}

#[test]
fn a_database_that_is_away_is_no_wrong_password() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let away = StoreError::Unavailable("away".to_owned());
    people.world.stores.break_with(Some(away.clone()));
    let sessions = people.sessions();
    let refused = sessions.sign_in(EMAIL, PASSWORD, CLIENT, None);
    assert_eq!(refused, Err(SignInRefused::Store(away.clone())));
    assert_eq!(sessions.signed_in(&ada.opened.token), Err(away));
}
