//! Fields that may be left out and are not `null`.

use serde::{Deserialize, Deserializer};

/// What was given. With `#[serde(default)]`, so that what was left out is none, this tells the two
/// apart: `null` is given to the inner type, which refuses it unless it is an `Option` itself.
pub(crate) fn given<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}
