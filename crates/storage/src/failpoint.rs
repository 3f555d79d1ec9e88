//! Named places at which fault tests kill the process. Only a build with the feature `failpoints` has
//! them; in any other they are nothing.

/// A place at which the process can be killed.
#[cfg(feature = "failpoints")]
macro_rules! point {
    ($name:literal) => {
        fail::fail_point!($name)
    };
}

/// A place at which the process can be killed.
#[cfg(not(feature = "failpoints"))]
macro_rules! point {
    ($name:literal) => {};
}

pub(crate) use point;
