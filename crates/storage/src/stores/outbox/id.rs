//! Ids that the store generates for records that follow from a caller's change.

use std::sync::{Mutex, PoisonError};

use chacha20poly1305::XNonce;
use chacha20poly1305::aead::Generate;
use chrono::{DateTime, Utc};
use domain::ports::IdSource;

use crate::database::error::StorageError;

/// The alphabet of Crockford's base 32.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Length of a ULID in characters.
const LENGTH: u32 = 26;

/// Generates ULIDs of one moment. The first one is random; each further one is its successor.
pub(crate) struct OwnIds(Mutex<u128>);

impl OwnIds {
    /// Creates a generator for a moment.
    pub(crate) fn at(at: DateTime<Utc>) -> Result<Self, StorageError> {
        let random = XNonce::try_generate()
            .map_err(|error| StorageError::Failed(format!("the random source failed: {error}")))?;
        let drawn = random.iter().take(10);
        let drawn = drawn.fold(0_u128, |sum, byte| (sum << 8) | u128::from(*byte));
        // 48 bits of milliseconds last for 8,900 years.
        let millis = u128::from(at.timestamp_millis().cast_unsigned() & 0xffff_ffff_ffff);
        Ok(Self(Mutex::new((millis << 80) | drawn)))
    }
}

impl IdSource for OwnIds {
    fn ulid(&self) -> String {
        let mut next = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *next;
        *next = number.wrapping_add(1);
        let digit = |place: u32| {
            let index = usize::try_from((number >> (5 * place)) & 31).unwrap_or_default();
            DIGITS.get(index).copied().map_or('0', char::from)
        };
        (0..LENGTH).rev().map(digit).collect()
    }

    /// The store generates no secrets.
    fn base62(&self, _length: usize) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use domain::id::EventId;

    use super::*;

    #[test]
    fn ids_are_ulids_of_their_moment_and_all_different() {
        let at = DateTime::from_timestamp_millis(1_795_262_400_000).unwrap();
        let ids = OwnIds::at(at).unwrap();
        let made: Vec<_> = (0..1_000).map(|_| EventId::make(&ids)).collect();
        assert!(made.is_sorted());
        for id in &made {
            assert_eq!(EventId::parse(id.as_str()).as_ref(), Some(id));
            // 1,795,262,400,000 in Crockford's base 32, computed independently in Python.
            assert!(id.as_str().starts_with("evt_01M7YZMHG0"), "{id}");
        }
        assert_ne!(
            OwnIds::at(at).unwrap().ulid(),
            OwnIds::at(at).unwrap().ulid()
        );
    }
}
