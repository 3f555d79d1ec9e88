//! The text of cursors, which is opaque to callers: a letter for the list, what the list is sorted
//! by, and a checksum, all letters and digits.

use chrono::{DateTime, Utc};

/// Characters of a time, of a ULID and of the checksum.
const TIME_LENGTH: usize = 16;
const ULID_LENGTH: usize = 26;
const SUM_LENGTH: usize = 8;

/// A time as it stands in a cursor, in whole milliseconds.
pub(crate) fn time_text(time: DateTime<Utc>) -> String {
    format!("{:016x}", time.timestamp_millis().cast_unsigned())
}

/// What of an id stands in a cursor.
pub(crate) fn ulid_of(id: &str) -> &str {
    id.split_once('_').map_or(id, |(_, ulid)| ulid)
}

/// The time and the ULID that a key spells.
pub(crate) fn time_and_ulid(key: &str) -> Option<(DateTime<Utc>, &str)> {
    let (time, ulid) = key.split_at_checked(TIME_LENGTH)?;
    let millis = u64::from_str_radix(time, 16).ok()?.cast_signed();
    let time = DateTime::from_timestamp_millis(millis)?;
    (ulid.len() == ULID_LENGTH).then_some((time, ulid))
}

/// The key with its checksum.
pub(crate) fn signed(mut key: String) -> String {
    let sum = crc32fast::hash(key.as_bytes());
    key.push_str(&format!("{sum:08x}"));
    key
}

/// What stands before the checksum, where that is right.
pub(crate) fn unsigned(text: &str) -> Option<&str> {
    let (key, _) = text.split_at_checked(text.len().checked_sub(SUM_LENGTH)?)?;
    (signed(key.to_owned()) == text).then_some(key)
}
