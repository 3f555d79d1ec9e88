//! Algorithms that several checks share.

pub(crate) mod cookies;
pub(crate) mod home;
pub(crate) mod log_normal;
pub(crate) mod party;
pub(crate) mod secrets;
pub(crate) mod srcset;
pub(crate) mod transport;
