//! API keys.

use chrono::TimeDelta;
use domain::audit_log::Actor;
use domain::id::{KeyId, OrgId};
use domain::key::{ApiKey, KeyHash, Role};
use domain::ports::{NewKey, StoreError, Stores};
use testkit::sample;

use crate::contract::world::{Fixture, at};

fn added(world: &Fixture<'_>, org: &OrgId, key: NewKey) -> NewKey {
    let created = world.stores.create_key(org, &key, &Actor::CommandLine);
    assert!(created.unwrap());
    key
}

fn new(world: &Fixture<'_>, org: &OrgId) -> NewKey {
    added(world, org, sample::new_key(&world.ids, Role::Member).0)
}

/// Returns the stored key.
fn stored(stores: &dyn Stores, key: &NewKey) -> ApiKey {
    let found = stores.key_by_hash(&key.hash).unwrap();
    found.unwrap().key
}

pub(crate) fn a_key_is_found_by_its_hash(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    new(&world, &org);
    let expiring = NewKey {
        expires_at: Some(at(60)),
        role: Role::Admin,
        ..sample::new_key(&world.ids, Role::Read).0
    };
    let key = added(&world, &org, expiring);
    let found = stores.key_by_hash(&key.hash).unwrap().unwrap();
    let expected = ApiKey {
        id: key.id,
        org_id: org.clone(),
        name: key.name,
        prefix: key.prefix,
        role: Role::Admin,
        created_at: at(0),
        last_used_at: None,
        expires_at: Some(at(60)),
        revoked_at: None,
    };
    assert_eq!(found.key, expected);
    assert_eq!(found.hash, key.hash);
    assert_eq!(found.organization, stores.org(&org).unwrap().unwrap());
    let unknown = KeyHash::stored("0".repeat(64));
    assert_eq!(stores.key_by_hash(&unknown).unwrap(), None);
}

pub(crate) fn keys_come_oldest_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for (name, second) in [("third", 3), ("first", 1), ("second", 2)] {
        let key = NewKey {
            name: name.to_owned(),
            created_at: at(second),
            ..sample::new_key(&world.ids, Role::Read).0
        };
        let key = added(&world, &org, key);
        // Revoked keys are listed too.
        let by = Actor::CommandLine;
        assert!(stores.revoke_key(&org, &key.id, at(4), &by).unwrap());
    }
    let keys = stores.keys(&org).unwrap();
    let names: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
    assert_eq!(names, ["first", "second", "third"]);
    assert!(keys.iter().all(|key| key.revoked_at == Some(at(4))));
}

pub(crate) fn a_key_needs_its_organization(stores: &dyn Stores) {
    let (world, _) = Fixture::with_org(stores);
    let nobody = OrgId::make(&world.ids);
    let (key, _) = sample::new_key(&world.ids, Role::Read);
    let by = Actor::CommandLine;
    assert!(!stores.create_key(&nobody, &key, &by).unwrap());
    assert_eq!(stores.key_by_hash(&key.hash).unwrap(), None);
    assert_eq!(stores.keys(&nobody).unwrap(), []);
}

pub(crate) fn a_key_hash_belongs_to_one_organization(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let key = new(&world, &org);
    let copied = NewKey {
        hash: key.hash.clone(),
        ..sample::new_key(&world.ids, Role::Admin).0
    };
    let again = stores.create_key(&other, &copied, &Actor::CommandLine);
    assert!(matches!(again, Err(StoreError::Failed(_))), "{again:?}");
    assert_eq!(stored(stores, &key).org_id, org);
    assert_eq!(stores.keys(&other).unwrap(), []);
}

pub(crate) fn a_key_is_revoked_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let key = new(&world, &org);
    let by = Actor::CommandLine;
    assert!(stores.revoke_key(&org, &key.id, at(1), &by).unwrap());
    assert_eq!(stored(stores, &key).revoked_at, Some(at(1)));
    assert!(stores.revoke_key(&org, &key.id, at(2), &by).unwrap());
    assert_eq!(stored(stores, &key).revoked_at, Some(at(1)));
    let nobody = KeyId::make(&world.ids);
    assert!(!stores.revoke_key(&org, &nobody, at(1), &by).unwrap());
}

pub(crate) fn an_expired_key_is_found(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let long_ago = NewKey {
        expires_at: Some(at(-3600)),
        ..sample::new_key(&world.ids, Role::Read).0
    };
    let key = added(&world, &org, long_ago);
    assert!(!stored(stores, &key).works_at(at(0)));
}

pub(crate) fn a_key_identifies_its_organization(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let (key, others) = (new(&world, &org), new(&world, &other));
    assert_eq!(stores.org_of_key(&key.id).unwrap(), Some(org));
    assert_eq!(stores.org_of_key(&others.id).unwrap(), Some(other));
    let nobody = KeyId::make(&world.ids);
    assert_eq!(stores.org_of_key(&nobody).unwrap(), None);
}

pub(crate) fn a_use_is_noted_once_a_minute(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (key, unused) = (new(&world, &org), new(&world, &org));
    let last = |used_at| {
        stores.touch_key(&org, &key.id, used_at).unwrap();
        stored(stores, &key).last_used_at
    };
    assert_eq!(last(at(10)), Some(at(10)));
    let almost = at(70) - TimeDelta::milliseconds(1);
    assert_eq!(last(almost), Some(at(10)));
    assert_eq!(last(at(70)), Some(at(70)));
    // A clock that is behind does not move the time back.
    assert_eq!(last(at(5)), Some(at(70)));
    assert_eq!(stored(stores, &unused).last_used_at, None);
    // A deleted key is not an error.
    let nobody = KeyId::make(&world.ids);
    stores.touch_key(&org, &nobody, at(90)).unwrap();
}
