//! Deterministic ids and secrets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::ports::IdSource;

/// Crockford's base 32.
const BASE32: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The beginning of every ULID: the time part of one made in November 2026.
const TIME: &str = "01KXZZ9Q80";
/// Characters of a ULID after its time.
const COUNTED: usize = 16;

/// Ids and secrets that count up: each call returns a new one, and a new source returns the same sequence
/// again. Clones and threads share one counter.
///
/// ```
/// use domain::id::RunId;
/// use testkit::SequentialIds;
///
/// let ids = SequentialIds::default();
/// assert!(RunId::make(&ids) < RunId::make(&ids));
/// ```
#[derive(Debug, Clone, Default)]
pub struct SequentialIds {
    count: Arc<AtomicU64>,
}

impl SequentialIds {
    /// A source whose ids sort after the first `count` of every other source.
    #[must_use]
    pub fn after(count: u64) -> Self {
        Self {
            count: Arc::new(AtomicU64::new(count)),
        }
    }

    fn next(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }
}

impl IdSource for SequentialIds {
    fn ulid(&self) -> String {
        let mut counted: Vec<char> = digits(self.next(), BASE32).take(COUNTED).collect();
        counted.reverse();
        TIME.chars().chain(counted).collect()
    }

    fn base62(&self, length: usize) -> String {
        digits(self.next(), BASE62).take(length).collect()
    }
}

/// The digits of a number, the lowest first, and then endless zeros.
fn digits(number: u64, alphabet: &[u8]) -> impl Iterator<Item = char> {
    let base = u64::try_from(alphabet.len()).unwrap_or(u64::MAX);
    let rests = std::iter::successors(Some(number), move |rest| Some(rest / base));
    rests.map(move |rest| {
        let digit = usize::try_from(rest % base).unwrap_or_default();
        alphabet.get(digit).copied().map_or('0', char::from)
    })
}

#[cfg(test)]
mod tests {
    use domain::id::RunId;

    use super::*;

    #[test]
    fn ids_are_valid_and_rise() {
        let ids = SequentialIds::default();
        let made: Vec<_> = (0..2_000).map(|_| RunId::make(&ids)).collect();
        assert!(made.is_sorted_by(|one, next| one < next));
        assert!(made.iter().all(|id| RunId::parse(id.as_str()).is_some()));
        assert!(RunId::make(&SequentialIds::after(5_000)) > made[1_999]);
    }

    #[test]
    fn secrets_differ_and_are_reproducible() {
        let secrets = |ids: SequentialIds| (0..200).map(|_| ids.base62(4)).collect::<Vec<_>>();
        let mut made = secrets(SequentialIds::default());
        assert_eq!(made, secrets(SequentialIds::default()));
        made.sort();
        made.dedup();
        assert_eq!(made.len(), 200);
    }
}
