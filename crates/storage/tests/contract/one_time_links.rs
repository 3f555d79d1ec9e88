//! One-time links: each does one thing once, and what is refused changes nothing.

use domain::account::{LinkPurpose, OneTimeLink, SignInStage};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId};
use domain::key::{KeyHash, Role};
use domain::ports::{LinkRefused, NewSession, StoreError, Stores, Taker};
use testkit::sample;

use crate::contract::accounts::{
    Person, also_joined, invitation, joined, member, new_account, new_session, token,
};
use crate::contract::world::{Fixture, at, at_once};

type Taken = Result<Result<SignInStage, LinkRefused>, StoreError>;

const GONE: Taken = Ok(Err(LinkRefused::Gone));

/// A link that works from noon for an hour.
fn link(purpose: LinkPurpose, org: &OrgId) -> OneTimeLink {
    OneTimeLink {
        purpose,
        org_id: org.clone(),
        member_id: None,
        account_id: None,
        created_at: at(0),
        expires_at: at(3600),
    }
}

fn stored(world: &Fixture<'_>, link: &OneTimeLink) -> KeyHash {
    let hash = token(world);
    let created = world.stores.create_link(link, &hash, &Actor::CommandLine);
    assert!(created.unwrap());
    hash
}

fn setup(world: &Fixture<'_>, org: &OrgId) -> KeyHash {
    stored(world, &link(LinkPurpose::Setup, org))
}

fn reset(world: &Fixture<'_>, org: &OrgId, person: &Person) -> KeyHash {
    let link = OneTimeLink {
        member_id: Some(person.member.clone()),
        account_id: Some(person.account.clone()),
        ..link(LinkPurpose::PasswordReset, org)
    };
    stored(world, &link)
}

/// Takes up a setup link a second after noon. The session and the member are new.
fn take_setup(world: &Fixture<'_>, org: &OrgId, link: &KeyHash, taker: &Taker) -> Taken {
    let session = new_session(world, taker.id(), org, at(1));
    let member = MemberId::make(&world.ids);
    world.stores.take_setup_link(link, taker, &member, &session)
}

fn take_invitation(world: &Fixture<'_>, org: &OrgId, link: &KeyHash, taker: &Taker) -> Taken {
    let session = new_session(world, taker.id(), org, at(1));
    world.stores.take_invitation(link, taker, &session)
}

fn take_reset(world: &Fixture<'_>, org: &OrgId, link: &KeyHash, account: &AccountId) -> Taken {
    let session = new_session(world, account, org, at(1));
    world.stores.take_password_reset(link, "new hash", &session)
}

fn new(world: &Fixture<'_>, name: &str) -> Taker {
    Taker::New(new_account(world, name))
}

fn known(person: &Person) -> Taker {
    Taker::Known(person.account.clone())
}

fn exists(stores: &dyn Stores, link: &KeyHash) -> bool {
    stores.link_by_hash(link).unwrap().is_some()
}

/// All that is stored of the people of organizations.
fn people(stores: &dyn Stores, orgs: &[&OrgId]) -> String {
    let of_org = |org: &OrgId| {
        let members = stores.members(org).unwrap();
        let accounts: Vec<_> = members
            .iter()
            .filter_map(|member| stores.account_of(org, &member.id).unwrap())
            .map(|account| {
                let credentials = stores.credentials(&account.email).unwrap();
                let hash = credentials.unwrap().password_hash;
                (stores.sessions(&account.id).unwrap(), account, hash)
            })
            .collect();
        (members, accounts, stores.audit_log(org).unwrap())
    };
    let all: Vec<_> = orgs.iter().map(|org| of_org(org)).collect();
    format!("{all:#?}")
}

