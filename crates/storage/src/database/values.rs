//! Conversions between domain values and stored values.

use chrono::{DateTime, NaiveDateTime, SubsecRound, Utc};

use crate::database::error::StorageError;

/// Prepares a text of an audited site for storage: replaces NUL with U+FFFD, as an HTML parser does, because
/// PostgreSQL rejects NUL in texts.
pub(crate) fn storable(text: &str) -> String {
    match text.contains('\0') {
        true => text.replace('\0', "\u{fffd}"),
        false => text.to_owned(),
    }
}

/// Converts a time for storage; both databases store microseconds.
pub(crate) fn stored_time(time: DateTime<Utc>) -> NaiveDateTime {
    time.naive_utc().trunc_subsecs(6)
}

/// Converts a count for storage.
pub(crate) fn stored_count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Converts a stored number.
pub(crate) fn number<T: TryFrom<i64>>(what: &str, stored: i64) -> Result<T, StorageError> {
    T::try_from(stored).map_err(|_| StorageError::corrupt(what, &stored.to_string()))
}

/// Converts a stored number, if there is one.
pub(crate) fn optional<T: TryFrom<i64>>(
    what: &str,
    stored: Option<i64>,
) -> Result<Option<T>, StorageError> {
    stored.map(|stored| number(what, stored)).transpose()
}

/// Checks a value that is stored by its name.
pub(crate) fn known<T>(what: &str, name: &str, found: Option<T>) -> Result<T, StorageError> {
    found.ok_or_else(|| StorageError::corrupt(what, name))
}

/// Serializes a structure to JSON for storage.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|error| StorageError::Failed(error.to_string()))
}

/// Deserializes a structure from stored JSON.
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
