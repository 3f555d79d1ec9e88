//! Keys for signed links.

use domain::link::SigningKey;
use domain::ports::Stores;

use crate::contract::world::{at, at_once};

fn key(id: &str, byte: u8) -> SigningKey {
    SigningKey {
        id: id.to_owned(),
        secret: std::array::from_fn(|place| byte ^ u8::try_from(place).unwrap()),
        created_at: at(i64::from(byte)),
    }
}

pub(crate) fn the_first_signing_key_stays_the_only_one(stores: &dyn Stores) {
    assert_eq!(stores.signing_keys().unwrap(), []);
    let first = key("1", 200);
    assert!(stores.add_first_signing_key(&first).unwrap());
    for other in [key("1", 7), key("2", 9), first.clone()] {
        assert!(!stores.add_first_signing_key(&other).unwrap());
    }
    assert_eq!(stores.signing_keys().unwrap(), [first]);
}

pub(crate) fn of_first_signing_keys_at_once_one_is_kept(stores: &dyn Stores) {
    let added = at_once(8, |number| {
        // Either with its own id, or with the same id for all.
        let id = ["1".to_owned(), number.to_string()][number % 2].clone();
        let own = key(&id, u8::try_from(number).unwrap());
        let is_kept = stores.add_first_signing_key(&own).unwrap();
        (own, is_kept)
    });
    let kept: Vec<_> = added.into_iter().filter(|(_, is_kept)| *is_kept).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(stores.signing_keys().unwrap(), [kept[0].0.clone()]);
}
