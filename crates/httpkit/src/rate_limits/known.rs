//! Cache of recently valid keys.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use domain::id::{KeyId, OrgId};
use domain::key::KeyHash;

/// Size of one generation; at most twice as many keys are cached. A key and its ids take about 200 bytes.
const MAX_KEYS: usize = 4_096;

/// How long a key counts as valid for limits that apply before key look-up.
const FRESH: TimeDelta = TimeDelta::seconds(10);

/// The owner of a key when it was last valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownKey {
    /// The organization.
    pub org: OrgId,
    /// The key.
    pub key: KeyId,
    valid_at: DateTime<Utc>,
}

impl KnownKey {
    /// Whether the key was valid within the last seconds.
    pub fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        let age = now - self.valid_at;
        age >= TimeDelta::zero() && age <= FRESH
    }
}

/// Recently valid keys. They determine whose limits a request counts against before its key is looked up. Only the
/// look-up decides whether the key is valid.
#[derive(Debug, Default)]
pub struct KnownKeys(Mutex<Generations>);

/// When the newer generation is full, it becomes the older one, which is dropped.
#[derive(Debug, Default)]
struct Generations {
    newer: HashMap<String, KnownKey>,
    older: HashMap<String, KnownKey>,
}

impl KnownKeys {
    /// Adds a key that was found valid.
    pub fn remember(&self, hash: &KeyHash, org: OrgId, key: KeyId, now: DateTime<Utc>) {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if generations.newer.len() >= MAX_KEYS && !generations.newer.contains_key(hash.as_str()) {
            generations.older = std::mem::take(&mut generations.newer);
        }
        let known = KnownKey {
            org,
            key,
            valid_at: now,
        };
        generations.newer.insert(hash.as_str().to_owned(), known);
    }

    /// Finds the owner of a key.
    pub fn find(&self, hash: &KeyHash) -> Option<KnownKey> {
        let generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = generations.newer.get(hash.as_str());
        found
            .or_else(|| generations.older.get(hash.as_str()))
            .cloned()
    }

    /// Removes a key that is no longer valid.
    pub fn forget(&self, hash: &KeyHash) {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        generations.newer.remove(hash.as_str());
        generations.older.remove(hash.as_str());
    }
}

#[cfg(test)]
mod tests {
    use domain::key::KeySecret;
    use testkit::{SequentialIds, sample};

    use super::*;

    #[test]
    fn the_number_of_keys_is_bounded_and_the_last_ones_are_known() {
        let (known, ids) = (KnownKeys::default(), SequentialIds::default());
        let (org, key) = (OrgId::make(&ids), KeyId::make(&ids));
        let now = sample::noon();
        let hashes: Vec<KeyHash> = (0..3 * MAX_KEYS)
            .map(|_| KeySecret::generate(&ids).hash())
            .collect();
        for hash in &hashes {
            known.remember(hash, org.clone(), key.clone(), now);
        }
        let is_known = |hash: &&KeyHash| known.find(hash).is_some();
        assert!(
            hashes
                .iter()
                .rev()
                .take(MAX_KEYS)
                .all(|hash| is_known(&hash))
        );
        assert!(hashes.iter().filter(is_known).count() <= 2 * MAX_KEYS);
        known.forget(&hashes[hashes.len() - 1]);
        assert!(known.find(&hashes[hashes.len() - 1]).is_none());
    }

    #[test]
    fn a_key_is_fresh_for_ten_seconds() {
        let (known, ids) = (KnownKeys::default(), SequentialIds::default());
        let hash = KeySecret::generate(&ids).hash();
        let (org, key, now) = (OrgId::make(&ids), KeyId::make(&ids), sample::noon());
        known.remember(&hash, org, key, now);
        let found = known.find(&hash).unwrap();
        assert!(found.is_fresh(now + TimeDelta::seconds(10)));
        assert!(!found.is_fresh(now + TimeDelta::milliseconds(10_001)));
        assert!(!found.is_fresh(now - TimeDelta::seconds(1)));
    }
}
