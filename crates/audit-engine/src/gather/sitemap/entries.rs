//! The URLs of a sitemap in a compact form.

use std::fmt;

use url::Url;

use super::loc;
use crate::bounds::MAX_LISTED_BYTES;

/// One URL of a sitemap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SitemapEntry<'a> {
    /// The URL as written, with XML escapes resolved, cut after [`MAX_LOC_BYTES`](super::MAX_LOC_BYTES).
    pub loc: &'a str,
    /// The date of the last change as written. See [`judge_lastmod`](super::judge_lastmod).
    pub lastmod: Option<&'a str>,
    /// The line on which the entry starts, from 1.
    pub line: usize,
    base: Option<&'a Url>,
}

impl SitemapEntry<'_> {
    /// The URL, if it can be requested. It is parsed from the text by each call.
    #[must_use]
    pub fn url(&self) -> Option<Url> {
        loc::read(self.loc, self.base?).0
    }
}

impl fmt::Debug for SitemapEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SitemapEntry")
            .field("loc", &self.loc)
            .field("url", &self.url().as_ref().map(Url::as_str))
            .field("lastmod", &self.lastmod)
            .field("line", &self.line)
            .finish()
    }
}

/// The URLs of a sitemap in the order of the document.
///
/// An entry costs its text and 16 bytes: 50,000 URLs of 60 bytes with a date take some 4.5 MB.
#[derive(Clone, PartialEq, Eq)]
pub struct Entries {
    base: Url,
    text: String,
    items: Vec<Item>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Item {
    start: u32,
    loc: u16,
    lastmod: u16,
    line: u32,
    /// Whether `loc` can be a URL.
    is_usable: bool,
}

impl Entries {
    pub(super) const fn new(base: Url) -> Self {
        Self {
            base,
            text: String::new(),
            items: Vec::new(),
        }
    }

    /// Adds an entry at the end. An entry with texts longer than those of any parsed sitemap is dropped, and so
    /// are entries beyond [`MAX_LISTED_BYTES`].
    pub(super) fn push(&mut self, loc: &str, lastmod: Option<&str>, line: usize, is_usable: bool) {
        // One entry beyond the limit of a whole site shows that there are too many.
        if self.text.len() > MAX_LISTED_BYTES {
            return;
        }
        let lastmod = lastmod.unwrap_or_default();
        if let (Ok(start), Ok(loc_bytes), Ok(lastmod_bytes)) = (
            u32::try_from(self.text.len()),
            u16::try_from(loc.len()),
            u16::try_from(lastmod.len()),
        ) {
            self.text.push_str(loc);
            self.text.push_str(lastmod);
            self.items.push(Item {
                start,
                loc: loc_bytes,
                lastmod: lastmod_bytes,
                line: u32::try_from(line).unwrap_or(u32::MAX),
                is_usable,
            });
        }
    }

    /// Bytes of the texts.
    pub(crate) const fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Keeps the first entries whose texts have at most `most` bytes together.
    pub(crate) fn truncate_bytes(&mut self, most: usize) {
        let ends_within = |item: &Item| {
            let end = u64::from(item.start) + u64::from(item.loc) + u64::from(item.lastmod);
            usize::try_from(end).is_ok_and(|end| end <= most)
        };
        self.truncate(self.items.partition_point(ends_within));
    }

    /// Keeps the first `most` entries, and frees the memory of the others.
    pub(crate) fn truncate(&mut self, most: usize) {
        self.items.truncate(most);
        let end = self.items.last().map_or(0, |item| {
            let texts = u64::from(item.loc) + u64::from(item.lastmod);
            usize::try_from(u64::from(item.start) + texts).unwrap_or(usize::MAX)
        });
        self.text.truncate(end);
        self.shrink();
    }

    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.items.shrink_to_fit();
    }

    /// The number of entries.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Every entry in the order of the document.
    pub fn iter(&self) -> impl Iterator<Item = SitemapEntry<'_>> {
        self.items.iter().map(|item| {
            let start = usize::try_from(item.start).unwrap_or(usize::MAX);
            let middle = start.saturating_add(usize::from(item.loc));
            let end = middle.saturating_add(usize::from(item.lastmod));
            SitemapEntry {
                loc: self.text.get(start..middle).unwrap_or_default(),
                lastmod: self
                    .text
                    .get(middle..end)
                    .filter(|lastmod| !lastmod.is_empty()),
                line: usize::try_from(item.line).unwrap_or(usize::MAX),
                base: item.is_usable.then_some(&self.base),
            }
        })
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushed_entries_are_returned() {
        let mut entries = Entries::new(Url::parse("https://e.com/").unwrap());
        entries.push("https://e.com/ü", Some("2026-01-01"), 3, true);
        entries.push("/b", None, 4, true);
        entries.push("https://e.com/&x;", None, 5, false);
        entries.truncate(9);
        let read: Vec<_> = entries
            .iter()
            .map(|entry| (entry.url().map(String::from), entry.lastmod, entry.line))
            .collect();
        assert_eq!(
            read,
            [
                (
                    Some("https://e.com/%C3%BC".to_owned()),
                    Some("2026-01-01"),
                    3
                ),
                (Some("https://e.com/b".to_owned()), None, 4),
                (None, None, 5),
            ]
        );
        entries.truncate(1);
        assert_eq!((entries.len(), entries.text.len()), (1, 26));
    }

    #[test]
    fn entries_beyond_the_limit_of_a_site_are_dropped() {
        let mut entries = Entries::new(Url::parse("https://e.com/").unwrap());
        let loc = "u".repeat(2_000);
        for line in 0..2 * MAX_LISTED_BYTES / loc.len() {
            entries.push(&loc, None, line, true);
        }
        let kept = entries.text_bytes();
        assert!(kept > MAX_LISTED_BYTES && kept <= MAX_LISTED_BYTES + loc.len());
        entries.truncate_bytes(MAX_LISTED_BYTES / 2);
        assert!(entries.text.capacity() <= MAX_LISTED_BYTES / 2);
    }

    #[test]
    fn an_entry_takes_sixteen_bytes_and_its_text() {
        assert_eq!(std::mem::size_of::<Item>(), 16);
    }
}
