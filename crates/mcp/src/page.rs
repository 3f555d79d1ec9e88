//! Pages of lists that are shortened to fit, with a cursor that continues after the last entry.

use client::{Error, Reply};
use serde::Serialize;
use serde_json::Value;

use crate::answer::{TextOrigin, fits};
use crate::failure::Failure;

/// A page of at most `limit` entries, requested again with fewer entries until it fits into a result. The cursor
/// is the service's own.
pub(crate) async fn fitting<T, F>(
    limit: u32,
    origin: TextOrigin,
    ask: impl Fn(u32) -> F,
) -> Result<T, Failure>
where
    T: Serialize,
    F: Future<Output = Result<Reply<T>, Error>> + Send,
{
    let mut limit = limit;
    loop {
        let page = ask(limit).await?.value;
        let structure = serde_json::to_value(&page).unwrap_or_default();
        if limit == 1 || fits(&structure, origin) {
            return Ok(page);
        }
        // An estimate of what fits, and at least one fewer.
        let share = entries(&structure).min(limit) / 2;
        limit = share.clamp(1, limit - 1);
    }
}

/// The number of entries of a page.
fn entries(page: &Value) -> u32 {
    let lists = page.as_object().into_iter().flat_map(|map| map.values());
    let longest = lists.filter_map(Value::as_array).map(Vec::len).max();
    longest
        .and_then(|length| u32::try_from(length).ok())
        .unwrap_or(1)
}
