//! The catalogue: every check, a folder for each dimension, a file for each check.

mod accessibility;
mod ai_readiness;
mod content;
mod performance;
mod security;
mod seo;

use crate::check::Check;

/// The version of the catalogue: it grows when a check is added, removed, or judges differently.
pub const CATALOGUE_VERSION: &str = "1";

/// Every check, by dimension in the order they are shown, by id within.
#[must_use]
pub fn catalogue() -> Vec<&'static Check> {
    let mut all: Vec<&'static Check> = [
        performance::CHECKS,
        accessibility::CHECKS,
        seo::CHECKS,
        security::CHECKS,
        content::CHECKS,
        ai_readiness::CHECKS,
    ]
    .into_iter()
    .flatten()
    .copied()
    .collect();
    all.sort_by_key(|check| (check.dimension, check.id));
    all
}

/// The check of that id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Check> {
    catalogue().into_iter().find(|check| check.id == id)
}
