//! Failpoints: named places at which fault tests kill the process. They exist only in a build with the
//! feature `failpoints`; in any other build they expand to nothing.
//!
//! The `fail` crate offers the same, but it would compile the typesetter with other features, which takes
//! minutes. This module has everything that the tests need.

#[cfg(feature = "failpoints")]
use std::sync::OnceLock;

/// The failpoint at which the process kills itself.
#[cfg(feature = "failpoints")]
static ARMED: OnceLock<String> = OnceLock::new();

/// Arms a failpoint: the process kills itself when it reaches it. As with `SIGKILL`, nothing is flushed and
/// nothing is cleaned up. Only the first call has an effect.
#[cfg(feature = "failpoints")]
pub fn arm_failpoint(place: String) {
    ARMED.get_or_init(|| place);
}

#[cfg(feature = "failpoints")]
pub(crate) fn reached(place: &str) {
    if ARMED.get().is_some_and(|armed| armed == place) {
        std::process::abort();
    }
}

/// A failpoint: a place at which the process can be killed.
macro_rules! point {
    ($name:literal) => {
        #[cfg(feature = "failpoints")]
        $crate::database::failpoint::reached($name);
    };
}

pub(crate) use point;
