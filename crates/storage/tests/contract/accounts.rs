//! Accounts and their sessions.

use chrono::{DateTime, TimeDelta, Utc};
use domain::account::{
    Account, LinkPurpose, MAX_SESSIONS, OneTimeLink, Session, SessionLifetime, SignInStage, Token,
};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId, SessionId};
use domain::key::{KeyHash, Role};
use domain::ports::{NewAccount, NewSession, Stores, Taker};
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once};

/// A member with an account, who is signed in.
pub(crate) struct Person {
    pub(crate) account: AccountId,
    pub(crate) member: MemberId,
    /// The session in which the person joined.
    pub(crate) session: NewSession,
}

pub(crate) fn token(world: &Fixture<'_>) -> KeyHash {
    Token::generate(&world.ids).hash()
}

/// The account of a person who has none yet, such as `ada`.
pub(crate) fn new_account(world: &Fixture<'_>, name: &str) -> NewAccount {
    NewAccount {
        id: AccountId::make(&world.ids),
        email: format!("{name}@example.com"),
        name: name.to_owned(),
        password_hash: format!("hash of {name}"),
        created_at: at(0),
    }
}

/// A session that begins at a moment; it is not stored.
pub(crate) fn new_session(
    world: &Fixture<'_>,
    account: &AccountId,
    org: &OrgId,
    now: DateTime<Utc>,
) -> NewSession {
    NewSession {
        session: Session {
            id: SessionId::make(&world.ids),
            account_id: account.clone(),
            org_id: org.clone(),
            created_at: now,
            password_entered_at: now,
            last_seen_at: now,
            user_agent: "Firefox".to_owned(),
            address: "192.0.2.1".to_owned(),
        },
        token: token(world),
    }
}

/// Stores an invitation at noon.
pub(crate) fn invitation(world: &Fixture<'_>, org: &OrgId, member: &MemberId) -> KeyHash {
    let link = OneTimeLink {
        purpose: LinkPurpose::Invitation,
        org_id: org.clone(),
        member_id: Some(member.clone()),
        account_id: None,
        created_at: at(0),
        expires_at: at(3600),
    };
    let hash = token(world);
    let created = world.stores.create_link(&link, &hash, &Actor::CommandLine);
    assert!(created.unwrap());
    hash
}

/// Adds a member at a moment.
pub(crate) fn member(world: &Fixture<'_>, org: &OrgId, name: &str, now: DateTime<Utc>) -> MemberId {
    let mut member = sample::new_member(&world.ids, name);
    member.created_at = now;
    let added = world.stores.add_member(org, &member, &Actor::CommandLine);
    assert!(added.unwrap());
    member.id
}

/// Adds a member with a new account.
pub(crate) fn joined(world: &Fixture<'_>, org: &OrgId, name: &str) -> Person {
    let account = new_account(world, name);
    join(world, org, name, &Taker::New(account), at(0))
}

/// Makes a person a member of another organization, at a moment.
pub(crate) fn also_joined(
    world: &Fixture<'_>,
    org: &OrgId,
    (name, person): (&str, &Person),
    now: DateTime<Utc>,
) -> Person {
    let taker = Taker::Known(person.account.clone());
    join(world, org, name, &taker, now)
}

fn join(world: &Fixture<'_>, org: &OrgId, name: &str, taker: &Taker, now: DateTime<Utc>) -> Person {
    let member = member(world, org, name, now);
    let link = invitation(world, org, &member);
    let session = new_session(world, taker.id(), org, now);
    let taken = world.stores.take_invitation(&link, taker, &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    Person {
        account: taker.id().clone(),
        member,
        session,
    }
}

/// Signs a person in at a moment; sessions last for ever.
pub(crate) fn signed_in(
    world: &Fixture<'_>,
    person: &Person,
    org: &OrgId,
    now: DateTime<Utc>,
) -> NewSession {
    let session = new_session(world, &person.account, org, now);
    let endless = SessionLifetime {
        idle: std::time::Duration::from_secs(u32::MAX.into()),
        absolute: std::time::Duration::from_secs(u32::MAX.into()),
    };
    world.stores.sign_in(&session, None, endless).unwrap();
    session
}

pub(crate) fn works(stores: &dyn Stores, session: &NewSession) -> bool {
    stores.session_by_hash(&session.token).unwrap().is_some()
}

fn remove(stores: &dyn Stores, org: &OrgId, member: &MemberId) {
    let removed = stores.remove_member(org, member, at(9), &Actor::CommandLine);
    assert!(removed.unwrap());
}

pub(crate) fn an_account_is_found_by_its_address(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    joined(&world, &org, "bob");
    let found = stores.credentials("ada@example.com").unwrap().unwrap();
    let expected = Account {
        id: ada.account,
        email: "ada@example.com".to_owned(),
        name: "ada".to_owned(),
        created_at: at(0),
        password_changed_at: at(0),
    };
    assert_eq!(found.account, expected);
    assert_eq!(found.password_hash, "hash of ada");
    for nobody in ["cleo@example.com", "ada@example", "%", ""] {
        assert!(stores.credentials(nobody).unwrap().is_none(), "{nobody}");
    }
}

pub(crate) fn memberships_come_oldest_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    joined(&world, &org, "bob");
    let [later, earlier] = [50, -50].map(|second| {
        let other = world.org();
        let member = also_joined(&world, &other, ("ada", &ada), at(second)).member;
        (other, member)
    });
    let found: Vec<_> = stores
        .memberships(&ada.account)
        .unwrap()
        .into_iter()
        .map(|found| (found.organization.id, found.member.id))
        .collect();
    assert_eq!(found, [earlier, (org, ada.member), later]);
    let nobody = AccountId::make(&world.ids);
    assert_eq!(stores.memberships(&nobody).unwrap(), []);
}

