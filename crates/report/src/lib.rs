//! A report in, bytes out: the contract's JSON, what people read on a terminal, the forms that are kept
//! ([`export`]), and the PDF.
//!
//! Nothing here reads files, calls the network or knows the time: the same report always gives the
//! same bytes. Text that comes from audited pages is never trusted:
//!
//! ```
//! assert_eq!(report::plain::plain("\u{1b}[2Jsale"), r"\u{1b}[2Jsale");
//! ```

mod badge;
pub mod brand;
pub mod brief;
pub mod comparison;
pub mod export;
pub mod handoff;
pub mod json;
pub mod limits;
#[cfg(feature = "pdf")]
pub mod pdf;
pub mod plain;
mod scored;
pub mod terminal;
mod text;
pub mod untrusted;
mod verdict;
pub mod view;
mod wording;

pub use badge::badge;
pub use verdict::Verdict;
pub use wording::issue::{reach, reach_of};
pub use wording::lab::{metric_abbreviation, metric_name, metric_value};
pub use wording::lab_changes::{LabChangeInWords, PERFORMANCE_IS_NOISE};
pub use wording::score::Band;

#[cfg(test)]
#[path = "../tests/fixtures/reports.rs"]
mod sample;
