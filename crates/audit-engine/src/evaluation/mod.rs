//! Runs the checks and collects their outcomes.

mod check_state;
pub(crate) mod collector;
pub(crate) mod evaluate;
mod evidence_budget;
mod issue_counts;
mod page_losses;
mod same_fact;
mod waivers;

pub use evaluate::{Evaluated, evaluate_page, evaluate_page_of_many};
