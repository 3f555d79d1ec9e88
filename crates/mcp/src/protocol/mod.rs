//! The Model Context Protocol, as its library speaks it. Nothing outside of this module names the library.

pub mod adapter;
mod http;
mod server;
mod stdio;
#[cfg(test)]
mod tests;

pub use http::{Admission, HttpSettings, Mount, mount};
pub use stdio::{StdioError, serve_stdio};
