//! What callers send, judged strictly: nothing unknown is ignored, nothing out of range is clamped.

mod body;
mod json;
mod query;

pub(crate) use body::Body;
pub(crate) use query::Query;
