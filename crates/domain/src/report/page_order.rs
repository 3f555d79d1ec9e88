//! The orders in which the pages of a report are listed.

use std::cmp::Ordering;

use super::{PageVisit, Variant};
use crate::cursor::{signed, unsigned};
use crate::named_enum::named_enum;

named_enum! {
    /// What the pages of a report are sorted by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub enum PageSort {
        /// The order of the crawl.
        #[default]
        Crawl = "crawl",
        /// The URL, by its characters.
        Url = "url",
        /// The status code.
        Status = "status",
        /// Clicks from the start page.
        Depth = "depth",
        /// The title, by its characters.
        Title = "title",
        /// Words of the main text.
        Words = "words",
        /// Bytes of the decoded body.
        Bytes = "bytes",
        /// Bytes of the body over the wire.
        TransferBytes = "transferBytes",
        /// Milliseconds until the first byte.
        ResponseMs = "responseMs",
        /// Pages that link to it.
        LinksIn = "linksIn",
        /// URLs that it links to.
        LinksOut = "linksOut",
        /// Issues of the report that occur on it.
        IssueCount = "issueCount",
        /// The same of the older variant's report. Callers ask for [`PageSort::IssueCount`].
        IssueCountLegacy = "issueCountLegacy",
        /// The mean of its scores in all dimensions, [`PageScores::mean`](super::PageScores::mean).
        Score = "score",
        /// The mean over the dimensions of the older variant. Callers request [`PageSort::Score`].
        ScoreLegacy = "scoreLegacy",
    }
}

/// What a page is sorted by: a number or a text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum SortKey<'a> {
    Number(u64),
    Text(&'a str),
}

impl PageSort {
    /// The orders that are stored: all but that of the crawl, in which the pages are stored themselves.
    pub fn stored() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|sort| *sort != Self::Crawl)
    }

    /// The orders that callers can request; each is that of their variant.
    pub fn offered() -> impl Iterator<Item = Self> {
        let of_legacy = [Self::IssueCountLegacy, Self::ScoreLegacy];
        let all = Self::ALL.into_iter();
        all.filter(move |sort| !of_legacy.contains(sort))
    }

    /// The stored order that corresponds to this one in a variant.
    #[must_use]
    pub const fn in_variant(self, variant: Variant) -> Self {
        match (self, variant) {
            (Self::IssueCount, Variant::Legacy) => Self::IssueCountLegacy,
            (Self::Score, Variant::Legacy) => Self::ScoreLegacy,
            (sort, _) => sort,
        }
    }

    fn key(self, visit: &PageVisit) -> Option<SortKey<'_>> {
        let details = &visit.details;
        let number = match self {
            Self::Url => return Some(SortKey::Text(&visit.url)),
            Self::Title => return visit.title.as_deref().map(SortKey::Text),
            Self::Crawl => None,
            Self::Status => visit.status.map(u64::from),
            Self::Depth => visit.depth.map(u64::from),
            Self::Words => details.words.map(u64::from),
            Self::Bytes => visit.bytes,
            Self::TransferBytes => details.transfer_bytes,
            Self::ResponseMs => details.response_ms.map(u64::from),
            Self::LinksIn => details.links_in.map(u64::from),
            Self::LinksOut => details.links_out.map(u64::from),
            Self::IssueCount => Some(visit.issues.into()),
            Self::IssueCountLegacy => Some(visit.issues_legacy.into()),
            Self::Score => score(visit, Variant::Current),
            Self::ScoreLegacy => score(visit, Variant::Legacy),
        };
        number.map(SortKey::Number)
    }
}

fn score(visit: &PageVisit, variant: Variant) -> Option<u64> {
    let score = visit.scores.mean(variant.dimensions())?;
    Some(u32::from(score).into())
}

/// The pages of a report, sorted. A report never changes, so each order is computed once and stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedPages {
    /// The places of the pages in the order of the crawl, the smallest value first, equal ones in the order of the
    /// crawl, pages without a value last.
    pub positions: Vec<u32>,
    /// How many of them have a value.
    pub known: u32,
}

impl SortedPages {
    /// Sorts pages, each with its place in the order of the crawl.
    #[must_use]
    pub fn new(sort: PageSort, pages: &[(u32, &PageVisit)]) -> Self {
        let mut keyed: Vec<_> = pages
            .iter()
            .map(|(position, visit)| (sort.key(visit), *position))
            .collect();
        keyed.sort_unstable_by(|(one, first), (other, second)| {
            let by_key = match (one, other) {
                (Some(one), Some(other)) => one.cmp(other),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => Ordering::Equal,
            };
            by_key.then(first.cmp(second))
        });
        let known = keyed.iter().filter(|(key, _)| key.is_some()).count();
        Self {
            known: u32::try_from(known).unwrap_or(u32::MAX),
            positions: keyed.into_iter().map(|(_, position)| position).collect(),
        }
    }
}

/// An order of the pages of a report. Pages without a value come last in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PageOrder {
    /// What they are sorted by.
    pub sort: PageSort,
    /// Whether the largest value comes first.
    pub descending: bool,
}

impl PageOrder {
    /// The order that a text names: `words`, or `-words` for the largest first; none for any other text.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let (descending, name) = text
            .strip_prefix('-')
            .map_or((false, text), |name| (true, name));
        let sort = PageSort::offered().find(|sort| sort.as_str() == name)?;
        let order = Self { sort, descending };
        (order.sort != PageSort::Crawl || !descending).then_some(order)
    }

    /// The place in [`SortedPages::positions`] of the page that is at a place of the list.
    #[must_use]
    pub const fn index(self, place: u32, known: u32) -> u32 {
        if self.descending && place < known {
            known - 1 - place
        } else {
            place
        }
    }
}

