//! The audit engine.

pub mod address;
pub mod check;
pub mod checks;
mod common;
pub mod dom;
pub mod gather;
pub mod page;
pub mod site;