pub(crate) fn so_many_memberships_are_listed_at_most(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    for second in 1..=100 {
        also_joined(&world, &world.org(), ("ada", &ada), at(second));
    }
    let found = stores.memberships(&ada.account).unwrap();
    assert_eq!(found.len(), 100);
    assert_eq!(found[0].organization.id, org);
}

pub(crate) fn a_member_tells_its_account(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let ada = joined(&world, &org, "ada");
    let without = member(&world, &org, "bob", at(1));
    let cleo = joined(&world, &org, "cleo");
    let found = stores.account_of(&org, &ada.member).unwrap().unwrap();
    assert_eq!(found.id, ada.account);
    assert_eq!(stores.account_of(&org, &without).unwrap(), None);
    assert_eq!(stores.account_of(&other, &ada.member).unwrap(), None);
    let with_account = stores.members_with_account(&org).unwrap();
    assert_eq!(with_account, [ada.member, cleo.member]);
    assert_eq!(stores.members_with_account(&other).unwrap(), []);
}

pub(crate) fn a_session_is_found_by_its_hash(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    for (person, org) in [(&ada, &org), (&elsewhere, &other)] {
        let session = signed_in(&world, person, org, at(2));
        let found = stores.session_by_hash(&session.token).unwrap().unwrap();
        assert_eq!(found.session, session.session);
        assert_eq!(found.account.id, ada.account);
        assert_eq!(found.membership.organization.id, *org);
        assert_eq!(found.membership.member.id, person.member);
    }
    assert_eq!(stores.session_by_hash(&token(&world)).unwrap(), None);
}

pub(crate) fn a_session_ends_with_the_membership(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let bob = joined(&world, &org, "bob");
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    remove(stores, &org, &ada.member);
    assert!(!works(stores, &ada.session));
    assert!(works(stores, &elsewhere.session));
    assert!(works(stores, &bob.session));
    let left = stores.sessions(&ada.account).unwrap();
    assert_eq!(left, [elsewhere.session.session]);
    // Also one that a sign-in stored when the member was gone already.
    let late = signed_in(&world, &ada, &org, at(3));
    assert!(!works(stores, &late));
}

pub(crate) fn an_account_goes_with_its_last_membership(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    let exists = || stores.credentials("ada@example.com").unwrap().is_some();
    remove(stores, &org, &ada.member);
    assert!(exists());
    remove(stores, &other, &elsewhere.member);
    assert!(!exists());
    assert_eq!(stores.sessions(&ada.account).unwrap(), []);
    // The address is free.
    let again = joined(&world, &org, "ada");
    assert_ne!(again.account, ada.account);
}

pub(crate) fn of_last_removals_at_once_one_deletes_the_account(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    for name in ["ada", "bob", "cleo"] {
        let [org, other] = [(); 2].map(|()| world.org());
        let first = joined(&world, &org, name);
        let second = also_joined(&world, &other, (name, &first), at(1));
        let places = [(&org, &first.member), (&other, &second.member)];
        at_once(2, |number| {
            let (org, member) = places[number];
            remove(stores, org, member);
        });
        let email = format!("{name}@example.com");
        assert!(stores.credentials(&email).unwrap().is_none());
        assert_eq!(stores.memberships(&first.account).unwrap(), []);
    }
}

