//! Plain algorithms and containers that know nothing of pages.

pub(crate) mod by_place;
pub(crate) mod pixels;
pub(crate) mod recent;
pub(crate) mod shapes;
pub(crate) mod sketch;
pub(crate) mod swar;