pub(crate) fn a_link_comes_back_with_what_it_opens(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let bob = member(&world, &org, "bob", at(1));
    let links = [
        link(LinkPurpose::Setup, &org),
        OneTimeLink {
            member_id: Some(bob.clone()),
            ..link(LinkPurpose::Invitation, &org)
        },
        OneTimeLink {
            member_id: Some(ada.member.clone()),
            account_id: Some(ada.account),
            ..link(LinkPurpose::PasswordReset, &org)
        },
    ];
    for link in links {
        let hash = stored(&world, &link);
        let found = stores.link_by_hash(&hash).unwrap().unwrap();
        assert_eq!(found.link, link);
        assert_eq!(found.organization.id, org);
        assert_eq!(found.member.map(|member| member.id), link.member_id);
    }
    let subject = |id: &str, purpose: &str| (id.to_owned(), purpose.to_owned());
    let expected = [
        subject(ada.member.as_str(), "invitation"),
        subject(org.as_str(), "setup"),
        subject(bob.as_str(), "invitation"),
        subject(ada.member.as_str(), "password_reset"),
    ];
    assert_eq!(world.logged(&org, "link.created"), expected);
    assert_eq!(stores.link_by_hash(&token(&world)).unwrap(), None);
}

pub(crate) fn a_link_needs_its_organization_and_its_member(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = member(&world, &org, "ada", at(0));
    let other = world.org();
    let before = people(stores, &[&org, &other]);
    let nobody = OrgId::make(&world.ids);
    let (by, hash) = (Actor::CommandLine, token(&world));
    for (purpose, org, member) in [
        (LinkPurpose::Setup, &nobody, None),
        (LinkPurpose::Invitation, &nobody, Some(&ada)),
        (LinkPurpose::Invitation, &other, Some(&ada)),
        (
            LinkPurpose::Invitation,
            &org,
            Some(&MemberId::make(&world.ids)),
        ),
    ] {
        let link = OneTimeLink {
            member_id: member.cloned(),
            ..link(purpose, org)
        };
        assert!(!stores.create_link(&link, &hash, &by).unwrap(), "{link:?}");
        assert!(!exists(stores, &hash));
    }
    assert_eq!(people(stores, &[&org, &other]), before);
}

pub(crate) fn a_link_replaces_the_one_before(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let kept = [
        setup(&world, &other),
        invitation(&world, &org, &bob.member),
        reset(&world, &org, &bob),
    ];
    let make = || {
        [
            setup(&world, &org),
            invitation(&world, &org, &ada.member),
            reset(&world, &org, &ada),
        ]
    };
    let (first, second) = (make(), make());
    assert!(!first.iter().any(|link| exists(stores, link)));
    assert!(second.iter().chain(&kept).all(|link| exists(stores, link)));
    assert_eq!(
        take_setup(&world, &org, &first[0], &new(&world, "cleo")),
        GONE
    );
    assert_eq!(take_reset(&world, &org, &first[2], &ada.account), GONE);
    assert_eq!(
        take_reset(&world, &org, &second[2], &ada.account),
        Ok(Ok(SignInStage::SignedIn))
    );
}

pub(crate) fn a_link_deletes_a_hundred_that_expired(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let invitations: Vec<_> = (0..120)
        .map(|number| {
            let member = member(&world, &org, &format!("person-{number}"), at(0));
            invitation(&world, &org, &member)
        })
        .collect();
    let left = || {
        let links = invitations.iter().filter(|link| exists(stores, link));
        links.count()
    };
    let other = world.org();
    let issue = |second| {
        let link = OneTimeLink {
            created_at: at(second),
            expires_at: at(second + 60),
            ..link(LinkPurpose::Setup, &other)
        };
        stored(&world, &link);
        left()
    };
    assert_eq!([3599, 3600, 3600].map(issue), [120, 20, 0]);
}