pub(crate) fn a_sign_in_takes_the_place_of_a_session(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let again = new_session(&world, &ada.account, &org, at(5));
    let lifetime = SessionLifetime::default();
    let replaced = Some(&ada.session.token);
    stores.sign_in(&again, replaced, lifetime).unwrap();
    assert!(!works(stores, &ada.session));
    assert!(works(stores, &again) && works(stores, &bob.session));
    // In a browser in which another person was signed in; and where the session is gone.
    for replaced in [&bob.session.token, &token(&world)] {
        let next = new_session(&world, &ada.account, &org, at(6));
        stores.sign_in(&next, Some(replaced), lifetime).unwrap();
        assert!(works(stores, &next));
    }
    assert!(!works(stores, &bob.session));
}

pub(crate) fn an_account_has_so_many_sessions_at_most(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let mut opened: Vec<_> = (1..20)
        .map(|second| signed_in(&world, &ada, &org, at(second)))
        .collect();
    assert_eq!(stores.sessions(&ada.account).unwrap().len(), MAX_SESSIONS);
    // The oldest was used last.
    stores.touch_session(&ada.session.token, at(99)).unwrap();
    opened.extend((100..103).map(|second| signed_in(&world, &ada, &org, at(second))));
    assert_eq!(stores.sessions(&ada.account).unwrap().len(), MAX_SESSIONS);
    assert!(works(stores, &ada.session));
    let gone = opened.iter().map(|session| !works(stores, session));
    let expected = (0..opened.len()).map(|number| number < 3);
    assert!(gone.eq(expected));
    assert!(works(stores, &bob.session));
}

/// Sessions of six people, 20 each, 120 in all.
fn many_sessions(world: &Fixture<'_>, org: &OrgId) -> Vec<Person> {
    let people: Vec<_> = (0..6)
        .map(|number| joined(world, org, &format!("person-{number}")))
        .collect();
    for person in &people {
        for second in 1..20 {
            signed_in(world, person, org, at(second));
        }
    }
    people
}

fn count(stores: &dyn Stores, people: &[Person]) -> usize {
    let sessions = people.iter().map(|person| stores.sessions(&person.account));
    sessions.map(|sessions| sessions.unwrap().len()).sum()
}

pub(crate) fn a_sign_in_deletes_a_hundred_expired_sessions(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let people = many_sessions(&world, &org);
    let day = |days| at(0) + TimeDelta::days(days);
    let ada = joined(&world, &org, "ada");
    let sign_in = |now: DateTime<Utc>| {
        let session = new_session(&world, &ada.account, &org, now);
        let lifetime = SessionLifetime::default();
        stores.sign_in(&session, None, lifetime).unwrap();
        count(stores, &people)
    };
    assert_eq!(sign_in(day(6)), 120);
    // One is still in use; it ends with its age.
    let used = &people[0].session;
    for days in [6, 12, 18, 24, 29] {
        stores.touch_session(&used.token, day(days)).unwrap();
    }
    // That of `ada` in which she joined has expired as well.
    let left = sign_in(day(29));
    assert!((20..=21).contains(&left), "{left}");
    assert_eq!(sign_in(day(29)), 1);
    assert!(works(stores, used));
    assert_eq!(sign_in(day(31)), 0);
}

pub(crate) fn a_session_gets_another_token(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let other = world.org();
    also_joined(&world, &other, ("ada", &ada), at(1));
    let before = &ada.session;
    let renewed = NewSession {
        session: Session {
            org_id: other.clone(),
            password_entered_at: at(70),
            ..before.session.clone()
        },
        token: token(&world),
    };
    assert!(stores.rotate_session(&before.token, &renewed).unwrap());
    assert!(!works(stores, before));
    let found = stores.session_by_hash(&renewed.token).unwrap().unwrap();
    assert_eq!(found.session, renewed.session);
    assert_eq!(found.membership.organization.id, other);
    // The old token renews nothing more, and an unknown one neither.
    let again = NewSession {
        token: token(&world),
        ..renewed.clone()
    };
    for old in [&before.token, &token(&world)] {
        assert!(!stores.rotate_session(old, &again).unwrap());
    }
    assert!(!works(stores, &again) && works(stores, &renewed));
}

pub(crate) fn of_rotations_at_once_one_wins(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let renewed: Vec<_> = (0..8)
        .map(|_| NewSession {
            token: token(&world),
            ..ada.session.clone()
        })
        .collect();
    let done = at_once(8, |number| {
        let old = &ada.session.token;
        stores.rotate_session(old, &renewed[number]).unwrap()
    });
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    let working: Vec<_> = renewed.iter().map(|new| works(stores, new)).collect();
    assert_eq!(working, done);
}

