//! Strict parsing of requests: unknown input is rejected, and numbers are never clamped.

mod body;
mod idempotency;
mod invalid_fields;
mod json;
mod paging;
mod query;
mod removed_entries;

pub(crate) use body::Body;
pub(crate) use idempotency::{IDEMPOTENCY_KEY, IdempotencyHeader, IdempotencyHeaders};
pub(crate) use invalid_fields::InvalidFields;
pub(crate) use paging::{Cursor, PageQuery, PageSize};
pub(crate) use query::Query;
