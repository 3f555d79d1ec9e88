//! Time and chance.

use std::time::Duration;

use chrono::{DateTime, Utc};

/// The time.
pub trait Clock: Send + Sync {
    /// Now, cut to whole milliseconds, which is what is stored and shown.
    fn now(&self) -> DateTime<Utc>;

    /// How much time has passed since some moment, the same for as long as the process lives. It goes
    /// on evenly whatever becomes of the time of day, so spans are measured with it.
    fn steady(&self) -> Duration;
}

/// New ids and secrets.
pub trait IdSource: Send + Sync {
    /// A new ULID in its canonical form; each sorts after those made before by the same source.
    fn ulid(&self) -> String;

    /// Characters from `0-9A-Za-z`, each drawn evenly from the system's random source.
    fn base62(&self, length: usize) -> String;
}