pub(crate) fn a_session_never_works_where_the_account_is_no_member(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let other = world.org();
    joined(&world, &other, "bob");
    let forged = NewSession {
        session: Session {
            org_id: other,
            ..ada.session.session.clone()
        },
        token: token(&world),
    };
    stores.rotate_session(&ada.session.token, &forged).unwrap();
    assert!(!works(stores, &forged));
}

pub(crate) fn a_use_of_a_session_is_noted(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let last = |used_at| {
        stores.touch_session(&ada.session.token, used_at).unwrap();
        let found = stores.session_by_hash(&ada.session.token).unwrap();
        found.unwrap().session.last_seen_at
    };
    assert_eq!(last(at(70)), at(70));
    // A clock that is behind takes nothing back.
    assert_eq!(last(at(5)), at(70));
    let unused = stores.sessions(&bob.account).unwrap();
    assert_eq!(unused, [bob.session.session]);
    // A session that is gone is no failure.
    stores.touch_session(&token(&world), at(90)).unwrap();
}

pub(crate) fn sessions_come_last_used_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    joined(&world, &org, "bob");
    let [second, third] = [20, 10].map(|second| signed_in(&world, &ada, &org, at(second)));
    stores.touch_session(&ada.session.token, at(30)).unwrap();
    let ids: Vec<_> = stores
        .sessions(&ada.account)
        .unwrap()
        .into_iter()
        .map(|session| session.id)
        .collect();
    let expected = [ada.session, second, third].map(|session| session.session.id);
    assert_eq!(ids, expected);
}

pub(crate) fn a_session_is_ended_by_its_account_alone(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let id = &ada.session.session.id;
    assert!(!stores.end_session(&bob.account, id).unwrap());
    assert!(works(stores, &ada.session));
    assert!(stores.end_session(&ada.account, id).unwrap());
    assert!(!works(stores, &ada.session) && works(stores, &bob.session));
    assert!(!stores.end_session(&ada.account, id).unwrap());
}

pub(crate) fn a_new_password_ends_the_other_sessions(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    let kept = signed_in(&world, &ada, &org, at(2));
    let id = &kept.session.id;
    stores
        .set_password(&ada.account, "another hash", id, at(3))
        .unwrap();
    let found = stores.credentials("ada@example.com").unwrap().unwrap();
    assert_eq!(found.password_hash, "another hash");
    assert_eq!(found.account.password_changed_at, at(3));
    assert_eq!(found.account.created_at, at(0));
    assert!(works(stores, &kept) && works(stores, &bob.session));
    assert!(!works(stores, &ada.session) && !works(stores, &elsewhere.session));
    let others = stores.credentials("bob@example.com").unwrap().unwrap();
    assert_eq!(others.password_hash, "hash of bob");
    assert_eq!(others.account.password_changed_at, at(0));
}

pub(crate) fn another_role_ends_the_sessions_in_the_organization(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    let by = Actor::Member(bob.member.clone());
    let set = |org: &OrgId, member: &MemberId, role| {
        let changed = stores.set_member_role(org, member, role, at(5), &by);
        changed.unwrap()
    };
    assert!(set(&org, &ada.member, Role::Admin));
    assert!(!works(stores, &ada.session));
    assert!(works(stores, &elsewhere.session) && works(stores, &bob.session));
    let roles = |org| {
        let members = stores.members(org).unwrap().into_iter();
        members.map(|member| member.role).collect::<Vec<_>>()
    };
    assert_eq!(roles(&org), [Role::Admin, Role::Member]);
    assert_eq!(roles(&other), [Role::Member]);
    let log = || world.logged(&org, "member.role_changed");
    let line = (ada.member.to_string(), "member to admin".to_owned());
    assert_eq!(log(), [line]);
    // The same role again changes nothing and signs nobody out.
    let again = signed_in(&world, &ada, &org, at(6));
    assert!(set(&org, &ada.member, Role::Admin));
    assert!(works(stores, &again));
    // A member without an account, one of another organization, nobody.
    let without = member(&world, &org, "cleo", at(2));
    assert!(set(&org, &without, Role::Read));
    assert!(!set(&org, &elsewhere.member, Role::Read));
    assert!(!set(&org, &MemberId::make(&world.ids), Role::Read));
    assert_eq!(log().len(), 2);
    assert!(works(stores, &elsewhere.session));
}
