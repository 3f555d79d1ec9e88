//! General algorithms and containers that do not depend on pages.

pub(crate) mod by_place;
pub(crate) mod log_normal;
pub(crate) mod pixels;
pub(crate) mod readable;
pub(crate) mod recent;
pub(crate) mod shapes;
pub(crate) mod shortened;
pub(crate) mod sketch;
pub(crate) mod swar;
