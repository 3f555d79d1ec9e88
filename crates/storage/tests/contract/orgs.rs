//! Organizations and their members.

use domain::audit_log::{Actor, AuditFilter, AuditNote};
use domain::id::{KeyId, MemberId, OrgId};
use domain::key::Role;
use domain::ports::{JobKind, NewMember, NewOrg, QueueRules, StoreError, Stores};
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once, worker};

pub(crate) fn bootstrap_makes_the_first_organization_and_its_key(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    assert!(!stores.has_organizations().unwrap());
    let org = sample::new_org(&world.ids);
    let (key, _) = sample::new_key(&world.ids, Role::Admin);
    assert!(stores.bootstrap(&org, &key, &Actor::System).unwrap());
    assert!(stores.has_organizations().unwrap());
    let found = stores.key_by_hash(&key.hash).unwrap().unwrap();
    assert_eq!(found.key.id, key.id);
    assert_eq!(found.organization.id, org.id);
    let lines = stores.audit_log(&org.id).unwrap();
    let told: Vec<_> = lines
        .iter()
        .map(|line| (line.actor.as_str(), line.event.as_str(), line.at))
        .collect();
    assert_eq!(
        told,
        [
            ("system", "org.created", at(0)),
            ("system", "key.created", at(0))
        ]
    );
}

pub(crate) fn bootstrap_does_nothing_where_there_is_an_organization(stores: &dyn Stores) {
    let (world, first) = Fixture::with_org(stores);
    let org = sample::new_org(&world.ids);
    let (key, _) = sample::new_key(&world.ids, Role::Admin);
    assert!(!stores.bootstrap(&org, &key, &Actor::System).unwrap());
    let orgs = stores.orgs().unwrap();
    assert_eq!(orgs.len(), 1);
    assert_eq!(orgs[0].id, first);
    assert_eq!(stores.key_by_hash(&key.hash).unwrap(), None);
    assert_eq!(stores.audit_log(&org.id).unwrap(), []);
}

pub(crate) fn only_one_concurrent_bootstrap_succeeds(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let done = at_once(8, |_| {
        let org = sample::new_org(&world.ids);
        let (key, _) = sample::new_key(&world.ids, Role::Admin);
        stores.bootstrap(&org, &key, &Actor::System).unwrap()
    });
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    let orgs = stores.orgs().unwrap();
    assert_eq!(orgs.len(), 1);
    assert_eq!(stores.keys(&orgs[0].id).unwrap().len(), 1);
}

