//! Verdicts that wait until it is known whether the page counts as indexable.

use super::evaluate::Evaluated;
use crate::bounds::MAX_WITHHELD_BYTES;

/// The withheld verdicts of a page, by the place of the check.
type PageVerdicts = Vec<(u16, Evaluated)>;

/// The withheld verdicts of all pages, at most [`MAX_WITHHELD_BYTES`]. Those of further pages are dropped: these
/// pages are not judged as indexable.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    pages: Vec<(usize, PageVerdicts)>,
    bytes: usize,
}

impl Withheld {
    /// Keeps the verdicts of the page with this number.
    pub(super) fn add(&mut self, page: usize, mut verdicts: PageVerdicts) {
        verdicts.shrink_to_fit();
        let bytes: usize = verdicts
            .iter()
            .map(|(_, judged)| size_of::<(u16, Evaluated)>() + judged.bytes())
            .sum();
        if !verdicts.is_empty() && self.bytes + bytes <= MAX_WITHHELD_BYTES {
            self.bytes += bytes;
            self.pages.push((page, verdicts));
        }
    }

    /// Takes all verdicts, in the order of the pages.
    pub(super) fn take(&mut self) -> Vec<(usize, PageVerdicts)> {
        self.bytes = 0;
        std::mem::take(&mut self.pages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Evidence, Outcome};

    #[test]
    fn verdicts_beyond_the_bound_are_dropped() {
        let verdict = || {
            let evidence = Evidence::here().message("x".repeat(400));
            vec![(0, Evaluated::Answered(Outcome::failed([evidence])))]
        };
        let pages = MAX_WITHHELD_BYTES / 400;
        let mut withheld = Withheld::default();
        for page in 0..pages {
            withheld.add(page, verdict());
        }
        assert!(withheld.bytes <= MAX_WITHHELD_BYTES);
        let kept = withheld.take();
        assert!(
            kept.len() > pages / 4 && kept.len() < pages,
            "{}",
            kept.len()
        );
        assert!(withheld.take().is_empty());
    }
}
