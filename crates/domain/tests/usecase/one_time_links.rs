use chrono::TimeDelta;
use domain::account::{LinkPurpose, Token, WeakPassword};
use domain::audit_log::Actor;
use domain::id::{MemberId, OrgId};
use domain::key::Role;
use domain::ports::{AccountStore, OrgStore};
use domain::usecase::{Issuer, LinkNotIssued, LinkNotTaken, SignInRefused};

use crate::people::{CLIENT, PASSWORD, People};

const BY: Actor = Actor::CommandLine;
const NEW: &str = "another long password";

#[test]
fn a_setup_link_makes_the_first_administrator() {
    let people = People::new();
    let org = people.world.org.clone();
    let sessions = people.sessions();
    let link = sessions
        .one_time_links()
        .issue_setup_link(&org, &BY)
        .unwrap();
    let target = sessions.link(&link).unwrap().unwrap();
    assert_eq!(target.link.purpose, LinkPurpose::Setup);
    assert_eq!(target.organization.id, org);
    let person = ("Ada", "Ada@Example.com", PASSWORD);
    let opened = sessions.take_setup_link(&link, person, CLIENT).unwrap();
    let found = people.with(&opened.token).unwrap();
    assert_eq!(found.membership.member.role, Role::Admin);
    assert_eq!(found.account.email, "ada@example.com");
    assert_eq!(found.account.name, "Ada");
    assert_eq!(sessions.link(&link), Ok(None));
    let again = sessions.take_setup_link(&link, person, CLIENT);
    assert_eq!(again, Err(LinkNotTaken::Gone));
    let hash = people.password_hash("ada@example.com");
    assert_eq!(hash, format!("hash of {PASSWORD}"));
    assert!(
        sessions
            .sign_in("ada@example.com", PASSWORD, CLIENT, None)
            .is_ok()
    );
}

#[test]
fn what_a_person_enters_wrong_leaves_the_link() {
    let people = People::new();
    let org = people.world.org.clone();
    people.joined(&org, "bob");
    let sessions = people.sessions();
    let link = sessions
        .one_time_links()
        .issue_setup_link(&org, &BY)
        .unwrap();
    let lines = people.lines(&org);
    for (name, email, password) in [
        ("Ada", "no address", PASSWORD),
        ("", "ada@example.com", PASSWORD),
        ("Ada", "ada@example.com", "short"),
        ("Ada", "ada@example.com", "guessable phrase"),
        ("Ada", "ada@example.com", "ada's long password"),
        ("Bob", "bob@example.com", "not his password"),
        ("Bob", "bob@example.com", PASSWORD),
    ] {
        let person = (name, email, password);
        let refused = sessions.take_setup_link(&link, person, CLIENT).unwrap_err();
        let is_expected = match (email, password) {
            ("no address", _) => matches!(refused, LinkNotTaken::Name(_)),
            ("bob@example.com", PASSWORD) => refused == LinkNotTaken::MemberExists,
            ("bob@example.com", _) => refused == LinkNotTaken::WrongPassword,
            (_, PASSWORD) => matches!(refused, LinkNotTaken::Name(_)),
            (_, "short") => refused == LinkNotTaken::Weak(WeakPassword::TooShort),
            _ => refused == LinkNotTaken::Weak(WeakPassword::Guessable),
        };
        assert!(is_expected, "{person:?}: {refused:?}");
    }
    assert_eq!(people.lines(&org), lines);
    let person = ("Ada", "ada@example.com", PASSWORD);
    assert!(sessions.take_setup_link(&link, person, CLIENT).is_ok());
}