pub(crate) fn organizations_come_page_by_page(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let mut ids: Vec<_> = (0..5).map(|_| world.org()).collect();
    ids.sort();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = stores.org_page(after.as_ref(), 2).unwrap();
        assert!((1..=2).contains(&page.organizations.len()));
        seen.extend(page.organizations.into_iter().map(|org| org.id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, ids);
}

pub(crate) fn processes_are_listed_with_what_they_work_on(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    assert_eq!(stores.worker_loads(10).unwrap(), []);
    for host in ["a", "b", "c"] {
        world.start_at(&org, &format!("https://{host}.example/"), at(0));
    }
    let claim = |name: &str| {
        let claimed = stores.claim(&worker(name), &QueueRules::DEFAULT, at(1));
        claimed.unwrap().unwrap();
    };
    claim("one-1");
    claim("one-2");
    claim("other-1");
    let loads = stores.worker_loads(10).unwrap();
    let loads: Vec<_> = loads
        .iter()
        .map(|load| (load.process.as_str(), load.kind, load.jobs))
        .collect();
    assert_eq!(
        loads,
        [("one", JobKind::Run, 2), ("other", JobKind::Run, 1)]
    );
    assert_eq!(stores.worker_loads(1).unwrap().len(), 1);
}

pub(crate) fn organizations_come_oldest_first(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let mut made = Vec::new();
    for (name, second) in [
        ("third", 3),
        ("first", 1),
        ("second", 2),
        ("also second", 2),
    ] {
        let org = NewOrg {
            name: name.to_owned(),
            created_at: at(second),
            ..sample::new_org(&world.ids)
        };
        stores.create_org(&org, &Actor::CommandLine).unwrap();
        made.push(org);
    }
    let orgs = stores.orgs().unwrap();
    let names: Vec<_> = orgs.iter().map(|org| org.name.as_str()).collect();
    assert_eq!(names, ["first", "second", "also second", "third"]);
    let found = stores.org(&made[0].id).unwrap().unwrap();
    assert_eq!(orgs[3], found);
    assert_eq!(found.plan, made[0].plan);
    assert_eq!(found.created_at, made[0].created_at);
}

pub(crate) fn an_organization_is_created_once(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let org = sample::new_org(&world.ids);
    stores.create_org(&org, &Actor::CommandLine).unwrap();
    let again = stores.create_org(&org, &Actor::CommandLine);
    assert!(matches!(again, Err(StoreError::Failed(_))), "{again:?}");
    assert_eq!(stores.audit_log(&org.id).unwrap().len(), 1);
}

pub(crate) fn an_unknown_organization_is_none(stores: &dyn Stores) {
    let (world, _) = Fixture::with_org(stores);
    let nobody = OrgId::make(&world.ids);
    let by = Actor::CommandLine;
    assert_eq!(stores.org(&nobody).unwrap(), None);
    assert!(!stores.set_plan(&nobody, "team", at(1), &by).unwrap());
    let member = sample::new_member(&world.ids, "ada");
    assert!(!stores.add_member(&nobody, &member, &by).unwrap());
    assert_eq!(stores.members(&nobody).unwrap(), []);
    assert_eq!(stores.audit_log(&nobody).unwrap(), []);
    let usage = world.usage(&nobody, at(0));
    assert_eq!((usage.sites, usage.monthly_runs), (0, 0));
}

pub(crate) fn a_plan_is_changed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let by = Actor::CommandLine;
    assert!(stores.set_plan(&org, "team", at(1), &by).unwrap());
    assert_eq!(stores.org(&org).unwrap().unwrap().plan, "team");
    assert_ne!(stores.org(&other).unwrap().unwrap().plan, "team");
}

pub(crate) fn members_come_oldest_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for (name, second) in [("cleo", 3), ("ada", 1), ("bob", 2)] {
        let member = NewMember {
            created_at: at(second),
            role: Role::Admin,
            ..sample::new_member(&world.ids, name)
        };
        let added = stores.add_member(&org, &member, &Actor::CommandLine);
        assert!(added.unwrap());
    }
    let members = stores.members(&org).unwrap();
    let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["ada", "bob", "cleo"]);
    assert_eq!(members[0].email, "ada@example.com");
    assert_eq!(members[0].role, Role::Admin);
    assert_eq!(members[0].created_at, at(1));
}

pub(crate) fn a_member_is_once_in_an_organization(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let by = Actor::CommandLine;
    let ada = sample::new_member(&world.ids, "ada");
    assert!(stores.add_member(&org, &ada, &by).unwrap());
    let again = NewMember {
        name: "Another Ada".to_owned(),
        ..sample::new_member(&world.ids, "ada")
    };
    assert!(!stores.add_member(&org, &again, &by).unwrap());
    assert_eq!(stores.members(&org).unwrap().len(), 1);
    // Another organization may have a member with the same email address.
    let other = world.org();
    assert!(stores.add_member(&other, &again, &by).unwrap());
    // After she is removed, her email address is free again.
    assert!(stores.remove_member(&org, &ada.id, at(1), &by).unwrap());
    let new = sample::new_member(&world.ids, "ada");
    assert!(stores.add_member(&org, &new, &by).unwrap());
}

pub(crate) fn a_member_is_removed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let by = Actor::CommandLine;
    let [ada, bob] = ["ada", "bob"].map(|name| sample::new_member(&world.ids, name));
    for member in [&ada, &bob] {
        assert!(stores.add_member(&org, member, &by).unwrap());
    }
    assert!(stores.remove_member(&org, &ada.id, at(1), &by).unwrap());
    assert!(!stores.remove_member(&org, &ada.id, at(2), &by).unwrap());
    let nobody = MemberId::make(&world.ids);
    assert!(!stores.remove_member(&org, &nobody, at(2), &by).unwrap());
    let left = stores.members(&org).unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].id, bob.id);
}

