//! Time and chance.

use chrono::{DateTime, Utc};

/// The time.
pub trait Clock: Send + Sync {
    /// Now, cut to whole milliseconds, which is what is stored and shown.
    fn now(&self) -> DateTime<Utc>;
}

/// New ids and secrets.
pub trait IdSource: Send + Sync {
    /// A new ULID in its canonical form; each sorts after those made before by the same source.
    fn ulid(&self) -> String;

    /// Characters from `0-9A-Za-z`, each drawn evenly from the system's random source.
    fn base62(&self, length: usize) -> String;
}
