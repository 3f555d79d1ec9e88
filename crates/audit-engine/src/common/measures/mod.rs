//! Numbers: sizes, counts, grades and dates.

pub(crate) mod bytes;
pub(crate) mod dates;
pub(crate) mod lab;
pub(crate) mod numbers;
