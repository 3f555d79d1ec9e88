use chrono::TimeDelta;
use domain::org::InvalidName;
use domain::ports::{EmailInUse, OrgStore};
use domain::usecase::{AccountNotChanged, Issuer};
use testkit::sample;

use crate::people::{CLIENT, PASSWORD, People};

const EMAIL: &str = "ada@example.com";

#[test]
fn another_address_renews_the_session_and_ends_the_others() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let sessions = people.sessions();
    let other = sessions.sign_in(EMAIL, PASSWORD, CLIENT, None).unwrap();
    let links = sessions.one_time_links();
    let by = domain::audit_log::Actor::CommandLine;
    let reset = links.issue_password_reset(&org, &ada.member, Issuer::Operator, &by);
    let reset = reset.unwrap();
    people.world.clock.advance(TimeDelta::minutes(5));
    let signed_in = people.with(&ada.opened.token).unwrap();
    let renewed = sessions
        .change_email(&ada.opened.token, &signed_in, " Lovelace@Example.com ")
        .unwrap()
        .unwrap();
    for ended in [&ada.opened.token, &other.token] {
        assert_eq!(people.with(ended), None);
    }
    let found = people.with(&renewed.token).unwrap();
    assert_eq!(found.account.email, "lovelace@example.com");
    assert_eq!(found.membership.member.email, "lovelace@example.com");
    // The password was not entered again.
    assert_eq!(found.session.password_entered_at, sample::noon());
    assert_eq!(sessions.link(&reset), Ok(None));
    assert!(sessions.sign_in(EMAIL, PASSWORD, CLIENT, None).is_err());
    let email = "lovelace@example.com";
    assert!(sessions.sign_in(email, PASSWORD, CLIENT, None).is_ok());
}

#[test]
fn an_address_that_cannot_be_used_changes_nothing() {
    let people = People::new();
    let org = people.world.org.clone();
    let foreign = people.another_org();
    let ada = people.joined(&org, "ada");
    people.joined(&foreign, "bob");
    people.member(&org, "cleo");
    let other = people.sessions().sign_in(EMAIL, PASSWORD, CLIENT, None);
    let signed_in = people.with(&ada.opened.token).unwrap();
    let lines = people.lines(&org);
    let before = [&org, &foreign].map(|org| people.world.stores.members(org));
    for (email, expected) in [
        ("bob@example.com", EmailInUse.into()),
        ("Cleo@example.com", EmailInUse.into()),
        ("", InvalidName::Empty.into()),
        ("nobody", InvalidName::NotAnAddress.into()),
    ] {
        let sessions = people.sessions();
        let refused: Result<_, AccountNotChanged> =
            sessions.change_email(&ada.opened.token, &signed_in, email);
        assert_eq!(refused, Err(expected), "{email}");
    }
    let after = [&org, &foreign].map(|org| people.world.stores.members(org));
    assert_eq!(after, before);
    for token in [&ada.opened.token, &other.unwrap().token] {
        assert!(people.with(token).is_some());
    }
    // The log names who tried, and not whose address it is.
    let member = ada.member.as_str();
    let line = [member, "account.email_refused", member, EMAIL].map(str::to_owned);
    assert_eq!(people.logged_after(&org, lines), [line.clone(), line]);
}

#[test]
fn a_name_is_checked_and_changed() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let signed_in = people.with(&ada.opened.token).unwrap();
    let long = "a".repeat(201);
    for (name, expected) in [
        (" ", InvalidName::Empty),
        (&long, InvalidName::TooLong),
        ("a\u{202e}b", InvalidName::ControlCharacter),
    ] {
        let refused = people.sessions().change_name(&signed_in, name);
        assert_eq!(refused, Err(expected.into()), "{name}");
    }
    let changed = people.sessions().change_name(&signed_in, " Ada Lovelace ");
    assert_eq!(changed, Ok(()));
    let found = people.with(&ada.opened.token).unwrap();
    assert_eq!(found.account.name, "Ada Lovelace");
    assert_eq!(found.membership.member.name, "Ada Lovelace");
}
