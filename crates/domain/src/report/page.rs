//! The addresses of a site that a run asked for.

use crate::Dimension;
use crate::cursor::{signed, unsigned};
use crate::score::Share;

/// Characters of a position.
const POSITION_LENGTH: usize = 8;

/// An address of the site that a run asked for, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct PageVisit {
    /// The address, spelled as occurrences spell it.
    pub url: String,
    /// The status it answered; none where it did not answer.
    pub status: Option<u16>,
    /// Clicks from the start page; none where only a sitemap led here, or it is not known.
    pub depth: Option<u32>,
    /// The title, white space collapsed, where it was read.
    pub title: Option<String>,
    /// Bytes of the decoded body, where it was read.
    pub bytes: Option<u64>,
    /// Whether it was judged as a page.
    pub audited: bool,
    /// Where its redirects lead in the end; none where it does not redirect, or nowhere.
    pub leads_to: Option<String>,
    /// Its scores; none for dimensions in which it does not count as a page.
    pub scores: PageScores,
    /// In how many issues of the report it occurs.
    pub issues: u32,
    /// The same of the older variant's report.
    pub issues_legacy: u32,
}

/// The scores of a page, in the order of [`Dimension::ALL`]; none where it does not count as a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PageScores(pub [Option<Share>; 6]);

impl PageScores {
    /// The score in a dimension.
    #[must_use]
    pub fn get(&self, dimension: Dimension) -> Option<Share> {
        let place = Dimension::ALL
            .iter()
            .position(|&known| known == dimension)?;
        self.0.get(place).copied().flatten()
    }
}

/// A place in the list of a report's pages. A report never changes, so their order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageCursor {
    /// The place of the last page, from 0.
    pub position: u32,
}

impl PageCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("p{:08x}", self.position))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let digits = unsigned(text)?.strip_prefix('p')?;
        let position = u32::from_str_radix(digits, 16).ok()?;
        (digits.len() == POSITION_LENGTH).then_some(Self { position })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::report::OccurrenceCursor;

    proptest! {
        #[test]
        fn cursors_come_back(position in any::<u32>()) {
            let text = PageCursor { position }.encode();
            prop_assert_eq!(PageCursor::decode(&text), Some(PageCursor { position }));
            prop_assert_eq!(OccurrenceCursor::decode(&text), None);
        }

        #[test]
        fn other_texts_are_refused(text in any::<String>()) {
            prop_assert_eq!(PageCursor::decode(&text), None);
        }
    }
}
