//! The defects of a site by check.

use std::collections::BTreeMap;

use super::Defect;
use super::layout::{self, Layout};

/// The ground truth of a site: which check must find which pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    affected: BTreeMap<&'static str, Vec<String>>,
}

impl Manifest {
    pub(super) fn new(layout: &Layout) -> Self {
        let mut affected: BTreeMap<&'static str, Vec<String>> = Defect::ALL
            .iter()
            .map(|defect| (defect.check(), Vec::new()))
            .collect();
        for page in 0..layout.pages() {
            if let Some(defect) = layout.defect(page) {
                affected
                    .entry(defect.check())
                    .or_default()
                    .push(layout::path(page));
            }
        }
        for paths in affected.values_mut() {
            paths.sort();
        }
        for shared in [Defect::TitleDuplicate, Defect::DescriptionDuplicate] {
            // A single page does not share its title.
            if let Some(paths) = affected.get_mut(shared.check())
                && paths.len() == 1
            {
                paths.clear();
            }
        }
        Self { affected }
    }

    /// The checks, with the sorted paths of the pages that each must find.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        self.affected
            .iter()
            .map(|(check, paths)| (*check, paths.as_slice()))
    }

    /// The number of pages that the check must find.
    #[must_use]
    pub fn count(&self, check: &str) -> usize {
        self.affected.get(check).map_or(0, Vec::len)
    }
}

/// One line for each check: its id, a tab, the number of pages.
impl std::fmt::Display for Manifest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (check, paths) in self.iter() {
            writeln!(f, "{check}\t{}", paths.len())?;
        }
        Ok(())
    }
}
