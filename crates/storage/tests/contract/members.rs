//! What administrators change of members, and the sessions that end with it.

use domain::account::{
    LinkPurpose, MemberChange, MemberNotChanged, OneTimeLink, Session, SessionLifetime,
    SignInStage, Token,
};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId, SessionId};
use domain::key::{KeyHash, Role};
use domain::ports::{NewAccount, NewMember, NewSession, Stores, Taker};
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once};

const BY: Actor = Actor::CommandLine;

/// A member who can sign in and is an administrator.
struct Administrator {
    member: MemberId,
    account: AccountId,
    session: SessionId,
    token: KeyHash,
}

fn session(world: &Fixture<'_>, org: &OrgId, account: &AccountId) -> NewSession {
    NewSession {
        session: Session {
            id: SessionId::make(&world.ids),
            account_id: account.clone(),
            org_id: org.clone(),
            created_at: at(1),
            password_entered_at: at(1),
            last_seen_at: at(1),
            user_agent: "Firefox".to_owned(),
            address: "192.0.2.1".to_owned(),
        },
        token: Token::generate(&world.ids).hash(),
    }
}

fn administrator(world: &Fixture<'_>, org: &OrgId, name: &str) -> Administrator {
    let link = OneTimeLink {
        purpose: LinkPurpose::Setup,
        org_id: org.clone(),
        member_id: None,
        account_id: None,
        created_at: at(0),
        expires_at: at(60),
    };
    let token = Token::generate(&world.ids).hash();
    assert!(world.stores.create_link(&link, &token, &BY).unwrap());
    let account = NewAccount {
        id: AccountId::make(&world.ids),
        email: format!("{name}@example.com"),
        name: name.to_owned(),
        password_hash: "$argon2id$none".to_owned(),
        created_at: at(1),
    };
    let session = session(world, org, &account.id);
    let member = MemberId::make(&world.ids);
    let made = Administrator {
        member: member.clone(),
        account: account.id.clone(),
        session: session.session.id.clone(),
        token: session.token.clone(),
    };
    let taken = (world.stores).take_setup_link(&token, &Taker::New(account), &member, &session);
    assert_eq!(taken.unwrap(), Ok(SignInStage::SignedIn));
    made
}

pub(crate) fn the_last_administrator_with_an_account_stays(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = administrator(&world, &org, "ada");
    let bob = NewMember {
        role: Role::Admin,
        ..sample::new_member(&world.ids, "bob")
    };
    assert!(stores.add_member(&org, &bob, &BY).unwrap());
    let before = stores.audit_log(&org).unwrap();
    let change = |member: &MemberId, change| {
        let changed = stores.change_member(&org, member, change, at(2), &BY);
        changed.unwrap()
    };
    for lost in [MemberChange::Removal, MemberChange::Role(Role::Member)] {
        let refused = change(&ada.member, lost);
        assert_eq!(refused, Err(MemberNotChanged::LastAdministrator));
    }
    assert_eq!(change(&ada.member, MemberChange::Role(Role::Admin)), Ok(()));
    assert_eq!(stores.audit_log(&org).unwrap(), before);
    assert!(stores.session_by_hash(&ada.token).unwrap().is_some());
    // Bob cannot sign in.
    assert_eq!(change(&bob.id, MemberChange::Removal), Ok(()));
    assert_eq!(stores.members(&org).unwrap().len(), 1);
}

pub(crate) fn of_administrators_that_leave_at_once_one_stays(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let both = ["ada", "bob"].map(|name| administrator(&world, &org, name));
    let changes = [MemberChange::Removal, MemberChange::Role(Role::Read)];
    let mut changed = at_once(2, |number| {
        let (member, change) = (&both[number].member, changes[number]);
        let changed = stores.change_member(&org, member, change, at(2), &BY);
        changed.unwrap()
    });
    changed.sort_by_key(Result::is_err);
    assert_eq!(changed, [Ok(()), Err(MemberNotChanged::LastAdministrator)]);
    let members = stores.members(&org).unwrap();
    let with_account = stores.members_with_account(&org).unwrap();
    assert!(
        members
            .iter()
            .any(|member| member.role == Role::Admin && with_account.contains(&member.id))
    );
}

pub(crate) fn a_changed_member_is_signed_out(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (ada, bob) = (
        administrator(&world, &org, "ada"),
        administrator(&world, &org, "bob"),
    );
    let by = Actor::Member(ada.member.clone());
    let demoted = MemberChange::Role(Role::Read);
    let changed = stores.change_member(&org, &bob.member, demoted, at(2), &by);
    assert_eq!(changed.unwrap(), Ok(()));
    assert_eq!(stores.session_by_hash(&bob.token).unwrap(), None);
    assert!(stores.session_by_hash(&ada.token).unwrap().is_some());
    let logged = world.logged(&org, "member.role_changed");
    let expected = (bob.member.to_string(), "admin to read".to_owned());
    assert_eq!(logged, [expected]);
    let removed = stores.change_member(&org, &bob.member, MemberChange::Removal, at(3), &by);
    assert_eq!(removed.unwrap(), Ok(()));
    assert!(stores.credentials("bob@example.com").unwrap().is_none());
}

pub(crate) fn a_member_of_another_organization_is_not_changed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let eve = administrator(&world, &other, "eve");
    administrator(&world, &org, "ada");
    for change in [MemberChange::Removal, MemberChange::Role(Role::Read)] {
        for (org, member) in [
            (&org, &eve.member),
            (&org, &MemberId::make(&world.ids)),
            (&OrgId::make(&world.ids), &eve.member),
        ] {
            let refused = stores.change_member(org, member, change, at(2), &BY);
            assert_eq!(refused.unwrap(), Err(MemberNotChanged::NoMember));
        }
    }
    assert_eq!(stores.members(&other).unwrap().len(), 1);
}

pub(crate) fn other_sessions_of_an_account_end(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (ada, bob) = (
        administrator(&world, &org, "ada"),
        administrator(&world, &org, "bob"),
    );
    let second = session(&world, &org, &ada.account);
    let signed_in = stores.sign_in(&second, None, SessionLifetime::default());
    signed_in.unwrap();
    assert_eq!(stores.sessions(&ada.account).unwrap().len(), 2);
    let ended = stores.end_other_sessions(&ada.account, &ada.session);
    ended.unwrap();
    let left = stores.sessions(&ada.account).unwrap();
    let left: Vec<_> = left.iter().map(|session| &session.id).collect();
    assert_eq!(left, [&ada.session]);
    assert!(stores.session_by_hash(&bob.token).unwrap().is_some());
}