#[test]
fn links_work_as_long_as_their_purpose_says() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let bob = people.member(&org, "bob");
    let sessions = people.sessions();
    let links = [
        sessions
            .one_time_links()
            .issue_setup_link(&org, &BY)
            .unwrap(),
        sessions
            .one_time_links()
            .issue_password_reset(&org, &ada.member, Issuer::Administrator, &BY)
            .unwrap(),
        sessions
            .one_time_links()
            .issue_invitation(&org, &bob, &BY)
            .unwrap(),
    ];
    let work = || {
        links
            .each_ref()
            .map(|link| sessions.link(link).unwrap().is_some())
    };
    let clock = &people.world.clock;
    clock.advance(TimeDelta::milliseconds(3_600_000 - 1));
    assert_eq!(work(), [true; 3]);
    clock.advance(TimeDelta::milliseconds(1));
    assert_eq!(work(), [false, false, true]);
    let person = ("Cleo", "cleo@example.com", PASSWORD);
    let late = sessions.take_setup_link(&links[0], person, CLIENT);
    assert_eq!(late, Err(LinkNotTaken::Gone));
    let late = sessions.take_password_reset(&links[1], NEW, CLIENT);
    assert_eq!(late, Err(LinkNotTaken::Gone));
    clock.advance(TimeDelta::hours(71));
    assert_eq!(work(), [false; 3]);
    let late = sessions.take_invitation(&links[2], ("Bob", PASSWORD), CLIENT);
    assert_eq!(late, Err(LinkNotTaken::Gone));
}

#[test]
fn a_link_serves_its_purpose_alone() {
    let people = People::new();
    let org = people.world.org.clone();
    let bob = people.member(&org, "bob");
    let sessions = people.sessions();
    let invitation = sessions
        .one_time_links()
        .issue_invitation(&org, &bob, &BY)
        .unwrap();
    let person = ("Bob", "bob@example.com", PASSWORD);
    let unknown = Token::parse(&"a".repeat(43)).unwrap();
    for link in [&invitation, &unknown] {
        let taken = sessions.take_setup_link(link, person, CLIENT);
        assert_eq!(taken, Err(LinkNotTaken::Gone));
        let taken = sessions.take_password_reset(link, NEW, CLIENT);
        assert_eq!(taken, Err(LinkNotTaken::Gone));
    }
    assert!(sessions.link(&invitation).unwrap().is_some());
}

#[test]
fn a_person_with_an_account_joins_with_its_password() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let other = people.another_org();
    let member = people.member(&other, "ada");
    let sessions = people.sessions();
    let link = sessions
        .one_time_links()
        .issue_invitation(&other, &member, &BY)
        .unwrap();
    // Who administers the other organization cannot get in by the link alone.
    let refused = sessions.take_invitation(&link, ("Ada", NEW), CLIENT);
    assert_eq!(refused, Err(LinkNotTaken::WrongPassword));
    let opened = sessions.take_invitation(&link, ("Not used", PASSWORD), CLIENT);
    let found = people.with(&opened.unwrap().token).unwrap();
    assert_eq!(found.account.id, ada.account);
    assert_eq!(found.account.name, "ada");
    assert_eq!(found.membership.organization.id, other);
    let memberships = people.world.stores.memberships(&ada.account).unwrap();
    assert_eq!(memberships.len(), 2);
}

#[test]
fn links_are_issued_to_those_they_can_serve() {
    let people = People::new();
    let org = people.world.org.clone();
    let other = people.another_org();
    let ada = people.joined(&org, "ada");
    let bob = people.member(&org, "bob");
    let sessions = people.sessions();
    let reset = |org: &OrgId, member: &MemberId| {
        sessions
            .one_time_links()
            .issue_password_reset(org, member, Issuer::Operator, &BY)
    };
    let has_account = sessions
        .one_time_links()
        .issue_invitation(&org, &ada.member, &BY);
    assert_eq!(has_account, Err(LinkNotIssued::HasAccount));
    assert_eq!(reset(&org, &bob), Err(LinkNotIssued::NoAccount));
    // Of another organization.
    assert_eq!(reset(&other, &ada.member), Err(LinkNotIssued::NoAccount));
    let foreign = sessions
        .one_time_links()
        .issue_invitation(&other, &bob, &BY);
    assert_eq!(foreign, Err(LinkNotIssued::NoMember));
    let nobody = OrgId::make(&people.world.ids);
    let unknown = sessions.one_time_links().issue_setup_link(&nobody, &BY);
    assert_eq!(unknown, Err(LinkNotIssued::NoMember));
}

