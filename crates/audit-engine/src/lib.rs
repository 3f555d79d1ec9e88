//! Placeholder.

pub mod gather;
