//! Outcomes of checks, with their evidence.

mod evidence;
mod failures;
mod verdict;

pub use evidence::{Cause, Evidence};
pub use failures::{Extent, Failures};
pub use verdict::{Grade, Outcome, Verdict, Verdicts};
