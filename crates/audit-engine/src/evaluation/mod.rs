//! Runs the checks and collects their outcomes.

mod check_state;
pub(crate) mod collector;
mod evidence_budget;
mod issue_counts;
pub(crate) mod judge;

pub use judge::{Judged, judge_page};
