use chrono::TimeDelta;
use domain::key::Role;
use domain::ports::{KeyStore, StoreError};
use domain::usecase::{AuthenticationError, authenticate};

use crate::Fixture;

fn key(world: &Fixture, expires_in: Option<TimeDelta>) -> domain::usecase::CreatedKey {
    let expires_at = expires_in.map(|span| testkit::sample::noon() + span);
    let administration = world.administration();
    administration
        .create_key(world.org.as_str(), "ci", Role::Member, expires_at)
        .unwrap()
}

fn tried(world: &Fixture, text: &str) -> Result<String, AuthenticationError> {
    authenticate(&world.stores, &world.clock, text).map(|caller| caller.key.id.to_string())
}

#[test]
fn a_key_opens_its_organization() {
    let world = Fixture::new();
    let key = key(&world, None);
    let caller = authenticate(&world.stores, &world.clock, key.secret.expose()).unwrap();
    assert_eq!(caller.organization.id, world.org);
    assert_eq!(caller.key.id, key.id);
    assert_eq!(caller.key.role, Role::Member);
}

#[test]
fn an_expired_key_opens_nothing() {
    let world = Fixture::new();
    let key = key(&world, Some(TimeDelta::hours(1)));
    world.clock.advance(TimeDelta::minutes(59));
    assert!(tried(&world, key.secret.expose()).is_ok());
    world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(
        tried(&world, key.secret.expose()),
        Err(AuthenticationError::NotValid)
    );
}

#[test]
fn a_revoked_key_fails_on_the_next_call() {
    let world = Fixture::new();
    let key = key(&world, None);
    assert!(tried(&world, key.secret.expose()).is_ok());
    world.administration().revoke_key(key.id.as_str()).unwrap();
    assert_eq!(
        tried(&world, key.secret.expose()),
        Err(AuthenticationError::NotValid)
    );
}

#[test]
fn a_mistyped_key_is_refused_without_a_look_up() {
    let world = Fixture::new();
    let mut text = key(&world, None).secret.expose().to_owned();
    let last = text.pop().unwrap();
    text.push(if last == 'a' { 'b' } else { 'a' });
    world
        .stores
        .break_with(Some(StoreError::Unavailable("away".to_owned())));
    assert_eq!(tried(&world, &text), Err(AuthenticationError::NotValid));
}

#[test]
fn a_database_that_is_away_is_not_a_wrong_key() {
    let world = Fixture::new();
    let key = key(&world, None);
    world
        .stores
        .break_with(Some(StoreError::Unavailable("away".to_owned())));
    assert!(matches!(
        tried(&world, key.secret.expose()),
        Err(AuthenticationError::Store(StoreError::Unavailable(_)))
    ));
}

#[test]
fn the_last_use_is_noted_to_the_minute() {
    let world = Fixture::new();
    let key = key(&world, None);
    let used = || world.stores.keys(&world.org).unwrap()[0].last_used_at;
    tried(&world, key.secret.expose()).unwrap();
    let first = used().unwrap();
    world.clock.advance(TimeDelta::seconds(30));
    tried(&world, key.secret.expose()).unwrap();
    assert_eq!(used(), Some(first));
    world.clock.advance(TimeDelta::seconds(31));
    tried(&world, key.secret.expose()).unwrap();
    assert_eq!(used(), Some(first + TimeDelta::seconds(61)));
}
