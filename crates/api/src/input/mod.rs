//! Strict parsing of requests: unknown input is rejected, and numbers are never clamped.

mod body;
mod json;
mod once;
mod paging;
mod query;

pub(crate) use body::Body;
pub(crate) use once::{IDEMPOTENCY_KEY, OnceHeader, OnceHeaders};
pub(crate) use paging::{Cursor, PageQuery, PageSize};
pub(crate) use query::Query;
