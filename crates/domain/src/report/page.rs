//! The addresses of a site that a run asked for.

use super::Variant;
use crate::Dimension;
use crate::score::Share;

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
    /// What else is known about it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub details: PageDetails,
    /// Its scores; none for dimensions in which it does not count as a page.
    pub scores: PageScores,
    /// In how many issues of the report it occurs.
    pub issues: u32,
    /// The same of the older variant's report.
    pub issues_legacy: u32,
}

impl PageVisit {
    /// The number of issues of a variant's report in which the page occurs.
    #[must_use]
    pub const fn issues_in(&self, variant: Variant) -> u32 {
        match variant {
            Variant::Current => self.issues,
            Variant::Legacy => self.issues_legacy,
        }
    }
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

    /// The mean of the scores in these dimensions, with equal weights. `None` if the page has no score in any of them.
    #[must_use]
    pub fn mean(&self, dimensions: &[Dimension]) -> Option<Share> {
        let scores = dimensions.iter().filter_map(|&one| self.get(one));
        let (sum, count) = scores.fold((0, 0), |(sum, count), score| {
            (sum + u64::from(u32::from(score)), count + 1)
        });
        (count > 0).then(|| Share::mean(sum, count))
    }
}

/// What else a run knows about an address; each is none where it is not known, as in reports of earlier versions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct PageDetails {
    /// The meta description.
    pub description: Option<String>,
    /// The text of the first `h1` that has any.
    pub h1: Option<String>,
    /// The first canonical URL that the page or its headers declare.
    pub canonical: Option<String>,
    /// Whether search engines may index it, or only a mistake that a check reports keeps them from it.
    pub indexable: Option<bool>,
    /// `lang` of the root element, as written.
    pub language: Option<String>,
    /// Words of the main text.
    pub words: Option<u32>,
    /// Bytes of the body over the wire.
    pub transfer_bytes: Option<u64>,
    /// Milliseconds until the first byte of the response.
    pub response_ms: Option<u32>,
    /// How many other pages link to it, directly or through redirects.
    pub links_in: Option<u32>,
    /// How many URLs it links to.
    pub links_out: Option<u32>,
}

impl PageDetails {
    /// Bytes of its texts.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let texts = [&self.description, &self.h1, &self.canonical, &self.language];
        texts.into_iter().flatten().map(String::len).sum()
    }

    /// Drops its texts.
    pub fn drop_texts(&mut self) {
        self.description = None;
        self.h1 = None;
        self.canonical = None;
        self.language = None;
    }
}
