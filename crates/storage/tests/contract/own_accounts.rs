//! A person's changes of the own name and address.

use domain::account::{LinkPurpose, OneTimeLink, SignInStage};
use domain::audit_log::Actor;
use domain::id::{AccountId, OrgId, SessionId};
use domain::ports::{EmailInUse, Stores, Taker};

use crate::contract::accounts::{
    Person, also_joined, invitation, joined, member, new_session, signed_in, token, works,
};
use crate::contract::world::{Fixture, at, at_once};

/// Names and addresses of the members of an organization.
fn people(stores: &dyn Stores, org: &OrgId) -> Vec<(String, String)> {
    let members = stores.members(org).unwrap().into_iter();
    members.map(|member| (member.name, member.email)).collect()
}

fn named(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, email)| ((*name).to_owned(), (*email).to_owned()))
        .collect()
}

fn set_email(stores: &dyn Stores, person: &Person, email: &str) -> Result<(), EmailInUse> {
    let kept = &person.session.session.id;
    let changed = stores.set_account_email(&person.account, email, kept, at(5));
    changed.unwrap()
}

pub(crate) fn a_name_changes_in_all_organizations(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, _bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    // The same name again changes nothing, and is not logged.
    for _ in 0..2 {
        let set = stores.set_account_name(&ada.account, "Ada L.", at(5));
        assert_eq!(set, Ok(()));
    }
    let account = stores.credentials("ada@example.com").unwrap().unwrap();
    assert_eq!(account.account.name, "Ada L.");
    let bob = ("bob", "bob@example.com");
    assert_eq!(
        people(stores, &org),
        named(&[("Ada L.", "ada@example.com"), bob])
    );
    assert_eq!(
        people(stores, &other),
        named(&[("Ada L.", "ada@example.com")])
    );
    for (org, member) in [(&org, &ada.member), (&other, &elsewhere.member)] {
        let line = (member.to_string(), "ada to Ada L.".to_owned());
        assert_eq!(world.logged(org, "account.name_changed"), [line]);
    }
    assert!(works(stores, &ada.session) && works(stores, &elsewhere.session));
    let nobody = AccountId::make(&world.ids);
    assert_eq!(stores.set_account_name(&nobody, "Eve", at(5)), Ok(()));
}

pub(crate) fn an_address_changes_in_all_organizations(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, _bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    let email = "lovelace@example.com";
    assert_eq!(set_email(stores, &ada, email), Ok(()));
    assert!(stores.credentials("ada@example.com").unwrap().is_none());
    let account = stores.credentials(email).unwrap().unwrap().account;
    assert_eq!(
        (account.id, account.name.as_str()),
        (ada.account.clone(), "ada")
    );
    let bob = ("bob", "bob@example.com");
    assert_eq!(people(stores, &org), named(&[("ada", email), bob]));
    assert_eq!(people(stores, &other), named(&[("ada", email)]));
    for (org, member) in [(&org, &ada.member), (&other, &elsewhere.member)] {
        let detail = format!("ada@example.com to {email}");
        let line = (member.to_string(), detail);
        assert_eq!(world.logged(org, "account.email_changed"), [line]);
    }
    // The address is free again.
    member(&world, &org, "ada", at(6));
    let (nobody, session) = (AccountId::make(&world.ids), SessionId::make(&world.ids));
    let set = stores.set_account_email(&nobody, "eve@example.com", &session, at(7));
    assert_eq!(set, Ok(Ok(())));
    assert!(stores.credentials("eve@example.com").unwrap().is_none());
}

