//! Texts that all formats of a report share, one file per subject.
//!
//! Texts here are ours or quote the report unchanged. Every format escapes them for its own syntax.

pub(crate) mod browser;
pub(crate) mod cause;
pub(crate) mod changes;
pub(crate) mod coverage;
pub(crate) mod duration;
pub(crate) mod head;
pub(crate) mod issue;
pub(crate) mod lab;
pub(crate) mod lab_changes;
pub(crate) mod picture;
pub(crate) mod reference;
pub(crate) mod score;
pub(crate) mod scripts;
pub(crate) mod unjudged;
pub(crate) mod waiver;

use domain::text::count;

/// "Website audit of example.com"
pub(crate) fn title(site: &str) -> String {
    format!("Website audit of {site}")
}

/// [`count`] of things that are counted in memory.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    count(number_of(number), one, many)
}

/// A length as the counts of a report have it.
pub(crate) fn number_of(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