#[test]
fn a_password_reset_ends_all_sessions_and_is_logged() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let sessions = people.sessions();
    let admin = Actor::Member(ada.member.clone());
    let lines = people.lines(&org);
    let link = sessions
        .one_time_links()
        .issue_password_reset(&org, &ada.member, Issuer::Administrator, &admin)
        .unwrap();
    for weak in ["short", "guessable phrase", "my ada@example.com"] {
        let refused = sessions.take_password_reset(&link, weak, CLIENT);
        assert!(matches!(refused, Err(LinkNotTaken::Weak(_))), "{weak}");
    }
    let opened = sessions.take_password_reset(&link, NEW, CLIENT).unwrap();
    assert_eq!(people.with(&ada.opened.token), None);
    assert_eq!(people.with(&opened.token).unwrap().account.id, ada.account);
    let old = sessions.sign_in("ada@example.com", PASSWORD, CLIENT, None);
    let account = Some(ada.account.clone());
    assert_eq!(old, Err(SignInRefused::WrongCredentials(account)));
    let again = sessions.take_password_reset(&link, PASSWORD, CLIENT);
    assert_eq!(again, Err(LinkNotTaken::Gone));
    assert_eq!(
        people.password_hash("ada@example.com"),
        format!("hash of {NEW}")
    );
    let log = people.logged_after(&org, lines);
    let member = ada.member.as_str();
    let expected = [
        [member, "link.created", member, "password_reset"],
        ["link", "password.reset", member, "192.0.2.1"],
    ];
    assert_eq!(log, expected.map(|line| line.map(str::to_owned)));
    // Neither a token nor a password.
    let text = format!("{:?}", people.world.stores.audit_log(&org).unwrap());
    for secret in [link.expose(), link.hash().as_str(), NEW, PASSWORD] {
        assert!(!text.contains(secret), "{text}");
    }
}

#[test]
fn the_operator_alone_resets_a_shared_account() {
    let people = People::new();
    let org = people.world.org.clone();
    let other = people.another_org();
    let ada = people.joined(&org, "ada");
    let sessions = people.sessions();
    let issue = |issuer| {
        sessions
            .one_time_links()
            .issue_password_reset(&org, &ada.member, issuer, &BY)
    };
    let before = issue(Issuer::Administrator).unwrap();
    people.joined(&other, "ada");
    let lines = people.lines(&org);
    // Also with the link from before the account was shared.
    let taken = sessions.take_password_reset(&before, NEW, CLIENT);
    assert_eq!(taken, Err(LinkNotTaken::Gone));
    let refused = issue(Issuer::Administrator);
    assert_eq!(refused, Err(LinkNotIssued::SharedAccount));
    assert_eq!(people.lines(&org), lines);
    let link = issue(Issuer::Operator).unwrap();
    let opened = sessions.take_password_reset(&link, NEW, CLIENT).unwrap();
    assert_eq!(people.with(&opened.token).unwrap().account.id, ada.account);
}

#[test]
fn a_link_to_a_member_who_is_removed_is_gone() {
    let people = People::new();
    let org = people.world.org.clone();
    let bob = people.member(&org, "bob");
    let sessions = people.sessions();
    let link = sessions
        .one_time_links()
        .issue_invitation(&org, &bob, &BY)
        .unwrap();
    let now = testkit::sample::noon();
    let removed = people.world.stores.remove_member(&org, &bob, now, &BY);
    assert!(removed.unwrap());
    let taken = sessions.take_invitation(&link, ("Bob", PASSWORD), CLIENT);
    assert_eq!(taken, Err(LinkNotTaken::Gone));
    let found = people.world.stores.credentials("bob@example.com").unwrap();
    assert!(found.is_none());
}