pub(crate) fn another_address_ends_resets_and_the_other_sessions(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    let kept = signed_in(&world, &ada, &org, at(2));
    let resets = [&ada, &bob].map(|person| {
        let link = OneTimeLink {
            purpose: LinkPurpose::PasswordReset,
            org_id: org.clone(),
            member_id: Some(person.member.clone()),
            account_id: Some(person.account.clone()),
            created_at: at(3),
            expires_at: at(3600),
        };
        let hash = token(&world);
        assert!(
            stores
                .create_link(&link, &hash, &Actor::CommandLine)
                .unwrap()
        );
        hash
    });
    let set = |email| {
        let set = stores.set_account_email(&ada.account, email, &kept.session.id, at(5));
        assert_eq!(set, Ok(Ok(())));
    };
    // The address that the account has ends nothing.
    set("ada@example.com");
    assert!(works(stores, &ada.session) && works(stores, &elsewhere.session));
    assert!(stores.link_by_hash(&resets[0]).unwrap().is_some());
    set("lovelace@example.com");
    assert!(works(stores, &kept) && works(stores, &bob.session));
    assert!(!works(stores, &ada.session) && !works(stores, &elsewhere.session));
    assert!(stores.link_by_hash(&resets[0]).unwrap().is_none());
    assert!(stores.link_by_hash(&resets[1]).unwrap().is_some());
    assert_eq!(world.logged(&org, "account.email_changed").len(), 1);
}

pub(crate) fn an_address_in_use_is_refused(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let [second, foreign] = [world.org(), world.org()];
    also_joined(&world, &second, ("ada", &ada), at(1));
    let another = signed_in(&world, &ada, &org, at(2));
    // An account of an organization that ada does not belong to, and people without an account in those that she does.
    joined(&world, &foreign, "bob");
    member(&world, &org, "cleo", at(3));
    member(&world, &second, "dot", at(3));
    let before = [&org, &second, &foreign].map(|org| people(stores, org));
    for email in ["bob@example.com", "cleo@example.com", "dot@example.com"] {
        assert_eq!(set_email(stores, &ada, email), Err(EmailInUse), "{email}");
    }
    assert_eq!(
        [&org, &second, &foreign].map(|org| people(stores, org)),
        before
    );
    assert!(works(stores, &ada.session) && works(stores, &another));
    assert!(world.logged(&org, "account.email_changed").is_empty());
}

pub(crate) fn an_address_of_another_organization_alone_is_no_obstacle(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let foreign = world.org();
    let guest = member(&world, &foreign, "guest", at(1));
    // Somebody invited the address; whoever has it is the one who joins.
    let link = invitation(&world, &foreign, &guest);
    assert_eq!(set_email(stores, &ada, "guest@example.com"), Ok(()));
    let taker = Taker::Known(ada.account.clone());
    let session = new_session(&world, &ada.account, &foreign, at(6));
    let taken = stores.take_invitation(&link, &taker, &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
}

pub(crate) fn of_accounts_that_want_an_address_at_once_one_gets_it(stores: &dyn Stores) {
    let world = Fixture::with_org(stores).0;
    let people: Vec<_> = (0..6)
        .map(|number| joined(&world, &world.org(), &format!("person{number}")))
        .collect();
    let email = "wanted@example.com";
    let done = at_once(people.len(), |number| {
        set_email(stores, &people[number], email).is_ok()
    });
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    let winner = done.iter().position(|done| *done).unwrap();
    let account = stores.credentials(email).unwrap().unwrap().account;
    assert_eq!(account.id, people[winner].account);
}

/// A person takes up an invitation to the old address while it changes: either comes first, and member and account have
/// the same address after both.
pub(crate) fn an_address_and_an_invitation_at_once_agree(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for number in 0..6 {
        let name = format!("person{number}");
        let person = joined(&world, &org, &name);
        let other = world.org();
        let invited = member(&world, &other, &name, at(1));
        let link = invitation(&world, &other, &invited);
        let session = new_session(&world, &person.account, &other, at(2));
        let taker = Taker::Known(person.account.clone());
        let new = format!("new{number}@example.com");
        let joined = at_once(2, |thread| match thread {
            0 => {
                assert_eq!(set_email(stores, &person, &new), Ok(()));
                true
            }
            _ => stores
                .take_invitation(&link, &taker, &session)
                .unwrap()
                .is_ok(),
        })[1];
        let account = stores.account_of(&other, &invited).unwrap();
        assert_eq!(account.is_some(), joined);
        let email = people(stores, &other)[0].1.clone();
        match account {
            Some(account) => assert_eq!((account.email, email), (new.clone(), new)),
            None => assert_eq!(email, format!("{name}@example.com")),
        }
    }
}
