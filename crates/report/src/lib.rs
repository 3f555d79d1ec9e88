//! A report in, text out: the contract's JSON and what people read on a terminal.
//!
//! Nothing here reads files, calls the network or knows the time: the same report always gives the
//! same bytes. Text that comes from audited pages is never trusted:
//!
//! ```
//! assert_eq!(report::plain::plain("\u{1b}[2Jsale"), r"\u{1b}[2Jsale");
//! ```

pub mod brief;
pub mod handoff;
pub mod json;
pub mod plain;
pub mod terminal;
pub mod untrusted;

#[cfg(test)]
mod sample;
