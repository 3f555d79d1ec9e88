//! Who is calling.

use crate::key::{ApiKey, KeySecret};
use crate::org::Organization;
use crate::ports::{Clock, KeyStore, StoreError};

/// A caller whose key works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The key.
    pub key: ApiKey,
    /// The organization that the key opens.
    pub organization: Organization,
}

/// Why a caller is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthenticationError {
    /// The key is mistyped, unknown, revoked or expired; callers are not told which.
    #[error("the key is invalid")]
    NotValid,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Finds out who is calling with a key, and notes that the key was used.
///
/// A mistyped key is refused without a look-up. A revoked key fails on the very next call.
///
/// # Errors
/// [`AuthenticationError`] says why not.
pub fn authenticate<S: KeyStore + ?Sized>(
    keys: &S,
    clock: &dyn Clock,
    text: &str,
) -> Result<Caller, AuthenticationError> {
    let hash = KeySecret::parse(text)
        .map_err(|_| AuthenticationError::NotValid)?
        .hash();
    let now = clock.now();
    let found = keys
        .key_by_hash(&hash)?
        .filter(|found| found.hash.matches(&hash) && found.key.works_at(now))
        .ok_or(AuthenticationError::NotValid)?;
    if found.key.use_is_news(now) {
        // Not worth refusing the call for.
        let _ = keys.touch_key(&found.organization.id, &found.key.id, now);
    }
    Ok(Caller {
        key: found.key,
        organization: found.organization,
    })
}
