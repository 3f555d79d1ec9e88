//! Runs the checks and collects their outcomes.

mod check_state;
pub(crate) mod collector;
pub(crate) mod evaluate;
mod evidence_budget;
pub(crate) mod exclusions;
mod issue_counts;
mod page_losses;
mod same_fact;
mod waivers;
mod withheld;

pub use evaluate::{Evaluated, evaluate_page, evaluate_page_of_many};