pub(crate) fn a_setup_link_creates_an_administrator(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let link = setup(&world, &org);
    let taker = new(&world, "ada");
    let session = new_session(&world, taker.id(), &org, at(1));
    let id = MemberId::make(&world.ids);
    let taken = stores.take_setup_link(&link, &taker, &id, &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    let members = stores.members(&org).unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!((&members[0].id, members[0].role), (&id, Role::Admin));
    assert_eq!(members[0].email, "ada@example.com");
    assert_eq!(members[0].created_at, at(1));
    let found = stores.session_by_hash(&session.token).unwrap().unwrap();
    assert_eq!(found.session, session.session);
    assert_eq!(found.account.id, *taker.id());
    assert_eq!(found.membership.member, members[0]);
    let log = stores.audit_log(&org).unwrap();
    let told: Vec<_> = log
        .iter()
        .map(|line| {
            (
                line.actor.as_str(),
                line.event.as_str(),
                line.subject.as_str(),
            )
        })
        .collect();
    let (org, id) = (org.as_str(), id.as_str());
    assert_eq!(
        told[1..],
        [
            ("command_line", "link.created", org),
            (id, "member.added", id),
            (id, "member.joined", id),
        ]
    );
}

pub(crate) fn a_setup_link_makes_a_known_member_an_administrator(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = sample::new_member(&world.ids, "ada");
    let by = Actor::CommandLine;
    assert!(stores.add_member(&org, &ada, &by).unwrap());
    let invited = invitation(&world, &org, &ada.id);
    let link = setup(&world, &org);
    let taker = new(&world, "ada");
    assert_eq!(
        take_setup(&world, &org, &link, &taker),
        Ok(Ok(SignInStage::SignedIn))
    );
    let members = stores.members(&org).unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!((&members[0].id, members[0].role), (&ada.id, Role::Admin));
    let account = stores.account_of(&org, &ada.id).unwrap().unwrap();
    assert_eq!(account.id, *taker.id());
    let log = stores.audit_log(&org).unwrap();
    let changed = log.iter().find(|line| line.event == "member.role_changed");
    assert_eq!(changed.unwrap().actor, ada.id.as_str());
    assert_eq!(changed.unwrap().detail, "member to admin");
    // The invitation has nothing to give any more.
    let late = new(&world, "bob");
    assert_eq!(take_invitation(&world, &org, &invited, &late), GONE);
    let known = Taker::Known(account.id);
    assert_eq!(take_invitation(&world, &org, &invited, &known), GONE);
    assert!(stores.credentials("bob@example.com").unwrap().is_none());
}

pub(crate) fn a_setup_link_takes_a_known_account(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let other = world.org();
    let link = setup(&world, &other);
    assert_eq!(
        take_setup(&world, &other, &link, &known(&ada)),
        Ok(Ok(SignInStage::SignedIn))
    );
    let memberships = stores.memberships(&ada.account).unwrap();
    let roles: Vec<_> = memberships
        .iter()
        .map(|found| (&found.organization.id, found.member.role))
        .collect();
    assert_eq!(roles, [(&org, Role::Member), (&other, Role::Admin)]);
    assert_eq!(memberships[1].member.email, "ada@example.com");
    assert_eq!(stores.sessions(&ada.account).unwrap().len(), 2);
}

pub(crate) fn a_setup_link_that_is_refused_can_still_be_used(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let ada = joined(&world, &org, "ada");
    joined(&world, &other, "bob");
    let link = setup(&world, &org);
    let before = people(stores, &[&org, &other]);
    for (taker, why) in [
        (known(&ada), LinkRefused::MemberExists),
        (new(&world, "ada"), LinkRefused::MemberExists),
        (new(&world, "bob"), LinkRefused::EmailTaken),
        (Taker::Known(AccountId::make(&world.ids)), LinkRefused::Gone),
    ] {
        assert_eq!(take_setup(&world, &org, &link, &taker), Ok(Err(why)));
        assert_eq!(people(stores, &[&org, &other]), before, "{why:?}");
    }
    let cleo = new(&world, "cleo");
    assert_eq!(
        take_setup(&world, &org, &link, &cleo),
        Ok(Ok(SignInStage::SignedIn))
    );
}

pub(crate) fn an_invitation_gives_its_member_an_account(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = member(&world, &org, "ada", at(0));
    let bob = member(&world, &org, "bob", at(0));
    let link = invitation(&world, &org, &ada);
    let taker = new(&world, "ada");
    let session = new_session(&world, taker.id(), &org, at(1));
    let taken = stores.take_invitation(&link, &taker, &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    let found = stores.session_by_hash(&session.token).unwrap().unwrap();
    assert_eq!(found.membership.member.id, ada);
    assert_eq!(found.membership.member.role, Role::Member);
    assert_eq!(stores.account_of(&org, &bob).unwrap(), None);
    let line = (ada.to_string(), "invitation".to_owned());
    assert_eq!(world.logged(&org, "member.joined"), [line]);
}

pub(crate) fn an_invitation_of_a_known_account_ends_its_resets(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    let bob = joined(&world, &org, "bob");
    let resets = [&ada, &bob].map(|person| reset(&world, &org, person));
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    assert_eq!(elsewhere.account, ada.account);
    assert_eq!(stores.memberships(&ada.account).unwrap().len(), 2);
    // Whoever administers the first organization cannot open the second one.
    assert_eq!(resets.map(|link| exists(stores, &link)), [false, true]);
    let found = stores.credentials("ada@example.com").unwrap().unwrap();
    assert_eq!(found.password_hash, "hash of ada");
}

pub(crate) fn an_invitation_that_is_refused_can_still_be_used(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let ada = joined(&world, &org, "ada");
    let cleo = joined(&world, &other, "cleo");
    let elsewhere = joined(&world, &other, "bob");
    let bob = member(&world, &org, "bob", at(1));
    let link = invitation(&world, &org, &bob);
    let before = people(stores, &[&org, &other]);
    for (taker, why) in [
        (known(&ada), LinkRefused::MemberExists),
        (new(&world, "ada"), LinkRefused::EmailTaken),
        (new(&world, "cleo"), LinkRefused::EmailTaken),
        (Taker::Known(AccountId::make(&world.ids)), LinkRefused::Gone),
        // The account has another address than the invited member.
        (known(&cleo), LinkRefused::Gone),
    ] {
        assert_eq!(take_invitation(&world, &org, &link, &taker), Ok(Err(why)));
        assert_eq!(people(stores, &[&org, &other]), before, "{why:?}");
    }
    assert_eq!(
        take_invitation(&world, &org, &link, &known(&elsewhere)),
        Ok(Ok(SignInStage::SignedIn))
    );
}

pub(crate) fn a_password_reset_ends_all_sessions(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let other = world.org();
    let elsewhere = also_joined(&world, &other, ("ada", &ada), at(1));
    let link = reset(&world, &org, &ada);
    let also = reset(&world, &other, &elsewhere);
    let session = new_session(&world, &ada.account, &org, at(9));
    let taken = stores.take_password_reset(&link, "new hash", &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    let found = stores.credentials("ada@example.com").unwrap().unwrap();
    assert_eq!(found.password_hash, "new hash");
    assert_eq!(found.account.password_changed_at, at(9));
    let left = stores.sessions(&ada.account).unwrap();
    assert_eq!(left, [session.session]);
    assert_eq!(stores.sessions(&bob.account).unwrap().len(), 1);
    // The one that another organization issued as well.
    assert!(!exists(stores, &link) && !exists(stores, &also));
    let log = stores.audit_log(&org).unwrap();
    let last = log.last().unwrap();
    assert_eq!(
        (last.actor.as_str(), last.event.as_str()),
        ("link", "password.reset")
    );
    assert_eq!(last.subject, ada.member.as_str());
    assert_eq!(last.detail, "192.0.2.1");
}

pub(crate) fn a_password_reset_opens_its_account_alone(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let link = reset(&world, &org, &ada);
    let before = people(stores, &[&org]);
    assert_eq!(take_reset(&world, &org, &link, &bob.account), GONE);
    assert_eq!(people(stores, &[&org]), before);
    assert_eq!(
        take_reset(&world, &org, &link, &ada.account),
        Ok(Ok(SignInStage::SignedIn))
    );
}

pub(crate) fn setting_a_password_ends_resets(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [ada, bob] = ["ada", "bob"].map(|name| joined(&world, &org, name));
    let resets = [&ada, &bob].map(|person| reset(&world, &org, person));
    let kept = &ada.session.session.id;
    stores
        .set_password(&ada.account, "another hash", kept, at(3))
        .unwrap();
    assert_eq!(resets.map(|link| exists(stores, &link)), [false, true]);
}

/// An organization with a link of each purpose, and how each of them is taken up.
struct Links<'a> {
    world: Fixture<'a>,
    org: OrgId,
    ada: Person,
    /// In the order of [`LinkPurpose::ALL`].
    links: [KeyHash; 3],
    takers: [Taker; 3],
}

impl<'a> Links<'a> {
    fn new(stores: &'a dyn Stores) -> Self {
        let (world, org) = Fixture::with_org(stores);
        let ada = joined(&world, &org, "ada");
        let bob = member(&world, &org, "bob", at(0));
        Self {
            links: [
                setup(&world, &org),
                invitation(&world, &org, &bob),
                reset(&world, &org, &ada),
            ],
            takers: [new(&world, "cleo"), new(&world, "bob"), known(&ada)],
            world,
            org,
            ada,
        }
    }

    /// Takes up the link of a purpose as one of another, in a session.
    fn take(&self, link: usize, purpose: usize, session: &NewSession) -> Taken {
        let (stores, link) = (self.world.stores, &self.links[link]);
        let taker = &self.takers[purpose];
        let member = MemberId::make(&self.world.ids);
        match purpose {
            0 => stores.take_setup_link(link, taker, &member, session),
            1 => stores.take_invitation(link, taker, session),
            _ => stores.take_password_reset(link, "new hash", session),
        }
    }

    fn session(&self, purpose: usize, org: &OrgId, second: i64) -> NewSession {
        new_session(&self.world, self.takers[purpose].id(), org, at(second))
    }
}

pub(crate) fn a_link_is_used_once(stores: &dyn Stores) {
    let links = Links::new(stores);
    let org = &links.org;
    for purpose in 0..3 {
        let take = || links.take(purpose, purpose, &links.session(purpose, org, 1));
        assert_eq!(take(), Ok(Ok(SignInStage::SignedIn)), "{purpose}");
        assert!(!exists(stores, &links.links[purpose]));
        let before = people(stores, &[org]);
        assert_eq!(take(), GONE, "{purpose}");
        assert_eq!(people(stores, &[org]), before);
    }
}

pub(crate) fn a_link_serves_no_other_purpose(stores: &dyn Stores) {
    let links = Links::new(stores);
    let org = &links.org;
    let before = people(stores, &[org]);
    for link in 0..3 {
        for purpose in (0..3).filter(|purpose| *purpose != link) {
            let taken = links.take(link, purpose, &links.session(purpose, org, 1));
            assert_eq!(taken, GONE, "{link} as {purpose}");
        }
    }
    assert_eq!(people(stores, &[org]), before);
    assert!(links.links.iter().all(|link| exists(stores, link)));
}

pub(crate) fn a_link_opens_its_organization_alone(stores: &dyn Stores) {
    let links = Links::new(stores);
    let other = links.world.org();
    let before = people(stores, &[&links.org, &other]);
    for purpose in 0..3 {
        let taken = links.take(purpose, purpose, &links.session(purpose, &other, 1));
        assert_eq!(taken, GONE, "{purpose}");
    }
    assert_eq!(people(stores, &[&links.org, &other]), before);
    assert!(links.links.iter().all(|link| exists(stores, link)));
}

pub(crate) fn a_link_ends_at_its_time(stores: &dyn Stores) {
    let links = Links::new(stores);
    let org = &links.org;
    let before = people(stores, &[org]);
    for purpose in 0..3 {
        let late = links.session(purpose, org, 3600);
        assert_eq!(links.take(purpose, purpose, &late), GONE, "{purpose}");
        // It can be looked up still; whoever shows it judges.
        let found = stores.link_by_hash(&links.links[purpose]).unwrap();
        assert!(!found.unwrap().link.works_at(at(3600)));
    }
    assert_eq!(people(stores, &[org]), before);
    for purpose in 0..3 {
        let in_time = links.session(purpose, org, 3599);
        assert_eq!(
            links.take(purpose, purpose, &in_time),
            Ok(Ok(SignInStage::SignedIn))
        );
    }
}

pub(crate) fn a_link_goes_with_its_member(stores: &dyn Stores) {
    let links = Links::new(stores);
    let org = &links.org;
    let by = Actor::CommandLine;
    for member in stores.members(org).unwrap() {
        let removed = stores.remove_member(org, &member.id, at(2), &by);
        assert!(removed.unwrap());
    }
    assert!(stores.credentials("ada@example.com").unwrap().is_none());
    assert_eq!(
        [0, 1, 2].map(|purpose| exists(stores, &links.links[purpose])),
        [true, false, false]
    );
    let before = people(stores, &[org]);
    for purpose in [1, 2] {
        let session = links.session(purpose, org, 3);
        assert_eq!(links.take(purpose, purpose, &session), GONE);
    }
    assert_eq!(people(stores, &[org]), before);
    assert!(stores.credentials("bob@example.com").unwrap().is_none());
}

pub(crate) fn of_takers_at_once_one_wins(stores: &dyn Stores) {
    let Links {
        world,
        org,
        ada,
        links,
        ..
    } = Links::new(stores);
    let names = ["one", "two", "three", "four", "five", "six"];
    let one = |taken: Vec<Taken>| {
        let done = taken
            .iter()
            .filter(|taken| **taken == Ok(Ok(SignInStage::SignedIn)))
            .count();
        let gone = taken.iter().filter(|taken| **taken == GONE).count();
        assert_eq!((done, gone), (1, names.len() - 1), "{taken:?}");
    };
    one(at_once(names.len(), |number| {
        let taker = new(&world, names[number]);
        take_setup(&world, &org, &links[0], &taker)
    }));
    assert_eq!(stores.members(&org).unwrap().len(), 3);
    one(at_once(names.len(), |_| {
        // The same address: the first one creates the account.
        take_invitation(&world, &org, &links[1], &new(&world, "bob"))
    }));
    one(at_once(names.len(), |_| {
        take_reset(&world, &org, &links[2], &ada.account)
    }));
    assert_eq!(stores.sessions(&ada.account).unwrap().len(), 1);
    assert_eq!(stores.members_with_account(&org).unwrap().len(), 3);
    let joined = world.logged(&org, "member.joined");
    assert_eq!(joined.len(), 3);
}

pub(crate) fn of_removing_and_taking_up_at_once_no_account_is_left(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for number in 0..24 {
        let name = &format!("person-{number}");
        let id = member(&world, &org, name, at(0));
        let by_setup = number >= 3;
        let link = match by_setup {
            true => setup(&world, &org),
            false => invitation(&world, &org, &id),
        };
        let by = Actor::CommandLine;
        at_once(2, |number| match number {
            0 => {
                let removed = stores.remove_member(&org, &id, at(2), &by);
                assert!(removed.unwrap());
            }
            _ if by_setup => {
                let taken = take_setup(&world, &org, &link, &new(&world, name));
                assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
            }
            _ => {
                let taken = take_invitation(&world, &org, &link, &new(&world, name));
                assert!(
                    taken == Ok(Ok(SignInStage::SignedIn)) || taken == GONE,
                    "{taken:?}"
                );
            }
        });
        // After a removal the setup link makes a new member; no account is without one.
        let email = format!("{name}@example.com");
        let found = stores.credentials(&email).unwrap();
        let memberships = found.map(|found| stores.memberships(&found.account.id).unwrap());
        assert!(memberships.is_none_or(|found| by_setup && found.len() == 1));
    }
}
