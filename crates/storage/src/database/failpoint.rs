//! Named places at which fault tests kill the process. Only a build with the feature `failpoints` has
//! them; in any other they are nothing.
//!
//! A crate for this exists, `fail`; all that is needed of it is here, and it would have the typesetter
//! compiled with other features, which takes minutes.

#[cfg(feature = "failpoints")]
use std::sync::OnceLock;

/// The place at which the process is to be killed.
#[cfg(feature = "failpoints")]
static ARMED: OnceLock<String> = OnceLock::new();

/// Has the process killed at a place once it gets there: as with `SIGKILL`, nothing is written and
/// nothing is tidied up. The first call decides.
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

/// A place at which the process can be killed.
macro_rules! point {
    ($name:literal) => {
        #[cfg(feature = "failpoints")]
        $crate::database::failpoint::reached($name);
    };
}

pub(crate) use point;