impl std::fmt::Display for PageOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.descending { "-" } else { "" };
        write!(f, "{sign}{}", self.sort)
    }
}

/// Characters of an order and of a place.
const ORDER_LENGTH: usize = 2;
const PLACE_LENGTH: usize = 8;

/// A place in the list of a report's pages. A report never changes, so the order of its pages stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageCursor {
    /// The order of the list.
    pub order: PageOrder,
    /// The place of the last page in that order, from 0. Pages that a filter leaves out have places as well.
    pub place: u32,
}

impl PageCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("p{:02x}{:08x}", self.code(), self.place))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let (code, place) = unsigned(text)?
            .strip_prefix('p')?
            .split_at_checked(ORDER_LENGTH)?;
        let code = usize::from_str_radix(code, 16).ok()?;
        let cursor = Self {
            order: PageOrder {
                sort: PageSort::ALL.get(code / 2).copied()?,
                descending: code % 2 == 1,
            },
            place: u32::from_str_radix(place, 16).ok()?,
        };
        (place.len() == PLACE_LENGTH).then_some(cursor)
    }

    fn code(self) -> usize {
        let sort = self.order.sort;
        let place = PageSort::ALL.iter().position(|known| *known == sort);
        2 * place.unwrap_or_default() + usize::from(self.order.descending)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::report::{OccurrenceCursor, PageDetails, PageScores};
    use crate::score::Share;

    fn page(words: Option<u32>) -> PageVisit {
        PageVisit {
            url: "https://example.com/".to_owned(),
            status: Some(200),
            depth: None,
            title: None,
            bytes: None,
            audited: true,
            leads_to: None,
            details: PageDetails {
                words,
                ..PageDetails::default()
            },
            scores: PageScores::default(),
            issues: 0,
            issues_legacy: 0,
        }
    }

    /// The places of pages with these values, as a list shows them.
    fn listed(words: &[Option<u32>], text: &str) -> Vec<u32> {
        let pages: Vec<_> = words.iter().copied().map(page).collect();
        let pages: Vec<_> = (0..).zip(&pages).collect();
        let order = PageOrder::named(text).unwrap();
        let sorted = SortedPages::new(order.sort, &pages);
        (0..u32::try_from(sorted.positions.len()).unwrap())
            .map(|place| {
                let index = usize::try_from(order.index(place, sorted.known)).unwrap();
                sorted.positions[index]
            })
            .collect()
    }

    #[test]
    fn pages_without_a_value_come_last_in_both_directions() {
        let words = [Some(5), None, Some(9), Some(5), None, Some(1)];
        assert_eq!(listed(&words, "words"), [5, 0, 3, 2, 1, 4]);
        assert_eq!(listed(&words, "-words"), [2, 3, 0, 5, 1, 4]);
        assert_eq!(listed(&words, "depth"), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn pages_come_by_the_mean_of_the_scores_that_a_variant_has() {
        let page = |scores: &[Option<u8>; 6]| PageVisit {
            scores: PageScores(scores.map(|score| score.map(Share::from_hundredths))),
            ..page(None)
        };
        // The last score is of AI readiness, which the older variant lacks.
        let pages = [
            page(&[Some(90), Some(80), None, None, None, Some(10)]),
            page(&[Some(70), Some(70), None, None, None, Some(70)]),
            page(&[None; 6]),
        ];
        let pages: Vec<_> = (0..).zip(&pages).collect();
        for (variant, expected) in [(Variant::Current, [0, 1, 2]), (Variant::Legacy, [1, 0, 2])] {
            let sorted = SortedPages::new(PageSort::Score.in_variant(variant), &pages);
            assert_eq!((sorted.positions, sorted.known), (expected.to_vec(), 2));
        }
    }

    #[rstest]
    #[case("crawl", true)]
    #[case("-issueCount", true)]
    #[case("-crawl", false)]
    #[case("issueCountLegacy", false)]
    #[case("-score", true)]
    #[case("scoreLegacy", false)]
    #[case("--words", false)]
    #[case("Words", false)]
    #[case("", false)]
    fn names_of_orders(#[case] text: &str, #[case] is_known: bool) {
        let order = PageOrder::named(text);
        assert_eq!(order.is_some(), is_known);
        assert!(order.is_none_or(|order| order.to_string() == text));
    }

    proptest! {
        #[test]
        fn every_page_is_listed_once(words: Vec<Option<u32>>, descending: bool) {
            let mut places = listed(&words, if descending { "-words" } else { "words" });
            let values: Vec<_> = places
                .iter()
                .filter_map(|place| words[usize::try_from(*place).unwrap()])
                .collect();
            if descending {
                prop_assert!(values.is_sorted_by(|one, other| one >= other));
            } else {
                prop_assert!(values.is_sorted());
            }
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..u32::try_from(words.len()).unwrap()));
        }

        #[test]
        fn cursors_come_back(sort in 0..PageSort::ALL.len(), descending: bool, place: u32) {
            let order = PageOrder { sort: PageSort::ALL[sort], descending };
            let text = PageCursor { order, place }.encode();
            prop_assert_eq!(PageCursor::decode(&text), Some(PageCursor { order, place }));
            prop_assert_eq!(OccurrenceCursor::decode(&text), None);
        }

        #[test]
        fn other_texts_are_refused(text: String) {
            prop_assert_eq!(PageCursor::decode(&text), None);
        }
    }
}
