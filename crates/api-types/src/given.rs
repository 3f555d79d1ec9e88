//! Optional fields that must not be `null`.

use serde::{Deserialize, Deserializer};

/// Deserializes a present field. With `#[serde(default)]`, a missing field is `None`, and `null` goes to the
/// inner type, which rejects it unless it is an `Option` itself.
pub(crate) fn given<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}
