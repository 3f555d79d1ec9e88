//! Values as both databases keep them.

use chrono::{DateTime, NaiveDateTime, SubsecRound, Utc};

use crate::database::error::StorageError;

/// A text of an audited site as it is stored: with U+FFFD for NUL, which PostgreSQL refuses in texts
/// and an HTML parser replaces in the same way.
pub(crate) fn storable(text: &str) -> String {
    match text.contains('\0') {
        true => text.replace('\0', "\u{fffd}"),
        false => text.to_owned(),
    }
}

/// A time as it is stored: to the microsecond, which is what both databases keep.
pub(crate) fn stored_time(time: DateTime<Utc>) -> NaiveDateTime {
    time.naive_utc().trunc_subsecs(6)
}

/// A count as it is stored.
pub(crate) fn stored_count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A number that was stored.
pub(crate) fn number<T: TryFrom<i64>>(what: &str, stored: i64) -> Result<T, StorageError> {
    T::try_from(stored).map_err(|_| StorageError::corrupt(what, &stored.to_string()))
}

/// A value that was stored under a name.
pub(crate) fn known<T>(what: &str, name: &str, found: Option<T>) -> Result<T, StorageError> {
    found.ok_or_else(|| StorageError::corrupt(what, name))
}

/// A structure as it is stored.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|error| StorageError::Failed(error.to_string()))
}

/// A structure that was stored.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(
    what: &str,
    stored: &str,
) -> Result<T, StorageError> {
    serde_json::from_str(stored)
        .map_err(|error| StorageError::Failed(format!("the stored {what} is unreadable: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_becomes_the_replacement_character() {
        assert_eq!(storable("a\0b\0"), "a\u{fffd}b\u{fffd}");
        assert_eq!(storable("ä"), "ä");
    }
}
