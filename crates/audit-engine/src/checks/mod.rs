//! The catalogue of all checks: one folder per dimension, one file per check.

mod accessibility;
mod ai_readiness;
mod content;
mod performance;
mod security;
mod seo;

use crate::check::Check;

/// The version of the catalogue. It increases when a check is added, removed, or changes its verdicts.
pub const CATALOGUE_VERSION: &str = "3";

/// All checks, sorted by dimension in display order, then by id.
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

/// The check with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Check> {
    catalogue().into_iter().find(|check| check.id == id)
}