pub(crate) fn the_audit_log_has_a_line_for_each_change(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let org = sample::new_org(&world.ids);
    let by_key = Actor::Key(KeyId::make(&world.ids));
    stores.create_org(&org, &Actor::CommandLine).unwrap();
    let (key, secret) = sample::new_key(&world.ids, Role::Read);
    assert!(stores.create_key(&org.id, &key, &by_key).unwrap());
    assert!(stores.set_plan(&org.id, "team", at(1), &by_key).unwrap());
    let ada = sample::new_member(&world.ids, "ada");
    assert!(stores.add_member(&org.id, &ada, &by_key).unwrap());
    assert!(
        stores
            .remove_member(&org.id, &ada.id, at(2), &by_key)
            .unwrap()
    );
    assert!(stores.revoke_key(&org.id, &key.id, at(3), &by_key).unwrap());
    let lines = stores.audit_log(&org.id).unwrap();
    let told: Vec<_> = lines
        .iter()
        .map(|line| (line.at, line.event.as_str(), line.subject.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (at(0), "org.created", org.id.as_str()),
            (at(0), "key.created", key.id.as_str()),
            (at(1), "org.plan_changed", org.id.as_str()),
            (at(0), "member.added", ada.id.as_str()),
            (at(2), "member.removed", ada.id.as_str()),
            (at(3), "key.revoked", key.id.as_str()),
        ]
    );
    assert_eq!(lines[0].actor, "command_line");
    assert!(lines[1..].iter().all(|line| line.actor == by_key.as_str()));
    assert!(lines[2].detail.contains("team"), "{lines:?}");
    let text = format!("{lines:?}");
    assert!(!text.contains(secret.expose()) && !text.contains(key.hash.as_str()));
}

pub(crate) fn an_unchanged_update_is_not_logged(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let by = Actor::CommandLine;
    let ada = sample::new_member(&world.ids, "ada");
    let (key, _) = sample::new_key(&world.ids, Role::Read);
    assert!(stores.add_member(&org, &ada, &by).unwrap());
    assert!(stores.create_key(&org, &key, &by).unwrap());
    assert!(stores.revoke_key(&org, &key.id, at(1), &by).unwrap());
    let before = stores.audit_log(&org).unwrap();
    let again = sample::new_member(&world.ids, "ada");
    assert!(!stores.add_member(&org, &again, &by).unwrap());
    assert!(!stores.remove_member(&org, &again.id, at(2), &by).unwrap());
    assert!(stores.revoke_key(&org, &key.id, at(2), &by).unwrap());
    let nobody = KeyId::make(&world.ids);
    assert!(!stores.revoke_key(&org, &nobody, at(2), &by).unwrap());
    assert_eq!(stores.audit_log(&org).unwrap(), before);
}

pub(crate) fn the_audit_log_is_read_newest_first_page_by_page(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let by_key = Actor::Key(KeyId::make(&world.ids));
    for number in 0..5 {
        let note = AuditNote {
            event: if number % 2 == 0 {
                "link.issued"
            } else {
                "link.used"
            },
            subject: number.to_string(),
            detail: String::new(),
        };
        let by = if number < 3 { &by_key } else { &Actor::Link };
        stores.note(&org, at(number), by, &note).unwrap();
        stores.note(&other, at(number), by, &note).unwrap();
    }
    let all = |event: Option<&str>, actor: Option<&str>| {
        let filter = AuditFilter {
            event: event.map(str::to_owned),
            actor: actor.map(str::to_owned),
        };
        let (mut subjects, mut cursor) = (Vec::new(), None);
        loop {
            let page = stores.audit_log_page(&org, &filter, cursor, 2).unwrap();
            assert!(page.entries.len() <= 2);
            subjects.extend(page.entries.into_iter().map(|entry| entry.subject));
            cursor = page.next;
            if cursor.is_none() {
                return subjects;
            }
        }
    };
    assert_eq!(all(None, None), ["4", "3", "2", "1", "0", org.as_str()]);
    assert_eq!(all(Some("link.issued"), None), ["4", "2", "0"]);
    assert_eq!(all(None, Some(by_key.as_str())), ["2", "1", "0"]);
    assert_eq!(all(Some("link.used"), Some("link")), ["3"]);
    assert_eq!(all(Some("key.created"), None), [""; 0]);
}
