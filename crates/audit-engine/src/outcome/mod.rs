//! Outcomes of checks, with their evidence.

mod evidence;
mod failures;
mod verdict;

pub use evidence::{Cause, Evidence};
pub(crate) use failures::cause_hash;
pub use failures::{Extent, Failures};
pub use verdict::{Grade, Outcome, Verdict, Verdicts};
