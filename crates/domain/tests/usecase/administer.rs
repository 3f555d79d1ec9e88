use chrono::TimeDelta;
use domain::key::Role;
use domain::plan::{Plan, PlanLimits, Plans, SELF_HOSTED};
use domain::ports::{KeyStore, OrgStore};
use domain::usecase::AdminError;
use storage::Database;
use testkit::sample;

use crate::Fixture;

const NEVER: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";

#[test]
fn the_first_start_creates_an_organization_once() {
    let world = Fixture {
        stores: Database::for_test(),
        ..Fixture::new()
    };
    let administration = world.administration();
    let first = administration
        .prepare_bootstrap("Mine", SELF_HOSTED)
        .unwrap()
        .unwrap();
    assert_eq!(world.stores.orgs().unwrap().len(), 0);
    assert!(administration.bootstrap(&first).unwrap());
    assert!(!administration.bootstrap(&first).unwrap());
    assert_eq!(
        administration.prepare_bootstrap("Mine", SELF_HOSTED),
        Ok(None)
    );
    let org = world.stores.orgs().unwrap().remove(0);
    let keys = world.stores.keys(&org.id).unwrap();
    assert_eq!((keys.len(), keys[0].role), (1, Role::Admin));
}

#[test]
fn what_does_not_exist_is_named() {
    let world = Fixture::new();
    let administration = world.administration();
    let (org, key, member) = (
        format!("org_{NEVER}"),
        format!("key_{NEVER}"),
        format!("mem_{NEVER}"),
    );
    for error in [
        administration
            .create_key(&org, "ci", Role::Read, None)
            .unwrap_err(),
        administration.set_plan(&org, SELF_HOSTED).unwrap_err(),
        administration.set_plan("org", SELF_HOSTED).unwrap_err(),
        administration.members(&org).unwrap_err(),
        administration
            .add_member(&org, "Ada", "ada@example.com", Role::Read)
            .unwrap_err(),
    ] {
        assert!(matches!(error, AdminError::NoOrg(_)), "{error:?}");
    }
    assert_eq!(
        administration.revoke_key(&key),
        Err(AdminError::NoKey(key.clone()))
    );
    assert!(matches!(
        administration.remove_member(world.org.as_str(), &member),
        Err(AdminError::NoMember(_))
    ));
}

#[test]
fn an_unknown_plan_lists_the_known() {
    let world = Fixture {
        plans: Plans::new([Plan {
            name: "team".to_owned(),
            limits: PlanLimits::default(),
            paid: true,
            retention: domain::retention::RetentionChoice::default(),
        }]),
        ..Fixture::new()
    };
    let administration = world.administration();
    let error = administration
        .set_plan(world.org.as_str(), "gold")
        .unwrap_err();
    assert!(error.to_string().contains("self_hosted, team"), "{error}");
    administration.set_plan(world.org.as_str(), "team").unwrap();
    assert_eq!(world.stores.org(&world.org).unwrap().unwrap().plan, "team");
}

#[test]
fn a_key_that_is_expired_from_the_beginning_is_not_made() {
    let world = Fixture::new();
    let past = sample::noon() - TimeDelta::seconds(1);
    assert_eq!(
        world
            .administration()
            .create_key(world.org.as_str(), "ci", Role::Read, Some(past)),
        Err(AdminError::Expired(past))
    );
    assert_eq!(world.stores.keys(&world.org).unwrap(), []);
}

#[test]
fn a_member_is_there_once_by_address() {
    let world = Fixture::new();
    let administration = world.administration();
    let org = world.org.as_str();
    let id = administration
        .add_member(org, "Ada", "Ada@Example.com", Role::Member)
        .unwrap();
    assert_eq!(
        administration.add_member(org, "Another", "ada@example.com", Role::Read),
        Err(AdminError::MemberExists("ada@example.com".to_owned()))
    );
    administration.remove_member(org, id.as_str()).unwrap();
    assert_eq!(administration.members(org).unwrap(), []);
}
