//! Which pages exist, their links, and their defects.

use std::ops::Range;

use super::Defect;

/// Children of a page.
const CHILDREN: u32 = 12;
/// Links to sibling pages.
const BESIDE: u32 = 8;
/// Pages that every page links to, beginning with the first.
pub(super) const IN_MENU: u32 = 8;
/// About one page in this number has a given defect.
const RARITY: u64 = 40;
/// Pages per sitemap file.
pub(super) const LISTED: u32 = 25_000;

/// Which pages exist, their links, and their defects.
///
/// Page `n` is the parent of the [`CHILDREN`] pages from `n * CHILDREN + 1` on, and page 0 is `/`.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pages: u32,
    seed: u64,
    defects: Vec<Defect>,
}

impl Layout {
    pub(super) fn new(pages: u32, seed: u64, defects: &[Defect]) -> Self {
        Self {
            pages: pages.max(1),
            seed,
            defects: defects.to_vec(),
        }
    }

    pub(super) const fn pages(&self) -> u32 {
        self.pages
    }

    /// A number that depends only on the seed, the page and the purpose.
    pub(super) const fn chance(&self, page: u32, purpose: u64) -> u64 {
        #[expect(clippy::as_conversions, reason = "u64::from is not const")]
        let page = page as u64;
        mixed(self.seed ^ mixed(page ^ (purpose << 40)))
    }

    /// The defect of the page.
    pub(super) fn defect(&self, page: u32) -> Option<Defect> {
        let drawn = self.chance(page, 1) % RARITY;
        let defect = *self
            .defects
            .iter()
            .find(|defect| defect.number() == drawn)?;
        let fits = match defect {
            // Everything below an orphan would be an orphan as well. Pages in the menu are not orphans.
            Defect::Orphan => page > IN_MENU && self.children(page).is_empty(),
            _ => page > 0,
        };
        fits.then_some(defect)
    }

    pub(super) fn is_orphan(&self, page: u32) -> bool {
        self.defect(page) == Some(Defect::Orphan)
    }

    /// The pages one click below.
    pub(super) const fn children(&self, page: u32) -> Range<u32> {
        let first = page.saturating_mul(CHILDREN).saturating_add(1);
        let first = if first > self.pages {
            self.pages
        } else {
            first
        };
        let end = first.saturating_add(CHILDREN);
        first..if end > self.pages { self.pages } else { end }
    }

    pub(super) const fn parent(page: u32) -> Option<u32> {
        match page.checked_sub(1) {
            Some(before) => Some(before / CHILDREN),
            None => None,
        }
    }

    /// The pages that a page links to from its text: children, siblings, and some others.
    pub(super) fn linked(&self, page: u32) -> impl Iterator<Item = u32> + '_ {
        let beside = (1..=BESIDE).filter_map(move |step| {
            let next = page.checked_add(step)?;
            (next < self.pages).then_some(next)
        });
        let anywhere = (0..10).filter_map(move |number| {
            u32::try_from(self.chance(page, 16 + number) % u64::from(self.pages)).ok()
        });
        self.children(page)
            .chain(beside)
            .chain(anywhere)
            .filter(move |target| *target != page && !self.is_orphan(*target))
    }

    /// Whether a sitemap lists the page.
    pub(super) fn is_listed(&self, page: u32) -> bool {
        self.defect(page) != Some(Defect::Noindex)
    }

    pub(super) const fn sitemaps(&self) -> u32 {
        self.pages.div_ceil(LISTED)
    }
}

/// The path of a page.
pub(super) fn path(page: u32) -> String {
    match page {
        0 => "/".to_owned(),
        _ => format!("/section-{}/page-{page}", page % 97),
    }
}

/// The page of a path.
pub(super) fn page(path: &str) -> Option<u32> {
    if path == "/" {
        return Some(0);
    }
    let (section, page) = path.strip_prefix("/section-")?.split_once("/page-")?;
    let number: u32 = page.parse().ok()?;
    // Each page has exactly one URL.
    (number > 0 && number.to_string() == page && (number % 97).to_string() == section)
        .then_some(number)
}

/// The finalizer of `SplitMix64`: every bit of the input affects every bit of the output.
pub(crate) const fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
