//! The audit engine.
pub mod dom;
pub mod gather;
