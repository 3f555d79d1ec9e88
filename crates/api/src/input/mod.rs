//! What callers send, judged strictly: nothing unknown is ignored, nothing out of range is clamped.

mod body;
mod json;
mod once;
mod query;

pub(crate) use body::Body;
pub(crate) use once::{IDEMPOTENCY_KEY, OnceHeader, OnceHeaders};
pub(crate) use query::Query;
